//! Root motion, travel and rates.

use crate::motions::{RetargetedMotion, retarget_motions};
use nalgebra::{UnitQuaternion, Vector3};
use rebone::quality::evaluate;
use rebone::skeleton::{Clip, JointId, Motion, Skeleton, WorldPose, forward_kinematics};
use rebone::{
    ClipInput, GroundMode, Hints, LeadingPose, Method, Options, RootMotion, RootStart, TravelScale,
    align, analyse, analyse_pair, resampled, retarget_clip,
};
use rebone_samples::{self as samples, Sample};

fn named(all: Vec<Sample>, name: &str) -> Motion {
    all.into_iter().find(|sample| sample.name == name).expect(name).motion
}

/// The samples that go somewhere, onto the rig whose root lies on the floor.
fn onto_ground_root(options: &Options) -> Vec<(Motion, RetargetedMotion)> {
    let rig = named(samples::rigs(), "ground-root");
    let clips = ["walk", "jump"].map(|name| named(samples::clips(), name));
    let made = |clip: Motion| {
        let result = retarget_motions(&clip, &rig, options).expect("both are humanoids");
        (clip, result)
    };
    clips.map(made).into()
}

fn worlds<'a>(skeleton: &'a Skeleton, clip: &'a Clip) -> impl Iterator<Item = WorldPose> + 'a {
    clip.poses().map(|pose| forward_kinematics(skeleton, &pose).expect("values of the test fit"))
}

#[test]
fn a_root_bone_takes_the_way_and_leaves_the_world_as_it_is() {
    let all = [RootMotion::World, RootMotion::RootBone]
        .map(|root| Options { root, root_start: RootStart::Source, ..Options::default() })
        .map(|options| onto_ground_root(&options));
    for ((_, plain), (_, moved)) in all[0].iter().zip(&all[1]) {
        let plan = &moved.plan;
        let (ground, stature) = (plan.root_bone().unwrap(), plan.target.stature);
        let skeleton = &plan.target.skeleton;
        let up = plan.inner_from_target.inverse() * Vector3::y();
        for (a, b) in worlds(skeleton, &plain.clip).zip(worlds(skeleton, &moved.clip)) {
            for id in skeleton.ids().filter(|&id| skeleton.is_ancestor(plan.translation_joint, id))
            {
                let off = (a.positions[id.index()] - b.positions[id.index()]).norm();
                assert!(off < 1e-9 * stature, "{off}");
                assert!(a.rotations[id.index()].angle_to(&b.rotations[id.index()]) < 1e-7);
            }
            let place = b.positions[ground.index()];
            assert!(place.dot(&up).abs() < 1e-9 * stature, "on the floor");
            let [left, right] = plan.target.hips().map(|hip| b.positions[hip.index()]);
            let beside = (left + right) / 2.0 - place;
            let beside = beside - up * up.dot(&beside);
            assert!(beside.norm() < 0.1 * stature, "below the body: {}", beside.norm() / stature);
            let rest = forward_kinematics(skeleton, &skeleton.rest_pose()).unwrap();
            let turn = b.rotations[ground.index()] * rest.rotations[ground.index()].inverse();
            assert!((turn * up - up).norm() < 1e-9, "it turns about the vertical");
            let across = turn.inverse() * (left - right);
            let facing = rest.positions[plan.target.hips()[0].index()]
                - rest.positions[plan.target.hips()[1].index()];
            let flat = |way: Vector3<f64>| way - up * up.dot(&way);
            let off = flat(across).angle(&flat(facing));
            assert!(off < 0.35, "it faces where the body does: {off}");
        }
        let way = |clip: &Clip, id: JointId| {
            let all: Vec<Vector3<f64>> = clip.translations(id).collect();
            (all[all.len() - 1] - all[0]).norm() / stature
        };
        assert!(way(&moved.clip, ground) > 4.0 * way(&moved.clip, plan.translation_joint));
    }
}

#[test]
fn a_root_bone_begins_at_rest_and_the_motion_is_the_same_as_a_whole() {
    for smoothing in [None, Some(0.0), Some(1.0)] {
        let all = [RootStart::Source, RootStart::Origin].map(|root_start| {
            let root = RootMotion::RootBone;
            onto_ground_root(&Options {
                root,
                root_start,
                root_smoothing: smoothing,
                ..Options::default()
            })
        });
        for ((_, there), (_, moved)) in all[0].iter().zip(&all[1]) {
            let plan = &moved.plan;
            let (ground, stature) = (plan.root_bone().unwrap(), plan.target.stature);
            let skeleton = &plan.target.skeleton;
            let rest = forward_kinematics(skeleton, &skeleton.rest_pose()).unwrap();
            let joints: Vec<JointId> = skeleton
                .ids()
                .filter(|&id| skeleton.is_ancestor(plan.translation_joint, id) || id == ground)
                .collect();
            let mut motion = None;
            for (a, b) in worlds(skeleton, &there.clip).zip(worlds(skeleton, &moved.clip)) {
                // One rigid motion for all joints and frames: that of the root bone in the first frame.
                let first = motion.is_none();
                let (turn, way) = *motion.get_or_insert_with(|| {
                    let k = ground.index();
                    let turn = b.rotations[k] * a.rotations[k].inverse();
                    (turn, b.positions[k] - turn * a.positions[k])
                });
                for id in &joints {
                    let k = id.index();
                    let off = (turn * a.positions[k] + way - b.positions[k]).norm();
                    assert!(off < 1e-9 * stature, "{off}");
                    assert!((turn * a.rotations[k]).angle_to(&b.rotations[k]) < 1e-7);
                }
                if first {
                    let off = b.positions[ground.index()] - rest.positions[ground.index()];
                    assert!(off.norm() < 1e-9 * stature, "begins at its rest position: {off}");
                    let off = b.rotations[ground.index()].angle_to(&rest.rotations[ground.index()]);
                    assert!(off < 1e-7, "faces as at rest: {off}");
                }
            }
            let path = moved.report.root_path.as_ref().expect("a path");
            assert!(path.headings_degrees[0].abs() < 1e-9);
            assert_eq!(path.positions.len(), moved.clip.len());
        }
    }
}

