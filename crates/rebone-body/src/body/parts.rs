//! The parts of a body as joints: what the roles say, in the order the solver walks.

use super::role::{Finger, Role, Roles, Side};
use crate::error::AnalysisError;
use nalgebra::Vector3;
use rebone_skeleton::{JointId, Skeleton, WorldPose};
use std::collections::BTreeMap;

/// The most joints of a trunk, a neck, a finger or a limb's bone: what is longer is a rope or a tail,
/// and a problem of that many variables would not end.
const MAX_PART_JOINTS: usize = 64;

/// The most joints and end sites of a skeleton: no body with its clothes has as many.
const MAX_SKELETON_NODES: usize = 10_000;

/// Refuses skeletons whose joints would take too long to understand.
pub(crate) fn check_size(skeleton: &Skeleton) -> Result<(), AnalysisError> {
    let nodes = skeleton.len() + skeleton.end_sites().len();
    if nodes <= MAX_SKELETON_NODES {
        return Ok(());
    }
    Err(AnalysisError::NoBody(format!(
        "the skeleton has {nodes} joints and end sites, at most {MAX_SKELETON_NODES} are understood"
    )))
}

/// A point that a joint carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landmark {
    /// The joint.
    pub joint: JointId,
    /// The point in the joint's own axes, in file units.
    pub offset: Vector3<f64>,
}

impl Landmark {
    /// Its place in the world; `unit` is the length of the file's unit in that of `pose`. `None` where the pose does not
    /// have the joint.
    pub fn place(&self, pose: &WorldPose, unit: f64) -> Option<Vector3<f64>> {
        let index = self.joint.index();
        let is_there = index < pose.positions.len().min(pose.rotations.len());
        is_there.then(|| self.at(pose, unit))
    }

    /// Its place in a pose of its skeleton.
    #[doc(hidden)]
    pub fn at(&self, pose: &WorldPose, unit: f64) -> Vector3<f64> {
        let index = self.joint.index();
        pose.positions[index] + pose.rotations[index] * self.offset * unit
    }
}

impl From<JointId> for Landmark {
    /// The centre of the joint.
    fn from(joint: JointId) -> Self {
        Self { joint, offset: Vector3::zeros() }
    }
}

/// One arm, from the trunk to the fingers.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// The collar bone, where there is one.
    pub collar: Option<JointId>,
    /// The joint that moves the upper arm.
    pub upper: JointId,
    /// Twist joints in line between upper arm and elbow, from the trunk outwards.
    pub upper_twist: Vec<JointId>,
    /// The elbow.
    pub lower: JointId,
    /// Twist joints in line between elbow and wrist.
    pub lower_twist: Vec<JointId>,
    /// The joint that moves the hand; `None` where the arm ends with the forearm.
    pub hand: Option<JointId>,
    /// The wrist: the hand's joint, else the end of the forearm.
    pub wrist: Landmark,
    /// Joints of each finger, thumb first, knuckle to tip; empty where there is none.
    pub fingers: [Vec<JointId>; 5],
    /// Joints in the palm before the knuckle of each outer finger; none for the thumb, whose first joint
    /// is such a one and moves.
    pub metacarpals: [Vec<JointId>; 5],
}

/// One leg, from the pelvis to the toes.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// Joints between the pelvis and the thigh, from the pelvis outwards.
    pub hip_bones: Vec<JointId>,
    /// The joint that moves the thigh.
    pub upper: JointId,
    /// Twist joints in line between thigh and knee.
    pub upper_twist: Vec<JointId>,
    /// The knee.
    pub lower: JointId,
    /// Twist joints in line between knee and ankle.
    pub lower_twist: Vec<JointId>,
    /// The ankle.
    pub foot: JointId,
    /// The ball of the foot, where there is a joint.
    pub toes: Option<JointId>,
}

impl Leg {
    /// The joints that carry heel, ball and tip of the sole.
    #[doc(hidden)]
    pub fn sole_carriers(&self) -> [JointId; 3] {
        [self.foot, self.foot, self.toes.unwrap_or(self.foot)]
    }

    /// The joints whose frames are a sole's.
    pub(crate) fn foot_and_toes(&self) -> impl Iterator<Item = JointId> + use<> {
        [Some(self.foot), self.toes].into_iter().flatten()
    }
}

