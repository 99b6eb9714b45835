//! Hands and feet by egocentric coordinates, beside rotation copy.

use rebone::body::Anatomy;
use rebone::skeleton::{Clip, JointId, Motion, forward_kinematics};
use rebone::{
    ClipInput, Hints, JointRangeUse, LimitMode, Method, Options, Plan, RetargetError, Retargeter,
    align, analyse, analyse_pair, retarget_clip,
};
use rebone_samples as samples;

fn plan(source: &Motion, target: &Motion, options: &Options) -> Plan {
    let unknown = Hints::default();
    let analysed = analyse_pair([source, target], [&unknown, &unknown], &[]).unwrap();
    let [from, onto] = &analysed.anatomies;
    align(from, onto, options)
}

fn egocentric() -> Options {
    Options { method: Method::Egocentric, ..Options::default() }
}

fn rig(name: &str) -> Motion {
    samples::rigs().into_iter().find(|rig| rig.name == name).unwrap().motion
}

#[test]
fn a_body_mapped_onto_itself_keeps_all_joints() {
    for sample in samples::clips() {
        let motion = sample.motion;
        let plan = plan(&motion, &motion, &egocentric());
        let unit = plan.source.metres_per_unit();
        let (clip, _) = retarget_clip(&plan, &ClipInput::new(&plan.source, &motion.clip)).unwrap();
        for (frame, (a, b)) in clip.poses().zip(motion.clip.poses()).enumerate().step_by(7) {
            let [a, b] = [a, b].map(|pose| forward_kinematics(&motion.skeleton, &pose).unwrap());
            for id in motion.skeleton.ids().map(JointId::index) {
                let off = (a.positions[id] - b.positions[id]).norm() * unit;
                assert!(off < 1e-6, "{}, frame {frame}: joint {id} is {off:e} m off", sample.name);
            }
        }
    }
}

/// Bones whose translations differ from those at rest.
fn stretched(anatomy: &Anatomy, clip: &Clip, plan: &Plan) -> usize {
    let moving: Vec<JointId> = plan.moving().collect();
    let still = || anatomy.skeleton.ids().filter(|id| !moving.contains(id));
    let is_off = |pose: &rebone::skeleton::Pose, id: JointId| {
        pose.translations[id.index()] != anatomy.skeleton[id].rest_translation
    };
    clip.poses().map(|pose| still().filter(|id| is_off(&pose, *id)).count()).sum()
}

#[test]
fn rigs_get_finite_poses_with_bones_of_their_length_within_limits() {
    let reach = samples::reach().motion;
    let poses = reach.clip.poses().step_by(40);
    let clip = Clip::from_poses(&reach.skeleton, reach.clip.frame_time, poses).unwrap();
    for sample in samples::rigs() {
        let options = Options { limits: LimitMode::Strict, ..egocentric() };
        let plan = plan(&reach, &sample.motion, &options);
        let target = &plan.target;
        let (result, report) = retarget_clip(&plan, &ClipInput::new(&plan.source, &clip)).unwrap();
        assert_eq!(stretched(target, &result, &plan), 0, "{}", sample.name);
        let limbs: Vec<JointId> =
            target.body.arms.iter().flat_map(|arm| [arm.upper, arm.lower]).collect();
        for pose in result.poses() {
            assert!(pose.rotations.iter().all(|turn| turn.coords.iter().all(|x| x.is_finite())));
            for &joint in &limbs {
                let rotation = &pose.rotations[joint.index()];
                let own = JointRangeUse::of(target, joint, rotation, LimitMode::Strict);
                for own in own.iter() {
                    let ends = own.lower.iter().zip(&own.upper).zip(&own.values);
                    for ((low, high), x) in ends {
                        assert!(*x > low - 1e-6 && *x < high + 1e-6, "{}: {x}", sample.name);
                    }
                }
            }
        }
        let is_told = |body: &str| {
            let mut warnings = report.warnings.iter();
            warnings.any(|text| text.starts_with(&format!("the {body} has no skin that fits")))
        };
        assert!(is_told("source") && is_told("target"), "{:?}", report.warnings);
        assert!(report.contacts.is_none());
    }
}

#[test]
fn hands_leave_the_pose_of_rotation_copy_and_the_trunk_does_not() {
    let (wave, toy) = (samples::wave().motion, rig("toy-a-pose"));
    let [copied, mapped] = [Method::Copy, Method::Egocentric].map(|method| {
        let plan = plan(&wave, &toy, &Options { method, ..Options::default() });
        let clip = retarget_clip(&plan, &ClipInput::new(&plan.source, &wave.clip)).unwrap().0;
        (plan.target, clip)
    });
    let arm = copied.0.body.arms[1].upper;
    let mut largest = [0.0_f64; 2];
    for (a, b) in copied.1.poses().zip(mapped.1.poses()) {
        let off = |id: JointId| a.rotations[id.index()].angle_to(&b.rotations[id.index()]);
        largest[0] = largest[0].max(off(arm));
        largest[1] = copied.0.body.trunk.iter().map(|id| off(*id)).fold(largest[1], f64::max);
    }
    assert!(largest[0] > 0.01 && largest[1] < 1e-12, "{largest:?}");
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let (jump, toy) = (samples::jump().motion, rig("toy-a-pose"));
    let plan = plan(&jump, &toy, &egocentric());
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| retarget_clip(&plan, &ClipInput::new(&plan.source, &jump.clip)).unwrap())
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn a_body_whose_trunk_has_no_length_is_an_error() {
    let walk = analyse(&samples::walk().motion, &Hints::default()).unwrap();
    let mut flat = walk.clone();
    let hips = flat.hips()[0];
    let level = flat.t_pose.positions[hips.index()].y;
    let upper = flat.shoulders().into_iter().chain(flat.body.neck.clone());
    for joint in upper.chain(flat.body.trunk.clone()).collect::<Vec<_>>() {
        flat.t_pose.positions[joint.index()].y = level;
    }
    let found = Retargeter::new(align(&walk, &flat, &egocentric()));
    assert!(matches!(found, Err(RetargetError::NoSurface { body: "target" })));
    let found = retarget_clip(
        &align(&flat, &walk, &egocentric()),
        &ClipInput::new(&flat, &samples::walk().motion.clip),
    );
    let text = found.unwrap_err().to_string();
    assert!(
        text.starts_with("the source has no surface: no part of its trunk has a length"),
        "{text}"
    );
}
