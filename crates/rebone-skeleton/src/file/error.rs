//! Errors and warnings of reading a motion file, with their position in it.

#[cfg(feature = "fbx")]
use crate::fbx;
use crate::{acclaim, bvh, gltf};
use std::fmt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a motion file cannot be read.
#[derive(Debug, Error)]
pub enum FileError {
    /// The file cannot be opened.
    #[error("{}: cannot open: {error}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The content is no BVH that can be read.
    #[error("{}:{}: {}", path.display(), error.line, error.kind)]
    Bvh {
        /// The file.
        path: PathBuf,
        /// The line and the fault.
        error: bvh::ReadError,
    },
    /// The content is no Acclaim skeleton or motion that can be read.
    #[error("{}:{}: {}", path.display(), error.line, error.kind)]
    Acclaim {
        /// The file: of a motion the skeleton's, where that is at fault.
        path: PathBuf,
        /// The line and the fault.
        error: acclaim::ReadError,
    },
    /// The skeleton of an Acclaim motion is not found.
    #[error("{}", without_skeleton(path, stem, found))]
    NoSkeleton {
        /// The file of the motion.
        path: PathBuf,
        /// Its name without the end.
        stem: String,
        /// The skeletons in its folder.
        found: Vec<String>,
    },
    /// An Acclaim skeleton is longer than what is read of one.
    #[error("{}: found more than 64 MiB, expected an Acclaim skeleton of at most 64 MiB", path.display())]
    LongSkeleton {
        /// The file of the skeleton.
        path: PathBuf,
    },
    /// The content is no glTF that can be read.
    #[error("{}: {error}", path.display())]
    Gltf {
        /// The file.
        path: PathBuf,
        /// The position in the JSON and the fault.
        error: gltf::ReadError,
    },
    /// The content is no FBX that can be read.
    #[cfg(feature = "fbx")]
    #[error("{}: {error}", path.display())]
    Fbx {
        /// The file.
        path: PathBuf,
        /// The fault.
        error: fbx::ReadError,
    },
    /// The content is FBX, and the reader of FBX is not built in.
    #[error("{}: this program was built without FBX: convert the file to glTF", path.display())]
    WithoutFbx {
        /// The file.
        path: PathBuf,
    },
    /// A skin is chosen in a file that has none.
    #[error("{}: --skin chooses in glTF files, in others --joint and the name of the root joint", path.display())]
    Skin {
        /// The file.
        path: PathBuf,
    },
    /// The file has no character with this root joint, or several.
    #[error("{}: --joint: found {}, expected that of one character: {}", path.display(), joints_of(*count, name), choices.join(", "))]
    Joint {
        /// The file.
        path: PathBuf,
        /// The name of the joint.
        name: String,
        /// Number of joints of that name.
        count: usize,
        /// The options that choose a character of the file.
        choices: Vec<String>,
    },
    /// The file has no such clip.
    #[error("{}: no clip {wanted:?}{}", path.display(), listed(names))]
    NoClip {
        /// The file.
        path: PathBuf,
        /// The name or number that was asked for.
        wanted: String,
        /// The names of its clips.
        names: Vec<String>,
    },
}

/// Returns the error of a file that cannot be opened, made from that of the system.
#[cfg(feature = "disk")]
pub(super) fn cannot_open(path: &Path) -> impl Fn(std::io::Error) -> FileError {
    move |error| FileError::Open { path: path.into(), error }
}

fn without_skeleton(path: &Path, stem: &str, found: &[String]) -> String {
    let is_standard_input = path == Path::new("-");
    let path = path.display();
    match found {
        found if is_standard_input => format!(
            "{path}: found {}, expected one .asf, the skeleton of this motion; standard input has no folder: name the file, \
             or run where its .asf is the only one",
            if found.is_empty() { "no .asf".to_owned() } else { found.join(", ") }
        ),
        [] => format!(
            "{path}: found no .asf beside it, expected the skeleton of this motion: put its .asf into the same folder, as \
             {stem}.asf or under a name that {stem} begins with"
        ),
        found => format!(
            "{path}: found {} beside it, expected one .asf whose name {stem} begins with: rename the skeleton of this motion, \
             or put both into a folder of their own",
            found.join(", ")
        ),
    }
}

fn joints_of(count: usize, name: &str) -> String {
    match count {
        0 => format!("no root joint {name:?}"),
        count => format!("{count} joints {name:?}"),
    }
}

fn listed(names: &[String]) -> String {
    match names {
        [] => ": the file has none".to_owned(),
        [name] => format!(": its only clip is {name}"),
        names => format!(", but {}", names.join(", ")),
    }
}

/// A part of a file that was repaired or skipped while reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Its position in the file.
    pub place: WarningPlace,
    /// The finding, and how it was read.
    pub message: String,
}

/// A position in a motion file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WarningPlace {
    /// A line of a BVH, an ASF or an AMC, counted from 1.
    Line(usize),
    /// A line of the skeleton beside an AMC.
    FileBeside {
        /// The skeleton's name.
        file: String,
        /// The line, counted from 1.
        line: usize,
    },
    /// A path in the JSON of a glTF: `animations[2].channels[7]`.
    Json(String),
    /// A take of an FBX, by its name.
    Take(String),
    /// The file as a whole.
    File,
}

impl Warning {
    #[cfg(feature = "fbx")]
    pub(super) fn in_take(name: String, message: String) -> Self {
        Self { place: WarningPlace::Take(name), message }
    }

    /// The warning for a target: options that choose a character name it.
    #[must_use]
    pub fn on_target(&self) -> Self {
        let message = self.message.replace("--skin ", "--skin target=");
        Self { message: message.replace("--joint ", "--joint target="), ..self.clone() }
    }

    /// The warning with the file before it: `walk.bvh:12: …`.
    pub fn in_file(&self, path: &Path) -> String {
        let shown = path.display();
        match &self.place {
            WarningPlace::Line(line) => format!("{shown}:{line}: {}", self.message),
            WarningPlace::FileBeside { file, line } => {
                format!("{}:{line}: {}", path.with_file_name(file).display(), self.message)
            }
            WarningPlace::Json(place) => format!("{shown}:{place}: {}", self.message),
            WarningPlace::Take(name) => format!("{shown}: take {name:?} {}", self.message),
            WarningPlace::File => format!("{shown}: {}", self.message),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            WarningPlace::Line(line) => write!(to, "line {line}: {}", self.message),
            WarningPlace::FileBeside { file, line } => {
                write!(to, "{file} line {line}: {}", self.message)
            }
            WarningPlace::Json(place) => write!(to, "{place}: {}", self.message),
            WarningPlace::Take(name) => write!(to, "take {name:?} {}", self.message),
            WarningPlace::File => to.write_str(&self.message),
        }
    }
}

impl From<&bvh::Warning> for Warning {
    fn from(warning: &bvh::Warning) -> Self {
        let bvh::Warning { line, message } = warning.clone();
        Self { place: WarningPlace::Line(line), message }
    }
}

impl From<gltf::Warning> for Warning {
    fn from(warning: gltf::Warning) -> Self {
        let gltf::Warning { place, message } = warning;
        Self { place: WarningPlace::Json(place), message }
    }
}
