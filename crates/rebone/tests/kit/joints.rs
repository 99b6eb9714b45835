//! Edits that add joints, or make another joint the root. No place of the body moves.

use crate::edit::{Ground, LimbBone, sides};
use crate::puppet::Puppet;
use nalgebra::{UnitQuaternion, Vector3};
use rebone::skeleton::WorldPose;
use rebone::skeleton::rotation::{direction, swing_twist};

/// The joints of spine and neck, from the lowest to the head.
pub(crate) const TRUNK: [&str; 7] =
    ["Spine", "Spine1", "Spine2", "Spine3", "Neck", "Neck1", "Head"];

/// What a segment turns against another about a bone that neither has turned in the rest pose.
fn axial(frame: &WorldPose, from: usize, to: usize, bone: &Vector3<f64>) -> UnitQuaternion<f64> {
    let turn = frame.rotations[from].inverse() * frame.rotations[to];
    direction(bone).map_or(UnitQuaternion::identity(), |bone| swing_twist(&turn, &bone).1)
}

/// Adds a joint to the bone below a joint of spine or neck, rigid or with its share of the axial turn.
pub(crate) fn split(puppet: &mut Puppet, below: u8, at: f64, twists: bool) {
    let Some(below) = puppet.find(TRUNK[usize::from(below)]) else { return };
    let above = puppet.nodes[below].parent.expect("it hangs on the hips");
    let name = match puppet.nodes[above].name.as_str() {
        "Hips" => "Spine0".to_string(),
        name => format!("{name}_b"),
    };
    let bone = puppet.offsets()[below];
    let share = if twists { at } else { 0.0 };
    puppet.insert(("", name), Some(above), &[below], |frame| {
        let turn = frame.rotations[above];
        let place = frame.positions[above] + turn * bone * at;
        (place, turn * axial(frame, above, below, &bone).powf(share))
    });
}

/// Adds a joint above that of each side which never moves against what it hangs on.
pub(crate) fn add_still(puppet: &mut Puppet, part: &str, below: &str, at: f64) {
    for (key, below) in sides(part).iter().zip(sides(below)) {
        let (None, Some(below)) = (puppet.find(key), puppet.find(&below)) else { continue };
        let above = puppet.nodes[below].parent.expect("limbs hang on the trunk");
        let way = puppet.offsets()[below] * at;
        puppet.insert((key, key.clone()), Some(above), &[below], |frame| {
            let turn = frame.rotations[above];
            (frame.positions[above] + turn * way, turn)
        });
    }
}

/// A limb's bone on one side: its joint, and the next on the way to its end.
fn bone(puppet: &Puppet, [start, end]: [&String; 2]) -> Option<(usize, usize)> {
    let (start, end) = (puppet.find(start)?, puppet.find(end)?);
    Some((start, *puppet.line(start, end).first()?))
}

/// The bones of both sides, with a name for another twist joint.
fn bones(puppet: &Puppet, which: LimbBone) -> Vec<([String; 2], String)> {
    let (start, end) = match which {
        LimbBone::UpperArm => ("Arm", "ForeArm"),
        LimbBone::Forearm => ("ForeArm", "Hand"),
        LimbBone::Thigh => ("UpLeg", "Leg"),
        LimbBone::Shin => ("Leg", "Foot"),
    };
    let ends = sides(start).into_iter().zip(sides(end));
    ends.map(|(start, end)| {
        let name = format!("{start}Twist");
        let count = puppet.nodes.iter().filter(|node| node.name.starts_with(&name)).count();
        ([start, end], format!("{name}{}", count + 1))
    })
    .collect()
}

/// Adds a joint to a limb's bone that turns as the bone's own did, which keeps a share of the axial turn.
pub(crate) fn twist_in_line(puppet: &mut Puppet, which: LimbBone, at: f64, own: f64) {
    for (ends, name) in bones(puppet, which) {
        let Some((start, next)) = bone(puppet, ends.each_ref()) else { continue };
        let above = puppet.nodes[start].parent.expect("limbs hang on the trunk");
        let along = puppet.offsets()[next];
        let turns: Vec<_> = puppet.frames.iter().map(|frame| frame.rotations[start]).collect();
        for frame in &mut puppet.frames {
            let rest = axial(frame, above, start, &along).powf(1.0 - own);
            frame.rotations[start] *= rest.inverse();
        }
        let mut turns = turns.into_iter();
        puppet.insert(("", name), Some(start), &[next], |frame| {
            let turn = turns.next().expect("one a frame");
            (frame.positions[start] + turn * along * at, turn)
        });
    }
}

