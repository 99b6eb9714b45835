//! What users may choose, through the public interface.

use rebone::body::JointEntry;
use rebone::card::Card;
use rebone::skeleton::{Clip, JointId, Motion, bvh};
use rebone::{
    Anatomy, ClipInput, GroundMode, Hints, JointRangeUse, LeadingPose, LimitMode, Options, Plan,
    RetargetError, SolverKind, align, analyse, retarget_clip,
};
use rebone_samples as samples;

/// Rounding between an angle and the rotation that holds it, radians.
const ROUNDING: f64 = 1e-9;

fn rig(name: &str) -> Motion {
    let rig = samples::rigs().into_iter().find(|rig| rig.name == name);
    rig.unwrap_or_else(|| panic!("there is a rig {name}")).motion
}

fn known(motion: &Motion, card: &str) -> Anatomy {
    let card = Some(Card::parse(card).unwrap());
    analyse(motion, &Hints { card, ..Hints::default() }).unwrap()
}

type Ranges = Vec<(String, [f64; 2])>;

/// The ranges that a card offers as a start.
fn default_limits(anatomy: &Anatomy) -> Vec<JointEntry<Ranges>> {
    Card::from_anatomy(anatomy, &Card::default()).unwrap().limit_examples
}

/// A card that limits every other joint of the body to the inner sixth of its box.
fn narrow(anatomy: &Anatomy) -> String {
    let mut card = Card {
        limits: default_limits(anatomy).into_iter().step_by(2).collect(),
        ..Card::default()
    };
    for limits in &mut card.limits {
        limits.value.iter_mut().for_each(|(_, range)| *range = range.map(|end| end / 6.0));
    }
    card.to_toml()
}

/// Values with their lower and upper bounds.
fn ranges(own: &JointRangeUse) -> impl Iterator<Item = (f64, [f64; 2])> + '_ {
    let bounds = own.lower.iter().zip(&own.upper).map(|(low, high)| [*low, *high]);
    own.values.iter().copied().zip(bounds)
}

#[test]
fn stated_limits_hold_in_every_mode_and_default_ones_where_nothing_is_widened() {
    let source = samples::reach().motion;
    let from = known(&source, "");
    for name in ["twist-zup-cm", "one-channel", "chest-root"] {
        let motion = rig(name);
        let target = known(&motion, &narrow(&known(&motion, "")));
        let top = target.body.trunk[target.body.trunk_top()];
        for limits in [LimitMode::Source, LimitMode::Human, LimitMode::Strict] {
            let plan = align(&from, &target, &Options { limits, ..Options::default() });
            let (clip, _) =
                retarget_clip(&plan, &ClipInput::new(&plan.source, &source.clip)).unwrap();
            let (mut active_limit, mut joints) = (0, 0);
            for joint in target.skeleton.ids().filter(|&joint| joint != top) {
                let is_stated = target.limits.iter().any(|(stated, _)| *stated == joint);
                joints += usize::from(is_stated);
                for (frame, pose) in clip.poses().enumerate() {
                    let rotation = &pose.rotations[joint.index()];
                    let own = JointRangeUse::of(&target, joint, rotation, limits);
                    for (x, [low, high]) in own.iter().flat_map(ranges) {
                        assert!(
                            x > low - ROUNDING && x < high + ROUNDING,
                            "{name} {limits:?} {} frame {frame}: {x} not in {low} to {high}",
                            target.skeleton[joint].name,
                        );
                        let at_end = (x - low).min(high - x) < ROUNDING;
                        active_limit += usize::from(is_stated && at_end);
                    }
                }
            }
            assert!(
                joints >= 8 && active_limit > 0,
                "{name}: {joints} limited, {active_limit} times at a limit"
            );
        }
    }
}

#[test]
fn channels_of_a_joint_of_three_can_be_limited() {
    let motion = rig("one-spine");
    let plain = known(&motion, "");
    let joint = plain.body.arms[0].lower;
    let name = rebone::skeleton::selector::select(&plain.skeleton, joint);
    let card = format!("[limits]\n{name:?} = {{ x = [-5, 5], y = [-20, 10], z = [-4, 4] }}\n");
    let target = known(&motion, &card);
    let source = samples::wave().motion;
    let plan = align(&known(&source, ""), &target, &Options::default());
    let (clip, _) = retarget_clip(&plan, &ClipInput::new(&plan.source, &source.clip)).unwrap();
    let axes = &target.skeleton[joint].rotation_axes;
    let mut turned: f64 = 0.0;
    for pose in clip.poses() {
        let rotation = &pose.rotations[joint.index()];
        let own = JointRangeUse::of(&target, joint, rotation, LimitMode::Source).unwrap();
        for (axis, angle) in axes.iter().zip(own.values.into_iter().map(f64::to_degrees)) {
            let [low, high] = [[-5.0, 5.0], [-20.0, 10.0], [-4.0, 4.0]][axis.index()];
            assert!(angle > low - 1e-7 && angle < high + 1e-7, "{axis:?}: {angle}");
            turned = turned.max(angle.abs());
        }
    }
    assert!(turned > 3.9, "the limits bind: {turned}");
}

