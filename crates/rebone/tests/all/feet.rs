//! Feet of skeletons whose zero pose is nobody standing on the ground.

use crate::cut::cut;
use crate::motions::{RetargetedMotion, retarget_motions};
use nalgebra::{UnitQuaternion, Vector3};
use rebone::body::Side;
use rebone::skeleton::{Clip, EndSite, Joint, Motion, Skeleton, WorldPose, forward_kinematics};
use rebone::{Hints, Options, analyse};
use rebone_samples::{rigs, walk};

/// Of a thigh above toes that are five times as long as the source's: 10.5 where these point down as the source's, 8.9 where
/// they are held up.
const MAX_THIGH_DEGREES: f64 = 9.5;

/// The same motion with the axes of both feet pitched, so that the zero pose holds the feet level.
fn with_level_feet(motion: &Motion) -> Motion {
    let body = analyse(motion, &Hints::default()).unwrap().body;
    let feet = body.legs.map(|leg| leg.foot);
    let ahead = &motion.skeleton[motion.skeleton.children(feet[0]).next().unwrap()];
    let pitch = ahead.rest_translation.y.atan2(ahead.rest_translation.z);
    assert!(pitch < -0.1, "the sample's ball is lower than its ankle: {pitch}");
    let pitched = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), pitch);
    let below_foot = |parent| feet.contains(&parent);
    let mut joints: Vec<Joint> = motion.skeleton.joints().to_vec();
    for joint in joints.iter_mut().filter(|joint| joint.parent.is_some_and(below_foot)) {
        joint.rest_translation = pitched * joint.rest_translation;
    }
    let sites = motion.skeleton.end_sites().iter().map(|site| match below_foot(site.parent) {
        true => EndSite { offset: pitched * site.offset, ..site.clone() },
        false => site.clone(),
    });
    let poses = motion.clip.poses().map(|mut pose| {
        for (k, joint) in joints.iter().enumerate() {
            if joint.parent.is_some_and(below_foot) {
                pose.rotations[k] = pitched * pose.rotations[k];
                pose.translations[k] = joint.rest_translation;
            }
        }
        for foot in feet {
            pose.rotations[foot.index()] *= pitched.inverse();
        }
        pose
    });
    let skeleton = Skeleton::new(joints.clone(), sites.collect()).unwrap();
    let clip = Clip::from_poses(&skeleton, motion.clip.frame_time, poses).unwrap();
    Motion { skeleton, clip }
}

#[test]
fn level_feet_of_a_zero_pose_are_read_from_the_motion() {
    let walk = walk().motion;
    let rig = rigs().into_iter().find(|rig| rig.name == "seven-spine").unwrap().motion;
    let level = with_level_feet(&walk);
    let same = forward_kinematics(&level.skeleton, &level.clip.pose(50).unwrap()).unwrap();
    let before = forward_kinematics(&walk.skeleton, &walk.clip.pose(50).unwrap()).unwrap();
    for (a, b) in same.positions.iter().zip(&before.positions) {
        assert!((a - b).norm() < 1e-9, "the same motion");
    }
    let [plain, mended] =
        [&walk, &level].map(|source| retarget_motions(source, &rig, &Options::default()).unwrap());
    let feet = plain.plan.target.body.legs.each_ref().map(|leg| leg.foot);
    for (a, b) in plain.clip.poses().zip(mended.clip.poses()) {
        for foot in feet {
            let off = a.rotations[foot.index()].angle_to(&b.rotations[foot.index()]);
            assert!(off < 4_f64.to_radians(), "{}", off.to_degrees());
        }
    }
}

/// A rig with a heel joint below each ankle, which carries the end of the foot, in place of the ball.
fn with_heels(motion: &Motion, names: bool) -> Motion {
    let legs = analyse(motion, &Hints::default()).unwrap().body.legs;
    let balls = legs.map(|leg| leg.toes.unwrap());
    let mut joints: Vec<Joint> = motion.skeleton.joints().to_vec();
    for (k, joint) in joints.iter_mut().enumerate() {
        let is_heel = balls.iter().any(|ball| ball.index() == k);
        if is_heel {
            let size = joint.rest_translation.norm();
            joint.rest_translation = Vector3::new(0.0, -0.6, -0.25) * size;
        }
        joint.name = match (names, is_heel) {
            (false, _) => format!("joint {k}").into(),
            (true, true) => format!("{} heel", joint.name).replace("Toe", "Foot").into(),
            (true, false) => joint.name.clone(),
        };
    }
    let below = |joint| balls.iter().any(|&ball| motion.skeleton.is_ancestor(ball, joint));
    let stays = |site: &&EndSite| !balls.contains(&site.parent) && !below(site.parent);
    let mut sites: Vec<EndSite> =
        motion.skeleton.end_sites().iter().filter(stays).cloned().collect();
    for ball in balls {
        let size = motion.skeleton[ball].rest_translation.norm();
        sites.push(EndSite { parent: ball, offset: Vector3::new(0.0, 0.0, 1.2 * size) });
    }
    let skeleton = Skeleton::new(joints, sites).unwrap();
    let mut clip = Clip::new(&skeleton, motion.clip.frame_time);
    clip.push(&skeleton.rest_pose()).unwrap();
    Motion { skeleton, clip }
}

