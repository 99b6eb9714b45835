//! The path of a body over the floor, for engines that move a character by it.

use serde::Serialize;

/// The path of a body over the floor: the low-passed projection of the midpoint of its hips, and its heading.
///
/// With [`RootMotion::RootBone`](crate::RootMotion) it is the motion of the root bone, with
/// [`RootMotion::InPlace`](crate::RootMotion) what the result is without, else the path that the result has.
///
/// ```
/// # use rebone::skeleton::bvh::{Hierarchy, WriteOptions, write_clip};
/// # let bytes = |motion: &rebone::skeleton::Motion| {
/// #     let hierarchy = Hierarchy::from_skeleton(&motion.skeleton);
/// #     write_clip(Vec::new(), &hierarchy, &motion.clip, WriteOptions::default())
/// # };
/// # let (walk, rig) = (bytes(&rebone_samples::walk().motion)?, bytes(&rebone_samples::rigs()[0].motion)?);
/// use rebone::{Options, RootMotion};
///
/// let source = rebone::parse("walk.bvh", walk)?;
/// let target = rebone::parse("rig.bvh", rig)?;
/// let options = Options { root: RootMotion::InPlace, ..Options::default() };
/// let result = rebone::retarget(&source, &target, &options)?;
/// let path = result.root_path().expect("a path");
/// assert_eq!(path.positions.len(), result.clip().len());
/// let [first, .., last] = path.positions[..] else { return Ok(()) };
/// assert_ne!(first, last);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RootPath {
    /// Seconds between frames.
    pub frame_time: f64,
    /// Metres per unit of the target's file, where known.
    pub metres_per_unit: Option<f64>,
    /// Up, a unit vector in the axes of the target's file.
    pub up: [f64; 3],
    /// Direction that the body faces at heading 0, a unit vector in the axes of the target's file.
    pub forward: [f64; 3],
    /// Position in each frame, on the plane through the origin, in axes and units of the target's file.
    pub positions: Vec<[f64; 3]>,
    /// Rotation about `up` in each frame, degrees, without jumps of full turns.
    pub headings_degrees: Vec<f64>,
}
