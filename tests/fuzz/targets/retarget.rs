//! Bytes as two figures, or one and a sample: results are finite, bones keep their lengths, limits hold.

#![no_main]

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use rebone::body::SignedAxis;
use rebone::card::Card;
use rebone::skeleton::bvh;
use rebone::skeleton::bvh::{Document, WriteError, WriteOptions, Writer};
use rebone::skeleton::{Axis, JointId, Motion, Pose};
use rebone::{
    ClipInput, GroundMode, Hints, JointRangeUse, LeadingPose, LimbBlend, LimitMode, Options, Plan,
    Retargeter, align, analyse_pair, retarget_clip,
};
use rebone_fuzz::{figure, show, templates, text};
use std::f64::consts::{PI, TAU};

/// Radians: boxes hold to the bit in the solver's coordinates, which are read back from rotations.
const EXACT: f64 = 1e-9;
/// Radians, by which a few dozen roundings turn a rotation.
const ROUNDING: f64 = 1e-14;

fuzz_target!(|bytes: &[u8]| {
    let _ = run(&mut Unstructured::new(bytes));
});

fn run(bytes: &mut Unstructured) -> Result<()> {
    let Ok(one) = bvh::parse(&figure(bytes)?.text()) else { return Ok(()) };
    let two = match bytes.ratio(1, 2)? {
        true => bvh::parse(&figure(bytes)?.text()),
        false => Ok(bytes.choose(templates())?.document.clone()),
    };
    let Ok(two) = two else { return Ok(()) };
    let [source, target] = if bytes.arbitrary()? { [&one, &two] } else { [&two, &one] };
    let motions = [&source.motion, &target.motion];
    let hints = [hints(bytes)?, hints(bytes)?];
    let pairs = pairs(motions, bytes)?;
    let options = options(bytes)?;
    show("source.bvh", || text(source).unwrap_or_default());
    show("target.bvh", || text(target).unwrap_or_default());
    show("options.txt", || format!("{hints:#?}\n{pairs:?}\n{options:#?}\n").into_bytes());
    let Ok(analysed) = analyse_pair(motions, hints.each_ref(), &pairs) else { return Ok(()) };
    let [from, to] = &analysed.anatomies;
    let mut plan = align(from, to, &options);
    plan.follow(&analysed.loose);
    match bytes.arbitrary()? {
        true => clip(&plan, source, target),
        false => frames(&plan, source),
    }
    Ok(())
}

fn options(bytes: &mut Unstructured) -> Result<Options> {
    let part = [0.0, 0.5, 1.0];
    let mut blend = || Ok(Some(LimbBlend(*bytes.choose(&part)?)));
    let (arms, legs) = (blend()?, blend()?);
    let limits = *bytes.choose(&[LimitMode::Source, LimitMode::Human, LimitMode::Strict])?;
    let leading_pose = *bytes.choose(&[LeadingPose::Keep, LeadingPose::Drop])?;
    Ok(Options {
        arms,
        legs,
        limits,
        leading_pose,
        ground: *bytes.choose(&[GroundMode::Auto, GroundMode::Keep, GroundMode::On])?,
        ..Options::default()
    })
}

/// Nothing, or up and facing.
fn hints(bytes: &mut Unstructured) -> Result<Hints> {
    let mut axis = || {
        let axis = *bytes.choose(&Axis::ALL)?;
        let known = bytes.ratio(1, 4)?;
        Ok(known.then_some(SignedAxis { axis, negative: bytes.arbitrary()? }))
    };
    let (up, facing) = (axis()?, axis()?);
    let facing = facing.filter(|facing| up.is_none_or(|up| up.axis != facing.axis));
    Ok(Hints { card: Some(Card { up, facing, ..Card::default() }), ..Hints::default() })
}

/// A few joints that are said to play the same role.
fn pairs(
    motions: [&Motion; 2],
    bytes: &mut Unstructured,
) -> Result<Vec<[rebone::skeleton::JointId; 2]>> {
    let mut pairs: Vec<[rebone::skeleton::JointId; 2]> = Vec::new();
    for _ in 0..bytes.int_in_range(0..=3)? {
        let mut joint = |side: usize| bytes.choose_index(motions[side].skeleton.len()).map(JointId);
        let new = [joint(0)?, joint(1)?];
        if pairs.iter().all(|pair| pair[0] != new[0] && pair[1] != new[1]) {
            pairs.push(new);
        }
    }
    Ok(pairs)
}

