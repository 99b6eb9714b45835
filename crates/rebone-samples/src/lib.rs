//! Clips, rigs and characters for the demo, tests and benches, computed from tables in this crate.
//!
//! Each machine computes the same bits; `data/` in the repository is what this crate writes. The clips
//! play on one skeleton as an optical capture system delivers it. The rigs are nine skeletons that differ
//! in topology, names, units, axes and channel orders.
//!
//! ```
//! let walk = rebone_samples::walk();
//! assert_eq!((walk.name, walk.motion.skeleton.len()), ("walk", 54));
//! assert!((walk.motion.clip.frame_time - 1.0 / 60.0).abs() < 1e-12);
//! ```

mod body;

mod build;

mod capture;

mod characters;

mod clips;

mod contact;

mod curve;

mod foot;

mod plan;

mod posture;

mod rigs;

mod two_bone;

pub use characters::{Character, CharacterJoint, CharacterVertex, characters};
pub use clips::{climb, jump, reach, sit, walk, wave};
pub use contact::{GroundTruthContact, SamplePart};

use rebone_skeleton::Motion;

/// A computed clip or rig.
///
/// ```
/// use rebone_skeleton::forward_kinematics;
/// let walk = rebone_samples::walk();
/// let motion = &walk.motion;
/// let pose = motion.clip.pose(0).expect("a walk has frames");
/// let first = forward_kinematics(&motion.skeleton, &pose).expect("a pose of the skeleton");
/// let hips_height = first.positions[0].y; // centimetres
/// assert!((90.0..100.0).contains(&hips_height));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// A short name, also of its file in `data/`.
    pub name: &'static str,
    /// A description in one sentence.
    pub about: &'static str,
    /// The skeleton and its frames; a rig has one frame, the rest pose.
    pub motion: Motion,
    /// Intervals in which a foot stands flat and neither ankle nor toe joint moves, in order of time for
    /// each foot; empty for rigs.
    pub foot_plants: Vec<GroundTruthContact>,
    /// Contacts with the floor: feet from heel strike to toe off, hands and seat while they rest on it;
    /// empty for rigs.
    pub contacts: Vec<GroundTruthContact>,
}

/// Computes the six clips: walk, reach, jump, sit, wave, climb.
///
/// Centimetres, +Y up, facing +Z, T-pose at rest.
///
/// ```
/// let names: Vec<&str> = rebone_samples::clips().iter().map(|clip| clip.name).collect();
/// assert_eq!(names, ["walk", "reach", "jump", "sit", "wave", "climb"]);
/// ```
pub fn clips() -> Vec<Sample> {
    vec![walk(), reach(), jump(), sit(), wave(), climb()]
}

/// Computes the nine rigs, each in the unit and axes that its description states.
///
/// ```
/// let rigs = rebone_samples::rigs();
/// let toy = rigs.iter().find(|rig| rig.name == "toy-a-pose").expect("a built-in rig");
/// assert_eq!(toy.motion.clip.len(), 1);
/// assert_eq!(toy.motion.clip.pose(0), Some(toy.motion.skeleton.rest_pose()));
/// ```
pub fn rigs() -> Vec<Sample> {
    rigs::all()
}