/// A body as joints.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// The tree path from the pelvis joint (which carries both thighs) to the chest joint (which
    /// carries both arms), both included; one joint where they are the same. It may run upwards.
    pub trunk: Vec<JointId>,
    /// The joints up to the head from the chest, or from below it where the head is a child of the spine; the
    /// head last; empty where there is no head.
    pub neck: Vec<JointId>,
    /// Left, right.
    pub arms: [Arm; 2],
    /// Left, right.
    pub legs: [Leg; 2],
}

impl Body {
    /// Reads the parts off the roles.
    ///
    /// # Errors
    /// A role that is missing, or a part that is too long.
    pub(crate) fn new(skeleton: &Skeleton, roles: &Roles) -> Result<Self, AnalysisError> {
        let missing = |role: Role| {
            let name = role.name();
            AnalysisError::NoBody(format!("no joint plays the {name}; name it in a rig card"))
        };
        let body = Self::of_roles(skeleton, roles).map_err(missing)?;
        match body.parts().into_iter().find(|&(_, joints)| joints > MAX_PART_JOINTS) {
            Some((part, joints)) => Err(AnalysisError::NoBody(format!(
                "the {part} has {joints} joints, at most {MAX_PART_JOINTS} are understood; give the role to another \
                 joint in a rig card"
            ))),
            None => Ok(body),
        }
    }

    fn of_roles(skeleton: &Skeleton, roles: &Roles) -> Result<Self, Role> {
        let need = |role| roles.joint(role).ok_or(role);
        let thighs = [need(Role::UpperLeg(Side::Left))?, need(Role::UpperLeg(Side::Right))?];
        let arms = [need(Role::UpperArm(Side::Left))?, need(Role::UpperArm(Side::Right))?];
        let pelvis = skeleton.lowest_common_ancestor(thighs[0], thighs[1]);
        let chest = skeleton.lowest_common_ancestor(arms[0], arms[1]);
        let neck = |head| skeleton.path_between(skeleton.lowest_common_ancestor(chest, head), head);
        let neck = roles.joint(Role::Head).map_or(Vec::new(), neck);
        Ok(Self {
            trunk: [vec![pelvis], skeleton.path_between(pelvis, chest)].concat(),
            neck,
            arms: [arm(skeleton, roles, Side::Left)?, arm(skeleton, roles, Side::Right)?],
            legs: [
                leg(skeleton, roles, Side::Left, pelvis)?,
                leg(skeleton, roles, Side::Right, pelvis)?,
            ],
        })
    }

    /// Each part's name and number of joints.
    fn parts(&self) -> Vec<(&'static str, usize)> {
        let mut parts = vec![("trunk", self.trunk.len()), ("neck", self.neck.len())];
        for arm in &self.arms {
            parts.push(("arm", arm.upper_twist.len() + arm.lower_twist.len()));
            parts.extend(arm.fingers.iter().map(|finger| ("finger", finger.len())));
        }
        for leg in &self.legs {
            let inner = [&leg.hip_bones, &leg.upper_twist, &leg.lower_twist];
            parts.push(("leg", inner.iter().map(|joints| joints.len()).sum()));
        }
        parts
    }

    /// The joint whose segment is the pelvis.
    pub fn pelvis(&self) -> JointId {
        self.trunk[0]
    }

    /// The joint that carries both arms.
    pub fn chest(&self) -> JointId {
        self.trunk[self.trunk.len() - 1]
    }

    /// The main joints of arms and legs: shoulders, elbows, hands, hips, knees, ankles.
    pub fn limbs(&self) -> impl Iterator<Item = JointId> {
        let arms = self.arms.iter().flat_map(|arm| [Some(arm.upper), Some(arm.lower), arm.hand]);
        let legs = self.legs.iter().flat_map(|leg| [leg.upper, leg.lower, leg.foot]);
        arms.flatten().chain(legs)
    }

    /// The joint that turns the skull.
    pub fn head(&self) -> Option<JointId> {
        self.neck.last().copied()
    }

    /// The place in `trunk` of the joint nearest the root.
    pub fn trunk_top(&self) -> usize {
        let depth = |joint: &JointId| joint.index();
        (0..self.trunk.len()).min_by_key(|&place| depth(&self.trunk[place])).unwrap_or(0)
    }
}

