//! A small library of clips, in a folder of its own.

pub(crate) mod random;
pub(crate) mod tars;

use rebone::skeleton::{Clip, Motion, gltf};
use rebone::{Character, Options, Report, RetargetJob, Selection};
use rebone_batch::{BatchError, BatchOutcome, BatchRequest, Input, Pictures, Progress, run};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::{fs, io};

/// Skeleton of all clips.
const BODY: &str = include_str!("../../../../../data/rigs/toy-a-pose.bvh");
/// Skeleton of a rig.
pub(crate) const RIG: &str = include_str!("../../../../../data/rigs/one-spine.bvh");

/// A BVH whose body turns by an angle, in degrees, in each of three frames.
pub(crate) fn turning(degrees: f64) -> String {
    turning_body(BODY, degrees)
}

/// As [`turning`], with bones of its arms in other directions: a rig class of its own.
pub(crate) fn turning_bent(degrees: f64) -> String {
    turning_body(&BODY.replace("OFFSET 0.10725 -0.08999 0\n", "OFFSET 0.13 -0.05 0\n"), degrees)
}

/// As [`turning`], of another skeleton.
pub(crate) fn turning_other(degrees: f64) -> String {
    turning_body(RIG, degrees)
}

fn turning_body(body: &str, degrees: f64) -> String {
    let (head, frame) = body.split_once("Frames: 1\n").unwrap();
    let (time, frame) = frame.split_once('\n').unwrap();
    let numbers: Vec<&str> = frame.split_whitespace().collect();
    let row = |k: i32| {
        let mut row: Vec<String> = numbers.iter().map(|&number| number.to_owned()).collect();
        row[3] = (f64::from(k) * degrees).to_string();
        row.join(" ") + "\n"
    };
    format!("{head}Frames: 3\n{time}\n{}", (0..3).map(row).collect::<String>())
}

/// Writes a `.gltf` with a `.bin` beside it; each animation is a name and how far its body turns.
pub(crate) fn write_gltf(path: &Path, animations: &[(&str, f64)]) {
    let read = |degrees: f64| {
        Character::parse("body.bvh", turning(degrees).into_bytes(), Selection::default()).unwrap()
    };
    let body = read(0.0);
    let anatomy = body.analyse().unwrap();
    let document = rebone::export::document(&body, &anatomy);
    let skeleton = document.skeleton().clone();
    let clips: Vec<Clip> = animations.iter().map(|own| read(own.1).clip().clone()).collect();
    let mapped = skeleton.ids().collect();
    // Names follow later: the writer replaces an animation of the name that it writes.
    let numbers: Vec<String> = (0..clips.len()).map(|k| format!("clip {k}")).collect();
    let new = numbers.iter().zip(&clips);
    let new: Vec<gltf::NewAnimation> =
        new.map(|(name, clip)| gltf::NewAnimation { name, clip, mapped: &mapped }).collect();
    let bytes =
        document.with_animations(&new, gltf::Tolerance::default(), gltf::Container::Glb).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let mut json: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    for (k, (name, _)) in animations.iter().enumerate() {
        json["animations"][k]["name"] = (*name).into();
    }
    let data = path.with_extension("bin");
    json["buffers"][0]["uri"] = data.file_name().unwrap().to_str().unwrap().into();
    fs::write(&data, &bytes[28 + length..]).unwrap();
    fs::write(path, json.to_string()).unwrap();
}

/// Reads how far the body of a clip turns between its first frames, in degrees.
pub(crate) fn turn_of(path: &Path) -> f64 {
    let character = Character::open(path, Selection::default()).unwrap();
    let Motion { clip, .. } = character.motion();
    let [first, second] = [0, 1].map(|frame| clip.pose(frame).unwrap().rotations[0]);
    first.angle_to(&second).to_degrees()
}

/// Pictures in a folder that say where the root of the result is.
pub(crate) fn root_pictures(folder: PathBuf) -> Pictures {
    let draw = |_: &RetargetJob, clip: &Clip, report: &Report, path: &Path| {
        let mut text = format!("{:?} {}\n", path.file_name(), report.frames);
        for pose in clip.poses() {
            text += &format!("{:?} {:?}\n", pose.translations.first(), pose.rotations.first());
        }
        text.into_bytes()
    };
    Pictures { folder, draw }
}

/// A folder with a rig.
pub(crate) struct Place {
    folder: PathBuf,
    /// Removes the folder in the end, where it is its own.
    _temporary: Option<tempfile::TempDir>,
}

impl Place {
    pub(crate) fn new() -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let place = Self { folder: temporary.path().to_owned(), _temporary: Some(temporary) };
        place.write("hero.bvh", RIG);
        place
    }

    /// The folder of another process.
    pub(crate) fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), _temporary: None }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// A batch of the folder `lib` onto the rig, into `out`; guesses are accepted.
    pub(crate) fn request(&self) -> BatchRequest {
        let inputs = vec![self.input("lib")];
        let request = BatchRequest::new(inputs, vec![self.path("hero.bvh")], self.path("out"));
        let options = Options { accept_guesses: true, ..Options::default() };
        BatchRequest { options, threads: 1.try_into().ok(), ..request }
    }

    pub(crate) fn input(&self, name: &str) -> Input {
        Input::Files(self.path(name))
    }
}

/// Runs a batch to its end.
pub(crate) fn done(request: &BatchRequest) -> BatchOutcome {
    try_run(request, &AtomicBool::new(false)).unwrap()
}

pub(crate) fn try_run(
    request: &BatchRequest,
    stop: &AtomicBool,
) -> Result<BatchOutcome, BatchError> {
    run(request, stop, &mut |_: Progress| {})
}

/// Names of results that a run made.
pub(crate) fn made(request: &BatchRequest) -> Vec<String> {
    let outcome = done(request);
    let failed: Vec<_> = outcome.failed().collect();
    assert!(failed.is_empty(), "{failed:?}");
    let outputs = outcome.lines.into_iter().filter_map(|line| line.output);
    let mut names: Vec<String> = outputs.map(|path| path.to_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

/// All files below a folder, and what they hold; the manifest sorted and without times.
pub(crate) fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        for path in entries.map(|entry: io::Result<_>| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            let bytes = fs::read(&path).unwrap();
            let is_manifest = name == rebone_batch::manifest::NAME;
            files.insert(name, if is_manifest { untimed(&bytes) } else { bytes });
        }
    }
    files
}

fn untimed(manifest: &[u8]) -> Vec<u8> {
    let line = |line: &str| {
        let mut value: serde_json::Value = serde_json::from_str(line).unwrap();
        value.as_object_mut().unwrap().remove("seconds");
        value.to_string()
    };
    let mut lines: Vec<String> = std::str::from_utf8(manifest).unwrap().lines().map(line).collect();
    lines.sort();
    lines.join("\n").into_bytes()
}
