//! Edits that random cases leave out, and why.

use crate::edit::Edit;
use crate::puppet::Turned;

/// Why the answer for a rig with these edits cannot be known.
pub(crate) fn riddle(edits: &[Edit]) -> Option<&'static str> {
    let backwards = edits.iter().any(|edit| matches!(edit, Edit::Backwards(_)));
    (backwards && edits.contains(&Edit::Turn(Turned::AlongBones))).then_some(
        "laid along X, a body whose spine runs backwards stands at attention: somebody stands in the \
         zero pose and in the first frame, and nothing says in which the joints are as they were meant",
    )
}