fn arm(skeleton: &Skeleton, roles: &Roles, side: Side) -> Result<Arm, Role> {
    let need = |role| roles.joint(role).ok_or(role);
    let upper = need(Role::UpperArm(side))?;
    let lower = need(Role::LowerArm(side))?;
    let hand = roles.joint(Role::Hand(side));
    let is_twist = |id| roles.of(id) == Some(Role::LowerArmTwist(side));
    let end = || bone_end(skeleton, lower, &is_twist);
    let wrist = hand.map(Landmark::from).or_else(end).ok_or(Role::Hand(side))?;
    let mut fingers: [Vec<JointId>; 5] =
        Finger::ALL.map(|finger| roles.joints(Role::Finger(side, finger)).collect());
    let mut metacarpals: [Vec<JointId>; 5] = Default::default();
    for (finger, before) in fingers.iter_mut().zip(&mut metacarpals).skip(1) {
        let count = hand.map_or(0, |hand| metacarpal_count(skeleton, hand, finger));
        *before = finger.drain(..count).collect();
    }
    let lower_twist = match hand {
        Some(hand) => skeleton.strictly_between(lower, hand),
        None => skeleton.path_between(lower, wrist.joint),
    };
    Ok(Arm {
        collar: roles.joint(Role::Shoulder(side)).filter(|&id| skeleton.is_ancestor(id, upper)),
        upper,
        upper_twist: skeleton.strictly_between(upper, lower),
        lower,
        lower_twist,
        hand,
        wrist,
        fingers,
        metacarpals,
    })
}

/// Counts the joints of a finger before its knuckle: those in the first quarter of the way from the
/// wrist to the tip, along the bones, but none after the joint that is nearest to the middle.
fn metacarpal_count(skeleton: &Skeleton, hand: JointId, finger: &[JointId]) -> usize {
    let bone = |id: JointId| skeleton[id].rest_translation.norm();
    let way = |id: JointId| -> f64 {
        skeleton.path_to_root(id).take_while(|&above| above != hand).map(bone).sum()
    };
    let ways: Vec<f64> = finger.iter().map(|&id| way(id)).collect();
    let Some((&last, to_last)) = finger.last().zip(ways.last()) else { return 0 };
    let length = to_last + farthest(skeleton, last, &|_| false).map_or(0.0, |(_, length)| length);
    let off_middle = |&k: &usize| (ways[k] - length / 2.0).abs();
    let middle = (0..ways.len()).min_by(|a, b| off_middle(a).total_cmp(&off_middle(b)));
    let early = ways.iter().take_while(|&&way| way < length / 4.0).count();
    early.min(middle.unwrap_or(0))
}

fn leg(skeleton: &Skeleton, roles: &Roles, side: Side, pelvis: JointId) -> Result<Leg, Role> {
    let need = |role| roles.joint(role).ok_or(role);
    let upper = need(Role::UpperLeg(side))?;
    let lower = need(Role::LowerLeg(side))?;
    let foot = need(Role::Foot(side))?;
    Ok(Leg {
        hip_bones: skeleton.strictly_between(pelvis, upper),
        upper,
        upper_twist: skeleton.strictly_between(upper, lower),
        lower,
        lower_twist: skeleton.strictly_between(lower, foot),
        foot,
        toes: roles.joint(Role::Toes(side)),
    })
}

/// The end of a bone that no joint ends: what is farthest below `joint`, an end site or a leaf, if it
/// hangs on it or on its twist joints in line. `None` where something else goes on.
pub(crate) fn bone_end(
    skeleton: &Skeleton,
    joint: JointId,
    is_twist: &dyn Fn(JointId) -> bool,
) -> Option<Landmark> {
    let (end, _) = farthest(skeleton, joint, is_twist)?;
    let mut line = skeleton.path_to_root(end.joint).take_while(|&id| id != joint);
    line.all(is_twist).then_some(end)
}

