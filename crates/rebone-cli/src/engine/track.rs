//! From a motion to the strokes of a picture.

use super::anatomy::side;
use crate::preview::{Bone, Ink, Point, Side, Track};
use nalgebra::UnitQuaternion;
use rebone::skeleton::{Axis, Clip, JointId, Skeleton, WorldPose};
use rebone::understand::{Anatomy, Role};

/// Metres of a 1.7 m body from the base of the skull to its top, for rigs that do not say.
const SKULL: f64 = 0.2;
/// Share of frames whose lowest point may be under the floor.
const UNDER_FLOOR: f64 = 0.05;

/// A skeleton that was understood, and which way it is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    /// The skeleton.
    pub(crate) anatomy: &'a Anatomy,
    /// Turns the file's axes so that up is +Y and forward +Z.
    pub(crate) inner_from_file: UnitQuaternion<f64>,
}

impl<'a> Seen<'a> {
    /// Looked at as the rest pose faces, where it says so.
    pub(crate) fn alone(anatomy: &'a Anatomy) -> Self {
        Self { anatomy, inner_from_file: anatomy.inner_from_file() }
    }
}

/// The strokes of a motion. If it was not understood, all joints are drawn as the file has them,
/// +Y up.
pub(crate) fn track(
    skeleton: &Skeleton,
    clip: &Clip,
    seen: Option<Seen>,
    label: String,
    ink: Ink,
) -> Track {
    let mut world = WorldPose::zeros(skeleton.len());
    let frames = clip.poses().map(|pose| {
        world.update(skeleton, &pose);
        places(skeleton, seen, &world)
    });
    of_frames(skeleton, frames.collect(), seen, clip.frame_time, label, ink)
}

/// One pose, given in the world.
pub(super) fn still(seen: Seen, world: &WorldPose, label: String, ink: Ink) -> Track {
    let skeleton = &seen.anatomy.skeleton;
    let frames = vec![places(skeleton, Some(seen), world)];
    of_frames(skeleton, frames, Some(seen), 0.0, label, ink)
}

/// The strokes between the places of each frame.
fn of_frames(
    skeleton: &Skeleton,
    mut frames: Vec<Vec<Point>>,
    seen: Option<Seen>,
    frame_time: f64,
    label: String,
    ink: Ink,
) -> Track {
    if seen.is_none() {
        fit_height(&mut frames);
    }
    let bones = bones(skeleton, seen.map(|seen| seen.anatomy));
    put_on_floor(&mut frames, &bones);
    let top = skeleton.len() + skeleton.end_sites().len();
    let head = seen.and_then(|seen| seen.anatomy.body.head());
    Track {
        label,
        ink,
        frame_time,
        frames,
        centre: seen.map_or([0, 0], |seen| seen.anatomy.hips().map(JointId::index)),
        bones,
        skull: head.map(|head| [head.index(), top]),
        axes: Vec::new(),
    }
}

/// Joints, then end sites, then the top of the skull where there is a head.
fn places(skeleton: &Skeleton, seen: Option<Seen>, world: &WorldPose) -> Vec<Point> {
    let sites = skeleton.end_sites().iter().map(|site| {
        let parent = site.parent.index();
        world.positions[parent] + world.rotations[parent] * site.offset
    });
    let top = seen.and_then(|Seen { anatomy, .. }| {
        let head = anatomy.body.head()?;
        let rotation = anatomy.anatomical(head, &world.rotations[head.index()]);
        let up = *Axis::Y.unit() * (SKULL / anatomy.metres_per_unit());
        Some(world.positions[head.index()] + rotation * up)
    });
    let all = world.positions.iter().copied().chain(sites).chain(top);
    all.map(|place| match seen {
        Some(seen) => (seen.inner_from_file * place * seen.anatomy.metres_per_unit()).into(),
        None => place.into(),
    })
    .collect()
}

/// The strokes: to each joint of the body, and to what hangs on hands, feet and forearms without hands.
fn bones(skeleton: &Skeleton, anatomy: Option<&Anatomy>) -> Vec<Bone> {
    let carries = anatomy.map(|anatomy| carries_role(skeleton, anatomy));
    let joints = skeleton.ids().filter_map(|id| Some((id, skeleton.joint(id).parent?, id.index())));
    let sites = skeleton.end_sites().iter().zip(skeleton.len()..);
    let sites = sites.map(|(site, index)| (site.parent, site.parent, index));
    let bones = joints.chain(sites).filter_map(|(owner, from, to)| {
        let bone = Bone { ends: [from.index(), to], side: Side::Middle, thin: false };
        let (Some(anatomy), Some(carries)) = (anatomy, &carries) else { return Some(bone) };
        let role = |id: JointId| skeleton.path_to_root(id).find_map(|id| anatomy.roles.of(id));
        let (above, role) = (role(from)?, role(owner)?);
        let is_body = to < skeleton.len() && carries[to];
        let is_forearm =
            anatomy.body.arms.iter().any(|arm| arm.hand.is_none() && arm.wrist.joint == from);
        let is_end = is_forearm
            || matches!(role, Role::Hand(_) | Role::Finger(..) | Role::Foot(_) | Role::Toes(_));
        let is_face = matches!(above, Role::Head | Role::Jaw | Role::Eye(_));
        let thin = matches!(role, Role::Finger(..))
            || (!is_body && !is_forearm && !matches!(role, Role::Toes(_)));
        ((is_body || is_end) && !is_face).then(|| Bone { side: side(role), thin, ..bone })
    });
    bones.collect()
}

/// Which joints have a role or carry one that has.
fn carries_role(skeleton: &Skeleton, anatomy: &Anatomy) -> Vec<bool> {
    let mut carries: Vec<bool> = skeleton.ids().map(|id| anatomy.roles.of(id).is_some()).collect();
    for id in skeleton.ids().rev() {
        if let Some(parent) = skeleton.joint(id).parent {
            carries[parent.index()] |= carries[id.index()];
        }
    }
    carries
}

/// Scales figures of unknown size to 1.7 m at most.
fn fit_height(frames: &mut [Vec<Point>]) {
    let tallest = frames.iter().map(|points| {
        let heights = || points.iter().map(|point| point[1]);
        heights().fold(f64::MIN, f64::max) - heights().fold(f64::MAX, f64::min)
    });
    let tallest = tallest.fold(0.0, f64::max);
    if tallest > 0.0 {
        frames.iter_mut().flatten().flatten().for_each(|value| *value *= 1.7 / tallest);
    }
}

/// Moves all frames by one height, so that the figure stands on the floor.
fn put_on_floor(frames: &mut [Vec<Point>], bones: &[Bone]) {
    let lowest = |points: &Vec<Point>| {
        let ends = bones.iter().flat_map(|bone| bone.ends);
        ends.map(|end| points[end][1]).fold(f64::MAX, f64::min)
    };
    let mut lows: Vec<f64> = frames.iter().map(lowest).collect();
    lows.sort_by(f64::total_cmp);
    let index = (lows.len() as f64 * UNDER_FLOOR) as usize;
    if let Some(floor) = lows.get(index) {
        frames.iter_mut().flatten().for_each(|point| point[1] -= floor);
    }
}
