//! The body of a file that holds several skeletons.

use crate::analyse::{Hints, analyse};
use rebone_skeleton::{Clip, Document, Motion};

/// Other skeletons of a file that are tried, the largest first, where the first one is no body.
const MAX_OTHER_SKELETONS: usize = 8;

/// The skeleton with the most joints that is a body; the one that was read where none is.
pub(super) fn body(document: Document) -> Document {
    let others = document.other_skins();
    if others.is_empty() || is_body(&document) {
        return document;
    }
    let read = |skin| document.with_skin(skin).ok();
    let largest = others.into_iter().take(MAX_OTHER_SKELETONS).filter_map(read).find(is_body);
    largest.unwrap_or(document)
}

fn is_body(document: &Document) -> bool {
    let skeleton = document.skeleton().clone();
    let motion = Motion { clip: Clip::new(&skeleton, 1.0), skeleton };
    document.is_vrm() || analyse(&motion, &Hints::default()).is_ok()
}
