//! Hands of a target with long arms stay above the floor.

use rebone::body::{Anatomy, Side};
use rebone::skeleton::{Clip, Motion, Skeleton, WorldPose};
use rebone::{ClipInput, ContactMode, Hints, Options, align, analyse, retarget_clip};
use rebone_samples as samples;

/// A rig whose upper arms and forearms are longer by a factor.
fn long_armed(factor: f64) -> Motion {
    let motion = samples::rigs().remove(0).motion;
    let anatomy = analyse(&motion, &Hints::default()).unwrap();
    let mut joints = motion.skeleton.joints().to_vec();
    for arm in &anatomy.body.arms {
        for joint in [Some(arm.lower), arm.hand].into_iter().flatten() {
            joints[joint.index()].rest_translation *= factor;
        }
    }
    let skeleton = Skeleton::new(joints, motion.skeleton.end_sites().to_vec()).unwrap();
    let mut clip = Clip::new(&skeleton, motion.clip.frame_time);
    clip.push(&skeleton.rest_pose()).unwrap();
    Motion { skeleton, clip }
}

/// Height of the lowest wrist over the lowest ankle or toe, metres of a 1.7 m body, of all frames; and the largest step of
/// a wrist between frames.
fn wrists(anatomy: &Anatomy, clip: &Clip) -> (f64, f64) {
    let mut world = WorldPose::zeros(&anatomy.skeleton);
    let unit = anatomy.metres_per_unit();
    let (mut lowest, mut step, mut before) = (f64::INFINITY, 0.0, None);
    for pose in clip.poses() {
        world.update(&anatomy.skeleton, &pose).unwrap();
        let up = |joint: rebone::skeleton::JointId| {
            anatomy.upright_from_file * world.positions[joint.index()] * unit
        };
        let feet = anatomy.body.legs.iter().flat_map(|leg| [Some(leg.foot), leg.toes]).flatten();
        let floor = feet.map(|joint| up(joint).y).fold(f64::INFINITY, f64::min);
        let wrists = Side::BOTH.map(|side| up(anatomy.body.arms[side.index()].hand.unwrap()));
        for (k, wrist) in wrists.iter().enumerate() {
            lowest = f64::min(lowest, wrist.y - floor);
            step = f64::max(
                step,
                before
                    .map_or(0.0, |before: [nalgebra::Vector3<f64>; 2]| (wrist - before[k]).norm()),
            );
        }
        before = Some(wrists);
    }
    (lowest, step)
}

#[test]
fn hands_of_long_arms_stay_above_the_floor() {
    let (walk, rig) = (samples::walk().motion, long_armed(3.0));
    let [source, target] = [&walk, &rig].map(|own| analyse(own, &Hints::default()).unwrap());
    let result = |contacts| {
        let options = Options { contacts, ..Options::default() };
        let input = ClipInput::new(&source, &walk.clip);
        let (clip, _) = retarget_clip(&align(&source, &target, &options), &input).unwrap();
        wrists(&target, &clip)
    };
    let [off, feet, all] = [ContactMode::Off, ContactMode::Feet, ContactMode::All].map(result);
    assert!(off.0 < -0.1, "without contacts wrists go through the floor: {off:?}");
    for (lowest, step) in [feet, all] {
        assert!(lowest > -0.05, "a wrist is {lowest} m over the floor");
        assert!(step < 1.5 * off.1, "a wrist moves by {step} m, without contacts by {}", off.1);
    }
}
