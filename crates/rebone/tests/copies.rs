//! Rotation copy, beside inverse kinematics.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use nalgebra::UnitQuaternion;
use rebone::skeleton::{JointId, Motion, forward_kinematics};
use rebone::understand::{Role, Side};
use rebone::{Hints, Options, Plan, Transfer, align, retarget_clip, samples, understand_pair};

fn plan(source: &Motion, target: &Motion, transfer: Transfer) -> Plan {
    let unknown = Hints::default();
    let understood = understand_pair([source, target], [&unknown, &unknown], &[]).unwrap();
    let [from, onto] = &understood.anatomies;
    align(from, onto, &Options { transfer, ..Options::default() })
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
    for transfer in [Transfer::Copy, Transfer::Bind] {
        let plan = plan(&walk, &walk, transfer);
        let (clip, _) = retarget_clip(&plan, &walk.clip).unwrap();
        for (a, b) in clip.poses().zip(walk.clip.poses()).step_by(11) {
            let [a, b] = [a, b].map(|pose| forward_kinematics(&walk.skeleton, &pose));
            for id in walk.skeleton.ids().map(JointId::index) {
                let off = (a.positions[id] - b.positions[id]).norm();
                assert!(off < 1e-6, "{transfer:?}: joint {id} is {off:e} cm off");
            }
        }
    }
}

/// What both methods promise: the world turn since the pose that counts is the source's.
#[test]
fn joints_turn_as_the_source_since_the_pose_that_counts() {
    let wave = samples::wave().motion;
    for rig in samples::rigs() {
        for transfer in [Transfer::Copy, Transfer::Bind] {
            let plan = plan(&wave, &rig.motion, transfer);
            let (clip, _) = retarget_clip(&plan, &wave.clip).unwrap();
            let (from, to) = (&plan.source, &plan.target);
            let rest = |motion: &Motion, inner: UnitQuaternion<f64>| {
                let rest = forward_kinematics(&motion.skeleton, &motion.skeleton.rest_pose());
                rest.rotations.into_iter().map(|turn| inner * turn).collect::<Vec<_>>()
            };
            let [source_cal, target_cal] = match transfer {
                Transfer::Bind => {
                    [rest(&wave, plan.inner_from_source), rest(&rig.motion, plan.inner_from_target)]
                }
                _ => [from.t_pose.rotations.clone(), to.t_pose.rotations.clone()],
            };
            // Calibration poses that are alike may differ by as much.
            let most = match transfer {
                Transfer::Bind => 1e-6,
                _ => 0.15,
            };
            for frame in (0..clip.len()).step_by(17) {
                let source = forward_kinematics(&wave.skeleton, &wave.clip.pose(frame));
                let target = forward_kinematics(&rig.motion.skeleton, &clip.pose(frame));
                for role in ROLES {
                    let joints = from.roles.joint(role).zip(to.roles.joint(role));
                    let Some((a, b)) = joints.map(|(a, b)| (a.index(), b.index())) else {
                        continue;
                    };
                    let balls = to.skeleton.joints()[b].rotation_axes.len() == 3;
                    let wanted =
                        plan.inner_from_source * source.rotations[a] * source_cal[a].inverse();
                    let found =
                        plan.inner_from_target * target.rotations[b] * target_cal[b].inverse();
                    let off = wanted.angle_to(&found);
                    assert!(off < most || !balls, "{} {transfer:?} {role:?}: {off}", rig.name);
                }
            }
        }
    }
}

#[test]
fn the_report_says_what_solving_gains() {
    let (walk, toy) = (samples::walk().motion, rig("toy-a-pose"));
    let off = |transfer| {
        let (_, report) = retarget_clip(&plan(&walk, &toy, transfer), &walk.clip).unwrap();
        let body = report.stages.iter().find(|stage| stage.stage == "body").unwrap();
        (body.start, body.end)
    };
    let (solved, copied) = (off(Transfer::Ik), off(Transfer::Copy));
    assert!(solved.1 < 0.9 * copied.1, "{solved:?} {copied:?}");
    assert_eq!(copied.0, copied.1);
}
