//! Soles from a standing frame, on bodies with a known answer.

use super::*;
use crate::analyse::{Hints, analyse};
use crate::calibrate::with_frames;
use rebone_samples as samples;
use rebone_skeleton::Motion;
use std::collections::BTreeSet;

fn walk() -> (Motion, Anatomy) {
    let walk = samples::walk().motion;
    let anatomy = analyse(&walk, &Hints::default()).unwrap();
    (walk, anatomy)
}

fn feet(anatomy: &Anatomy) -> Vec<JointId> {
    anatomy.body.legs.iter().flat_map(|leg| leg.foot_and_toes()).collect()
}

/// The anatomy with feet and toes turned about their own axes, degrees of pitch and roll.
fn turned(anatomy: &Anatomy, clip: &Clip, [pitch, roll]: [f64; 2]) -> Anatomy {
    let turn = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), pitch.to_radians())
        * UnitQuaternion::from_axis_angle(&Vector3::z_axis(), roll.to_radians());
    let frame = |joint: JointId| (joint, anatomy.joint_from_anatomical[joint.index()] * turn);
    with_frames(anatomy.clone(), clip, &feet(anatomy).into_iter().map(frame).collect())
}

#[track_caller]
fn assert_same(a: &Anatomy, b: &Anatomy, tolerance: f64) {
    for joint in a.skeleton.ids() {
        let index = joint.index();
        let angle = a.joint_from_anatomical[index].angle_to(&b.joint_from_anatomical[index]);
        assert!(angle < tolerance, "{}: {angle}", a.skeleton[joint].name);
        let apart = (a.place(joint) - b.place(joint)).norm();
        assert!(apart < tolerance, "{}: {apart} m", a.skeleton[joint].name);
    }
}

#[test]
fn feet_that_were_turned_are_level_again() {
    let (walk, found) = walk();
    let level = |anatomy: &Anatomy| {
        level_feet(anatomy, &walk.clip, [Some(0); 2], &Card::default()).unwrap()
    };
    let truth = level(&found);
    for turn in [[20.0, 0.0], [-20.0, 0.0], [40.0, 0.0], [25.0, 12.0], [0.0, -30.0]] {
        let corrected = level(&turned(&truth, &walk.clip, turn));
        assert_same(&corrected, &truth, 1e-6);
        let joints: BTreeSet<JointId> = corrected.corrected().collect();
        assert_eq!(joints, feet(&truth).into_iter().collect());
        let heights = [&corrected, &truth].map(|own| own.sole_height.unwrap());
        assert!((heights[0] - heights[1]).abs() < 1e-6, "{heights:?}");
    }
}

#[test]
fn one_foot_is_levelled_alone_and_what_the_user_states_stays() {
    let (walk, found) = walk();
    let tilted = turned(&found, &walk.clip, [20.0, 0.0]);
    let left = level_feet(&tilted, &walk.clip, [Some(0), None], &Card::default()).unwrap();
    let [own, other] = found.body.legs.each_ref().map(|leg| leg.foot.index());
    let of = |anatomy: &Anatomy, index: usize| anatomy.joint_from_anatomical[index];
    assert!(of(&left, own).angle_to(&of(&found, own)) < 1e-6);
    assert_eq!(of(&left, other), of(&tilted, other));
    let card = Card::parse("[axes]\nLeftFoot = { x = \"+X\", y = \"+Y\" }\n").unwrap();
    let both = level_feet(&tilted, &walk.clip, [Some(0); 2], &card).unwrap();
    assert_eq!(both.corrected().count(), 3);
    assert!(both.warnings[0].ends_with("state their axes: LeftFoot"), "{:?}", both.warnings);
    assert!(of(&both, own).angle_to(&of(&tilted, own)) < 1e-9);
    assert!(of(&both, other).angle_to(&of(&found, other)) < 1e-6);
    let card = Card { sole_height: Some(4.0), ..Card::default() };
    let stated = level_feet(&tilted, &walk.clip, [Some(0); 2], &card).unwrap();
    assert_eq!(stated.sole_height, Some(4.0 * stated.metres_per_unit()));
}

