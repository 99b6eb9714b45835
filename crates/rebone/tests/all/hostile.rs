//! Files that were broken on the way: whatever the bytes, nothing panics, and what is written is
//! finite and reads back.

use crate::motions::retarget_motions;
use proptest::prelude::*;
use rebone::skeleton::{Clip, Joint, JointId, Motion, Skeleton, bvh};
use rebone::{GroundMode, Hints, LimbBlend, LimitMode, Options, analyse};
use rebone_samples as samples;
use std::sync::LazyLock;

/// A short clip with fingers, and rigs that differ most from it, as text.
static TEXTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut clip = samples::sit().motion;
    clip.clip.keep(0..4).unwrap();
    let rigs = samples::rigs().into_iter().map(|rig| rig.motion);
    let rigs = rigs.step_by(3);
    [clip].into_iter().chain(rigs).map(|motion| text(&motion).unwrap()).collect()
});

fn text(motion: &Motion) -> Result<Vec<u8>, bvh::WriteError> {
    let hierarchy = bvh::Hierarchy::from_skeleton(&motion.skeleton);
    let options = bvh::WriteOptions::default();
    bvh::write_clip(Vec::new(), &hierarchy, &motion.clip, options)
}

/// One thing that goes wrong with a text; places are parts of its length.
#[derive(Clone, Debug)]
enum Fault {
    Byte(f64, u8),
    Cut(f64, usize),
    LineAgain(f64),
    LineLost(f64),
    Word(f64, &'static str),
    Number(f64, &'static str),
}

fn faults() -> impl Strategy<Value = Vec<Fault>> {
    let words = prop::sample::select(vec![
        "0",
        "-0",
        "1e-320",
        "1e12",
        "-1e12",
        "1e308",
        "nan",
        "{",
        "}",
        "JOINT",
        "End",
        "Site",
        "OFFSET",
        "CHANNELS",
        "3",
        "6",
        "9",
        "Xrotation",
        "Zposition",
        "MOTION",
        "Frames:",
        "Hips",
        "LeftArm",
        "999999999999",
        "\u{feff}",
        "",
    ]);
    let numbers = prop::sample::select(vec!["0", "-0", "1e-320", "1e9", "-1e9", "-45", "1000"]);
    let place = 0.0..1.0;
    let fault = prop_oneof![
        1 => (place.clone(), any::<u8>()).prop_map(|(at, byte)| Fault::Byte(at, byte)),
        1 => (place.clone(), 1..400usize).prop_map(|(at, length)| Fault::Cut(at, length)),
        1 => place.clone().prop_map(Fault::LineAgain),
        1 => place.clone().prop_map(Fault::LineLost),
        1 => (place.clone(), words).prop_map(|(at, word)| Fault::Word(at, word)),
        20 => (place, numbers).prop_map(|(at, number)| Fault::Number(at, number)),
    ];
    prop::collection::vec(fault, 1..12)
}

fn broken(text: &[u8], faults: &[Fault]) -> Vec<u8> {
    let mut text = text.to_vec();
    for fault in faults {
        let at = |part: f64, text: &[u8]| ((part * text.len() as f64) as usize).min(text.len());
        match *fault {
            Fault::Byte(part, byte) => {
                let place = at(part, &text);
                text.get_mut(place).into_iter().for_each(|old| *old = byte);
            }
            Fault::Cut(part, length) => {
                let start = at(part, &text);
                let end = (start + length).min(text.len());
                text.drain(start..end);
            }
            Fault::LineAgain(part) | Fault::LineLost(part) => {
                let mut lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
                let place = ((part * lines.len() as f64) as usize).min(lines.len() - 1);
                match fault {
                    Fault::LineAgain(_) => lines.insert(place, lines[place]),
                    _ => drop(lines.remove(place)),
                }
                text = lines.join(&b'\n');
            }
            Fault::Word(part, word) | Fault::Number(part, word) => {
                let mut place = at(part, &text);
                if matches!(fault, Fault::Number(..)) {
                    let is_digit = |byte: &u8| *byte == b'.';
                    place += text[place..].iter().position(is_digit).unwrap_or(0);
                }
                let is_blank = |byte: &u8| byte.is_ascii_whitespace();
                let start = text[..place].iter().rposition(is_blank).map_or(0, |at| at + 1);
                let end = text[place..].iter().position(is_blank).map_or(text.len(), |n| place + n);
                text.splice(start..end, word.bytes());
            }
        }
    }
    text
}

/// Retargets if the two can be, and reads the result back.
fn attempt(source: &Motion, target: &Motion, options: &Options) {
    let Ok(done) = retarget_motions(source, target, options) else { return };
    for pose in done.clip.poses() {
        let places = pose.translations.iter().flat_map(|place| place.iter());
        let turns = pose.rotations.iter().flat_map(|rotation| rotation.coords.iter());
        assert!(places.chain(turns).all(|number| number.is_finite()));
    }
    let result = Motion { skeleton: target.skeleton.clone(), clip: done.clip };
    match text(&result) {
        Ok(text) => {
            let again = bvh::parse(&text).unwrap();
            assert_eq!(again.motion.clip.len(), result.clip.len());
        }
        // A place just below what a reader takes may be moved beyond it.
        Err(error) => assert!(matches!(error, bvh::WriteError::TooLarge { .. }), "{error}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn broken_files_are_refused_or_give_finite_results(
        which in 0..4usize,
        faults in faults(),
        limits in prop::sample::select(vec![LimitMode::Source, LimitMode::Human]),
        mode in prop::sample::select(vec![0.0, 0.5, 1.0]),
    ) {
        let Ok(found) = bvh::parse(&broken(&TEXTS[which], &faults)) else { return Ok(()) };
        let limbs = LimbBlend(mode);
        let options = Options { limbs, limits, ground: GroundMode::On, ..Options::default() };
        let whole = bvh::parse(&TEXTS[(which + 1) % 4]).unwrap().motion;
        attempt(&found.motion, &whole, &options);
        attempt(&whole, &found.motion, &options);
        attempt(&found.motion, &found.motion, &options);
    }
}

/// A rig, changed by `edit`, joint by joint.
fn edited(motion: &Motion, edit: impl Fn(&mut Joint)) -> Motion {
    let mut joints = motion.skeleton.joints().to_vec();
    joints.iter_mut().for_each(edit);
    let skeleton = Skeleton::new(joints, motion.skeleton.end_sites().to_vec()).unwrap();
    Motion { skeleton, clip: motion.clip.clone() }
}

fn refusal(motion: &Motion) -> String {
    analyse(motion, &Hints::default()).unwrap_err().to_string()
}

/// A file whose lengths are all but zero made infinite places.
#[test]
fn a_body_without_size_is_refused() {
    let scaled = |by: f64| edited(&samples::wave().motion, |joint| joint.rest_translation *= by);
    assert!(analyse(&scaled(1e-6), &Hints::default()).is_ok());
    for by in [1e-12, 1e-100, 1e-258, 1e-320] {
        let message = refusal(&scaled(by));
        assert!(message.contains("has no length"), "{by:e}: {message}");
    }
}

/// The right leg below the left thigh: both solves moved it, and its joints left their limits.
#[test]
fn a_leg_that_hangs_on_another_is_refused() {
    let mut rigs = samples::rigs().into_iter();
    let rig = rigs.find(|rig| rig.name == "chest-root").unwrap().motion;
    let thigh = |name: &str| rig.skeleton.find(name.into()).unwrap();
    let (left, right) = (thigh("leftUpperLeg"), thigh("rightUpperLeg"));
    let rig = edited(&rig, |joint| {
        if joint.name == rig.skeleton[right].name {
            joint.parent = Some(left);
        }
    });
    let message = refusal(&rig);
    assert!(message.contains("but one that hangs on the leftUpperLeg"), "{message}");
}

/// The body's solve moved the hip bone, and the neck moved it again.
#[test]
fn a_head_on_a_hip_bone_is_refused() {
    let mut rigs = samples::rigs().into_iter();
    let rig = rigs.find(|rig| rig.name == "ground-root").unwrap().motion;
    let skeleton = &rig.skeleton;
    let thigh = &skeleton[skeleton.find("thigh_l".into()).unwrap()];
    let mut joints = skeleton.joints().to_vec();
    let head = skeleton.find("head".into()).unwrap();
    joints[head.index()].name = "crown".into();
    joints.push(Joint { name: "head".into(), ..thigh.clone() });
    let skeleton = Skeleton::new(joints, Vec::new()).unwrap();
    let clip = Clip::from_poses(&skeleton, 0.1, [skeleton.rest_pose()]).unwrap();
    let message = refusal(&Motion { skeleton, clip });
    assert!(message.contains("no head but one on the way to the leftUpperLeg"), "{message}");
}

/// A rope of ten thousand joints on a hand, which no recursion walks along.
#[test]
fn the_depth_of_a_skeleton_does_not_matter() {
    let wave = samples::wave().motion;
    let mut joints = wave.skeleton.joints().to_vec();
    let hand = wave.skeleton.find("LeftHand".into()).unwrap();
    for link in 0..9_000 {
        let parent = if link == 0 { hand } else { JointId(joints.len() - 1) };
        joints.push(Joint { name: "rope".into(), parent: Some(parent), ..joints[1].clone() });
    }
    let skeleton = Skeleton::new(joints, wave.skeleton.end_sites().to_vec()).unwrap();
    let clip = Clip::from_poses(&skeleton, 0.1, [skeleton.rest_pose()]).unwrap();
    let deep = Motion { skeleton, clip };
    attempt(&deep, &wave, &Options::default());
}
