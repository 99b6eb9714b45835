//! Strokes of motions: from poses to the points and bones of a figure.

use crate::palette::Ink;
use crate::sheet::{BodySide, Bone, Figure, Point, ShownFrame};
use nalgebra::UnitQuaternion;
use rebone::body::{Anatomy, Role, Side};
use rebone::skeleton::{Axis, JointId, Motion, Pose, Skeleton, WorldPose};

/// Length from the base of the skull to its top, metres of a 1.7 m body.
const SKULL_METRES: f64 = 0.2;
/// Height in metres that a figure of unknown size is scaled to.
const BODY_METRES: f64 = 1.7;

/// A motion to draw.
#[derive(Clone, Copy, Debug)]
pub struct MotionView<'a> {
    /// Name in the header of the sheet.
    pub label: &'a str,
    /// Skeleton and clip.
    pub motion: &'a Motion,
    /// Anatomy of the skeleton; without one all joints are drawn with +Y up, scaled to 1.7 m.
    pub anatomy: Option<&'a Anatomy>,
}

/// Computes the strokes of a motion at some frames.
///
/// Heights are those of the world: the floor is at height 0 along the up axis.
pub fn motion_figure(view: &MotionView, shown: &[ShownFrame], ink: Ink) -> Figure {
    let Motion { skeleton, clip } = view.motion;
    let viewpoint = view.anatomy.map(Viewpoint::at_rest);
    let mut recorder =
        FigureRecorder::new(skeleton, viewpoint, (clip.len(), clip.frame_time), shown);
    clip.poses().for_each(|pose| recorder.add(&pose));
    recorder.figure(view.label.to_owned(), ink)
}

/// An anatomy and the direction that it is viewed in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Viewpoint<'a> {
    /// Anatomy of the skeleton.
    pub(crate) anatomy: &'a Anatomy,
    /// Rotation from the file's axes to +Y up and +Z forward.
    pub(crate) inner_from_file: UnitQuaternion<f64>,
}

impl<'a> Viewpoint<'a> {
    /// Views a body so that its rest pose faces +Z, where its facing is known.
    fn at_rest(anatomy: &'a Anatomy) -> Self {
        Self { anatomy, inner_from_file: anatomy.inner_from_file() }
    }
}

/// Records the strokes of a motion pose by pose and keeps the shown frames only.
pub(crate) struct FigureRecorder<'a> {
    skeleton: &'a Skeleton,
    viewpoint: Option<Viewpoint<'a>>,
    /// Frame numbers to keep, ascending.
    shown: Vec<usize>,
    kept: Vec<Vec<Point>>,
    /// Number of frames so far.
    frames: usize,
    /// Largest height of a frame's bounding box.
    tallest: f64,
    world: WorldPose,
}

impl<'a> FigureRecorder<'a> {
    /// Starts a motion of `frames` frames of `frame_time` seconds.
    ///
    /// Without a viewpoint all joints are drawn as they are in the file, with +Y up.
    pub(crate) fn new(
        skeleton: &'a Skeleton,
        viewpoint: Option<Viewpoint<'a>>,
        (frames, frame_time): (usize, f64),
        shown: &[ShownFrame],
    ) -> Self {
        let shown = shown.iter().map(|instant| instant.frame_of(frames, frame_time));
        Self {
            skeleton,
            viewpoint,
            shown: shown.collect(),
            kept: Vec::new(),
            frames: 0,
            tallest: 0.0,
            world: WorldPose::zeros(skeleton.len()),
        }
    }

    /// Takes the next frame.
    pub(crate) fn add(&mut self, pose: &Pose) {
        let is_shown = self.shown.get(self.kept.len()) == Some(&self.frames);
        if is_shown || self.viewpoint.is_none() {
            self.world.update(self.skeleton, pose);
            let points = points(self.skeleton, self.viewpoint, &self.world);
            let heights = || points.iter().map(|point| point[1]);
            let height = heights().fold(f64::MIN, f64::max) - heights().fold(f64::MAX, f64::min);
            self.tallest = self.tallest.max(height);
            while self.shown.get(self.kept.len()) == Some(&self.frames) {
                self.kept.push(points.clone());
            }
        }
        self.frames += 1;
    }

    /// Returns the strokes, after all frames were added.
    pub(crate) fn figure(mut self, label: String, ink: Ink) -> Figure {
        if self.viewpoint.is_none() && self.tallest > 0.0 {
            let scale = BODY_METRES / self.tallest;
            self.kept.iter_mut().flatten().flatten().for_each(|value| *value *= scale);
        }
        of_frames(self.skeleton, self.kept, self.viewpoint, label, ink)
    }
}