/// Each frame alone.
fn frames(plan: &Plan, source: &Document) {
    let Ok(mut retargeter) = Retargeter::new(plan.clone()) else { return };
    let mut result = plan.target.skeleton.rest_pose();
    for pose in source.motion.clip.poses() {
        retargeter.frame(&pose, &mut result).unwrap();
        check(plan, &result);
        for joint in retargeter.range_uses() {
            let off = outside(&joint);
            assert!(off < exact(&joint), "{joint:?} is {off:e} outside");
        }
    }
}

/// How exactly a joint's variables can be read back from its rotation, radians. Short of half a turn of swing
/// by `e`, its direction and the twist come from numbers of the size of `e`: rounding grows by 1 / `e`.
fn exact(joint: &JointRangeUse) -> f64 {
    match joint.values[..] {
        [x, z, _] => EXACT.max(ROUNDING / (x.hypot(z) - PI).abs()),
        _ => EXACT,
    }
}

/// How far a joint is outside its box, radians. Turned by a whole turn, or swung the other way round, it
/// stands the same.
fn outside(joint: &JointRangeUse) -> f64 {
    let off = |values: &[f64]| {
        let off = |(k, &value): (usize, &f64)| {
            let off = |value: f64| (joint.lower[k] - value).max(value - joint.upper[k]);
            off(value).min(off(value - TAU)).min(off(value + TAU))
        };
        values.iter().enumerate().map(off).fold(f64::NEG_INFINITY, f64::max)
    };
    let mut other = joint.values.clone();
    if let [x, z, _] = &mut other[..] {
        let angle = x.hypot(*z).max(f64::MIN_POSITIVE);
        [x, z].into_iter().for_each(|swing| *swing *= 1.0 - TAU / angle);
    }
    assert!(joint.values.iter().all(|value| value.is_finite()), "{joint:?}");
    off(&joint.values).min(off(&other))
}

/// The numbers of a pose are finite; bones are as long as they were, but for joints that the plan moves.
fn check(plan: &Plan, pose: &Pose) {
    assert!(pose.translations.iter().flat_map(|place| place.iter()).all(|x| x.is_finite()));
    assert!(pose.rotations.iter().flat_map(|turn| turn.coords.iter()).all(|x| x.is_finite()));
    assert!(pose.rotations.iter().all(|turn| (turn.norm() - 1.0).abs() < EXACT));
    let moving: Vec<JointId> = plan.moving().collect();
    for (index, joint) in plan.target.skeleton.joints().iter().enumerate() {
        let is_bone = !moving.contains(&JointId(index));
        assert!(!is_bone || pose.translations[index] == joint.rest_translation, "{}", joint.name);
    }
}

/// The whole clip, written and read back.
fn clip(plan: &Plan, source: &Document, target: &Document) {
    let Ok((clip, report)) =
        retarget_clip(plan, &ClipInput::new(&plan.source, &source.motion.clip))
    else {
        return;
    };
    for stage in &report.stages {
        assert!(stage.start.is_finite() && stage.end.is_finite(), "{stage:?}");
    }
    let ranges = plan.channel_ranges();
    let options = WriteOptions { decimals: None, ranges: &ranges };
    let (time, count) = (clip.frame_time, clip.len());
    let writer = Writer::new(Vec::new(), &target.hierarchy, time, count, options);
    let mut writer = writer.expect("a result can be written");
    for pose in clip.poses() {
        match writer.write_pose(&pose) {
            Ok(()) => {}
            // A place that was moved beyond what a text may hold.
            Err(WriteError::TooLarge { .. }) => return,
            Err(error) => panic!("a result cannot be written: {error}"),
        }
    }
    match bvh::parse(&writer.finish().expect("memory is enough")) {
        Ok(again) => assert_eq!(again.motion.clip.len(), count),
        Err(error) => assert!(count == 0, "{error}"),
    }
}
