//! The body of a file that holds several skeletons.

use crate::analyse::{Hints, analyse};
use rebone_skeleton::file::{ListedCharacter, Warning, WarningPlace};
use rebone_skeleton::{Clip, Document, Motion};

/// Skeletons of a file that are tried, the largest first.
const MAX_SKELETONS: usize = 9;

/// The largest character that is a body, with a warning where there are several; the file as it was read where there is none.
pub(super) fn body(document: Document) -> (Document, Option<Warning>) {
    let listed = document.characters();
    let read = |own: &ListedCharacter| document.with_character(own).ok().filter(is_body);
    let bodies = listed.iter().take(MAX_SKELETONS).filter_map(|own| Some((own, read(own)?)));
    let bodies: Vec<(&ListedCharacter, Document)> = bodies.collect();
    let several = (bodies.len() > 1).then(|| {
        let all: Vec<&ListedCharacter> = bodies.iter().map(|own| own.0).collect();
        Warning { place: WarningPlace::File, message: ListedCharacter::describe(&all) }
    });
    match bodies.into_iter().next() {
        // Trees that stand apart are parts of one body, unless two are bodies.
        Some((own, body)) if own.has_skin || several.is_some() => (body, several),
        _ => (document, None),
    }
}

fn is_body(document: &Document) -> bool {
    let skeleton = document.skeleton().clone();
    let motion = Motion { clip: Clip::new(&skeleton, 1.0), skeleton };
    document.is_vrm() || analyse(&motion, &Hints::default()).is_ok()
}