/// The numbers of a joint's rotation channels in each frame, as they are written.
fn written(plan: &Plan, clip: &Clip, joint: JointId, options: bvh::WriteOptions) -> Vec<Vec<f64>> {
    let hierarchy = bvh::Hierarchy::from_skeleton(&plan.target.skeleton);
    let text = bvh::write_clip(Vec::new(), &hierarchy, clip, options).unwrap();
    let text = String::from_utf8(text).unwrap();
    let is_own = |channel: &bvh::Channel| {
        channel.joint == joint && channel.kind == bvh::ChannelKind::Rotation
    };
    let own = |line: &str| -> Vec<f64> {
        let numbers = line.split(' ').zip(hierarchy.channels());
        numbers.filter(|(_, channel)| is_own(channel)).map(|(n, _)| n.parse().unwrap()).collect()
    };
    text.split_once("Frame Time").unwrap().1.lines().skip(1).map(own).collect()
}

#[test]
fn stated_channels_hold_in_what_is_written() {
    let motion = rig("one-spine");
    let plain = known(&motion, "");
    let joint = plain.body.arms[0].upper;
    let name = rebone::skeleton::selector::select(&plain.skeleton, joint);
    let source = samples::reach().motion;
    let mut broken = 0;
    for (axis, letter) in ["x", "y", "z"].into_iter().enumerate() {
        for range in [[3.0, 3.0], [100.25, 100.3], [-170.0, -150.0], [190.0, 200.0]] {
            let target =
                known(&motion, &format!("[limits]\n{name:?} = {{ {letter} = {range:?} }}\n"));
            let axes = &target.skeleton[joint].rotation_axes;
            let place = axes.iter().position(|own| own.index() == axis).unwrap();
            let plan = align(&known(&source, ""), &target, &Options::default());
            let (clip, _) =
                retarget_clip(&plan, &ClipInput::new(&plan.source, &source.clip)).unwrap();
            let is_outside = |angles: &Vec<f64>| !(range[0]..=range[1]).contains(&angles[place]);
            let ranges = plan.channel_ranges();
            for decimals in [None, Some(1), Some(3)] {
                let options = bvh::WriteOptions { decimals, ranges: &ranges };
                let angles = written(&plan, &clip, joint, options);
                let first = angles.iter().position(is_outside);
                assert_eq!(
                    first,
                    None,
                    "{letter} {range:?} {decimals:?}: {:?}",
                    first.map(|k| &angles[k])
                );
            }
            let free = written(&plan, &clip, joint, bvh::WriteOptions::default());
            broken += usize::from(free.iter().any(is_outside));
        }
    }
    assert!(broken > 3, "ranges change nothing: {broken}");
}

#[test]
fn ranges_of_joints_with_few_channels_hold_in_what_is_written() {
    let motion = rig("one-channel");
    let source = samples::reach().motion;
    let mut hinges = default_limits(&known(&motion, ""));
    hinges.retain(|limits| limits.value.len() == 1);
    hinges.iter_mut().for_each(|limits| limits.value[0].1 = limits.value[0].1.map(|end| end / 6.0));
    let hinges = Card { limits: hinges, ..Card::default() }.to_toml();
    for (limits, card) in [
        (LimitMode::Human, ""),
        (LimitMode::Source, hinges.as_str()),
        (LimitMode::Strict, hinges.as_str()),
    ] {
        let target = known(&motion, card);
        let plan = align(&known(&source, ""), &target, &Options { limits, ..Options::default() });
        let (clip, _) = retarget_clip(&plan, &ClipInput::new(&plan.source, &source.clip)).unwrap();
        let ranges = plan.channel_ranges();
        assert!(ranges.len() >= 2, "{limits:?}: {ranges:?}");
        for (joint, held) in &ranges {
            let options = bvh::WriteOptions { decimals: None, ranges: &ranges };
            for angles in written(&plan, &clip, *joint, options) {
                let mut pairs = angles.iter().zip(held);
                let inside = pairs.all(|(angle, [low, high])| (low..=high).contains(&angle));
                assert!(inside, "{limits:?} {joint:?}: {angles:?} not in {held:?}");
            }
        }
    }
}

#[test]
fn a_variable_that_a_joint_has_not_is_a_fault_with_its_line() {
    let motion = rig("one-channel");
    let elbow = known(&motion, "").body.arms[0].lower;
    let name = rebone::skeleton::selector::select(&motion.skeleton, elbow);
    let axis = motion.skeleton[elbow].rotation_axes[0];
    let (has, lacks) =
        if axis.index() == 0 { ("x", "y") } else { (["x", "y", "z"][axis.index()], "x") };
    let fault = |ranges: &str| {
        let card = Card::parse(&format!("[limits]\n{name:?} = {{ {ranges} }}\n")).unwrap();
        card.joint_limits(&motion.skeleton).map_err(|error| (error.line, error.to_string()))
    };
    assert!(fault(&format!("{has} = [0, 9]")).is_ok());
    for ranges in [format!("{lacks} = [0, 9]"), format!("{has} = [0, 9], twist = [0, 9]")] {
        let (line, text) = fault(&ranges).unwrap_err();
        assert_eq!(line, 2);
        assert!(text.contains("has no ") && text.contains(&format!("or {has}")), "{text}");
    }
}

