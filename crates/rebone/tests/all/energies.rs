//! Energies over a whole clip, beside rotation copy.

use rebone::skeleton::{Clip, JointId, Motion, Pose, forward_kinematics};
use rebone::{ClipInput, Hints, Method, Options, Plan, Report, align, analyse_pair, retarget_clip};
use rebone_samples as samples;

fn plan(source: &Motion, target: &Motion) -> Plan {
    let unknown = Hints::default();
    let analysed = analyse_pair([source, target], [&unknown, &unknown], &[]).unwrap();
    let [from, onto] = &analysed.anatomies;
    align(from, onto, &Options { method: Method::Energies, ..Options::default() })
}

fn rig(name: &str) -> Motion {
    samples::rigs().into_iter().find(|rig| rig.name == name).unwrap().motion
}

fn result(source: &Motion, target: &Motion) -> (Plan, Clip, Report) {
    let plan = plan(source, target);
    let (clip, report) = retarget_clip(&plan, &ClipInput::new(&plan.source, &source.clip)).unwrap();
    (plan, clip, report)
}

/// Hands inside the surface and hands that touch are moved, also on their own body.
#[test]
fn a_body_onto_itself_stays_within_two_centimetres() {
    for sample in samples::clips() {
        let motion = sample.motion;
        let (plan, clip, _) = result(&motion, &motion);
        let unit = plan.source.metres_per_unit();
        let mut largest = 0.0_f64;
        for (a, b) in clip.poses().zip(motion.clip.poses()) {
            let [a, b] = [a, b].map(|pose| forward_kinematics(&motion.skeleton, &pose).unwrap());
            let off = |id: JointId| (a.positions[id.index()] - b.positions[id.index()]).norm();
            largest =
                motion.skeleton.ids().map(off).fold(largest, |most, own| most.max(own * unit));
        }
        assert!(largest < 0.02, "{}: a joint is {largest:e} m off", sample.name);
    }
}

#[test]
fn rigs_get_finite_poses_with_bones_of_their_length() {
    let jump = samples::jump().motion;
    let poses = jump.clip.poses().step_by(3);
    let clip = Clip::from_poses(&jump.skeleton, 3.0 * jump.clip.frame_time, poses).unwrap();
    let jump = Motion { clip, ..jump };
    let still = |plan: &Plan, pose: &Pose| {
        let moving: Vec<JointId> = plan.moving().collect();
        let skeleton = &plan.target.skeleton;
        let held = skeleton.ids().filter(|id| !moving.contains(id));
        held.map(|id| (pose.translations[id.index()] - skeleton[id].rest_translation).norm())
            .fold(0.0, f64::max)
    };
    for sample in samples::rigs() {
        let (plan, clip, report) = result(&jump, &sample.motion);
        assert_eq!(clip.len(), jump.clip.len());
        for pose in clip.poses() {
            assert!(pose.rotations.iter().all(|turn| turn.coords.iter().all(|x| x.is_finite())));
            assert_eq!(still(&plan, &pose), 0.0, "{}", sample.name);
        }
        let is_told = |body: &str| {
            let mut warnings = report.warnings.iter();
            warnings.any(|text| text.starts_with(&format!("the {body} has no skin that fits")))
        };
        assert!(is_told("source") && is_told("target"), "{:?}", report.warnings);
        assert!(report.contacts.is_none() && report.verdict.is_some());
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits_over_several_windows() {
    let (reach, toy) = (samples::reach().motion, rig("toy-a-pose"));
    let poses: Vec<Pose> = reach.clip.poses().collect();
    let long = poses.iter().chain(poses.iter().rev()).cycle().take(700).cloned();
    let clip = Clip::from_poses(&reach.skeleton, 1.0 / 30.0, long).unwrap();
    let plan = plan(&reach, &toy);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| retarget_clip(&plan, &ClipInput::new(&plan.source, &clip)).unwrap())
    };
    let (one, other) = (on(1), on(3));
    assert!(one == other);
    // Windows pass into each other without a jump: joints leave rotation copy no faster there than elsewhere.
    let options = Options { method: Method::Copy, ..Options::default() };
    let input = ClipInput::new(&plan.source, &clip);
    let copied = retarget_clip(&align(&plan.source, &plan.target, &options), &input).unwrap().0;
    let off = |frame: usize| -> Vec<_> {
        let [a, b] = [&copied, &one.0].map(|clip| clip.pose(frame).unwrap().rotations);
        a.iter().zip(&b).map(|(a, b)| (a.inverse() * b).scaled_axis()).collect()
    };
    let step = |frame: usize| {
        let [before, after] = [frame - 1, frame].map(off);
        before.iter().zip(&after).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
    };
    let is_seam = |frame: &usize| frame % 210 < 30 && *frame >= 210;
    let [seams, others] = [true, false].map(|wanted| {
        (1..700).filter(|frame| is_seam(frame) == wanted).map(step).fold(0.0, f64::max)
    });
    assert!(seams < 1.5 * others, "{seams} where windows overlap, elsewhere {others}");
}