#[test]
fn feet_stand_where_they_are_low_still_and_level() {
    let (walk, found) = walk();
    let frames = standing_frames(&found, &walk.clip).unwrap();
    for side in Side::BOTH {
        let frame = frames[side.index()].unwrap();
        let foot = found.body.legs[side.index()].foot;
        let world = poses::world_of(&found.skeleton, &poses::pose(&walk.clip, frame));
        let (_, tilt) = level_frame(&found, &world, foot);
        assert!(tilt.to_degrees() < 5.0, "{side} in frame {frame}: {}", tilt.to_degrees());
        let low = |frame: usize| {
            let world = poses::world_of(&found.skeleton, &poses::pose(&walk.clip, frame));
            (found.upright_from_file * world.positions[foot.index()]).y
        };
        let lowest = (0..walk.clip.len()).map(low).fold(f64::INFINITY, f64::min);
        assert!(low(frame) < lowest + 0.02 * found.stature, "{side} in frame {frame}");
    }
    let truth = level_feet(&found, &walk.clip, frames, &Card::default()).unwrap();
    let tilted = turned(&found, &walk.clip, [20.0, 0.0]);
    let again = standing_frames(&tilted, &walk.clip).unwrap();
    assert_eq!(again, frames, "they do not depend on the soles");
    let level = level_feet(&tilted, &walk.clip, again, &Card::default()).unwrap();
    assert_same(&level, &truth, 1e-6);
    let none = Clip::new(&walk.skeleton, walk.clip.frame_time);
    assert_eq!(standing_frames(&found, &none).unwrap(), [None; 2]);
}

#[test]
fn a_correction_is_written_into_the_card_and_read_back() {
    let (walk, found) = walk();
    let tilted = turned(&found, &walk.clip, [20.0, 0.0]);
    let level = level_feet(&tilted, &walk.clip, [Some(3); 2], &Card::default()).unwrap();
    let text = Card::from_anatomy(&level, &Card::default()).unwrap().to_toml();
    assert_eq!(text.matches("  # level in frame 3\n").count(), 4, "{text}");
    assert_eq!(text.matches("  # level in frame 3; of the lowest joint").count(), 1, "{text}");
    let hints = Hints { card: Some(Card::parse(&text).unwrap()), ..Hints::default() };
    assert_same(&analyse(&walk, &hints).unwrap(), &level, 1e-6);
}

#[test]
fn what_cannot_be_level_is_an_error() {
    let (walk, found) = walk();
    let card = Card::default();
    let fails = |anatomy: &Anatomy, clip: &Clip, frame: usize| {
        let result = level_feet(anatomy, clip, [None, Some(frame)], &card);
        result.map(drop).unwrap_err().to_string()
    };
    let count = walk.clip.len();
    let said = format!("no frame {count}, the clip has {count}");
    assert!(fails(&found, &walk.clip, count).starts_with(&said));
    let none = Clip::new(&walk.skeleton, walk.clip.frame_time);
    assert!(fails(&found, &none, 0).starts_with("no frame 0, the clip has 0"));
    let level = level_feet(&found, &walk.clip, [Some(0); 2], &card).unwrap();
    let steep = fails(&turned(&level, &walk.clip, [46.0, 0.0]), &walk.clip, 0);
    assert!(
        steep.starts_with("the sole under the right foot is 46 degrees from level in frame 0"),
        "{steep}"
    );
    let other = samples::rigs().remove(0).motion.clip;
    assert!(fails(&found, &other, 0).contains("of another skeleton"));
}

#[test]
fn distances_from_the_skin_that_a_card_states_stay() {
    let (walk, _) = walk();
    let card = Card::parse("trunk_radii = [1, 2, 3]").unwrap();
    let hints = Hints { card: Some(card.clone()), ..Hints::default() };
    let stated = analyse(&walk, &hints).unwrap();
    let level = level_feet(&stated, &walk.clip, [Some(0); 2], &card).unwrap();
    assert_eq!(level.trunk_radii, stated.trunk_radii);
    assert!((stated.trunk_radii[0] / stated.metres_per_unit() - 1.0).abs() < 1e-9);
}