/// The end site or leaf that is farthest below `joint` along the joints, and how far.
fn farthest(
    skeleton: &Skeleton,
    joint: JointId,
    is_twist: &dyn Fn(JointId) -> bool,
) -> Option<(Landmark, f64)> {
    let mut ends: BTreeMap<JointId, (Landmark, f64)> = BTreeMap::new();
    // Children before their parents: no recursion, however deep they are.
    for joint in skeleton.descendants(joint).into_iter().rev().chain([joint]) {
        let sites = skeleton.end_sites_of(joint).map(|site| site.offset);
        let sites = sites.map(|offset| (Landmark { joint, offset }, offset.norm()));
        let children = skeleton.children(joint).map(|child| {
            let offset = skeleton[child].rest_translation;
            let end = ends.get(&child);
            let goes_on = is_twist(child) || skeleton.children(child).next().is_some();
            let length = offset.norm() + end.map_or(0.0, |(_, length)| *length);
            let end = end.filter(|_| goes_on).map_or(Landmark { joint, offset }, |(end, _)| *end);
            (end, length)
        });
        let long = sites.chain(children).filter(|(_, length)| *length > 1e-9);
        let end = long.max_by(|a, b| a.1.total_cmp(&b.1));
        ends.extend(end.map(|end| (joint, end)));
    }
    ends.remove(&joint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::UnitQuaternion;
    use rebone_skeleton::{EndSite, Joint};

    /// A chain or tree along X: the parent of each joint and how far it is from it.
    fn skeleton(joints: &[(usize, f64)], sites: &[(usize, f64)]) -> Skeleton {
        let along = |x: f64| Vector3::new(x, 0.0, 0.0);
        let joint = |(at, &(parent, x)): (usize, &(usize, f64))| Joint {
            name: at.to_string().into(),
            parent: (at > 0).then_some(JointId(parent)),
            rest_translation: along(x),
            rest_rotation: UnitQuaternion::identity(),
            translation_axes: Vec::new(),
            rotation_axes: Vec::new(),
        };
        let site = |&(parent, x)| EndSite { parent: JointId(parent), offset: along(x) };
        let joints = joints.iter().enumerate().map(joint).collect();
        Skeleton::new(joints, sites.iter().map(site).collect()).unwrap()
    }

    fn end(joints: &[(usize, f64)], sites: &[(usize, f64)]) -> Option<(usize, f64)> {
        let is_twist = |id| id == JointId(1);
        let end = bone_end(&skeleton(joints, sites), JointId(0), &is_twist);
        end.map(|end| (end.joint.index(), end.offset.x))
    }

    /// Joint 0 is the forearm, joint 1 its twist joint.
    #[test]
    fn a_forearm_ends_at_its_farthest_end_site_or_leaf() {
        let forearm = (0, 0.0);
        assert_eq!(end(&[forearm], &[(0, 25.0)]), Some((0, 25.0)));
        assert_eq!(end(&[forearm, (0, 12.0)], &[(1, 13.0)]), Some((1, 13.0)), "twist in line");
        assert_eq!(end(&[forearm, (0, 12.0)], &[(0, 25.0), (1, 3.0)]), Some((0, 25.0)), "beside");
        assert_eq!(end(&[forearm, (0, 12.0), (0, 25.0)], &[(2, 9.0)]), Some((0, 25.0)), "leaf");
        let helpers = [forearm, (0, 0.0), (0, 1e-5), (2, 12.0)];
        assert_eq!(end(&helpers, &[(0, 25.0), (3, 0.0)]), Some((0, 25.0)), "helpers beside");
    }

    #[test]
    fn a_rope_is_no_trunk_and_a_crowd_no_body() {
        let rope: Vec<_> =
            (0..=MAX_PART_JOINTS).map(|at: usize| (at.saturating_sub(1), 1.0)).collect();
        let long = skeleton(&rope, &[]);
        assert!(check_size(&long).is_ok());
        let crowd = skeleton(&vec![(0, 1.0); MAX_SKELETON_NODES + 1], &[]);
        assert!(check_size(&crowd).is_err_and(|error| error.is_no_humanoid()));
    }

    #[test]
    fn the_end_of_a_bone_is_found_however_deep_it_is() {
        let rope: Vec<_> = (0..100_000).map(|at: usize| (at.saturating_sub(1), 1.0)).collect();
        let (_, length) = farthest(&skeleton(&rope, &[]), JointId(0), &|_| false).unwrap();
        assert_eq!(length, 99_999.0);
    }

    #[test]
    fn a_forearm_without_length_or_with_an_unknown_hand_has_no_end() {
        let forearm = (0, 0.0);
        assert_eq!(end(&[forearm], &[]), None);
        assert_eq!(end(&[forearm], &[(0, 0.0)]), None);
        assert_eq!(end(&[forearm, (0, 12.0), (1, 13.0), (2, 8.0)], &[(0, 5.0)]), None);
    }
}
