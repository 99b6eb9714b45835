//! Rotation copy, beside inverse kinematics.

use nalgebra::{UnitQuaternion, Vector3};
use rebone::body::{Role, Side};
use rebone::skeleton::{Axis, Clip, JointId, Motion, Pose, Skeleton, forward_kinematics};
use rebone::{ClipInput, Hints, Method, Options, Plan, align, analyse_pair, retarget_clip};
use rebone_samples as samples;

fn plan(source: &Motion, target: &Motion, method: Method) -> Plan {
    let unknown = Hints::default();
    let analysed = analyse_pair([source, target], [&unknown, &unknown], &[]).unwrap();
    let [from, onto] = &analysed.anatomies;
    align(from, onto, &Options { method, ..Options::default() })
}

fn rig(name: &str) -> Motion {
    samples::rigs().into_iter().find(|rig| rig.name == name).unwrap().motion
}

const ROLES: [Role; 5] = [
    Role::Head,
    Role::UpperArm(Side::Left),
    Role::LowerArm(Side::Right),
    Role::UpperLeg(Side::Right),
    Role::Foot(Side::Left),
];

#[test]
fn a_skeleton_copied_to_itself_stands_still() {
    let walk = samples::walk().motion;
    for method in [Method::Copy, Method::Bind] {
        let plan = plan(&walk, &walk, method);
        let (clip, _) = retarget_clip(&plan, &ClipInput::new(&plan.source, &walk.clip)).unwrap();
        for (a, b) in clip.poses().zip(walk.clip.poses()).step_by(11) {
            let [a, b] = [a, b].map(|pose| forward_kinematics(&walk.skeleton, &pose).unwrap());
            for id in walk.skeleton.ids().map(JointId::index) {
                let off = (a.positions[id] - b.positions[id]).norm();
                assert!(off < 1e-6, "{method:?}: joint {id} is {off:e} cm off");
            }
        }
    }
}

type Turns = Vec<UnitQuaternion<f64>>;

/// The pairs of poses since which joints may be said to turn: world rotations in the inner world.
fn poses_that_count(motions: [&Motion; 2], plan: &Plan, method: Method) -> Vec<[Turns; 2]> {
    let anatomies = [&plan.source, &plan.target];
    let inner = [plan.inner_from_source, plan.inner_from_target];
    let stand = |side: usize, pose: Pose| -> Turns {
        let world = forward_kinematics(&motions[side].skeleton, &pose).unwrap();
        world.rotations.into_iter().map(|turn| inner[side] * turn).collect()
    };
    let rest = |side: usize| motions[side].skeleton.rest_pose();
    let calibrated = |side: usize| {
        stand(side, Pose { rotations: anatomies[side].calibration_rotations.clone(), ..rest(side) })
    };
    match method {
        Method::Bind => vec![[stand(0, rest(0)), stand(1, rest(1))]],
        _ => vec![
            [calibrated(0), calibrated(1)],
            anatomies.map(|anatomy| anatomy.t_pose.rotations.clone()),
        ],
    }
}

/// What both methods promise: the world turn since the poses that count is the source's.
#[test]
fn joints_turn_as_the_source_since_the_pose_that_counts() {
    let wave = samples::wave().motion;
    for rig in samples::rigs() {
        for method in [Method::Copy, Method::Bind] {
            let plan = plan(&wave, &rig.motion, method);
            let (clip, _) =
                retarget_clip(&plan, &ClipInput::new(&plan.source, &wave.clip)).unwrap();
            let off = |[source_cal, target_cal]: &[Turns; 2]| {
                let frames = (0..clip.len()).step_by(17).map(|frame| {
                    let source =
                        forward_kinematics(&wave.skeleton, &wave.clip.pose(frame).unwrap())
                            .unwrap();
                    let target =
                        forward_kinematics(&rig.motion.skeleton, &clip.pose(frame).unwrap())
                            .unwrap();
                    let joint = |role| {
                        Some((plan.source.roles.joint(role)?, plan.target.roles.joint(role)?))
                    };
                    let pairs = ROLES.into_iter().filter_map(joint);
                    let balls =
                        pairs.filter(|(_, b)| plan.target.skeleton[*b].rotation_axes.len() == 3);
                    let offs = balls.map(|(a, b)| {
                        let (a, b) = (a.index(), b.index());
                        let wanted =
                            plan.inner_from_source * source.rotations[a] * source_cal[a].inverse();
                        let found =
                            plan.inner_from_target * target.rotations[b] * target_cal[b].inverse();
                        wanted.angle_to(&found)
                    });
                    offs.fold(0.0, f64::max)
                });
                frames.fold(0.0, f64::max)
            };
            let offs: Vec<f64> =
                poses_that_count([&wave, &rig.motion], &plan, method).iter().map(off).collect();
            assert!(offs.iter().any(|off| *off < 1e-6), "{} {method:?}: {offs:?}", rig.name);
        }
    }
}

