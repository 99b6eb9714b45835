//! Understands one skeleton: which joint plays which role, and in which pose its frames are read.

mod learn;
mod pairs;

pub use learn::{LearnError, Learner};
pub use pairs::{AnalysedPair, analyse_pair};

use crate::body::{Anatomy, CalibrationSource, Roles, StatedRole};
use crate::roles::{assign_other_roles, roles_by_name};

use crate::body::SignedAxis;
use crate::calibrate::Known;
use crate::calibrate::anatomy_of;
use crate::card::{Card, PoseFrom};
use crate::error::AnalysisError;
use pairs::RoleHint;
use rebone_skeleton::{Motion, Pose, Skeleton};

/// The most poses that are looked at to tell what a skeleton is.
const POSES: usize = 64;

/// What the user knows of a skeleton; whatever is `None` is worked out.
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
    pub roles: Vec<StatedRole>,
    /// Metres per unit of the file's lengths, where its format fixes it (glTF: 1). Goes before the card's.
    pub unit: Option<f64>,
}

/// Works out which joint plays which role, how the segments are oriented, how large the body is and
/// what is up, from a skeleton and a clip of it.
///
/// # Errors
/// When it is no humanoid: what was looked for and not found; when the card names a joint that is not
/// there, or a file for the calibration pose that the hints do not hold.
pub fn analyse(motion: &Motion, hints: &Hints) -> Result<Anatomy, AnalysisError> {
    let mut anatomy = analyse_with_hints(motion, hints, &[])?;
    state_confidence(&mut anatomy, hints);
    Ok(anatomy)
}

/// What to say of a pose that somebody gave.
const NOBODY_STANDS: &str = "nobody stands straight in the pose that is given, so its calibration may be \
                             far off: name a pose with trunk and legs upright and the elbows straight";

/// How sure the calibration is, where a card holds what the program once guessed, or where nobody stands in
/// the pose that was given with it: it only tells, and must not weigh where two skeletons are calibrated
/// alike.
fn state_confidence(anatomy: &mut Anatomy, hints: &Hints) {
    if anatomy.calibration != CalibrationSource::Given {
        return;
    }
    let sure = hints.card.as_ref().and_then(|card| card.confidence);
    let doubt = anatomy.stated_pose_confidence.filter(|_| hints.pose.is_some() && sure.is_none());
    if doubt.is_some() {
        anatomy.warnings.push(NOBODY_STANDS.to_owned());
    }
    anatomy.confidence = sure.or(doubt).unwrap_or(anatomy.confidence);
}

/// The same, where another skeleton tells some of the roles.
fn analyse_with_hints(
    motion: &Motion,
    hints: &Hints,
    role_hints: &[RoleHint],
) -> Result<Anatomy, AnalysisError> {
    crate::body::check_size(&motion.skeleton)?;
    let poses = crate::calibrate::spread(&motion.skeleton, &motion.clip, POSES);
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
        facing: card.facing.map(SignedAxis::unit),
        pose,
        bound: hints.bound.clone(),
        frames: card.joint_axes(&motion.skeleton)?,
    };
    let mut anatomy = anatomy_of(&motion.skeleton, roles, &motion.clip, &known)?;
    if !card.pose.is_empty() && card.facing.is_none() {
        anatomy.facing = None;
    }
    let helpers = card.resolve_helpers(&motion.skeleton, &anatomy.roles)?;
    anatomy.card_corrects_bind_pose = card.correct_bind;
    anatomy.take(hints.unit.or(card.unit), &card.joint_limits(&motion.skeleton)?, &helpers);
    Ok(anatomy)
}

/// Returns the roles that can be found on a skeleton that [`analyse`] refuses: those of the card and the file, whole
/// limbs, and joints by name.
///
/// # Errors
/// When the card names a joint that does not exist.
pub fn partial_roles(skeleton: &Skeleton, hints: &Hints) -> Result<Roles, AnalysisError> {
    let card = hints.card.as_ref().map(|card| card.resolve_roles(skeleton)).transpose()?;
    let mut given = card.unwrap_or_default();
    given.extend(stated_by_file(&hints.roles, &given));
    Ok(roles_by_name(skeleton, &given))
}

/// What a file states of its roles, as far as a card does not speak of them or of their joints.
fn stated_by_file(roles: &[StatedRole], card: &[StatedRole]) -> Vec<StatedRole> {
    let is_free = |(role, joints): &&StatedRole| {
        card.iter().all(|(other, cast)| other != role && joints.iter().all(|id| !cast.contains(id)))
    };
    roles.iter().filter(is_free).cloned().collect()
}