/// Adds a joint beside a limb's bone that turns by a share of the axial turn less.
pub(crate) fn twist_beside(puppet: &mut Puppet, which: LimbBone, at: f64, share: f64) {
    for (ends, name) in bones(puppet, which) {
        let Some((start, next)) = bone(puppet, ends.each_ref()) else { continue };
        let above = puppet.nodes[start].parent.expect("limbs hang on the trunk");
        let along = puppet.offsets()[next];
        puppet.insert(("", name), Some(start), &[], |frame| {
            let turn = frame.rotations[start];
            let less = axial(frame, above, start, &along).powf(-share);
            (frame.positions[start] + turn * along * at, turn * less)
        });
    }
}

/// Makes the segment above so many joints of the trunk the root. A segment below it hangs on the next:
/// its joint is where the two meet, which was the joint of the next.
pub(crate) fn backwards(puppet: &mut Puppet, number: usize) {
    let [hips, head] = ["Hips", "Head"].map(|key| puppet.find(key).expect("hips and head"));
    let trunk = [vec![hips], puppet.line(hips, head)].concat();
    let girdle = puppet.find("LeftShoulder").or(puppet.find("LeftArm")).expect("an arm");
    let chest = trunk.iter().position(|&k| puppet.nodes[girdle].parent == Some(k)).unwrap_or(0);
    if chest == 0 {
        return;
    }
    let top = 1 + number % chest;
    let (root, next) = (trunk[top], trunk[top + 1]);
    for frame in &mut puppet.frames {
        let middle = (frame.positions[root] + frame.positions[next]) / 2.0;
        trunk[..=top]
            .windows(2)
            .for_each(|pair| frame.positions[pair[0]] = frame.positions[pair[1]]);
        frame.positions[root] = middle;
    }
    for pair in trunk[..=top].windows(2) {
        puppet.nodes[pair[0]].key = puppet.nodes[pair[1]].key.clone();
        puppet.nodes[pair[0]].parent = Some(pair[1]);
        puppet.nodes[pair[0]].moves = false;
    }
    puppet.nodes[root].key.clear();
    puppet.nodes[root].parent = None;
    puppet.nodes[root].moves = true;
    puppet.sort(false, |_, _| true);
}

/// Adds a root, given where that of before is and how it is turned.
fn add_root(
    puppet: &mut Puppet,
    name: &str,
    place: impl Fn(Vector3<f64>, UnitQuaternion<f64>) -> (Vector3<f64>, UnitQuaternion<f64>),
) {
    puppet.insert(("", name.to_string()), None, &[0], |frame| {
        place(frame.positions[0], frame.rotations[0])
    });
}

/// The turn about up.
fn heading(turn: &UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    swing_twist(turn, &Vector3::y_axis()).1
}

/// Adds a root that carries the old one rigidly, or in its place with the heading alone.
pub(crate) fn centre(puppet: &mut Puppet, whole: bool) {
    puppet.nodes[0].moves = false;
    add_root(puppet, "Center", |place, turn| match whole {
        true => (place - turn * Vector3::z() * 8.0, turn),
        false => (place, heading(&turn)),
    });
}

/// Adds a root on the ground; the old one still has translations.
pub(crate) fn ground(puppet: &mut Puppet, kind: Ground) {
    add_root(puppet, "Root", |place, turn| {
        let below = Vector3::new(place.x, 0.0, place.z);
        match kind {
            Ground::Still => (Vector3::zeros(), UnitQuaternion::identity()),
            Ground::Moves => (below, UnitQuaternion::identity()),
            Ground::Turns => (below, heading(&turn)),
        }
    });
}
