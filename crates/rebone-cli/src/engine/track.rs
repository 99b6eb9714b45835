//! From a motion to the strokes of a picture.

use super::anatomy::side;
use crate::preview::{Bone, Ink, Instant, Point, Side, Track};
use nalgebra::UnitQuaternion;
use rebone::body::{Anatomy, Role};
use rebone::skeleton::{Axis, JointId, Pose, Skeleton, WorldPose};

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

/// Becomes the strokes of a motion, pose by pose: keeps the frames that are drawn, and of all others how
/// low they reach.
pub(crate) struct Film<'a> {
    skeleton: &'a Skeleton,
    seen: Option<Seen<'a>>,
    bones: Vec<Bone>,
    /// The frames that are drawn, rising.
    shown: Vec<usize>,
    kept: Vec<Vec<Point>>,
    /// The lowest point of each frame.
    lows: Vec<f64>,
    tallest: f64,
    world: WorldPose,
}

impl<'a> Film<'a> {
    /// A film of a motion of so many frames, of which those at the instants are drawn. If it was not
    /// understood, all joints are drawn as the file has them, +Y up.
    pub(crate) fn new(
        skeleton: &'a Skeleton,
        seen: Option<Seen<'a>>,
        (frames, frame_time): (usize, f64),
        instants: &[Instant],
    ) -> Self {
        let shown = instants.iter().map(|instant| instant.frame_of(frames, frame_time));
        Self {
            skeleton,
            seen,
            bones: bones(skeleton, seen.map(|seen| seen.anatomy)),
            shown: shown.collect(),
            kept: Vec::new(),
            lows: Vec::new(),
            tallest: 0.0,
            world: WorldPose::zeros(skeleton.len()),
        }
    }

    /// Takes the next frame.
    pub(crate) fn add(&mut self, pose: &Pose) {
        self.world.update(self.skeleton, pose);
        let points = places(self.skeleton, self.seen, &self.world);
        let heights = || points.iter().map(|point| point[1]);
        let height = heights().fold(f64::MIN, f64::max) - heights().fold(f64::MAX, f64::min);
        self.tallest = self.tallest.max(height);
        let frame = self.lows.len();
        self.lows.push(lowest(&points, &self.bones));
        while self.shown.get(self.kept.len()) == Some(&frame) {
            self.kept.push(points.clone());
        }
    }

    /// The strokes, once all frames were taken. Figures of unknown size are 1.7 m at most.
    pub(crate) fn track(self, label: String, ink: Ink) -> Track {
        let Self { skeleton, seen, bones, kept: mut frames, mut lows, tallest, .. } = self;
        if seen.is_none() && tallest > 0.0 {
            let scale = 1.7 / tallest;
            frames.iter_mut().flatten().flatten().for_each(|value| *value *= scale);
            lows.iter_mut().for_each(|low| *low *= scale);
        }
        put_on_floor(&mut frames, lows);
        of_frames(skeleton, frames, seen, bones, label, ink)
    }
}

/// One pose, given in the world.
pub(super) fn still(seen: Seen, world: &WorldPose, label: String, ink: Ink) -> Track {
    let skeleton = &seen.anatomy.skeleton;
    let bones = bones(skeleton, Some(seen.anatomy));
    let mut frames = vec![places(skeleton, Some(seen), world)];
    let low = lowest(&frames[0], &bones);
    put_on_floor(&mut frames, vec![low]);
    of_frames(skeleton, frames, Some(seen), bones, label, ink)
}

fn of_frames(
    skeleton: &Skeleton,
    frames: Vec<Vec<Point>>,
    seen: Option<Seen>,
    bones: Vec<Bone>,
    label: String,
    ink: Ink,
) -> Track {
    let top = skeleton.len() + skeleton.end_sites().len();
    let head = seen.and_then(|seen| seen.anatomy.body.head());
    Track {
        label,
        ink,
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

/// The height of the lowest end of a stroke.
fn lowest(points: &[Point], bones: &[Bone]) -> f64 {
    let ends = bones.iter().flat_map(|bone| bone.ends);
    ends.map(|end| points[end][1]).fold(f64::MAX, f64::min)
}

/// Moves the frames that are drawn by one height, so that the figure stands on the floor in the motion as
/// a whole, of which `lows` are the lowest points.
fn put_on_floor(frames: &mut [Vec<Point>], mut lows: Vec<f64>) {
    lows.sort_by(f64::total_cmp);
    let index = (lows.len() as f64 * UNDER_FLOOR) as usize;
    if let Some(floor) = lows.get(index) {
        frames.iter_mut().flatten().for_each(|point| point[1] -= floor);
    }
}
