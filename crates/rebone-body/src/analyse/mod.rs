//! Understands one skeleton: which joint plays which role, and in which pose its frames are read.

mod clip_estimate;
mod consensus;
mod learn;
mod pairs;

pub use learn::Learner;
pub use pairs::{AnalysedPair, analyse_pair};

use crate::body::{Anatomy, CalibrationSource, Role, Roles, SignedAxis, StatedRole};
use crate::calibrate::{FormatUp, Known, anatomy_of};
use crate::card::{Card, PoseFrom};
use crate::error::{AnalysisError, LineError, ValueError};
use crate::roles::{assign_other_roles, roles_by_name};
use pairs::RoleHint;
use rebone_skeleton::{JointId, Motion, Pose, Skeleton, SkinPoint};
use std::sync::Arc;

/// Largest number of poses that roles are read from.
const MAX_POSES: usize = 64;

/// Largest number of parts of meshes left out that are warned of one by one.
const MAX_LEFT_OUT: usize = 3;

/// Statements of the user on a skeleton; those that are `None` are estimated.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// A rig card.
    pub card: Option<Card>,
    /// A pose of the skeleton in which it stands straight, its arms out, ahead or down: the
    /// calibration pose.
    pub pose: Option<Pose>,
    /// The pose in which the mesh of the file was skinned, where it is another than the rest pose.
    pub bound: Option<Pose>,
    /// Roles that the file itself states: [`bones`](crate::roles::bones). What the card says goes before them.
    pub roles: Vec<(Role, Vec<JointId>)>,
    /// Vertices of the character's meshes, as points of its joints: they show the soles.
    pub skin: Arc<[SkinPoint]>,
    /// Parts of the meshes that are left out, a sentence each: the anatomy warns of them.
    pub skin_left_out: Vec<String>,
    /// Those of them that are skin of the body: a result on it has to be looked at.
    pub skin_lost: Vec<String>,
    /// Metres per unit of the file's lengths, where its format fixes it (glTF: 1). Goes before the card's.
    pub unit: Option<f64>,
    /// Axis that is up by the file's format. The card's goes before it.
    pub up: Option<SignedAxis>,
    /// True if the format fixes that axis (glTF, FBX: +Y), so that it holds unless the body stands along another one both in a
    /// pose of the file and in its motion; false for a convention (BVH: +Y), which is evidence among other.
    pub fixes_up: bool,
}

impl Hints {
    /// Checks that poses and roles are of the skeleton, and that the unit is a length.
    fn check_for(&self, skeleton: &Skeleton) -> Result<(), AnalysisError> {
        for pose in self.pose.iter().chain(&self.bound) {
            pose.check_for(skeleton)?;
        }
        let joints = self.roles.iter().flat_map(|(_, joints)| joints);
        ValueError::check_joints(skeleton, joints.copied())?;
        match self.unit.filter(|metres| !(*metres > 0.0 && metres.is_finite())) {
            Some(metres) => {
                let text = format!("found {metres} metres a unit, expected a positive number");
                Err(ValueError(text).into())
            }
            None => Ok(()),
        }
    }
}

/// Works out which joint plays which role, how the segments are oriented, how large the body is and
/// what is up, from a skeleton and a clip of it.
///
/// ```
/// use rebone_body::body::{Role, Side};
/// use rebone_body::{Hints, analyse};
///
/// let walk = rebone_samples::walk().motion;
/// let anatomy = analyse(&walk, &Hints::default())?;
/// let elbow = anatomy.roles.joint(Role::LowerArm(Side::Left));
/// assert_eq!(elbow, Some(anatomy.body.arms[0].lower));
/// # Ok::<(), rebone_body::AnalysisError>(())
/// ```
///
/// # Errors
/// When the clip is no motion of the skeleton, or the hints are of another; when it is no humanoid: what was looked for
/// and not found; when the card names a joint that is not there, or a file for the calibration pose that the hints do
/// not hold.
pub fn analyse(motion: &Motion, hints: &Hints) -> Result<Anatomy, AnalysisError> {
    motion.clip.check_for(&motion.skeleton)?;
    let mut anatomy = analyse_with_hints(motion, hints, &[])?;
    state_confidence(&mut anatomy, hints);
    Ok(anatomy)
}

/// Warning of a stated pose in which the body does not stand straight.
const NOT_STANDING: &str = "nobody stands straight in the pose that is given, so its calibration may be \
                             far off: name a pose with trunk and legs upright and the elbows straight";

/// Error of a generated card whose file stands at rest, on a file that does not: a BVH has no rest rotations.
const OTHER_REST_POSE: &str = "the rest pose that it was made of stands straight, that of this file does not: it is the card of \
                              another file. Make one of this file, or for a result name its rig (`check --rig`)";

/// Confidences of a card and of its file that differ by rounding.
const MAX_ROUNDED_CONFIDENCE: f64 = 0.05;