/// Computes the strokes of one pose, given in the world, with its lowest point on the floor.
pub(crate) fn standing_figure(
    viewpoint: Viewpoint,
    world: &WorldPose,
    label: String,
    ink: Ink,
) -> Figure {
    let mut figure = world_figure(viewpoint, world, label, ink);
    let ends = figure.bones.iter().flat_map(|bone| bone.ends);
    let lowest = ends.map(|end| figure.frames[0][end][1]).fold(f64::MAX, f64::min);
    figure.frames[0].iter_mut().for_each(|point| point[1] -= lowest);
    figure
}

/// Computes the strokes of one pose, given in the world, at its height over the world's floor.
pub(crate) fn world_figure(
    viewpoint: Viewpoint,
    world: &WorldPose,
    label: String,
    ink: Ink,
) -> Figure {
    let skeleton = &viewpoint.anatomy.skeleton;
    let frames = vec![points(skeleton, Some(viewpoint), world)];
    of_frames(skeleton, frames, Some(viewpoint), label, ink)
}

fn of_frames(
    skeleton: &Skeleton,
    frames: Vec<Vec<Point>>,
    viewpoint: Option<Viewpoint>,
    label: String,
    ink: Ink,
) -> Figure {
    let anatomy = viewpoint.map(|viewpoint| viewpoint.anatomy);
    let top = skeleton.len() + skeleton.end_sites().len();
    let head = anatomy.and_then(|anatomy| anatomy.body.head());
    Figure {
        label,
        ink,
        frames,
        centre: anatomy.map_or([0, 0], |anatomy| anatomy.hips().map(JointId::index)),
        bones: bones(skeleton, anatomy),
        skull: head.map(|head| [head.index(), top]),
        axes: Vec::new(),
    }
}

/// Returns the positions of joints, then of end sites, then of the top of the skull where there is a head.
fn points(skeleton: &Skeleton, viewpoint: Option<Viewpoint>, world: &WorldPose) -> Vec<Point> {
    let sites = skeleton.end_sites().iter().map(|site| {
        let parent = site.parent.index();
        world.positions[parent] + world.rotations[parent] * site.offset
    });
    let top = viewpoint.and_then(|Viewpoint { anatomy, .. }| {
        let head = anatomy.body.head()?;
        let rotation = anatomy.anatomical(head, &world.rotations[head.index()]);
        let up = *Axis::Y.unit() * (SKULL_METRES / anatomy.metres_per_unit());
        Some(world.positions[head.index()] + rotation * up)
    });
    let all = world.positions.iter().copied().chain(sites).chain(top);
    all.map(|position| match viewpoint {
        Some(Viewpoint { anatomy, inner_from_file }) => {
            (inner_from_file * position * anatomy.metres_per_unit()).into()
        }
        None => position.into(),
    })
    .collect()
}

/// Returns the strokes to each joint of the body, and to descendants of hands, feet and forearms without hands.
fn bones(skeleton: &Skeleton, anatomy: Option<&Anatomy>) -> Vec<Bone> {
    let carries = anatomy.map(|anatomy| carries_role(skeleton, anatomy));
    let joints = skeleton.ids().filter_map(|id| Some((id, skeleton.joint(id).parent?, id.index())));
    let sites = skeleton.end_sites().iter().zip(skeleton.len()..);
    let sites = sites.map(|(site, index)| (site.parent, site.parent, index));
    let bones = joints.chain(sites).filter_map(|(owner, from, to)| {
        let bone = Bone { ends: [from.index(), to], side: BodySide::Middle, thin: false };
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
        ((is_body || is_end) && !is_face).then(|| Bone { side: body_side(role), thin, ..bone })
    });
    bones.collect()
}

/// Returns for each joint whether it has a role or an ancestor of one that has.
fn carries_role(skeleton: &Skeleton, anatomy: &Anatomy) -> Vec<bool> {
    let mut carries: Vec<bool> = skeleton.ids().map(|id| anatomy.roles.of(id).is_some()).collect();
    for id in skeleton.ids().rev() {
        if let Some(parent) = skeleton.joint(id).parent {
            carries[parent.index()] |= carries[id.index()];
        }
    }
    carries
}

/// Returns the side of the body that a role is on.
pub(crate) fn body_side(role: Role) -> BodySide {
    use Role::*;
    match role {
        Eye(side)
        | Shoulder(side)
        | UpperArm(side)
        | UpperArmTwist(side)
        | LowerArm(side)
        | LowerArmTwist(side)
        | Hand(side)
        | Finger(side, _)
        | HipBone(side)
        | UpperLeg(side)
        | UpperLegTwist(side)
        | LowerLeg(side)
        | LowerLegTwist(side)
        | Foot(side)
        | Toes(side) => match side {
            Side::Left => BodySide::Left,
            Side::Right => BodySide::Right,
        },
        Hips | Spine | Neck | Head | Jaw => BodySide::Middle,
    }
}