#[test]
fn examples_of_limits_are_comments_that_can_be_taken_over() {
    let target = known(&rig("one-channel"), "");
    let limit_examples = default_limits(&target);
    let card = Card { limit_examples: limit_examples.clone(), ..Card::default() };
    assert_eq!(Card::parse(&card.to_toml()).unwrap(), Card::default());
    let taken = Card::parse(&card.to_toml().replace("\n# ", "\n")).unwrap();
    let ranges = |limits: &JointEntry<Ranges>| (limits.joint.clone(), limits.value.clone());
    assert!(taken.limits.iter().map(ranges).eq(limit_examples.iter().map(ranges)));
    assert!(limit_examples.len() > 12);
}

#[test]
fn a_leading_pose_is_reported_and_left_out_where_that_is_wanted() {
    let walk = samples::walk().motion;
    let mut marked = walk.clone();
    let mut first = walk.skeleton.rest_pose();
    first.translations[0] = walk.clip.pose(0).unwrap().translations[0];
    let poses = [first].into_iter().chain(walk.clip.poses());
    marked.clip = Clip::from_poses(&walk.skeleton, walk.clip.frame_time, poses).unwrap();
    let target = known(&rig("one-spine"), "");
    let run = |source: &Motion, leading_pose| {
        let options = Options { leading_pose, ..Options::default() };
        let anatomy = known(&walk, "");
        let input = ClipInput::new(&anatomy, &source.clip);
        retarget_clip(&align(&anatomy, &target, &options), &input).unwrap()
    };
    let (plain, report) = run(&walk, LeadingPose::Drop);
    assert!(!report.leading_pose);
    assert_eq!(plain.len(), walk.clip.len());
    let (kept, report) = run(&marked, LeadingPose::Keep);
    assert!(report.leading_pose);
    assert_eq!(kept.len(), walk.clip.len() + 1);
    let (dropped, report) = run(&marked, LeadingPose::Drop);
    assert!(report.leading_pose);
    assert_eq!(dropped, plain);
}

#[test]
fn a_leading_pose_is_dropped_and_a_watch_stops_the_work() {
    let walk = samples::walk().motion;
    let poses = [walk.skeleton.rest_pose()].into_iter().chain(walk.clip.poses());
    let clip = Clip::from_poses(&walk.skeleton, walk.clip.frame_time, poses).unwrap();
    let (source, target) = (known(&walk, ""), known(&rig("one-spine"), ""));
    for (ground, leading_pose) in [
        (GroundMode::Keep, LeadingPose::Keep),
        (GroundMode::Keep, LeadingPose::Drop),
        (GroundMode::On, LeadingPose::Drop),
    ] {
        let options = Options { ground, leading_pose, ..Options::default() };
        let plan = align(&source, &target, &options);
        let input = ClipInput::new(&plan.source, &clip);
        let (whole, report) = retarget_clip(&plan, &input).unwrap();
        assert_eq!(whole.len(), clip.len() - input.first(&options));
        assert_eq!(report.frames, whole.len());
        let stop = |_: &str, _: usize, _: usize| false;
        let stopped = retarget_clip(&plan, &ClipInput { watch: Some(&stop), ..input });
        assert!(matches!(stopped, Err(RetargetError::Stopped)));
    }
}

#[test]
fn every_solver_stays_in_the_box_and_comes_near_the_same_goals() {
    let source = samples::reach().motion;
    let target = known(&rig("one-channel"), "");
    let top: JointId = target.body.trunk[target.body.trunk_top()];
    let poses = source.clip.poses().step_by(160);
    let clip = Clip::from_poses(&source.skeleton, source.clip.frame_time, poses).unwrap();
    let mut ends = Vec::new();
    for solver in SolverKind::ALL {
        let options = Options { solver, limits: LimitMode::Strict, ..Options::default() };
        let plan = align(&known(&source, ""), &target, &options);
        let (result, report) = retarget_clip(&plan, &ClipInput::new(&plan.source, &clip)).unwrap();
        ends.push(report.stages.iter().map(|stage| stage.end).sum::<f64>());
        for joint in target.skeleton.ids().filter(|&joint| joint != top) {
            for pose in result.poses() {
                let rotation = &pose.rotations[joint.index()];
                let own = JointRangeUse::of(&target, joint, rotation, LimitMode::Strict);
                let mut all = own.iter().flat_map(ranges);
                assert!(all.all(|(x, [low, high])| x > low - ROUNDING && x < high + ROUNDING));
            }
        }
    }
    // Metres of a 1.7 m body over all stages.
    for (solver, end) in SolverKind::ALL.iter().zip(&ends) {
        assert!(end - ends[0] < 0.05, "{solver}: {end}, lm {}", ends[0]);
    }
}
