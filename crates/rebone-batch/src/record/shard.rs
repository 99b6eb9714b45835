//! Shards of a library: which files are whose, and how many shards an output folder has.

use crate::disk::folders::MANIFESTS;
use crate::disk::path_text::path_text;
use crate::disk::place::make_folder;
use crate::error::{BatchError, context};
use crate::record::manifest;
use rebone::skeleton::AtomicFile;
use std::fmt::{self, Display};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

/// Largest number of shards. A shard of less than some thousand clips costs more to begin than to do.
pub(crate) const MAX_SHARDS: u32 = 65_536;

/// File with the number of shards, in the folder of their manifests.
const COUNT: &str = "count";
/// Most bytes of it that are read.
const MAX_COUNT_BYTES: u64 = 64;

/// One of the shards of a library: `17/512` is the shard 17 of those from 0 to 511.
///
/// ```
/// use rebone_batch::Shard;
///
/// let all: Vec<Shard> = (0..7).map(|number| Shard::new(number, 7)).collect::<Result<_, _>>()?;
/// let holders = all.iter().filter(|shard| shard.holds("dance/salsa.bvh"));
/// assert_eq!(holders.count(), 1);
/// assert_eq!("2/7".parse(), Ok(all[2]));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    number: u32,
    count: u32,
}

impl Shard {
    /// The shard `number` of `count`, counted from 0.
    ///
    /// # Errors
    /// When there is no such shard.
    pub fn new(number: u32, count: u32) -> Result<Self, String> {
        match () {
            () if count == 0 || count > MAX_SHARDS => {
                Err(format!("{count} shards: expected 1 to {MAX_SHARDS}"))
            }
            () if number >= count => Err(format!(
                "there is no shard {number} of {count}: they are counted from 0 to {}",
                count - 1
            )),
            () => Ok(Self { number, count }),
        }
    }

    /// Number of the shard, counted from 0.
    pub fn number(self) -> u32 {
        self.number
    }

    /// Number of shards of the library.
    pub fn count(self) -> u32 {
        self.count
    }

    /// Returns whether a file is of this shard, by its path below the input that it is found in: [`path_hash`] modulo the
    /// number of shards.
    pub fn holds(self, below_input: impl AsRef<Path>) -> bool {
        path_hash(below_input) % u64::from(self.count) == u64::from(self.number)
    }

    /// Name of its folders and its manifest.
    pub(crate) fn name(self) -> String {
        format!("{}-of-{}", self.number, self.count)
    }
}

impl Display for Shard {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, count)| {
            Some((number.parse::<u32>().ok()?, count.parse::<u32>().ok()?))
        });
        let (number, count) = numbers.ok_or("expected K/N, as in 17/512")?;
        Self::new(number, count)
    }
}

/// Hash of a file's path below its input: the first 8 bytes of BLAKE3, little-endian, of the path without its extension, in
/// lower case, with `/`. Files whose results could have one name have one hash: `walk.bvh` and `Walk.FBX`.
pub fn path_hash(below_input: impl AsRef<Path>) -> u64 {
    let path = below_input.as_ref().with_extension("");
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(path_text(Path::new(name)).to_lowercase()),
        _ => None,
    });
    let hash = blake3::hash(parts.collect::<Vec<_>>().join("/").as_bytes());
    let (first, _) = hash.as_bytes().split_first_chunk().expect("a hash has 32 bytes");
    u64::from_le_bytes(*first)
}

/// File with the number of shards of an output folder.
pub(crate) fn count_file(output: &Path) -> PathBuf {
    manifests(output).join(COUNT)
}

/// Folder of the manifests of shards.
pub(crate) fn manifests(output: &Path) -> PathBuf {
    output.join(MANIFESTS)
}

/// Returns the number of shards of an output folder; `None` where it has none.
///
/// # Errors
/// When the file of it holds something else.
pub(crate) fn count_of(output: &Path) -> Result<Option<u32>, BatchError> {
    let path = count_file(output);
    let read = || io::read_to_string(File::open(&path)?.take(MAX_COUNT_BYTES));
    let text = match fs::metadata(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Ok(found) if !found.is_file() => String::new(),
        _ => context(read(), || format!("cannot read {}", path.display()))?,
    };
    let count = text.trim().parse().ok().filter(|count| (1..=MAX_SHARDS).contains(count));
    let wrong = || {
        let path = path.display();
        BatchError::Input(format!(
            "{path}: expected the number of shards, 1 to {MAX_SHARDS}: it stands in the names beside it, K-of-N.jsonl"
        ))
    };
    count.map(Some).ok_or_else(wrong)
}

/// Refuses a shard of another number of shards than those of the output folder, and a folder of a batch without shards.
pub(crate) fn check(output: &Path, shard: Shard) -> Result<(), BatchError> {
    let folder = output.display();
    let message = match count_of(output)? {
        Some(count) if count == shard.count => return Ok(()),
        Some(count) => format!(
            "--shard {shard}: {folder} has {count} shards: give --shard K/{count}, or another folder"
        ),
        None if output.join(manifest::NAME).exists() => {
            format!("--shard {shard}: {folder} holds a batch without shards: name another folder")
        }
        None => return Ok(()),
    };
    Err(BatchError::Request(message))
}

/// Notes the number of shards in the output folder, or checks it; of two runs that note it at once one wins.
pub(crate) fn claim(output: &Path, shard: Shard, temporary: &Path) -> Result<(), BatchError> {
    check(output, shard)?;
    if count_of(output)?.is_some() {
        return Ok(());
    }
    let path = count_file(output);
    make_folder(&manifests(output))?;
    let write = || {
        let mut file = AtomicFile::create_in(&path, temporary)?;
        writeln!(file, "{}", shard.count)?;
        file.sync()?;
        file.commit_new()
    };
    match write() {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => check(output, shard),
        written => context(written, || format!("cannot write {}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_counted_from_0_and_refused_with_the_bound() {
        assert_eq!("511/512".parse::<Shard>().unwrap().to_string(), "511/512");
        for (text, part) in [
            ("512/512", "from 0 to 511"),
            ("0/0", "expected 1 to 65536"),
            ("0/65537", "expected 1 to 65536"),
            ("1", "expected K/N"),
            ("-1/2", "expected K/N"),
        ] {
            let message = text.parse::<Shard>().unwrap_err();
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    /// Changing the hash moves all clips of all libraries to other shards.
    #[test]
    fn the_hash_of_a_path_is_fixed() {
        assert_eq!(path_hash("dance/salsa.bvh"), path_hash("./Dance/SALSA.fbx"));
        assert_ne!(path_hash("dance/salsa.bvh"), path_hash("dancesalsa.bvh"));
        let hash = blake3::hash(b"dance/salsa");
        let first = u64::from_le_bytes(hash.as_bytes()[..8].try_into().unwrap());
        assert_eq!(path_hash("dance/salsa.bvh"), first);
    }
}
