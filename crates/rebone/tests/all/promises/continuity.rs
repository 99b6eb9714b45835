//! A result turns nowhere much faster than its source does.

use crate::promises::support::*;
use rebone::align::{Group, Plan, groups};
use rebone::skeleton::{Motion, Pose, Skeleton, WorldPose, forward_kinematics};
use rebone::{LimbBlend, LimitMode, Options};
use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;

/// How far each joint turns in the world from each frame to the next, radians a second.
fn speeds(
    skeleton: &Skeleton,
    poses: impl Iterator<Item = Pose>,
    frame_time: f64,
) -> Vec<Vec<f64>> {
    let worlds: Vec<_> = poses.map(|pose| forward_kinematics(skeleton, &pose).unwrap()).collect();
    let of_pair = |pair: &[WorldPose]| {
        let turns = pair[0].rotations.iter().zip(&pair[1].rotations);
        turns.map(|(a, b)| angle(a, b) / frame_time).collect()
    };
    worlds.windows(2).map(of_pair).collect()
}

/// Returns whether the source's joints of one part may make the target's of another turn: those of the same limb,
/// and the trunk's, on which all hang.
fn leads(source: Group, target: Group) -> bool {
    use Group::*;
    match (source, target) {
        (Body, _) | (_, Rest) | (Head, Head) => true,
        (Girdle(a) | Arm(a) | Palm(a), Arm(b) | Palm(b) | Fingers(b)) => a == b,
        (Girdle(a), Girdle(b)) | (Fingers(a), Fingers(b)) => a == b,
        (Leg(a) | Foot(a), Leg(b) | Foot(b)) => a == b,
        _ => false,
    }
}

/// In how many frames each joint of the target turns faster than 1.5 times the fastest joint of the source
/// that leads it, within two frames, and 90 degrees a second; and the greatest speed, degrees a second.
fn excesses(plan: &Plan, source: &Motion, poses: &[Pose]) -> BTreeMap<String, (usize, f64)> {
    let frame_time = source.clip.frame_time;
    let (skeleton, of) = (&plan.target.skeleton, groups(&plan.source));
    let own = speeds(&source.skeleton, source.clip.poses().take(poses.len()), frame_time);
    let mut list = BTreeMap::new();
    for (frame, result) in speeds(skeleton, poses.iter().cloned(), frame_time).iter().enumerate() {
        let near = &own[frame.saturating_sub(2)..(frame + 3).min(own.len())];
        for joint in skeleton.ids() {
            let led = |group: &Group| leads(*group, plan.groups[joint.index()]);
            let all = near.iter().flat_map(|speeds| speeds.iter().zip(&of));
            let most = all.filter(|(_, of)| led(of)).map(|(speed, _)| *speed).fold(0.0, f64::max);
            let speed = result[joint.index()];
            if speed > 1.5 * most + FRAC_PI_2 {
                let (count, worst): &mut (usize, f64) =
                    list.entry(skeleton[joint].name.to_string()).or_default();
                (*count, *worst) = (*count + 1, worst.max(speed.to_degrees()));
            }
        }
    }
    list
}

/// The excesses of the first frames of a clip on a rig.
fn run(
    clip: &Named,
    rig: &Named,
    options: &Options,
    frames: usize,
) -> BTreeMap<String, (usize, f64)> {
    let (from, to) = (anatomy(&clip.motion), anatomy(&rig.motion));
    let mut retargeter = retargeter(&from, &to, options);
    let frames = clip.motion.clip.poses().take(frames);
    let poses: Vec<Pose> = frames.map(|pose| pose_of(&mut retargeter, &pose)).collect();
    excesses(retargeter.plan(), &clip.motion, &poses)
}

fn options(mode: f64, limits: LimitMode) -> Options {
    Options { limbs: LimbBlend(mode), limits, ..Options::default() }
}

