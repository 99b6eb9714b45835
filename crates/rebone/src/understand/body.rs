//! The parts of a body as joints: what the roles say, in the order the solver walks.

use super::{Finger, Role, Roles, Side};
use nalgebra::Vector3;
use rebone_skeleton::{JointId, Skeleton, WorldPose};

/// A point that a joint carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landmark {
    /// The joint.
    pub joint: JointId,
    /// The point in the joint's own axes, in file units.
    pub offset: Vector3<f64>,
}

impl Landmark {
    /// Its place in the world; `unit` is the length of the file's unit in that of `pose`.
    pub fn place(&self, pose: &WorldPose, unit: f64) -> Vector3<f64> {
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
    /// Joints of each finger, thumb first, base to tip; empty where there is none.
    pub fingers: [Vec<JointId>; 5],
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

/// A body as joints.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// The tree path from the pelvis joint (which carries both thighs) to the chest joint (which
    /// carries both arms), both included; one joint where they are the same. It may run upwards.
    pub trunk: Vec<JointId>,
    /// The joints below the chest up to the head, the head last; empty where there is no head.
    pub neck: Vec<JointId>,
    /// Left, right.
    pub arms: [Arm; 2],
    /// Left, right.
    pub legs: [Leg; 2],
}

impl Body {
    /// Reads the parts off the roles, or names the role that is missing.
    pub fn new(skeleton: &Skeleton, roles: &Roles) -> Result<Self, Role> {
        let need = |role| roles.joint(role).ok_or(role);
        let thighs = [need(Role::UpperLeg(Side::Left))?, need(Role::UpperLeg(Side::Right))?];
        let arms = [need(Role::UpperArm(Side::Left))?, need(Role::UpperArm(Side::Right))?];
        let pelvis = skeleton.lowest_common_ancestor(thighs[0], thighs[1]);
        let chest = skeleton.lowest_common_ancestor(arms[0], arms[1]);
        let neck =
            roles.joint(Role::Head).map_or(Vec::new(), |head| between(skeleton, chest, head, true));
        Ok(Self {
            trunk: tree_path(skeleton, pelvis, chest),
            neck,
            arms: [arm(skeleton, roles, Side::Left)?, arm(skeleton, roles, Side::Right)?],
            legs: [
                leg(skeleton, roles, Side::Left, pelvis)?,
                leg(skeleton, roles, Side::Right, pelvis)?,
            ],
        })
    }

    /// The joint whose segment is the pelvis.
    pub fn pelvis(&self) -> JointId {
        self.trunk[0]
    }

    /// The joint that carries both arms.
    pub fn chest(&self) -> JointId {
        self.trunk[self.trunk.len() - 1]
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
    Ok(Arm {
        collar: roles.joint(Role::Shoulder(side)).filter(|&id| skeleton.is_ancestor(id, upper)),
        upper,
        upper_twist: between(skeleton, upper, lower, false),
        lower,
        lower_twist: between(skeleton, lower, wrist.joint, hand.is_none()),
        hand,
        wrist,
        fingers: Finger::ALL.map(|finger| roles.joints(Role::Finger(side, finger)).collect()),
    })
}

fn leg(skeleton: &Skeleton, roles: &Roles, side: Side, pelvis: JointId) -> Result<Leg, Role> {
    let need = |role| roles.joint(role).ok_or(role);
    let upper = need(Role::UpperLeg(side))?;
    let lower = need(Role::LowerLeg(side))?;
    let foot = need(Role::Foot(side))?;
    Ok(Leg {
        hip_bones: between(skeleton, pelvis, upper, false),
        upper,
        upper_twist: between(skeleton, upper, lower, false),
        lower,
        lower_twist: between(skeleton, lower, foot, false),
        foot,
        toes: roles.joint(Role::Toes(side)),
    })
}

/// The end of a bone that no joint ends: an end site of any length, else the farthest leaf, else the
/// end of a twist joint. `None` where something else goes on.
pub(crate) fn bone_end(
    skeleton: &Skeleton,
    joint: JointId,
    is_twist: &dyn Fn(JointId) -> bool,
) -> Option<Landmark> {
    let (twists, leaves): (Vec<_>, Vec<_>) = skeleton.children(joint).partition(|&id| is_twist(id));
    if leaves.iter().any(|&id| skeleton.children(id).next().is_some()) {
        return None;
    }
    let leaves = leaves.iter().map(|&id| skeleton.joint(id).rest_translation);
    let mut sites = skeleton.end_sites_of(joint).map(|site| site.offset);
    let has_length = |offset: &Vector3<f64>| offset.norm() > 1e-9;
    let end = sites
        .find(has_length)
        .or_else(|| leaves.filter(has_length).max_by(|a, b| a.norm().total_cmp(&b.norm())));
    end.map(|offset| Landmark { joint, offset })
        .or_else(|| twists.iter().find_map(|&twist| bone_end(skeleton, twist, is_twist)))
}

/// The joints strictly between `above` and `below`, downwards; with `below` itself if `inclusive`.
fn between(skeleton: &Skeleton, above: JointId, below: JointId, inclusive: bool) -> Vec<JointId> {
    let skip = usize::from(!inclusive);
    let path = skeleton.path_to_root(below).skip(skip);
    let mut path: Vec<_> = path.take_while(|&id| id != above).collect();
    path.reverse();
    path
}

/// The joints on the way from `from` over the lowest common ancestor to `to`, all included.
fn tree_path(skeleton: &Skeleton, from: JointId, to: JointId) -> Vec<JointId> {
    let top = skeleton.lowest_common_ancestor(from, to);
    let up = skeleton.path_to_root(from).take_while(|&id| id != top);
    up.chain([top]).chain(between(skeleton, top, to, true)).collect()
}
