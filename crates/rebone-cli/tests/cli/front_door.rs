//! The library's main job writes the bytes that the program writes.

use super::support::Place;
use rebone::Options;
use std::path::{Path, PathBuf};

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|end| end == extension)).collect();
    files.sort();
    files
}

fn data(folder: &str) -> Vec<PathBuf> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(folder), "bvh")
}

/// Retargets with the program and with the library, and compares the files.
fn compare(
    place: &Place,
    source: &Path,
    target: &Path,
    extension: &str,
    args: &str,
    options: &Options,
) {
    let names = ["program", "library"].map(|name| format!("{name}.{extension}"));
    let line = format!(
        "retarget {} {} -o {} {args}",
        source.display(),
        target.display(),
        place.path(&names[0]).display()
    );
    place.run(&line).succeeds();
    let [from, onto] = [source, target].map(|path| rebone::open(path).unwrap());
    let result = rebone::retarget(&from, &onto, options).unwrap();
    result.save(place.path(&names[1])).unwrap();
    let [program, library] = names.map(|name| std::fs::read(place.path(&name)).unwrap());
    assert!(program == library, "{} onto {}: .{extension}", source.display(), target.display());
    let format = rebone::skeleton::Format::of_name(format!("a.{extension}")).unwrap();
    assert!(result.write(format).unwrap() == library);
}

#[test]
fn the_library_writes_the_programs_bytes() {
    let place = Place::new();
    let rigs = data("rigs");
    let (mut pairs, formats) = (0, ["bvh", "glb", "gltf", "vrma"]);
    for (k, clip) in data("clips").iter().enumerate() {
        for (n, rig) in rigs.iter().skip(k).step_by(3).take(3).enumerate() {
            compare(&place, clip, rig, formats[(k + n) % 4], "", &Options::default());
            pairs += 1;
        }
    }
    assert!(pairs >= 12, "{pairs}");
    let options: Options = serde_json::from_str(
        r#"{"contacts": "all", "fps": 20, "frames": "5..40", "only": ["upper"], "decimals": 4}"#,
    )
    .unwrap();
    let args = "--contacts all --fps 20 --frames 5..40 --only upper --decimals 4";
    compare(&place, &data("clips")[0], &rigs[0], "bvh", args, &options);
}

#[test]
#[allow(clippy::print_stderr)]
fn the_library_writes_the_programs_bytes_of_scenes() {
    let Some(corpus) = std::env::var_os("REBONE_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: REBONE_CORPUS is not set");
        return;
    };
    let place = Place::new();
    let options = Options { accept_guesses: true, ..Options::default() };
    let (clips, mut pairs) = (data("clips"), 0);
    for (folder, end, formats) in
        [("rigs/vrm", "vrm", ["vrm", "vrma", "bvh"]), ("rigs/gltf", "glb", ["glb", "bvh", "gltf"])]
    {
        for (k, rig) in files(&corpus.join(folder), end).iter().enumerate() {
            let Ok(target) = rebone::open(rig) else { continue };
            if target.analyse().is_err() {
                continue;
            }
            for format in formats.iter().take(if end == "vrm" { 3 } else { 1 + k % 2 }) {
                let clip = &clips[pairs % clips.len()];
                compare(&place, clip, rig, format, "--accept-guesses", &options);
                pairs += 1;
            }
        }
    }
    assert!(pairs >= 10, "{pairs}");
}

#[test]
fn a_result_never_replaces_an_input() {
    let place = Place::new();
    let [walk, hero] = ["walk.bvh", "hero.bvh"].map(|name| place.path(name));
    let options = Options { accept_guesses: true, ..Options::default() };
    let [source, target] = [&walk, &hero].map(|path| rebone::open(path).unwrap());
    let result = rebone::retarget(&source, &target, &options).unwrap();
    let before = place.read("hero.bvh");
    let error = result.save(&hero).unwrap_err();
    assert!(error.to_string().contains("an input is never changed"), "{error}");
    assert_eq!(place.read("hero.bvh"), before);
    assert!(result.save(place.path("out.fbx")).is_err());
    result.save(place.path("out.bvh")).unwrap();
}
