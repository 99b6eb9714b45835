//! Joints without a role below the same part of both bodies: hair, tails, props.

use super::chains::bones;
use super::plan::Plan;
use super::rules::rule::Rule;
use rebone_body::body::{Anatomy, Role};
use rebone_skeleton::selector::select;
use rebone_skeleton::{JointId, Skeleton};

/// Pairs joints without a rule that both skeletons have in the same position: they rotate alike.
pub(crate) fn follow_same_places(source: &Anatomy, target: &Anatomy, rules: &mut [Rule]) {
    let [of_source, of_target] = [source, target].map(|anatomy| descendants(&anatomy.skeleton));
    let place = |id: JointId| Place::of(source, id, of_source[id.index()]);
    let free_source: Vec<_> = source.skeleton.ids().filter_map(place).collect();
    let mut taken = vec![false; free_source.len()];
    for id in target.skeleton.ids() {
        if rules[id.index()] != Rule::KeepRest {
            continue;
        }
        let Some(place) = Place::of(target, id, of_target[id.index()]) else { continue };
        let same = |k: &usize| !taken[*k] && free_source[*k].matches(&place);
        let name = &target.skeleton[id].name;
        // Of several in one position: the one of that name, else the one with as many joints below.
        let unlike = |k: &usize| {
            let other = &free_source[*k];
            (&source.skeleton[other.joint].name != name, other.carries != place.carries)
        };
        if let Some(k) = (0..free_source.len()).filter(same).min_by_key(unlike) {
            taken[k] = true;
            let found = &free_source[k];
            rules[id.index()] =
                Rule::RelativeToRole { source: [found.joint, found.above], above: place.above };
        }
    }
}

impl Plan {
    /// Lets target joints without a role rotate as the source joints that they are paired with. Returns a warning for
    /// each pair without effect: joints that are not below the same part of the body, or have another rule.
    pub fn follow(&mut self, pairs: &[[JointId; 2]]) -> Vec<String> {
        let mut warnings = Vec::new();
        for &[from, to] in pairs {
            let Some(&known) =
                self.rules.get(to.index()).filter(|_| from.index() < self.source.skeleton.len())
            else {
                let [from, to] = [(&self.source, from), (&self.target, to)];
                let named = [from, to].map(|(anatomy, joint)| select(&anatomy.skeleton, joint));
                warnings.push(format!(
                    "the pair {}, {} is not used: expected joints of the two skeletons",
                    named[0], named[1]
                ));
                continue;
            };
            let is_free = matches!(known, Rule::KeepRest | Rule::RelativeToRole { .. });
            let places = Place::of(&self.source, from, 0).zip(Place::of(&self.target, to, 0));
            match places.filter(|(a, b)| is_free && a.anchor == b.anchor) {
                Some((a, b)) => {
                    self.rules[to.index()] =
                        Rule::RelativeToRole { source: [from, a.above], above: b.above };
                }
                None if known == Rule::AncestorOfHips(from) => {}
                None => {
                    let from = select(&self.source.skeleton, from);
                    let to = select(&self.target.skeleton, to);
                    warnings.push(format!(
                        "the pair {from}, {to} says nothing: neither has a role, and they do not hang \
                         on the same part of the body"
                    ));
                }
            }
        }
        warnings
    }
}

/// Counts the joints below each joint.
fn descendants(skeleton: &Skeleton) -> Vec<usize> {
    let mut below = vec![0; skeleton.len()];
    for (index, joint) in skeleton.joints().iter().enumerate().rev() {
        if let Some(parent) = joint.parent {
            below[parent.index()] += below[index] + 1;
        }
    }
    below
}

/// Position of a joint without a role: relative to the role above it.
struct Place {
    joint: JointId,
    above: JointId,
    anchor: Anchor,
    /// Number of joints without a role between the two.
    depth: usize,
    /// Number of joints below it.
    carries: usize,
    offset: nalgebra::Vector3<f64>,
}

/// A joint that both skeletons have.
#[derive(Clone, Copy, PartialEq)]
enum Anchor {
    Pelvis,
    Chest,
    Role(Role),
}

impl Place {
    /// Locates a joint; `None` for joints with a role, and for those above the body.
    fn of(anatomy: &Anatomy, joint: JointId, carries: usize) -> Option<Self> {
        let is_finger = matches!(anatomy.roles.of(joint), Some(Role::Finger(..)));
        if anchor(anatomy, joint).is_some() || is_body(anatomy, joint) || is_finger {
            return None;
        }
        let path = || anatomy.skeleton.path_to_root(joint).skip(1);
        let (above, anchor) = path().find_map(|id| Some((id, anchor(anatomy, id)?)))?;
        let between = path().take_while(|&id| id != above);
        let depth = between.filter(|&id| anatomy.roles.of(id).is_none()).count();
        let offset = anatomy.place(joint) - anatomy.place(above);
        Some(Self { joint, above, anchor, depth, carries, offset })
    }

