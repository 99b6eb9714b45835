//! Names of results.

use super::inputs::{Clip, stem};
use super::{cards, manifest, output_lock};
use crate::args::Template;
use crate::exit_code::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

impl Template {
    /// Path of a result below the output folder, with an extension.
    pub(crate) fn place(&self, clip: &Clip, rig: &Path, end: &str) -> PathBuf {
        let name = self.text().replace("{stem}", "\u{0}").replace("{target}", &stem(rig));
        clip.folder.join(name.replace('\u{0}', &clip.stem()) + "." + end)
    }
}

/// Extension of results for a rig: the rig's, except for FBX, which is not written, and for joints and motion `alone`,
/// which are no VRM.
pub(crate) fn end(rig: &Path, alone: bool) -> &'static str {
    let end = rig.extension().map(|end| end.to_string_lossy().to_lowercase());
    match end.as_deref() {
        Some("glb" | "fbx") => "glb",
        Some("gltf") => "gltf",
        Some("vrm") => {
            if alone {
                "glb"
            } else {
                "vrm"
            }
        }
        _ => "bvh",
    }
}

/// Refuses two results with one name, case ignored, and results that would replace an
/// input.
pub(crate) fn check(
    outputs: &[(PathBuf, &Path)],
    inputs: &[&Path],
    folder: &Path,
) -> Result<(), Failure> {
    let mut taken: BTreeMap<String, (&Path, &Path)> = BTreeMap::new();
    for (place, clip) in outputs {
        check_reserved(place, clip)?;
        let key = place.to_string_lossy().to_lowercase();
        if let Some((other_place, other)) = taken.insert(key, (place, clip)) {
            let [place, other_place] = [place.as_path(), other_place].map(Path::display);
            let same = if place.to_string() == other_place.to_string() {
                format!("{place}")
            } else {
                format!("{other_place} and {place}, one name where case does not count")
            };
            let (other, clip) = (other.display().to_string(), clip.display().to_string());
            return Err(Failure::usage(if other == clip {
                format!(
                    "two results of {clip} would both be written to {same}: name rigs apart, and put \
                     {{target}} into --name"
                )
            } else {
                format!(
                    "{other} and {clip} would both be written to {same}: name them apart with --name, or \
                     give the folder that both are below"
                )
            }));
        }
    }
    let inputs: BTreeSet<PathBuf> =
        inputs.iter().filter_map(|path| path.canonicalize().ok()).collect();
    for (place, _) in outputs {
        let output = folder.join(place);
        if output.canonicalize().is_ok_and(|output| inputs.contains(&output)) {
            return Err(Failure::usage(format!(
                "the output {} is an input: an input is never changed",
                output.display(),
            )));
        }
    }
    Ok(())
}

/// Refuses results in the place of the batch's own files.
fn check_reserved(place: &Path, clip: &Path) -> Result<(), Failure> {
    let first =
        place.components().next().map(|part| part.as_os_str().to_string_lossy().to_lowercase());
    match first.filter(|first| RESERVED.contains(&first.as_str())) {
        None => Ok(()),
        Some(first) => Err(Failure::usage(format!(
            "the result {} of {} would lie in {first} of the output folder, which is the batch's own: \
             call the folder of the clip or --name otherwise, or give the folder itself as an input",
            place.display(),
            clip.display()
        ))),
    }
}

/// Names of the batch's own files in its output folder.
const RESERVED: [&str; 3] = [cards::FOLDER, output_lock::FOLDER, manifest::NAME];

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(path: &str, folder: &str) -> Clip {
        Clip { path: path.into(), folder: folder.into(), part: None }
    }

    #[test]
    fn templates_are_filled_and_stay_below_the_folder() {
        let walk = clip("in/a/{target}.bvh", "a");
        let place =
            |text| Template::parse(text).unwrap().place(&walk, Path::new("rigs/Hero.bvh"), "bvh");
        assert_eq!(place("{target}/x-{stem}"), Path::new("a/Hero/x-{target}.bvh"));
        assert_eq!(
            Template::usual(2).place(&walk, Path::new("H.bvh"), "bvh"),
            Path::new("a/{target}-H.bvh")
        );
        for wrong in ["{target}", "{stem}{kind}", "../{stem}", "/{stem}", "{stem}/", "{stem", ""] {
            assert!(Template::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn results_of_one_name_are_found_before_the_work() {
        let outputs = |a: &str, b: &str| {
            let out = [(PathBuf::from(a), Path::new("x/a.bvh")), (b.into(), Path::new("y/a.bvh"))];
            check(&out, &[], Path::new("no such folder"))
        };
        assert!(outputs("a.bvh", "b.bvh").is_ok());
        assert!(outputs("a.bvh", "Cards/b.bvh").is_err());
        assert!(outputs("a.bvh", ".rebone/b.bvh").is_err());
        let message = outputs("a.bvh", "A.bvh").unwrap_err().message();
        assert!(message.contains("x/a.bvh and y/a.bvh") && message.contains("case"), "{message}");
    }
}