#[test]
fn samples_turn_no_faster_than_their_sources() {
    for clip in samples() {
        for rig in rigs() {
            for mode in [0.0, 1.0] {
                for limits in [LimitMode::Source, LimitMode::Human] {
                    let list = run(&clip, &rig, &options(mode, limits), usize::MAX);
                    assert!(list.is_empty(), "{} on {}, {mode}: {list:?}", clip.name, rig.name);
                }
            }
        }
    }
}

/// Clips of twelve conventions.
const CLIPS: [&str; 12] = [
    "Female1_A05_PickUpBox_0",
    "dataset-1_punch_normal_001",
    "Boxing_Toes",
    "005_20",
    "05_20-daz",
    "jesse_dance",
    "aiming1_subject1_0",
    "Beta-samba_dancing",
    "0017_WushuKicks001_metric",
    "momask",
    "Sit54",
    "067_Speech_2_x_1_0",
];

/// A rig with hinges, one with twist joints, one whose forearms are half as long as its upper arms.
const RIGS: [&str; 3] = ["one-channel", "twist-zup-cm", "05_01"];

/// Excesses that are known: why, by which options, and of each clip, rig and joint the number of frames.
struct Known {
    cause: &'static str,
    mode: f64,
    limits: LimitMode,
    frames: &'static [(&'static str, &'static str, &'static str, usize)],
}

/// The hand of the source turns against its forearm by more than a half turn about the bone: the axial
/// turn that twist joints share goes from one half turn to the other.
const HALF_TURN: &str = "axial turn beyond a half turn";

const KNOWN: [Known; 10] = [
    Known {
        cause: "the spine of a spin is at its limits",
        mode: 0.0,
        limits: LimitMode::Human,
        frames: &[("005_20", "05_01", "LowerBack", 1)],
    },
    Known {
        cause: "a forearm half as long as the upper arm turns further for the same path of the hand",
        mode: 1.0,
        limits: LimitMode::Source,
        frames: &[
            ("dataset-1_punch_normal_001", "05_01", "LeftForeArm", 5),
            ("Boxing_Toes", "05_01", "LeftForeArm", 2),
            ("Boxing_Toes", "05_01", "RightForeArm", 22),
            ("05_20-daz", "05_01", "RightForeArm", 1),
            ("067_Speech_2_x_1_0", "05_01", "LeftForeArm", 1),
            ("067_Speech_2_x_1_0", "05_01", "RightForeArm", 1),
        ],
    },
    Known {
        cause: "a nearly straight elbow of one channel bends either way: the source's bends across",
        mode: 1.0,
        limits: LimitMode::Source,
        frames: &[
            ("Sit54", "one-channel", "LeftElbow", 5),
            ("Sit54", "one-channel", "LeftShoulder", 1),
        ],
    },
    Known {
        cause: "an elbow or knee held to the side: the upper bone's twist passes from the source's to \
                that of a hinge as the limb bends",
        mode: 0.0,
        limits: LimitMode::Human,
        frames: &[
            ("Boxing_Toes", "twist-zup-cm", "DEF-upper_arm.L", 2),
            ("Boxing_Toes", "twist-zup-cm", "DEF-upper_arm.R", 1),
            ("Boxing_Toes", "twist-zup-cm", "DEF-upper_arm.R.001", 1),
            ("Beta-samba_dancing", "05_01", "RightUpLeg", 1),
            ("momask", "twist-zup-cm", "DEF-thigh.L", 5),
            ("momask", "05_01", "LeftUpLeg", 4),
        ],
    },
    Known { cause: HALF_TURN, mode: 0.0, limits: LimitMode::Source, frames: &FOREARMS },
    Known { cause: HALF_TURN, mode: 1.0, limits: LimitMode::Source, frames: &FOREARMS },
    Known { cause: HALF_TURN, mode: 0.0, limits: LimitMode::Human, frames: &HANDS },
    Known { cause: TOES, mode: 0.0, limits: LimitMode::Source, frames: &LEAP },
    Known { cause: TOES, mode: 1.0, limits: LimitMode::Source, frames: &LEAP },
    Known { cause: TOES, mode: 0.0, limits: LimitMode::Human, frames: &LEAP },
];