    /// Returns whether two positions match: equal role above, equal number of joints between, and offsets in the T
    /// pose within a tenth of the distance (and 0.1 mm).
    fn matches(&self, other: &Self) -> bool {
        let near = (self.offset - other.offset).norm()
            <= 0.1 * self.offset.norm().max(other.offset.norm()) + 1e-4;
        self.anchor == other.anchor && self.depth == other.depth && near
    }
}

/// Returns whether a joint is part of trunk, neck, or twist joints in line.
fn is_body(anatomy: &Anatomy, joint: JointId) -> bool {
    let body = &anatomy.body;
    let is_twist = bones(body).iter().any(|bone| bone.twists.contains(&joint));
    is_twist || body.trunk.contains(&joint) || body.neck.contains(&joint)
}

fn anchor(anatomy: &Anatomy, joint: JointId) -> Option<Anchor> {
    let body = &anatomy.body;
    if joint == body.pelvis() {
        return Some(Anchor::Pelvis);
    }
    if joint == body.chest() {
        return Some(Anchor::Chest);
    }
    match anatomy.roles.of(joint)? {
        Role::Spine | Role::Neck | Role::Hips => None,
        Role::UpperArmTwist(_)
        | Role::LowerArmTwist(_)
        | Role::UpperLegTwist(_)
        | Role::LowerLegTwist(_) => None,
        Role::Finger(..) => None,
        role => Some(Anchor::Role(role)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::align;
    use crate::options::Options;
    use nalgebra::{UnitQuaternion, Vector3};
    use rebone_body::body::{Role, Side};
    use rebone_body::{Anatomy, Hints, analyse, analyse_pair};
    use rebone_samples::{rigs, walk};
    use rebone_skeleton::{Clip, Joint, Motion, Skeleton};

    fn alone(motion: &Motion) -> Anatomy {
        analyse(motion, &Hints::default()).unwrap()
    }

    /// The joint of that name.
    fn at(motion: &Motion, name: &str) -> JointId {
        rebone_skeleton::selector::resolve(&motion.skeleton, name).unwrap()
    }

    /// Adds a joint without a role.
    fn with_prop(motion: &Motion, parent: JointId, name: &str, place: Vector3<f64>) -> Motion {
        let mut joints = motion.skeleton.joints().to_vec();
        joints.push(Joint {
            name: name.into(),
            parent: Some(parent),
            rest_translation: place,
            translation_axes: Vec::new(),
            ..joints[parent.index()].clone()
        });
        let skeleton = Skeleton::new(joints, motion.skeleton.end_sites().to_vec()).unwrap();
        let poses = motion.clip.poses().map(|mut pose| {
            pose.rotations.push(UnitQuaternion::identity());
            pose.translations.push(place);
            pose
        });
        let clip = Clip::from_poses(&skeleton, motion.clip.frame_time, poses).unwrap();
        Motion { skeleton, clip }
    }

    #[test]
    fn pairs_without_a_role_follow() {
        let walk = walk().motion;
        let (hand, place) = (at(&walk, "RightHand"), Vector3::new(-9.0, -3.0, 1.0));
        let source = with_prop(&walk, hand, "torch", place);
        let other = rigs().into_iter().find(|rig| rig.name == "no-collar-no-neck").unwrap().motion;
        let (palm, head) = (alone(&other).roles.joint(Role::Hand(Side::Right)), at(&other, "#3"));
        let target = with_prop(&other, palm.unwrap(), "gizmo", -0.3 * place);
        let target = with_prop(&target, head, "thing", place);
        let torch = at(&source, "torch");
        let [gizmo, thing] = ["gizmo", "thing"].map(|name| at(&target, name));
        let analysed =
            analyse_pair([&source, &target], [&Hints::default(); 2], &[[torch, gizmo]]).unwrap();
        assert_eq!((&analysed.loose, analysed.warnings), (&vec![[torch, gizmo]], vec![]));
        let [from, onto] = &analysed.anatomies;
        let mut plan = align(from, onto, &Options::default());
        assert_eq!(plan.rules[gizmo.index()], Rule::KeepRest);
        assert_eq!(plan.follow(&analysed.loose), Vec::<String>::new());
        let source_hand = [torch, hand];
        let above = palm.unwrap();
        assert_eq!(plan.rules[gizmo.index()], Rule::RelativeToRole { source: source_hand, above });
        let warnings = plan.follow(&[[torch, thing]]);
        assert!(warnings[0].contains("torch, thing says nothing"), "{warnings:?}");
        assert_eq!(plan.rules[thing.index()], Rule::KeepRest);
    }
}