#[test]
fn a_body_that_stays_in_place_moves_as_before_but_for_the_way() {
    let all = [RootMotion::World, RootMotion::InPlace]
        .map(|root| onto_ground_root(&Options { root, ..Options::default() }));
    for ((clip, plain), (_, still)) in all[0].iter().zip(&all[1]) {
        let plan = &still.plan;
        let skeleton = &plan.target.skeleton;
        let up = plan.inner_from_target.inverse() * Vector3::y();
        let level = |way: Vector3<f64>| way - up * up.dot(&way);
        let mut far: f64 = 0.0;
        for (a, b) in worlds(skeleton, &plain.clip).zip(worlds(skeleton, &still.clip)) {
            let translation_joint = plan.translation_joint.index();
            let by = b.positions[translation_joint] - a.positions[translation_joint];
            assert!(up.dot(&by).abs() < 1e-9 * plan.target.stature);
            for id in skeleton.ids().filter(|&id| skeleton.is_ancestor(plan.translation_joint, id))
            {
                let off = b.positions[id.index()] - a.positions[id.index()] - by;
                assert!(off.norm() < 1e-9 * plan.target.stature);
                assert!(a.rotations[id.index()].angle_to(&b.rotations[id.index()]) < 1e-7);
            }
            let [left, right] = plan.target.hips().map(|hip| b.positions[hip.index()]);
            far = far.max(level((left + right) / 2.0).norm() / plan.target.stature);
        }
        assert!(far < 0.1, "{far}");
        // A verdict on it says so, and judges the rest.
        let verdict = evaluate(plan, &clip.clip, &still.clip).unwrap().verdict;
        assert!(verdict.reasons.iter().any(|own| own.text.contains("in place")), "{verdict:?}");
        let path = verdict.metrics.iter().find(|own| own.name == "path").unwrap();
        assert!(path.value < path.look, "{}", path.value);
    }
}

/// Retargets with the source's travel in metres, by stated units of both files.
fn with_metric_travel(motions: [&Motion; 2], units: [f64; 2]) -> RetargetedMotion {
    let hints = units.map(|unit| Hints { unit: Some(unit), ..Hints::default() });
    let [source, target] =
        analyse_pair(motions, hints.each_ref(), &[]).expect("two bodies").anatomies;
    let options = Options { travel: TravelScale::Metric, ..Options::default() };
    let plan = align(&source, &target, &options);
    let (clip, report) =
        retarget_clip(&plan, &ClipInput::new(&plan.source, &motions[0].clip)).expect("chains");
    RetargetedMotion { clip, report, plan }
}

#[test]
fn travel_is_as_long_as_the_sources_where_that_is_wanted() {
    let clip = named(samples::clips(), "walk");
    let rig = named(samples::rigs(), "toy-a-pose");
    for ratio in [0.8, 1.2] {
        let scaled = retarget_motions(&clip, &rig, &Options::default()).unwrap();
        let plan = &scaled.plan;
        // Units such that the target should go so much farther than its legs say.
        let units = plan.target.metres_per_unit() / plan.source.metres_per_unit();
        let metres = [ratio * plan.path_scale / units, 1.0].map(|metres| metres * 0.01);
        let own = with_metric_travel([&clip, &rig], metres);
        assert!((own.plan.travel_scale / own.plan.path_scale - ratio).abs() < 1e-12);
        let way = |result: &RetargetedMotion| {
            let hips = |frame| {
                let pose = result.clip.pose(frame).unwrap();
                let world = forward_kinematics(&result.plan.target.skeleton, &pose).unwrap();
                let [left, right] =
                    result.plan.target.hips().map(|hip| world.positions[hip.index()]);
                result.plan.inner_from_target * (left + right)
            };
            hips(result.clip.len() - 1) - hips(0)
        };
        let (plain, other) = (way(&scaled), way(&own));
        assert!((other.z / plain.z - ratio).abs() < 0.02, "{} {}", other.z, plain.z);
        let verdict = own.report.verdict.unwrap();
        let slide = verdict.metrics.iter().find(|own| own.name == "foot_slide").unwrap();
        assert!(slide.value < 0.1, "feet slide by {} cm", slide.value);
    }
}