#[test]
fn feet_with_a_heel_joint_point_ahead() {
    let rig = rigs().into_iter().find(|rig| rig.name == "seven-spine").unwrap().motion;
    for names in [true, false] {
        let anatomy = analyse(&with_heels(&rig, names), &Hints::default()).unwrap();
        for side in Side::BOTH {
            let foot = anatomy.body.legs[side.index()].foot;
            let [_, ball, _] = anatomy.sole(side);
            let ahead = ball.unwrap().z - anatomy.t_pose.positions[foot.index()].z;
            assert!(ahead > 0.05, "names {names}: the foot ends {ahead} m ahead of the ankle");
        }
    }
}

/// A body without toes whose feet end straight below their ankles.
fn with_ends_below_ankles(motion: &Motion) -> Motion {
    let legs = analyse(motion, &Hints::default()).unwrap().body.legs;
    let balls = legs.each_ref().map(|leg| leg.toes.unwrap());
    let is_cut = |id| balls.iter().any(|&ball| motion.skeleton.is_ancestor(ball, id));
    let ends = Side::BOTH.map(|side| {
        let (leg, ball) = (&legs[side.index()], balls[side.index()]);
        let height = -motion.skeleton[ball].rest_translation.y;
        assert!(height > 0.0, "the sample's ball is lower than its ankle");
        (leg.foot, Vector3::new(0.0, -height, 0.0))
    });
    cut(motion, is_cut, &ends)
}

/// Returns the worlds of the frames of a result.
fn worlds(result: &RetargetedMotion) -> Vec<WorldPose> {
    let world = |pose| forward_kinematics(&result.plan.target.skeleton, &pose).unwrap();
    result.clip.poses().map(world).collect()
}

#[test]
fn feet_that_end_below_the_ankle_have_the_length_of_the_other_bodys() {
    let walk = walk().motion;
    let rig = rigs().into_iter().find(|rig| rig.name == "seven-spine").unwrap().motion;
    let without = with_ends_below_ankles(&walk);
    let anatomy = analyse(&without, &Hints::default()).unwrap();
    for side in Side::BOTH {
        let [heel, ball, tip] = anatomy.sole(side);
        assert!(heel.is_some() && ball.is_none() && tip.is_none(), "the front is not known");
    }
    let [plain, bare] = [&walk, &without]
        .map(|source| retarget_motions(source, &rig, &Options::default()).unwrap());
    let feet = plain.plan.target.body.legs.each_ref().map(|leg| leg.foot.index());
    for (frame, (a, b)) in worlds(&plain).iter().zip(&worlds(&bare)).enumerate() {
        for foot in feet {
            let off = a.rotations[foot].angle_to(&b.rotations[foot]).to_degrees();
            assert!(off < 8.0, "frame {frame}: {off} degrees off that of a foot with toes");
        }
    }
}

/// The body with toes that are five times as long.
fn with_long_toes(motion: &Motion) -> Motion {
    let legs = analyse(motion, &Hints::default()).unwrap().body.legs;
    let balls = legs.each_ref().map(|leg| leg.toes.unwrap());
    let sites = motion.skeleton.end_sites().iter().map(|site| match balls.contains(&site.parent) {
        true => EndSite { offset: 5.0 * site.offset, ..site.clone() },
        false => site.clone(),
    });
    let skeleton = Skeleton::new(motion.skeleton.joints().to_vec(), sites.collect()).unwrap();
    Motion { skeleton, clip: motion.clip.clone() }
}

/// In the swing the leg is that of the source; the toes are held up.
#[test]
fn long_toes_do_not_fold_the_leg() {
    let walk = walk().motion;
    let long = with_long_toes(&walk);
    assert_ne!(long.skeleton, walk.skeleton, "the sample's toes have tips");
    let result = retarget_motions(&walk, &long, &Options::default()).unwrap();
    let legs = &result.plan.target.body.legs;
    let (mut worst, mut least): (f64, [f64; 2]) = (0.0, [0.0; 2]);
    for (world, pose) in worlds(&result).iter().zip(walk.clip.poses()) {
        let source = forward_kinematics(&walk.skeleton, &pose).unwrap();
        for leg in legs {
            let thigh = |world: &WorldPose| {
                world.positions[leg.lower.index()] - world.positions[leg.upper.index()]
            };
            worst = worst.max(thigh(world).angle(&thigh(&source)).to_degrees());
            let toes = leg.toes.unwrap();
            let site = walk.skeleton.end_sites_of(toes).next().unwrap();
            let pitch = |world: &WorldPose| {
                let ahead = world.rotations[toes.index()] * site.offset;
                (ahead.y / ahead.norm()).asin().to_degrees()
            };
            for (least, world) in least.iter_mut().zip([&source, world]) {
                *least = least.min(pitch(world));
            }
        }
    }
    assert!(worst < MAX_THIGH_DEGREES, "a thigh is {worst} degrees off");
    assert!(least[1] > least[0] + 10.0, "the toes point down by {least:?} degrees");
}
