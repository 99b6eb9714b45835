//! Who tells whom: each pair by what both sides believe without it.

use super::hints::Told;
use super::unused;
use crate::analyse::Hints;
use crate::body::{Anatomy, Assigned, Role, Roles};
use crate::body::{Pair, follows};
use crate::card::CardError;
use crate::error::AnalysisError;
use rebone_skeleton::selector::select;
use rebone_skeleton::{JointId, Skeleton};
use std::collections::BTreeSet;

/// Two sides that are surer than this of different roles contradict each other.
const CERTAIN: f64 = 0.9;

/// What one side believes without the pairs.
pub(crate) struct Belief<'a> {
    skeleton: &'a Skeleton,
    /// What was understood; where nothing was, what the card says.
    roles: Roles,
    /// The roles that the card gives, or gives to nobody.
    stated: Vec<Role>,
    /// How sure it was where a pair showed that it was wrong: what it believes no surer is of the same
    /// making, and does not stand against the other side.
    wrong: f64,
}

/// A role of a joint, and how sure it is.
#[derive(Clone, Copy, Debug)]
struct Claim {
    role: Role,
    sure: f64,
}

/// What the pairs say.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// What source and target are told.
    pub(crate) told: [Vec<Told>; 2],
    /// The pairs that say what one side knows better, and a text for each.
    pub(crate) refused: Vec<Pair>,
    pub(crate) warnings: Vec<String>,
}

/// The surer side of each pair tells the other, surest pairs first: a role that one joint plays is told
/// once, and who else believes to play it was wrong.
pub(crate) fn weigh(mut beliefs: [Belief; 2], pairs: &[Pair]) -> Verdict {
    let mut verdict = Verdict::default();
    let mut settled = BTreeSet::new();
    for pair in surest_first(&beliefs, pairs) {
        let claims = [0, 1].map(|side| {
            let claim = beliefs[side].claim(pair[side]);
            claim.filter(|claim| !settled.contains(&claim.role))
        });
        match judge(&beliefs, pair, claims) {
            Ok(None) => {}
            Ok(Some((pupil, claim))) => {
                if !claim.role.is_list() {
                    settled.insert(claim.role);
                }
                let own = claims[pupil];
                if let Some(own) = own.filter(|own| own.role != claim.role) {
                    beliefs[pupil].wrong = beliefs[pupil].wrong.max(own.sure);
                }
                if own.is_none_or(|own| own.role != claim.role || own.sure < claim.sure) {
                    let by = select(beliefs[1 - pupil].skeleton, pair[1 - pupil]);
                    let (joint, Claim { role, sure }) = (pair[pupil], claim);
                    verdict.told[pupil].push(Told { joint, role, sure, by });
                }
            }
            Err(warning) => {
                verdict.refused.push(pair);
                verdict.warnings.push(warning);
            }
        }
    }
    verdict
}

fn surest_first(beliefs: &[Belief; 2], pairs: &[Pair]) -> Vec<Pair> {
    let sure = |pair: &Pair| {
        let claim = |side: usize| beliefs[side].claim(pair[side]).map_or(0.0, |claim| claim.sure);
        claim(0).max(claim(1))
    };
    let mut pairs = pairs.to_vec();
    pairs.sort_by(|a, b| sure(b).total_cmp(&sure(a)));
    pairs
}

/// Which side is told what; nobody where there is no role to tell. A text where both sides are sure, or
/// where the one that is told knows better.
fn judge(
    beliefs: &[Belief; 2],
    pair: Pair,
    claims: [Option<Claim>; 2],
) -> Result<Option<(usize, Claim)>, String> {
    let rank = |side: usize| claims[side].map(|claim| (beliefs[side].stands(claim), claim.sure));
    let teacher = usize::from(rank(1) > rank(0));
    let pupil = 1 - teacher;
    let Some(claim) = claims[teacher] else { return Ok(None) };
    let own = claims[pupil];
    if own.is_some_and(|own| own.role == claim.role) {
        return Ok(Some((pupil, claim)));
    }
    let names = [0, 1].map(|side| select(beliefs[side].skeleton, pair[side]));
    if let Some(own) = own.filter(|own| own.sure > CERTAIN) {
        let [teacher, pupil] = [&names[teacher], &names[pupil]];
        let warning = unused(&names);
        return Err(format!("{warning}: {}, {}", plays(teacher, claim), plays(pupil, own)));
    }
    if follows(claim.role) {
        return Ok(None);
    }
    match beliefs[pupil].objection(claim) {
        Some(objection) => {
            let told = plays(&names[teacher], claim);
            Err(format!("{}: {told}, but {objection}", unused(&names)))
        }
        None => Ok(Some((pupil, claim))),
    }
}

/// `LeftArm is leftUpperArm (98 %)`.
fn plays(name: &str, claim: Claim) -> String {
    format!("{name} is {} ({:.0} %)", claim.role.name(), 100.0 * claim.sure)
}

impl<'a> Belief<'a> {
    /// What is known of a skeleton that was understood alone, or was not.
    ///
    /// # Errors
    /// When the card names a joint that is not there.
    pub(crate) fn new(
        skeleton: &'a Skeleton,
        alone: &Result<Anatomy, AnalysisError>,
        hints: &Hints,
    ) -> Result<Self, CardError> {
        let given = match &hints.card {
            Some(card) => card.cast(skeleton)?,
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

    fn stands(&self, own: Claim) -> bool {
        own.sure > self.wrong
    }

    fn claim(&self, joint: JointId) -> Option<Claim> {
        let assigned = self.roles.by_joint[joint.index()].as_ref()?;
        Some(Claim { role: assigned.role, sure: assigned.confidence })
    }

    /// Why none of its joints without that role can be told it.
    fn objection(&self, told: Claim) -> Option<String> {
        if self.stated.contains(&told.role) {
            return Some(format!("the other side's card says who is {}", told.role.name()));
        }
        let holder = self.roles.joint(told.role)?;
        let own = self.claim(holder).filter(|own| self.stands(*own) && own.sure > told.sure)?;
        Some(plays(&select(self.skeleton, holder), own))
    }
}
