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

/// What the library is known to get wrong. A test fails when one is mended; then it goes from here.
pub(crate) fn known_defect(edits: &[Edit]) -> Option<&'static str> {
    let has = |edit: Edit| edits.contains(&edit);
    let on_neck = |edit: &Edit| match *edit {
        Edit::Split { below, .. } => below >= 4 && (4..below).all(|joint| has(Edit::Merge(joint))),
        _ => false,
    };
    if edits.iter().any(on_neck) {
        return Some(
            "a still joint on the chest moves the base that places on the neck count from",
        );
    }
    if has(Edit::TakeEnds) && (has(Edit::TakeToes) || has(Edit::StiffenToes)) {
        return Some(
            "the sole of a foot without ball and tip is its ankle, the other rig's its ball",
        );
    }
    if has(Edit::Fingers(1)) {
        return Some("the base of a lone thumb is taken for the end of the hand, which seems bent");
    }
    has(Edit::AddMetacarpals)
        .then_some("the T pose lays metacarpals parallel, so knuckles are elsewhere in the palm")
}

/// The least that shows each known defect.
pub(crate) fn least() -> [Vec<Edit>; 4] {
    [
        vec![Edit::Split { below: 4, at: 0.5, twists: false }],
        vec![Edit::TakeToes, Edit::TakeEnds],
        vec![Edit::Fingers(1)],
        vec![Edit::AddMetacarpals],
    ]
}