#[test]
fn the_report_says_what_solving_gains() {
    let (walk, toy) = (samples::walk().motion, rig("toy-a-pose"));
    let off = |method| {
        let plan = plan(&walk, &toy, method);
        let input = ClipInput::new(&plan.source, &walk.clip);
        let (_, report) = retarget_clip(&plan, &input).unwrap();
        let body = report.stages.iter().find(|stage| stage.stage == "body").unwrap();
        (body.start, body.end)
    };
    let (solved, copied) = (off(Method::Ik), off(Method::Copy));
    assert!(solved.1 < 0.9 * copied.1, "{solved:?} {copied:?}");
    assert_eq!(copied.0, copied.1);
}

/// A clip whose joints can move, a forearm and a thigh of which slide along their bones and across them.
fn stretched(motion: &Motion) -> Motion {
    let mut joints = motion.skeleton.joints().to_vec();
    for joint in joints.iter_mut().skip(1) {
        joint.translation_axes = Axis::ALL.to_vec();
    }
    let skeleton = Skeleton::new(joints, motion.skeleton.end_sites().to_vec()).unwrap();
    let forearm = skeleton.find("LeftForeArm".into()).unwrap().index();
    let thigh = skeleton.find("LeftUpLeg".into()).unwrap().index();
    let poses = motion.clip.poses().enumerate().map(|(frame, mut pose)| {
        // Whole periods: on average the bone is as long as at rest.
        let wave = (frame as f64 / motion.clip.len() as f64 * 8.0 * std::f64::consts::PI).sin();
        for joint in [forearm, thigh] {
            pose.translations[joint] += Vector3::new(3.0 * wave, 0.0, 1.5 * wave);
        }
        pose
    });
    let clip = Clip::from_poses(&skeleton, motion.clip.frame_time, poses).unwrap();
    Motion { skeleton, clip }
}

#[test]
fn what_the_source_stretches_is_stretched() {
    let walk = stretched(&samples::walk().motion);
    let plan = plan(&walk, &walk, Method::Copy);
    let (clip, _) = retarget_clip(&plan, &ClipInput::new(&plan.source, &walk.clip)).unwrap();
    for frame in (0..clip.len()).step_by(11) {
        let [a, b] = [clip.pose(frame).unwrap(), walk.clip.pose(frame).unwrap()]
            .map(|pose| forward_kinematics(&walk.skeleton, &pose).unwrap());
        for (a, b) in a.positions.iter().zip(&b.positions) {
            assert!((a - b).norm() < 1e-6, "frame {frame}: {} cm", (a - b).norm());
        }
    }
    // Inverse kinematics keeps the length of bones.
    let solved = self::plan(&walk, &walk, Method::Ik);
    let (clip, _) = retarget_clip(&solved, &ClipInput::new(&solved.source, &walk.clip)).unwrap();
    let forearm = walk.skeleton.find("LeftForeArm".into()).unwrap().index();
    let rest = walk.skeleton.rest_pose().translations[forearm];
    assert!(clip.poses().all(|pose| pose.translations[forearm] == rest));
}
