//! A body that leans on its left hand, its left foot and nothing else.

use crate::motions::RetargetedMotion;
use nalgebra::{UnitQuaternion, Vector3};
use rebone::skeleton::{Clip, Motion, forward_kinematics};
use rebone_samples as samples;

const FRAMES: usize = 180;

/// Somebody in a T pose who falls to the side until the hand is on the floor, stays a second, and gets up.
pub(crate) fn motion() -> Motion {
    let skeleton = samples::walk().motion.skeleton;
    let rest = skeleton.rest_pose();
    let world = forward_kinematics(&skeleton, &rest).unwrap();
    let joint = |name: &str| skeleton.ids().find(|&id| skeleton[id].name == name).unwrap().index();
    let (shin, ankle) = (joint("LeftLeg"), joint("LeftFoot"));
    let (hand, foot) = (world.positions[joint("LeftHand")], world.positions[ankle]);
    // The foot stays flat, and the wrist comes six centimetres lower than the ankle is.
    let away = hand - foot;
    let fallen = -libm::atan2(away.y, away.x) - 6.0 / away.norm();
    let poses = (0..FRAMES).map(|frame| {
        let way = (frame as f64 / 60.0).min((FRAMES - 1 - frame) as f64 / 60.0).min(1.0);
        let angle = fallen * way * way * (3.0 - 2.0 * way);
        let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle);
        let mut pose = rest.clone();
        pose.translations[0] = foot + turn * (rest.translations[0] - foot);
        pose.rotations[0] = turn * rest.rotations[0];
        pose.rotations[ankle] = (turn * world.rotations[shin]).inverse() * world.rotations[ankle];
        pose
    });
    let clip = Clip::from_poses(&skeleton, 1.0 / 60.0, poses).unwrap();
    Motion { skeleton, clip }
}

/// Distance of a wrist from the skin, metres of a 1.7 m body.
const WRIST_RADIUS: f64 = 0.015 * rebone::body::BODY_HEIGHT;

/// How high the left hand is over where it should be while it bears, metres of a 1.7 m body.
pub(crate) fn height(result: &RetargetedMotion) -> f64 {
    let plan = &result.plan;
    let frame = FRAMES / 2;
    let source = motion();
    let lowest = |body: usize| {
        let (anatomy, inner, scale) = [
            (&plan.source, plan.inner_from_source, 1.0),
            (&plan.target, plan.inner_from_target, plan.path_scale),
        ][body];
        let clip = [&source.clip, &result.clip][body];
        let mut world = forward_kinematics(&anatomy.skeleton, &clip.pose(frame).unwrap()).unwrap();
        let metres = anatomy.metres_per_unit();
        world.positions.iter_mut().for_each(|place| *place = inner * *place * metres);
        world.rotations.iter_mut().for_each(|turn| *turn = inner * *turn);
        anatomy.body.arms[0].wrist.place(&world, metres).unwrap().y - WRIST_RADIUS * scale
    };
    lowest(1) - lowest(0) * plan.path_scale
}
