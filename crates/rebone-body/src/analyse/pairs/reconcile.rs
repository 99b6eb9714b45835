//! Reconciles roles of paired joints, from what both sides know without the pair.

use super::hints::RoleHint;
use super::unused;
use crate::analyse::Hints;
use crate::body::{Anatomy, Assigned, Role, Roles, follows};
use crate::error::{AnalysisError, LineError};
use rebone_skeleton::selector::select;
use rebone_skeleton::{JointId, Skeleton};
use std::collections::BTreeSet;

/// Two sides that are surer than this of different roles contradict each other.
const MIN_CERTAIN_CONFIDENCE: f64 = 0.9;

/// Roles of one side without the pairs.
pub(crate) struct RoleBelief<'a> {
    skeleton: &'a Skeleton,
    /// Roles that were found; those of the card where none were.
    roles: Roles,
    /// The roles that the card gives, or gives to no joint.
    stated: Vec<Role>,
    /// Confidence of roles that a pair refuted: roles that are no surer is of the same
    /// making, and does not stand against the other side.
    wrong: f64,
}

/// A role of a joint, and how sure it is.
#[derive(Clone, Copy, Debug)]
struct RoleClaim {
    role: Role,
    confidence: f64,
}

/// Result of the reconciliation.
#[derive(Debug, Default)]
pub(crate) struct Resolution {
    /// Role hints for source and target.
    pub(crate) hints: [Vec<RoleHint>; 2],
    /// The pairs that say what one side knows better, and a text for each.
    pub(crate) refused: Vec<[JointId; 2]>,
    pub(crate) warnings: Vec<String>,
}

/// The surer side of each pair tells the other, surest pairs first: a role that one joint plays is told
/// once, and who else believes to play it was wrong.
pub(crate) fn reconcile_pairs(mut beliefs: [RoleBelief; 2], pairs: &[[JointId; 2]]) -> Resolution {
    let mut resolution = Resolution::default();
    let mut settled = BTreeSet::new();
    for pair in surest_first(&beliefs, pairs) {
        let claims = [0, 1].map(|side| {
            let claim = beliefs[side].claim(pair[side]);
            claim.filter(|claim| !settled.contains(&claim.role))
        });
        match resolve_pair(&beliefs, pair, claims) {
            Ok(None) => {}
            Ok(Some((receiver, claim))) => {
                if !claim.role.is_list() {
                    settled.insert(claim.role);
                }
                let own = claims[receiver];
                if let Some(own) = own.filter(|own| own.role != claim.role) {
                    beliefs[receiver].wrong = beliefs[receiver].wrong.max(own.confidence);
                }
                if own.is_none_or(|own| own.role != claim.role || own.confidence < claim.confidence)
                {
                    let source_joint = select(beliefs[1 - receiver].skeleton, pair[1 - receiver]);
                    let (joint, RoleClaim { role, confidence }) = (pair[receiver], claim);
                    resolution.hints[receiver].push(RoleHint {
                        joint,
                        role,
                        confidence,
                        source_joint,
                    });
                }
            }
            Err(warning) => {
                resolution.refused.push(pair);
                resolution.warnings.push(warning);
            }
        }
    }
    resolution
}

fn surest_first(beliefs: &[RoleBelief; 2], pairs: &[[JointId; 2]]) -> Vec<[JointId; 2]> {
    let confidence = |pair: &[JointId; 2]| {
        let claim =
            |side: usize| beliefs[side].claim(pair[side]).map_or(0.0, |claim| claim.confidence);
        claim(0).max(claim(1))
    };
    let mut pairs = pairs.to_vec();
    pairs.sort_by(|a, b| confidence(b).total_cmp(&confidence(a)));
    pairs
}

/// Decides which side gets which role; none without a role. A text where both sides are sure, or
/// where the one that is told knows better.
fn resolve_pair(
    beliefs: &[RoleBelief; 2],
    pair: [JointId; 2],
    claims: [Option<RoleClaim>; 2],
) -> Result<Option<(usize, RoleClaim)>, String> {
    let rank =
        |side: usize| claims[side].map(|claim| (beliefs[side].stands(claim), claim.confidence));
    let giver = usize::from(rank(1) > rank(0));
    let receiver = 1 - giver;
    let Some(claim) = claims[giver] else { return Ok(None) };
    let own = claims[receiver];
    if own.is_some_and(|own| own.role == claim.role) {
        return Ok(Some((receiver, claim)));
    }
    let names = [0, 1].map(|side| select(beliefs[side].skeleton, pair[side]));
    if let Some(own) = own.filter(|own| own.confidence > MIN_CERTAIN_CONFIDENCE) {
        let [giver, receiver] = [&names[giver], &names[receiver]];
        let warning = unused(&names);
        return Err(format!("{warning}: {}, {}", plays(giver, claim), plays(receiver, own)));
    }
    if follows(claim.role) {
        return Ok(None);
    }
    match beliefs[receiver].objection(claim) {
        Some(objection) => {
            let stated = plays(&names[giver], claim);
            Err(format!("{}: {stated}, but {objection}", unused(&names)))
        }
        None => Ok(Some((receiver, claim))),
    }
}

/// `LeftArm is leftUpperArm (98 %)`.
fn plays(name: &str, claim: RoleClaim) -> String {
    format!("{name} is {} ({:.0} %)", claim.role.name(), 100.0 * claim.confidence)
}

impl<'a> RoleBelief<'a> {
    /// Returns the roles of a skeleton that was analysed alone, or refused.
    ///
    /// # Errors
    /// When the card names a joint that is not there.
    pub(crate) fn new(
        skeleton: &'a Skeleton,
        alone: &Result<Anatomy, AnalysisError>,
        hints: &Hints,
    ) -> Result<Self, LineError> {
        let given = match &hints.card {
            Some(card) => card.resolve_roles(skeleton)?,
            None => Vec::new(),
        };
        let roles = match alone {
            Ok(anatomy) => anatomy.roles.clone(),
            Err(_) => {
                let mut roles = Roles { by_joint: vec![None; skeleton.len()] };
                for (role, joint) in
                    given.iter().flat_map(|(role, joints)| joints.iter().map(|id| (*role, *id)))
                {
                    let reason = "card".into();
                    let assigned = Assigned { role, confidence: 1.0, reason, runner_up: None };
                    roles.by_joint[joint.index()] = Some(assigned);
                }
                roles
            }
        };
        let stated = given.into_iter().map(|(role, _)| role).collect();
        Ok(Self { skeleton, roles, stated, wrong: 0.0 })
    }

    fn stands(&self, own: RoleClaim) -> bool {
        own.confidence > self.wrong
    }

    fn claim(&self, joint: JointId) -> Option<RoleClaim> {
        let assigned = self.roles.by_joint[joint.index()].as_ref()?;
        Some(RoleClaim { role: assigned.role, confidence: assigned.confidence })
    }

    /// Why none of its joints without that role can be told it.
    fn objection(&self, claim: RoleClaim) -> Option<String> {
        if self.stated.contains(&claim.role) {
            return Some(format!("the other side's card says who is {}", claim.role.name()));
        }
        let holder = self.roles.joint(claim.role)?;
        let own = self
            .claim(holder)
            .filter(|own| self.stands(*own) && own.confidence > claim.confidence)?;
        Some(plays(&select(self.skeleton, holder), own))
    }
}
