//! Changes of a card's text, line by line: all other lines stay.

use crate::answer::Failure;
use crate::request::{Edit, Side};
use rebone::body::Role;
use rebone::card::{self, Card};
use rebone::skeleton::nalgebra::{UnitQuaternion, Vector3};
use rebone::skeleton::selector::{resolve, select};
use rebone::skeleton::{Clip, ClipError, JointId, Skeleton, forward_kinematics};
use rebone::{Anatomy, LineError};

/// Keys at the top of a card that a page may set.
const KEYS: [&str; 3] = ["up", "facing", "pose_from"];

/// Turn of a joint from which on the pose of a frame differs from the rest pose, radians.
const MIN_TURN: f64 = 0.05_f64.to_radians();

/// Decimals of the degrees that are shown: those that cards have.
const DECIMALS: f64 = 1e4;

/// Returns the text of a card without the turns of its `[pose]`: by the frames of this card turns are typed and shown, so
/// that they stay as they were typed.
pub(crate) fn without_turns(text: &str) -> String {
    card::without_turns(text).unwrap_or_else(|_| text.to_owned())
}

/// Returns the turns that a person states in a card, by joint: degrees about X, Y and Z of the anatomical frames.
pub(crate) fn turns(text: &str, anatomy: &Anatomy) -> Vec<(usize, [f64; 3])> {
    let stated = Card::parse(text).unwrap_or_default();
    let is_own = |selector: &str| !stated.generated.contains_key(&format!("pose.{selector}"));
    let entries = stated.pose.iter().filter(|entry| is_own(&entry.joint));
    let turns = entries.filter_map(|entry| {
        let joint = resolve(&anatomy.skeleton, &entry.joint).ok()?;
        let own = entry.value.scaled_axis().map(f64::to_degrees);
        let turn = anatomy.joint_from_anatomical[joint.index()].inverse() * own;
        Some((joint.index(), turn.map(rounded).into()))
    });
    turns.collect()
}

/// Returns `world_from_segment` of each joint in the file's axes, twice: in the stated pose without the joint's own turn, and with
/// it. A turn is the rotation vector from the first to the second, in the axes of the first.
pub(crate) fn turned_frames(
    text: &str,
    anatomy: &Anatomy,
) -> Result<Vec<[UnitQuaternion<f64>; 2]>, ClipError> {
    let skeleton = &anatomy.skeleton;
    let rest = skeleton.rest_pose();
    let stated = Card::parse(text).unwrap_or_default().posed(skeleton).ok().flatten();
    let world = forward_kinematics(skeleton, stated.as_ref().unwrap_or(&rest))?.rotations;
    let frames = skeleton.ids().map(|joint| {
        let index = joint.index();
        let world_from_parent =
            skeleton[joint].parent.map_or(UnitQuaternion::identity(), |id| world[id.index()]);
        [world_from_parent * rest.rotations[index], world[index]]
            .map(|rotation| rotation * anatomy.joint_from_anatomical[index])
    });
    Ok(frames.collect())
}

fn rounded(degrees: f64) -> f64 {
    (degrees * DECIMALS).round() / DECIMALS + 0.0
}

/// The skeleton and the clip of a file, with the first frame that counts.
type UsedMotion<'a> = (&'a Skeleton, &'a Clip, usize);

/// Returns the text of a card after edits. `anatomy` gives the axes of turns; it is needed where a pose is edited.
pub(crate) fn edited(
    side: Side,
    text: &str,
    edits: &[Edit],
    motion: UsedMotion,
    anatomy: Option<&Anatomy>,
) -> Result<String, Failure> {
    let fault = |error: LineError| Failure::of_card(side, &error);
    let mut text = text.to_owned();
    for edit in edits {
        text = apply(&text, edit, motion, anatomy)?.map_err(fault)?;
    }
    Card::parse(&text).map_err(fault)?;
    Ok(text)
}

/// Returns the text after an edit. The inner error is that of the card.
fn apply(
    text: &str,
    edit: &Edit,
    (skeleton, clip, first): UsedMotion,
    anatomy: Option<&Anatomy>,
) -> Result<Result<String, LineError>, Failure> {
    let name = |joint: JointId| select(skeleton, joint);
    Ok(match edit {
        Edit::Role { role, joints } => {
            let Some(role) = Role::from_name(role) else {
                return Err(Failure::new(format!(
                    "found the role {role:?}, expected one of VRM's"
                )));
            };
            let named = |joint: &usize| self::joint(skeleton, *joint).map(name);
            let names = joints.as_ref().map(|joints| joints.iter().map(named).collect());
            let names: Option<Vec<String>> = names.transpose()?;
            let names: Option<Vec<&str>> =
                names.as_ref().map(|names| names.iter().map(String::as_str).collect());
            card::with_role(text, role, names.as_deref())
        }
        Edit::Pose { joint, turn } => {
            let joint = self::joint(skeleton, *joint)?;
            let turn = turn.as_ref().map(|turn| own_turn(anatomy, joint, turn)).transpose()?;
            card::with_turn(text, &name(joint), turn)
        }
        Edit::PoseOfFrame { frame } => {
            let count = clip.len().saturating_sub(first);
            let pose = clip.pose(frame.saturating_add(first));
            let pose = pose.ok_or_else(|| Failure::no_frame(*frame, count))?;
            let rest = skeleton.rest_pose();
            let turns = skeleton.ids().filter_map(|id| {
                let turn = rest.rotations[id.index()].inverse() * pose.rotations[id.index()];
                let degrees = turn.scaled_axis().map(f64::to_degrees).into();
                (turn.angle() > MIN_TURN).then(|| (name(id), degrees))
            });
            let turns: Vec<(String, [f64; 3])> = turns.collect();
            card::with_pose(text, turns.iter().map(|(joint, turn)| (joint.as_str(), *turn)))
        }
        Edit::Key { key, value } => {
            if !KEYS.contains(&key.as_str()) {
                return Err(Failure::new(format!(
                    "found the key {key:?}, expected {}",
                    KEYS.join(", ")
                )));
            }
            card::with_key(text, key, value.as_deref())
        }
    })
}

fn joint(skeleton: &Skeleton, index: usize) -> Result<JointId, Failure> {
    let count = skeleton.len();
    let joint = skeleton.ids().nth(index);
    joint.ok_or_else(|| Failure::new(format!("found joint {index}, expected one of {count}")))
}

/// The rotation vector of a turn in the joint's own axes: the vector in the anatomical frame, seen from there.
fn own_turn(
    anatomy: Option<&Anatomy>,
    joint: JointId,
    turn: &[f64; 3],
) -> Result<[f64; 3], Failure> {
    let anatomy =
        anatomy.ok_or_else(|| Failure::new("a turn needs a skeleton that is understood"))?;
    if turn.iter().any(|degrees| !degrees.is_finite() || degrees.abs() > 360.0) {
        return Err(Failure::new(format!(
            "found the turn {turn:?}, expected three angles of at most 360 degrees"
        )));
    }
    Ok((anatomy.joint_from_anatomical[joint.index()] * Vector3::from(*turn)).into())
}