/// The source has no toes: those of the target bend while a foot that turns by 2700 degrees/s is the lowest of a leap.
const TOES: &str = "toes that bend";
const LEAP: [(&str, &str, &str, usize); 3] = [
    ("05_20-daz", "one-channel", "RightToe", 11),
    ("05_20-daz", "twist-zup-cm", "DEF-toe.R", 11),
    ("05_20-daz", "05_01", "RightToeBase", 11),
];

const FOREARMS: [(&str, &str, &str, usize); 2] = [
    ("067_Speech_2_x_1_0", "twist-zup-cm", "DEF-forearm.L.001", 2),
    ("067_Speech_2_x_1_0", "twist-zup-cm", "DEF-forearm.R.001", 2),
];

/// A limit of the twist holds the hand at its other end.
const HANDS: [(&str, &str, &str, usize); 12] = [
    FOREARMS[0],
    FOREARMS[1],
    ("067_Speech_2_x_1_0", "one-channel", "LeftWrist", 8),
    ("067_Speech_2_x_1_0", "one-channel", "RightWrist", 1),
    ("067_Speech_2_x_1_0", "05_01", "LeftHand", 2),
    ("067_Speech_2_x_1_0", "05_01", "LeftFingerBase", 2),
    ("067_Speech_2_x_1_0", "05_01", "LeftHandIndex1", 2),
    ("067_Speech_2_x_1_0", "05_01", "LThumb", 2),
    ("067_Speech_2_x_1_0", "05_01", "RightHand", 3),
    ("067_Speech_2_x_1_0", "05_01", "RightFingerBase", 3),
    ("067_Speech_2_x_1_0", "05_01", "RightHandIndex1", 3),
    ("067_Speech_2_x_1_0", "05_01", "RThumb", 3),
];

/// How many frames of an excess are known, and why.
fn known(clip: &str, rig: &str, joint: &str, options: &Options) -> (usize, &'static str) {
    let alike = |known: &&Known| known.mode == options.limbs.0 && known.limits == options.limits;
    let frames = KNOWN.iter().filter(alike).flat_map(|known| {
        known
            .frames
            .iter()
            .map(|(clip, rig, joint, count)| ((*clip, *rig, *joint), (*count, known.cause)))
    });
    let mut this = frames.filter(|(place, _)| *place == (clip, rig, joint));
    this.next().map_or((0, "no known cause"), |(_, known)| known)
}

/// The first thousand frames of each clip, with the limbs by directions and by position, and in the default
/// boxes: only what is known exceeds, in no more frames than it did.
#[test]
fn corpus_turns_no_faster_than_its_sources() {
    let paths = corpus();
    let find = |name: &str| {
        let path = paths.iter().find(|path| path.file_stem().is_some_and(|stem| stem == name))?;
        Some(read(path))
    };
    let target = |name: &'static str| {
        let sample = rigs().into_iter().find(|rig| rig.name == name);
        Some((name, sample.or_else(|| find(name))?))
    };
    let targets: Vec<_> = RIGS.into_iter().filter_map(target).collect();
    let ways = [(0.0, LimitMode::Source), (1.0, LimitMode::Source), (0.0, LimitMode::Human)];
    let mut excess = Vec::new();
    for (name, clip) in CLIPS.iter().filter_map(|name| Some((*name, find(name)?))) {
        for (rig_name, rig) in &targets {
            for options in ways.map(|(mode, limits)| options(mode, limits)) {
                for (joint, (count, worst)) in run(&clip, rig, &options, 1000) {
                    let (known, cause) = known(name, rig_name, &joint, &options);
                    let what =
                        format!("{name} on {rig_name}, {:?}, {:?}", options.limbs, options.limits);
                    if count > known {
                        excess.push(format!(
                            "{what}: {joint} in {count} frames instead of {known} ({cause}), up to {worst:.0} degrees/s"
                        ));
                    }
                }
            }
        }
    }
    assert!(excess.is_empty(), "{}", excess.join("\n"));
}
