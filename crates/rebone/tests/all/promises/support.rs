//! Motions to test on, and what differs between two poses of one skeleton.

use nalgebra::UnitQuaternion;
use rebone::align::Plan;
use rebone::body::Anatomy;
use rebone::skeleton::{Clip, JointId, Motion, Pose, Skeleton, WorldPose, bvh, forward_kinematics};
use rebone::{Hints, Options, Retargeter, align, analyse};
use std::path::{Path, PathBuf};

/// A motion and what it is called in messages.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) motion: Motion,
}

/// The clips that come with the library.
pub(crate) fn samples() -> Vec<Named> {
    let named =
        |clip: rebone_samples::Sample| Named { name: clip.name.into(), motion: clip.motion };
    rebone_samples::clips().into_iter().map(named).collect()
}

/// The nine rigs that come with the library.
pub(crate) fn rigs() -> Vec<Named> {
    let named = |rig: rebone_samples::Sample| Named { name: rig.name.into(), motion: rig.motion };
    rebone_samples::rigs().into_iter().map(named).collect()
}

/// The paths of the 50 humanoid clips of the corpus; empty, with a note, where there is no corpus.
#[allow(clippy::print_stderr)]
pub(crate) fn corpus() -> Vec<PathBuf> {
    let Some(folder) = std::env::var_os("REBONE_CORPUS") else {
        eprintln!("skipped: REBONE_CORPUS names no folder");
        return Vec::new();
    };
    let mut paths = Vec::new();
    for folder in std::fs::read_dir(Path::new(&folder).join("motions")).unwrap() {
        let folder = folder.unwrap().path();
        if !folder.ends_with("dog") && !folder.ends_with("truebones") && folder.is_dir() {
            paths.extend(std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()));
        }
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "bvh"));
    paths.sort();
    assert_eq!(paths.len(), 50);
    paths
}

/// Reads a clip of the corpus.
pub(crate) fn read(path: &Path) -> Named {
    let motion =
        bvh::parse(&std::fs::read(path).unwrap()).unwrap_or_else(|error| panic!("{error}")).motion;
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
    let name = Path::new(folder).join(path.file_name().unwrap_or_default());
    Named { name: name.display().to_string(), motion }
}

/// Every n-th frame, so that there are at most `count`, the first among them.
pub(crate) fn thinned(clip: &Clip, count: usize) -> Vec<Pose> {
    clip.poses().step_by(clip.len().div_ceil(count).max(1)).collect()
}

/// Understands a motion that is a humanoid.
pub(crate) fn anatomy(motion: &Motion) -> Anatomy {
    analyse(motion, &Hints::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// A retargeter with the options.
pub(crate) fn retargeter(source: &Anatomy, target: &Anatomy, options: &Options) -> Retargeter {
    Retargeter::new(align(source, target, options)).unwrap_or_else(|error| panic!("{error}"))
}

/// The target's pose for a source pose.
pub(crate) fn pose_of(retargeter: &mut Retargeter, source: &Pose) -> Pose {
    let mut pose = retargeter.plan().target.skeleton.rest_pose();
    retargeter.frame(source, &mut pose).unwrap();
    pose
}

/// The world transforms of a target pose in the inner world: +Y up, metres of a 1.7 m body.
pub(crate) fn inner(plan: &Plan, pose: &Pose) -> WorldPose {
    let mut world = forward_kinematics(&plan.target.skeleton, pose).unwrap();
    let (turn, scale) = (plan.inner_from_target, plan.target.metres_per_unit());
    world.positions.iter_mut().for_each(|place| *place = turn * *place * scale);
    world.rotations.iter_mut().for_each(|rotation| *rotation = turn * *rotation);
    world
}

/// How far a joint of one pose is from that of another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Off {
    /// World place, in statures.
    pub(crate) place: f64,
    /// World rotation, radians.
    pub(crate) world: f64,
    /// Local rotation, radians.
    pub(crate) local: f64,
}

impl Off {
    /// The larger of both, each for itself.
    pub(crate) fn max(self, other: Self) -> Self {
        Self {
            place: self.place.max(other.place),
            world: self.world.max(other.world),
            local: self.local.max(other.local),
        }
    }

    /// The largest.
    pub(crate) fn worst(self) -> f64 {
        self.place.max(self.world).max(self.local)
    }
}

/// The angle between two rotations, exact also where it is tiny.
pub(crate) fn angle(a: &UnitQuaternion<f64>, b: &UnitQuaternion<f64>) -> f64 {
    let difference = a.inverse() * b;
    2.0 * difference.imag().norm().atan2(difference.w.abs())
}

/// How far each joint of one pose is from that of another pose of the same skeleton.
pub(crate) fn offs(skeleton: &Skeleton, stature: f64, a: &Pose, b: &Pose) -> Vec<Off> {
    let (world_a, world_b) =
        (forward_kinematics(skeleton, a).unwrap(), forward_kinematics(skeleton, b).unwrap());
    let off = |JointId(k)| Off {
        place: (world_a.positions[k] - world_b.positions[k]).norm() / stature,
        world: angle(&world_a.rotations[k], &world_b.rotations[k]),
        local: angle(&a.rotations[k], &b.rotations[k]),
    };
    skeleton.ids().map(off).collect()
}

/// Raises the entries of `worst` to those of `next`.
pub(crate) fn raise(worst: &mut [Off], next: &[Off]) {
    worst.iter_mut().zip(next).for_each(|(worst, next)| *worst = worst.max(*next));
}

/// How far the file moves joints out of their OFFSET, in statures: the joints that carry the body and
/// those above it aside, which may move.
pub(crate) fn displaced(clip: &Motion, anatomy: &Anatomy) -> f64 {
    let top = anatomy.body.trunk[anatomy.body.trunk_top()];
    let fixed = |id: &JointId| !clip.skeleton.is_ancestor(*id, top);
    let off = |pose: &Pose, id: JointId| {
        (pose.translations[id.index()] - clip.skeleton[id].rest_translation).norm()
    };
    let fixed: Vec<JointId> = clip.skeleton.ids().filter(fixed).collect();
    let farthest = |pose: Pose| fixed.iter().map(|&id| off(&pose, id)).fold(0.0, f64::max);
    let largest = clip.clip.poses().map(farthest).fold(0.0, f64::max);
    largest / anatomy.stature
}
