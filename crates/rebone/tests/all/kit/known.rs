//! Edits that random cases leave out, and why.

use crate::kit::edit::Edit;
use crate::kit::test_rig::Turned;

/// Why the answer for a rig with these edits cannot be known.
pub(crate) fn riddle(edits: &[Edit]) -> Option<&'static str> {
    let has = |this: fn(&Edit) -> bool| edits.iter().any(this);
    let line = edits.contains(&Edit::Turn(Turned::AlongBones));
    if has(|edit| matches!(edit, Edit::Backwards(_))) && line {
        return Some(
            "laid along X, a body whose spine runs backwards stands at attention: somebody stands in the \
             zero pose and in the first frame, and nothing says in which the joints are as they were meant",
        );
    }
    let toes = !has(|edit| matches!(edit, Edit::TakeToes | Edit::TakeEnds | Edit::StiffenToes));
    let apart = |edit: &Edit| matches!(edit, Edit::Rest { knees, apart, .. } if *knees < 0.5 && *apart > 3.5);
    (!toes && edits.iter().any(apart)).then_some(
        "legs that are straight and apart are taken for legs that were swung out with their feet, unless \
         ankle, ball and tip of the toes tell",
    )
}
