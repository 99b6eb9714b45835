//! What can be done to a puppet so that another rig comes out. The order of the kinds is the order in
//! which they are applied, whatever their order in a list.

use crate::joints::TRUNK;
use crate::names::Style;
use crate::puppet::{Puppet, Turned};
use crate::{cuts, joints, names, world};

/// One edit. Shares are between 0 and 1, angles in degrees.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(crate) enum Edit {
    /// Makes the bones of a part longer or shorter and keeps their directions.
    Proportions(Part, f64),
    /// Takes away a joint between hips and head, by its place in [`TRUNK`]. What it carried hangs on the
    /// one below: the places change, for a bend is lost.
    Merge(u8),
    /// Takes the collar bones away: what they did to the shoulders is lost.
    TakeCollars,
    /// Takes the balls of the feet away; the feet end where the toes ended. Such a sole is another: how
    /// high a body stands on its toes is lost.
    StiffenToes,
    /// Leaves so many fingers of each hand, from the thumb.
    Fingers(u8),
    /// Takes the hands away; the forearms end at the wrists.
    TakeHands,
    /// Takes the toes away; the feet end at the ball.
    TakeToes,
    /// Adds a joint to the bone below a joint between hips and head, by its place in [`TRUNK`]. It is
    /// rigid, or carries its share of the axial turn.
    Split { below: u8, at: f64, twists: bool },
    /// Adds collar bones that never move, where there are none.
    AddCollars,
    /// Adds a joint between pelvis and thigh that never moves.
    AddHipBones,
    /// Adds a joint between the hand and each finger that never moves.
    AddMetacarpals,
    /// Adds a joint to a limb's bone that carries the whole axial turn; the bone's own joint keeps this
    /// share of it.
    TwistInLine { bone: LimbBone, at: f64, own: f64 },
    /// Adds a joint beside a limb's bone that turns by this share of the axial turn less.
    TwistBeside { bone: LimbBone, at: f64, share: f64 },
    /// Another rest pose: arms below the horizontal, elbows and knees bent, legs apart.
    Rest { arms: f64, elbows: f64, knees: f64, apart: f64 },
    /// Makes the segment above so many joints of the trunk the root; the spine below runs backwards.
    Backwards(u8),
    /// A root at the pelvis that carries the translation and the heading, or all of its rotation.
    Centre { whole: bool },
    /// A root on the ground.
    Ground(Ground),
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

/// A part of the body whose bones are scaled.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) enum Part {
    Legs,
    Arms,
    Trunk,
    Head,
    Feet,
    Hands,
    Hips,
    Shoulders,
}

/// A bone of both arms or both legs.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) enum LimbBone {
    UpperArm,
    Forearm,
    Thigh,
    Shin,
}

/// What a root on the ground does.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) enum Ground {
    Still,
    Moves,
    Turns,
}

/// The puppet after all edits. Of edits that can be made once, the first counts.
pub(crate) fn edited(puppet: &Puppet, edits: &[Edit]) -> Puppet {
    let mut edits = edits.to_vec();
    edits.sort_by(|a, b| a.partial_cmp(b).expect("no NaN"));
    let kind = std::mem::discriminant::<Edit>;
    edits.dedup_by(|b, a| kind(a) == kind(b) && !is_repeated(a));
    edits.iter().fold(puppet.clone(), |puppet, edit| apply(puppet, edit))
}

fn is_repeated(edit: &Edit) -> bool {
    use Edit::{Merge, Proportions, Split, TwistBeside, TwistInLine};
    let twist = matches!(edit, TwistInLine { .. } | TwistBeside { .. });
    twist || matches!(edit, Proportions(..) | Merge(_) | Split { .. })
}

fn apply(mut puppet: Puppet, edit: &Edit) -> Puppet {
    let body = &mut puppet;
    match *edit {
        Edit::Proportions(part, factor) => cuts::scale(body, part, factor),
        Edit::Merge(joint) => cuts::take(body, &[TRUNK[usize::from(joint)].to_string()]),
        Edit::TakeCollars => cuts::take(body, &sides("Shoulder")),
        Edit::StiffenToes => cuts::take(body, &sides("ToeBase")),
        Edit::Fingers(count) => cuts::leave_fingers(body, usize::from(count)),
        Edit::TakeHands => cuts::end(body, "Hand"),
        Edit::TakeToes => cuts::end(body, "ToeBase"),
        Edit::Split { below, at, twists } => joints::split(body, below, at, twists),
        Edit::AddCollars => joints::add_still(body, "Shoulder", "Arm", 0.2),
        Edit::AddHipBones => joints::add_still(body, "HipBone", "UpLeg", 0.6),
        Edit::AddMetacarpals => ["Index", "Middle", "Ring", "Pinky"].iter().for_each(|finger| {
            joints::add_still(body, &format!("Hand{finger}0"), &format!("Hand{finger}1"), 0.3);
        }),
        Edit::TwistInLine { bone, at, own } => joints::twist_in_line(body, bone, at, own),
        Edit::TwistBeside { bone, at, share } => joints::twist_beside(body, bone, at, share),
        Edit::Rest { arms, elbows, knees, apart } => {
            world::stand(body, [arms, elbows, knees, apart].map(f64::to_radians));
        }
        Edit::Backwards(number) => joints::backwards(body, usize::from(number)),
        Edit::Centre { whole } => joints::centre(body, whole),
        Edit::Ground(kind) => joints::ground(body, kind),
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
        Edit::Names(style) => names::rename(body, style),
    }
    puppet
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
