//! Edits that turn a test rig into another rig.

use crate::kit::joints::TRUNK;
use crate::kit::names::{Style, named};
use crate::kit::test_rig::{TestRig, Turned};
use crate::kit::{cuts, joints, world};

/// One edit; shares are between 0 and 1, angles in degrees. The order of the kinds is that in which they
/// are made, whatever their order in a list.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(crate) enum Edit {
    // Lossy: between a rig with it and one without, the directions of limbs are all that can be met.
    /// Makes the bones of a part, by its place in [`cuts::PARTS`], longer or shorter.
    Proportions(usize, f64),
    /// Takes a joint of [`TRUNK`] away: a bend is lost.
    Merge(usize),
    /// Takes the collar bones away: what they did to the shoulders is lost.
    TakeCollars,
    /// Takes the balls of the feet away, which end at the toes' tips: how high a body stands on its toes
    /// is lost.
    StiffenToes,
    // Exact: all places that are left can be met.
    /// Leaves so many fingers of each hand, from the thumb.
    Fingers(usize),
    /// Takes the hands away; the forearms end at the wrists.
    TakeHands,
    /// Takes the toes away; the feet end at the ball.
    TakeToes,
    /// Adds a joint to the bone below a joint of [`TRUNK`]: rigid, or with its share of the axial turn.
    Split { below: usize, at: f64, twists: bool },
    /// Adds collar bones that never move, where there are none.
    AddCollars,
    /// Adds joints between pelvis and thighs that never move.
    AddHipBones,
    /// Adds joints between hand and fingers that never move.
    AddMetacarpals,
    /// Adds a joint to a limb's bone, by its place in [`joints::BONES`], that carries all of the axial
    /// turn; the bone's own joint keeps a share.
    TwistInLine { bone: usize, at: f64, own: f64 },
    /// Adds a joint beside a limb's bone that turns by a share of the axial turn less.
    TwistBeside { bone: usize, at: f64, share: f64 },
    /// Another rest pose: arms below the horizontal, elbows and knees bent, legs apart.
    Rest { arms: f64, elbows: f64, knees: f64, apart: f64 },
    /// A rest pose that is hunched: joints of the spine, neck and head bent.
    Hunch(f64),
    /// A rest pose whose palms are turned ahead.
    Palms(f64),
    /// Makes the segment above so many joints of the trunk the root; the spine below runs backwards.
    Backwards(usize),
    /// A root at the pelvis that carries its translation and heading, or all of its turn; or one on the
    /// ground that stays or moves along, and may turn along.
    Root { ground: bool, moves: bool, turns: bool },
    /// The root's rest place is the origin.
    AtOrigin,
    /// The last child first.
    Reversed,
    /// No end sites, but where a forearm would have no end.
    TakeEnds,
    /// Other Euler orders.
    Orders(u8),
    /// Other axes of the joints.
    Turn(Turned),
    /// Another unit.
    Unit(f64),
    /// One of 24 ways of the world's axes: which is up, and where the body faces.
    World(u8),
    /// Other names.
    Names(Style),
}

impl Edit {
    /// Returns whether it only changes how the file is written.
    pub(crate) fn is_format(&self) -> bool {
        matches!(
            self,
            Self::Orders(_) | Self::Turn(_) | Self::Unit(_) | Self::World(_) | Self::Names(_)
        )
    }
}

/// The test rig after all edits. Of edits that can be made once, the first counts.
pub(crate) fn edited(test_rig: &TestRig, edits: &[Edit]) -> TestRig {
    use Edit::{Merge, Proportions, Split, TwistBeside, TwistInLine};
    let mut edits = edits.to_vec();
    edits.sort_by(|a, b| a.partial_cmp(b).expect("no NaN"));
    edits.dedup_by(|b, a| {
        let twist = matches!(a, TwistInLine { .. } | TwistBeside { .. });
        let again = twist || matches!(a, Proportions(..) | Merge(_) | Split { .. });
        !again && std::mem::discriminant(a) == std::mem::discriminant(b)
    });
    let mut test_rig = test_rig.clone();
    edits.iter().for_each(|edit| apply(&mut test_rig, edit));
    test_rig
}

fn apply(body: &mut TestRig, edit: &Edit) {
    match *edit {
        Edit::Proportions(part, factor) => cuts::scale(body, part, factor),
        Edit::Merge(joint) => cuts::take(body, &[TRUNK[joint].to_string()]),
        Edit::TakeCollars => cuts::take(body, &sides("Shoulder")),
        Edit::StiffenToes => cuts::take(body, &sides("ToeBase")),
        Edit::Fingers(count) => cuts::leave_fingers(body, count),
        Edit::TakeHands => cuts::end(body, "Hand"),
        Edit::TakeToes => cuts::end(body, "ToeBase"),
        Edit::Split { below, at, twists } => joints::split(body, below, at, twists),
        Edit::AddCollars => joints::add_still(body, "Shoulder", "Arm", 0.2),
        Edit::AddHipBones => joints::add_still(body, "HipBone", "UpLeg", 0.6),
        Edit::AddMetacarpals => ["Index", "Middle", "Ring", "Pinky"].iter().for_each(|finger| {
            joints::add_still(body, &format!("Hand{finger}0"), &format!("Hand{finger}1"), 0.3);
        }),
        Edit::TwistInLine { bone, at, own } => joints::twist(body, bone, at, own, true),
        Edit::TwistBeside { bone, at, share } => joints::twist(body, bone, at, share, false),
        Edit::Rest { arms, elbows, knees, apart } => {
            world::stand(body, [arms, elbows, knees, apart].map(f64::to_radians));
        }
        Edit::Hunch(bend) => world::hunch(body, bend.to_radians()),
        Edit::Palms(turn) => world::turn_palms(body, turn.to_radians()),
        Edit::Backwards(number) => joints::backwards(body, number),
        Edit::Root { ground, moves, turns } => joints::add_root(body, ground, moves, turns),
        Edit::AtOrigin => {
            let root = body.frames[0].positions[0];
            body.frames[0].positions.iter_mut().for_each(|place| *place -= root);
        }
        Edit::Reversed => body.sort(true, |_, _| true),
        Edit::TakeEnds => cuts::take_ends(body),
        Edit::Orders(seed) => body.orders = seed,
        Edit::Turn(turned) => body.turned = turned,
        Edit::Unit(factor) => world::scale(body, factor),
        Edit::World(number) => world::put(body, number),
        Edit::Names(style) => {
            body.nodes.iter_mut().for_each(|node| node.name = named(style, &node.name));
        }
    }
}

/// The keys of a part on both sides.
pub(crate) fn sides(part: &str) -> [String; 2] {
    ["Left", "Right"].map(|side| format!("{side}{part}"))
}

/// Which side a key or name begins with (+1 left, −1 right, 0 neither), and the rest.
pub(crate) fn side_and_part(key: &str) -> (f64, &str) {
    let left = key.strip_prefix("Left").map(|part| (1.0, part));
    left.or_else(|| key.strip_prefix("Right").map(|part| (-1.0, part))).unwrap_or((0.0, key))
}
