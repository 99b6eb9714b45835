//! Edits that random cases leave out: those whose answer nobody can know, and those that the library is
//! known to get wrong.

use crate::edit::Edit;
use crate::puppet::Turned;

/// Edits of one rig that are left out.
pub(crate) struct LeftOut {
    pub(crate) why: &'static str,
    /// The least that shows it.
    pub(crate) least: Vec<Edit>,
    /// Whether it is among the edits of a rig.
    is_in: fn(&[Edit]) -> bool,
}

/// Why a rig with these edits is left out.
pub(crate) fn left_out(edits: &[Edit]) -> Option<&'static str> {
    let all = riddles().into_iter().chain(known_defects());
    all.into_iter().find(|case| (case.is_in)(edits)).map(|case| case.why)
}

/// What cannot be known.
fn riddles() -> Vec<LeftOut> {
    vec![LeftOut {
        why: "laid along X, a body whose spine runs backwards stands at attention: of two poses in \
              which somebody stands, nothing says that the first frame is the one",
        least: vec![Edit::Turn(Turned::AlongBones), Edit::Backwards(2)],
        is_in: |edits| {
            let backwards = |edit: &Edit| matches!(edit, Edit::Backwards(_));
            edits.contains(&Edit::Turn(Turned::AlongBones)) && edits.iter().any(backwards)
        },
    }]
}

/// Known defects of the library. A test fails when one is mended; then it goes from here.
pub(crate) fn known_defects() -> Vec<LeftOut> {
    vec![
        LeftOut {
            why: "a still joint between chest and neck: the places of the neck's joints begin at the \
                  first of them, so that the others no longer coincide",
            least: vec![Edit::Split { below: 4, at: 0.5, twists: false }],
            is_in: |edits| {
                let lowest = |below| (4..below).all(|joint| edits.contains(&Edit::Merge(joint)));
                let neck = |edit: &Edit| matches!(edit, Edit::Split { below: 4.., .. });
                let splits = edits.iter().filter(|edit| neck(edit));
                splits.into_iter().any(|edit| match edit {
                    Edit::Split { below, .. } => lowest(*below),
                    _ => false,
                })
            },
        },
        LeftOut {
            why: "a foot with neither ball nor tip: its sole is at the ankle, while that of the other \
                  rig is at the ball",
            least: vec![Edit::TakeToes, Edit::TakeEnds],
            is_in: |edits| {
                let toes = |edit: &Edit| matches!(edit, Edit::TakeToes | Edit::StiffenToes);
                edits.iter().any(toes) && edits.contains(&Edit::TakeEnds)
            },
        },
        LeftOut {
            why: "a hand with a thumb alone: the thumb's base is taken for the end of the hand, which \
                  then seems bent",
            least: vec![Edit::Fingers(1)],
            is_in: |edits| edits.contains(&Edit::Fingers(1)),
        },
        LeftOut {
            why: "still joints between hand and fingers: the T pose lays them parallel, so that the \
                  knuckles are elsewhere in the palm",
            least: vec![Edit::AddMetacarpals],
            is_in: |edits| edits.contains(&Edit::AddMetacarpals),
        },
    ]
}
