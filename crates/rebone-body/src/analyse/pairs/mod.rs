//! A source and a target, with pairs of joints that play the same role.
//!
//! Each skeleton is analysed alone. Then the surer side of a pair determines the role of the other, and a skeleton that
//! got a role is analysed again.

mod hints;
mod reconcile;

pub(super) use hints::RoleHint;

use super::{Hints, analyse_with_hints, state_confidence};
use crate::body::{Anatomy, CalibrationSource, follows};
use crate::calibrate::calibrate_alike;
use crate::error::{AnalysisError, ValueError};
use rebone_skeleton::selector::select;
use rebone_skeleton::{JointId, Motion, Skeleton};
use reconcile::{RoleBelief, reconcile_pairs};

/// A source and a target that were analysed.
#[derive(Clone, Debug)]
pub struct AnalysedPair {
    /// Source and target.
    pub anatomies: [Anatomy; 2],
    /// Pairs whose joints play no role, for `rebone::Plan::follow`.
    pub loose: Vec<[JointId; 2]>,
    /// Pairs that were not used, and the reason, one text each.
    pub warnings: Vec<String>,
}

impl AnalysedPair {
    /// A source and a target, each analysed by itself.
    pub fn of(anatomies: [Anatomy; 2]) -> Self {
        Self { anatomies, loose: Vec::new(), warnings: Vec::new() }
    }
}

/// Understands a source and a target, each with what is known of it, and both by pairs of joints; two
/// skeletons of one kind are calibrated alike.
///
/// Hips, spine, neck and hip bones lie between the other roles: pairs do not move them.
///
/// # Errors
/// When a clip is no motion of its skeleton, or a pair has a joint that is not there; when one of the two is not
/// recognised, with the roles of the pairs.
pub fn analyse_pair(
    motions: [&Motion; 2],
    hints: [&Hints; 2],
    pairs: &[[JointId; 2]],
) -> Result<AnalysedPair, AnalysisError> {
    for (k, side) in [AnalysisError::Source, AnalysisError::Target].into_iter().enumerate() {
        let (skeleton, clip) = (&motions[k].skeleton, &motions[k].clip);
        let joints = ValueError::check_joints(skeleton, pairs.iter().map(|pair| pair[k]));
        let checked = clip.check_for(skeleton).map_err(AnalysisError::from);
        checked.and(joints.map_err(Into::into)).map_err(|error| side(Box::new(error)))?;
    }
    let [source, target] = [0, 1].map(|side| analyse_with_hints(motions[side], hints[side], &[]));
    let skeletons = motions.map(|motion| &motion.skeleton);
    let beliefs = [
        RoleBelief::new(skeletons[0], &source, hints[0])
            .map_err(|error| AnalysisError::Source(Box::new(error.into())))?,
        RoleBelief::new(skeletons[1], &target, hints[1])
            .map_err(|error| AnalysisError::Target(Box::new(error.into())))?,
    ];
    let resolution = reconcile_pairs(beliefs, pairs);
    let again = |side: usize, alone| match resolution.hints[side][..] {
        [] => alone,
        ref role_hints => analyse_with_hints(motions[side], hints[side], role_hints),
    };
    let anatomies = [
        again(0, source).map_err(|error| AnalysisError::Source(Box::new(error)))?,
        again(1, target).map_err(|error| AnalysisError::Target(Box::new(error)))?,
    ];
    let mut anatomies = calibrate_alike(anatomies, motions.map(|motion| &motion.clip));
    for side in 0..2 {
        state_confidence(&mut anatomies[side], hints[side]);
        let sure = anatomies[side].confidence;
        let other = &mut anatomies[1 - side];
        if other.calibration == CalibrationSource::SameRig {
            other.confidence = other.confidence.min(sure);
        }
    }
    let mut analysed = AnalysedPair { anatomies, loose: Vec::new(), warnings: resolution.warnings };
    let used = pairs.iter().filter(|pair| !resolution.refused.contains(pair));
    used.for_each(|&pair| analysed.sort_out(skeletons, pair));
    Ok(analysed)
}

impl AnalysedPair {
    /// Keeps a pair without roles, and warns of one that still has two.
    fn sort_out(&mut self, skeletons: [&Skeleton; 2], pair: [JointId; 2]) {
        let roles = [0, 1].map(|side| self.anatomies[side].roles.of(pair[side]));
        match roles {
            [None, None] => self.loose.push(pair),
            [source, target] if source == target => {}
            _ => {
                let names = [0, 1].map(|side| select(skeletons[side], pair[side]));
                let plays = |side: usize| match roles[side] {
                    Some(role) => format!("{} is {}", names[side], role.name()),
                    None => format!("{} has no role", names[side]),
                };
                let why = roles.into_iter().flatten().find(|&role| follows(role));
                let why = why.map_or(String::new(), |role| {
                    format!(", and {} is what lies between arms, legs and head", role.name())
                });
                self.warnings.push(format!("{}: {}, {}{why}", unused(&names), plays(0), plays(1)));
            }
        }
    }
}

/// Returns the begin of a warning of a pair.
fn unused([source, target]: &[String; 2]) -> String {
    format!("the pair {source}, {target} is not used")
}

#[cfg(test)]
mod tests;
