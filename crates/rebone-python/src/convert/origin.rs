//! Origins of motions: the content that they were made of.

use rebone::skeleton::file::FileKind;
use rebone::skeleton::{ClipSelector, Document, FileError};
use rebone::{Character, CharacterChoice, Error, Selection};
use std::path::Path;
use std::sync::Arc;

/// Files beside a file, by the names that it gives them, with their bytes.
pub(crate) type SideFiles = Vec<(String, Vec<u8>)>;

/// The content that a motion was made of.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// Arrays.
    Arrays,
    /// A BVH, which its hierarchy tells.
    Bvh,
    /// Another file, with those beside it, and the character that was chosen.
    File { content: Arc<Vec<u8>>, beside: Arc<SideFiles>, choice: CharacterChoice },
}

impl Origin {
    /// Reads the file at a path.
    pub(crate) fn open(
        path: &Path,
        clip: Option<ClipSelector>,
        choice: CharacterChoice,
    ) -> Result<(Character, Self), Error> {
        let selection = Selection { clip, character: choice.selector() };
        let character = Character::open(path, selection)?;
        // Standard input or a pipe is read only once.
        if FileKind::of_file(path).is_none_or(|kind| kind == FileKind::Bvh) {
            return Ok((character, Self::Bvh));
        }
        let read = |path: &Path| {
            std::fs::read(path).map_err(|error| FileError::Open { path: path.to_owned(), error })
        };
        let folder = path.with_file_name("");
        let beside = character.document().files_read().skip(1).map(|path| {
            let name = path.strip_prefix(&folder).unwrap_or(path);
            Ok((name.to_string_lossy().into_owned(), read(path)?))
        });
        let beside = Arc::new(beside.collect::<Result<SideFiles, FileError>>()?);
        Ok((character, Self::File { content: Arc::new(read(path)?), beside, choice }))
    }

    /// Reads a file in memory, with those beside it.
    pub(crate) fn parse(
        name: &Path,
        content: Vec<u8>,
        beside: SideFiles,
        (clip, choice): (Option<ClipSelector>, CharacterChoice),
    ) -> Result<(Character, Self), Error> {
        let is_bvh = FileKind::of_bytes(&content).is_none_or(|kind| kind == FileKind::Bvh);
        let kept = if is_bvh { Vec::new() } else { content.clone() };
        let read = |name: &str, _limit: usize| {
            // The skeleton of an Acclaim motion may have any name.
            let is_it = |own: &&(String, Vec<u8>)| own.0 == name || name.ends_with(".asf");
            let found = beside.iter().find(is_it);
            found.map(|own| own.1.clone()).ok_or_else(|| std::io::ErrorKind::NotFound.into())
        };
        let selection = Selection { clip, character: choice.selector() };
        let document = Document::parse_with(name, content, selection.character, Some(&read))?;
        let character = Character::of_document(document, selection)?;
        let origin = match is_bvh {
            true => Self::Bvh,
            false => Self::File { content: Arc::new(kept), beside: Arc::new(beside), choice },
        };
        Ok((character, origin))
    }
}