#[test]
fn another_rate_is_the_same_motion() {
    let rig = named(samples::rigs(), "one-spine");
    for clip in samples::clips().into_iter().map(|sample| sample.motion) {
        let anatomy = analyse(&clip, &Hints::default()).unwrap();
        let plain = retarget_motions(&clip, &rig, &Options::default()).unwrap();
        let fine = Motion {
            clip: resampled(&anatomy, &clip.clip, clip.clip.frame_time / 2.0, false).unwrap(),
            skeleton: clip.skeleton.clone(),
        };
        let fine = retarget_motions(&fine, &rig, &Options::default()).unwrap();
        let skeleton = &plain.plan.target.skeleton;
        let halves = worlds(skeleton, &fine.clip).step_by(2);
        let mut worst: f64 = 0.0;
        for (a, b) in worlds(skeleton, &plain.clip).zip(halves) {
            for (a, b) in a.positions.iter().zip(&b.positions) {
                worst = worst.max((a - b).norm() / plain.plan.target.stature);
            }
        }
        assert!(worst < 5e-3, "{worst}");
    }
}

#[test]
fn a_leading_pose_is_no_part_of_another_rate() {
    let walk = named(samples::clips(), "walk");
    let anatomy = analyse(&walk, &Hints::default()).unwrap();
    let rest = Clip::from_poses(
        &walk.skeleton,
        walk.clip.frame_time,
        [walk.skeleton.rest_pose()].into_iter().chain(walk.clip.poses()),
    )
    .unwrap();
    let time = walk.clip.frame_time * 0.7;
    let with = resampled(&anatomy, &rest, time, true).unwrap();
    let without = resampled(&anatomy, &walk.clip, time, false).unwrap();
    assert_eq!(with.pose(0), rest.pose(0));
    assert!(with.poses().skip(1).eq(without.poses()));
}

#[test]
fn the_verdict_of_a_retarget_is_that_of_a_check() {
    for name in ["ground-root", "toy-a-pose"] {
        let rig = named(samples::rigs(), name);
        for (sample, ground) in
            samples::clips().into_iter().zip([GroundMode::Keep, GroundMode::On].into_iter().cycle())
        {
            let options = Options { ground, ..Options::default() };
            let result = retarget_motions(&sample.motion, &rig, &options).unwrap();
            let own = result.report.verdict.unwrap();
            let other = evaluate(&result.plan, &sample.motion.clip, &result.clip).unwrap().verdict;
            assert!((own.score - other.score).abs() < 1e-6, "{} {name}", sample.name);
            assert_eq!(own.metrics.len(), other.metrics.len());
        }
    }
}

#[test]
fn frames_of_a_verdict_count_from_the_begin_of_the_clip() {
    let rig = named(samples::rigs(), "toy-a-pose");
    let mut walk = named(samples::clips(), "walk");
    let poses = [walk.skeleton.rest_pose()].into_iter().chain(walk.clip.poses());
    let copy = Options { method: Method::Copy, ..Options::default() };
    let plain = retarget_motions(&walk, &rig, &copy).unwrap();
    walk.clip = Clip::from_poses(&walk.skeleton, walk.clip.frame_time, poses).unwrap();
    let drop = Options { leading_pose: LeadingPose::Drop, ..copy };
    let dropped = retarget_motions(&walk, &rig, &drop).unwrap();
    assert!(dropped.report.leading_pose && dropped.clip.len() == plain.clip.len());
    let frames = |result: &RetargetedMotion, later: usize| -> Vec<[usize; 2]> {
        let reasons = &result.report.verdict.as_ref().unwrap().reasons;
        let all = reasons.iter().filter_map(|own| own.frames);
        all.map(|frames| frames.map(|frame| frame + later)).collect()
    };
    assert!(!frames(&plain, 0).is_empty());
    assert_eq!(frames(&dropped, 0), frames(&plain, 1));
}

#[test]
fn a_longer_travel_stands_on_a_slope_too() {
    let rig = named(samples::rigs(), "one-spine");
    let mut walk = named(samples::clips(), "walk");
    let slope = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), 8_f64.to_radians());
    walk.clip
        .edit(|_, pose| {
            pose.translations[0] = slope * pose.translations[0];
            pose.rotations[0] = slope * pose.rotations[0];
        })
        .unwrap();
    let figures = |ratio: f64| {
        let plain = retarget_motions(&walk, &rig, &Options::default()).unwrap();
        let plan = &plain.plan;
        let units = plan.target.metres_per_unit() / plan.source.metres_per_unit();
        let own = with_metric_travel([&walk, &rig], [ratio * plan.path_scale / units, 1.0]);
        let report = own.report.contacts.unwrap();
        assert!((report.slope - 8.0).abs() < 1.0, "{}", report.slope);
        report.contacts.iter().filter_map(|own| own.slack).fold(0.0, f64::max)
    };
    assert!(figures(1.0) < 0.01 && figures(1.15) < 0.03, "{} {}", figures(1.0), figures(1.15));
}
