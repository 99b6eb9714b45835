//! Files of clips: on the disk, or members of a tar.

use crate::error::{BatchError, context};
use crate::record::fingerprint::RigFingerprint;
use crate::record::hash;
use rebone::skeleton::{CharacterSelector, ClipSelector};
use rebone::{Character, Selection};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A member of a tar.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TarPlace {
    /// Path of the tar.
    pub(crate) tar: Arc<Path>,
    /// Path of the tar of its results, below the output folder.
    pub(crate) result: Arc<Path>,
    /// Byte of the tar where its data begin.
    pub(crate) offset: u64,
    /// Size of its data.
    pub(crate) size: u64,
}

/// A file of clips. The path of a member is that of its tar, and behind it its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClipFile<'a> {
    pub(crate) path: &'a Path,
    /// Place in a tar, of a member of one.
    pub(crate) place: Option<&'a TarPlace>,
    /// Character that is chosen.
    pub(crate) character: Option<CharacterSelector<'a>>,
}

/// Features of the skeleton of a file, its hash where it is read as a whole, and the paths of all files that were read.
pub(crate) type FirstLook = (RigFingerprint, Option<String>, Vec<PathBuf>);

impl ClipFile<'_> {
    /// Reads the fingerprint of a file, from its skeleton and first frame.
    pub(crate) fn first_look(self) -> Result<FirstLook, BatchError> {
        let (first, hash) = match self.place {
            None => (Character::open_first_frame(self.path, self.character)?, None),
            Some(place) => {
                let bytes = place.read()?;
                let hash = hash::of(&bytes);
                (Character::parse_first_frame(self.path, bytes, self.character)?, Some(hash))
            }
        };
        let read = first.document().files_read().map(Path::to_owned).collect();
        Ok((RigFingerprint::new(first.skeleton(), first.clip()), hash, read))
    }

    /// Reads a clip. A member must have the hash that it had when it was surveyed; a file is hashed again once it was read.
    pub(crate) fn open(
        self,
        hash: &str,
        clip: Option<ClipSelector>,
    ) -> Result<Character, BatchError> {
        let selection = Selection { clip, character: self.character };
        Ok(match self.place {
            None => Character::open(self.path, selection)?,
            Some(place) => {
                Character::parse(self.path, place.unchanged(self.path, hash)?, selection)?
            }
        })
    }

    /// Reads the skeleton and the first frame, as [`open`](Self::open).
    pub(crate) fn open_first_frame(self, hash: &str) -> Result<Character, BatchError> {
        Ok(match self.place {
            None => Character::open_first_frame(self.path, self.character)?,
            Some(place) => {
                let bytes = place.unchanged(self.path, hash)?;
                Character::parse_first_frame(self.path, bytes, self.character)?
            }
        })
    }
}

impl TarPlace {
    /// Opens the tar at the data.
    pub(crate) fn reader(&self) -> std::io::Result<impl Read> {
        let mut file = File::open(&self.tar)?;
        file.seek(SeekFrom::Start(self.offset))?;
        Ok(file.take(self.size))
    }

    fn read(&self) -> Result<Vec<u8>, BatchError> {
        let mut bytes = Vec::new();
        let read = self.reader().and_then(|mut reader| reader.read_to_end(&mut bytes));
        context(read, || format!("cannot read {}", self.tar.display()))?;
        Ok(bytes)
    }

    /// Refuses data that have not a hash.
    pub(crate) fn check(&self, path: &Path, hash: &str) -> Result<(), BatchError> {
        self.unchanged(path, hash).map(drop)
    }

    /// Reads the data; refuses others than those of a hash.
    fn unchanged(&self, path: &Path, hash: &str) -> Result<Vec<u8>, BatchError> {
        let bytes = self.read()?;
        if hash::of(&bytes) == hash { Ok(bytes) } else { Err(hash::changed(path)) }
    }
}
