//! Turns of an arm.

use super::stages::Stages;
use super::target_pose::TargetPose;
use crate::align::{Group, Plan, Rule};
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_body::body::{Limb, Role, Side};
use rebone_skeleton::JointId;
use rebone_skeleton::rotation::{direction, swing_twist};

/// Rotations of an arm in one frame, each about its joint and carrying what is below it: rotation vectors in the world before
/// any of them, radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ArmTurn {
    pub(crate) shoulder: Vector3<f64>,
    pub(crate) elbow: Vector3<f64>,
    pub(crate) wrist: Vector3<f64>,
}

impl ArmTurn {
    /// Turns an arm of a pose, within its limits.
    pub(super) fn apply(
        &self,
        plan: &Plan,
        target_pose: &mut TargetPose,
        stages: &mut Stages,
        side: Side,
    ) {
        let arm = &plan.target.body.arms[side.index()];
        let hand = arm.hand.map(|hand| (hand, target_pose.world.rotations[hand.index()]));
        let [shoulder, elbow, wrist] =
            [self.shoulder, self.elbow, self.wrist].map(UnitQuaternion::from_scaled_axis);
        let axial = forearm_axis(plan, target_pose, side)
            .map_or(0.0, |axis| swing_twist(&wrist, &axis).1.scaled_axis().dot(&axis));
        target_pose.rotate(plan, arm.upper, &shoulder);
        target_pose.rotate(plan, arm.lower, &elbow);
        let group = Group::of_limb(Limb::Arm(side)).place();
        target_pose.update_group(plan, group);
        stages.hold_arm(plan, target_pose, side);
        target_pose.update_group(plan, group);
        turn_forearm_twists(plan, target_pose, side, axial);
        if let Some((hand, rotation)) = hand {
            let world = shoulder * elbow * wrist * rotation;
            target_pose.set_world_rotation(plan, hand, &world);
            target_pose.hold_range(plan, hand);
            target_pose.update_group(plan, plan.groups[hand.index()].place());
        }
        target_pose.update_group(plan, Group::Fingers(side).place());
    }
}

/// Turns the twist joints of a forearm by their shares of the angle about it by which its hand is turned.
fn turn_forearm_twists(plan: &Plan, target_pose: &mut TargetPose, side: Side, angle: f64) {
    let Some(axis) = forearm_axis(plan, target_pose, side) else { return };
    let rotation = |joint: JointId| (joint, target_pose.world.rotations[joint.index()]);
    // Joints in line carry those below them, which are turned from where they were.
    let joints = plan.target.roles.joints(Role::LowerArmTwist(side));
    let before: Vec<_> = joints.map(rotation).collect();
    for (joint, rotation) in before {
        let Rule::Twist(twist) = plan.rules[joint.index()] else { continue };
        let world = UnitQuaternion::from_axis_angle(&axis, twist.share * angle) * rotation;
        target_pose.set_world_rotation(plan, joint, &world);
        target_pose.update_group(plan, plan.groups[joint.index()].place());
    }
}

/// Returns the direction of a forearm.
fn forearm_axis(plan: &Plan, target_pose: &TargetPose, side: Side) -> Option<Unit<Vector3<f64>>> {
    let arm = &plan.target.body.arms[side.index()];
    let unit = plan.target.metres_per_unit();
    let elbow = target_pose.world.positions[arm.lower.index()];
    direction(&(arm.wrist.at(&target_pose.world, unit) - elbow))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::align;
    use crate::frame::Retargeter;
    use crate::options::Options;
    use rebone_body::{Hints, analyse, poses};
    use rebone_skeleton::Motion;

    #[test]
    fn twist_joints_take_their_shares_of_the_turn_of_a_hand() {
        let role = Role::LowerArmTwist(Side::Left);
        let walk = rebone_samples::walk().motion;
        let understood = |motion: &Motion| analyse(motion, &Hints::default()).unwrap();
        let mut rigs = rebone_samples::rigs().into_iter().map(|rig| understood(&rig.motion));
        let rig = rigs.find(|rig| rig.roles.joint(role).is_some()).unwrap();
        let twist = rig.roles.joint(role).unwrap();
        let hand = rig.body.arms[0].hand.unwrap();
        let plan = align(&understood(&walk), &rig, &Options::default());
        let mut retargeter = Retargeter::new(plan).unwrap();
        let mut pose = rig.skeleton.rest_pose();
        retargeter.frame(&poses::pose(&walk.clip, 10), &mut pose).unwrap();
        let before = retargeter.read_target(&pose).clone();
        let arm = &retargeter.plan().target.body.arms[0];
        let wrist = arm.wrist.at(&before, retargeter.plan().target.metres_per_unit());
        let axis = direction(&(wrist - before.positions[arm.lower.index()])).unwrap();
        let turn = ArmTurn { wrist: axis.into_inner() * 0.6, ..ArmTurn::default() };
        retargeter.turn_arms(&mut pose, &[turn, ArmTurn::default()]);
        let after = retargeter.read_target(&pose);
        let turned = |joint: JointId| {
            let [a, b] = [&before, after].map(|world| world.rotations[joint.index()]);
            (b * a.inverse()).scaled_axis().dot(&axis)
        };
        assert!((turned(hand) - 0.6).abs() < 1e-9, "{}", turned(hand));
        assert!((turned(twist) - 0.3).abs() < 0.03, "{}", turned(twist));
    }
}