/// Sets the confidence of the calibration, where a card holds an earlier guess, or where nobody stands in
/// the pose that was given with it: it only tells, and must not weigh where two skeletons are calibrated
/// alike.
fn state_confidence(anatomy: &mut Anatomy, hints: &Hints) {
    if anatomy.calibration != CalibrationSource::Given {
        return;
    }
    let sure = hints.card.as_ref().and_then(|card| card.confidence);
    let doubt = anatomy.stated_pose_confidence.filter(|_| hints.pose.is_some() && sure.is_none());
    if doubt.is_some() {
        anatomy.warnings.push(NOT_STANDING.to_owned());
    }
    anatomy.confidence = sure.or(doubt).unwrap_or(anatomy.confidence);
}

/// Analyses a skeleton with roles from another skeleton.
fn analyse_with_hints(
    motion: &Motion,
    hints: &Hints,
    role_hints: &[RoleHint],
) -> Result<Anatomy, AnalysisError> {
    crate::body::check_size(&motion.skeleton)?;
    hints.check_for(&motion.skeleton)?;
    let poses = crate::calibrate::spread(&motion.skeleton, &motion.clip, MAX_POSES);
    let empty = Card::default();
    let card = hints.card.as_ref().unwrap_or(&empty);
    let mut given = card.resolve_roles(&motion.skeleton)?;
    let stated = stated_by_file(&hints.roles, &given);
    given.extend(stated.iter().cloned());
    given.extend(role_hints.iter().filter_map(RoleHint::stated_role));
    let mut roles = assign_other_roles(&motion.skeleton, &poses, &given)?;
    roles.state_reason(&stated, "the file's own table of bones");
    RoleHint::apply(role_hints, &motion.skeleton, &mut roles);
    let pose = match (&hints.pose, &card.pose_from) {
        (Some(pose), _) => Some(pose.clone()),
        (None, Some(PoseFrom::Rest)) => Some(motion.skeleton.rest_pose()),
        (None, Some(file)) => return Err(AnalysisError::PoseNotRead(file.to_string())),
        (None, None) => card.posed(&motion.skeleton)?,
    };
    let known = Known {
        up: card.up.map(SignedAxis::unit),
        up_of_format: hints.up.map(|axis| FormatUp { axis: axis.unit(), is_fixed: hints.fixes_up }),
        facing: card.facing.map(SignedAxis::unit),
        pose,
        bound: hints.bound.clone(),
        skin: Arc::clone(&hints.skin),
        frames: card.joint_axes(&motion.skeleton)?,
    };
    let mut anatomy = anatomy_of(&motion.skeleton, roles, &motion.clip, &known)?;
    if card.is_of_rest_pose()
        && let Some((found, stated)) = anatomy.stated_pose_confidence.zip(card.confidence)
        && stated > found + MAX_ROUNDED_CONFIDENCE
    {
        let line = card.pose_from_line;
        return Err(LineError { line, message: OTHER_REST_POSE.to_owned() }.into());
    }
    if !card.pose.is_empty() && card.facing.is_none() {
        anatomy.facing = None;
    }
    let helpers = card.resolve_helpers(&motion.skeleton, &anatomy.roles)?;
    anatomy.warnings.extend(hints.skin_left_out.iter().take(MAX_LEFT_OUT).cloned());
    if let Some(more) = hints.skin_left_out.len().checked_sub(MAX_LEFT_OUT + 1) {
        anatomy.warnings.push(format!("meshes: {} more such lines, of other parts", more + 1));
    }
    anatomy.take_lost_skin(&hints.skin_lost);
    anatomy.card_corrects_bind_pose = card.correct_bind;
    let hands = anatomy.body.arms.each_ref().map(|arm| arm.hand);
    anatomy.take_stated_hands(
        hands.map(|hand| hand.is_some_and(|hand| card.states_frame(&motion.skeleton, hand))),
    );
    anatomy.up_question = anatomy.up_question.or_else(|| card.up_question());
    card.check_lengths(&anatomy)?;
    anatomy.take_supports(card.sole_height, card.trunk_radii);
    let limits = card.joint_limits(&motion.skeleton)?;
    anatomy.take(hints.unit.or(card.unit), &limits, &helpers, card.stated_surfaces()?);
    Ok(anatomy)
}

/// Returns the roles that can be found on a skeleton that [`analyse`] refuses: those of the card and the file, whole
/// limbs, and joints by name.
///
/// # Errors
/// When the card names a joint that does not exist, or the hints are of another skeleton.
pub fn partial_roles(skeleton: &Skeleton, hints: &Hints) -> Result<Roles, AnalysisError> {
    hints.check_for(skeleton)?;
    let card = hints.card.as_ref().map(|card| card.resolve_roles(skeleton)).transpose()?;
    let mut given = card.unwrap_or_default();
    given.extend(stated_by_file(&hints.roles, &given));
    Ok(roles_by_name(skeleton, &given))
}

/// Returns the roles that a file states, without those that a card states and without their joints.
fn stated_by_file(roles: &[StatedRole], card: &[StatedRole]) -> Vec<StatedRole> {
    let is_free = |(role, joints): &&StatedRole| {
        card.iter().all(|(other, cast)| other != role && joints.iter().all(|id| !cast.contains(id)))
    };
    roles.iter().filter(is_free).cloned().collect()
}
