//! Changes of a card's text, line by line: all other lines stay.

use crate::answer::Failure;
use crate::request::{Edit, Side};
use rebone::Anatomy;
use rebone::body::Role;
use rebone::card::Card;
use rebone::skeleton::nalgebra::{UnitQuaternion, Vector3};
use rebone::skeleton::selector::{resolve, select};
use rebone::skeleton::{Clip, ClipError, JointId, Skeleton, forward_kinematics};
use toml_edit::{Array, DocumentMut, Item, Table, Value};

/// Keys at the top of a card that a page may set.
const KEYS: [&str; 3] = ["up", "facing", "pose_from"];

/// Turn of a joint from which on the pose of a frame differs from the rest pose, radians.
const MIN_TURN: f64 = 0.05_f64.to_radians();

/// Decimals of the degrees that are written.
const DECIMALS: f64 = 1e4;

/// Returns the text of a card without the turns of its `[pose]`: by the frames of this card turns are typed and shown, so
/// that they stay as they were typed.
pub(crate) fn without_turns(text: &str) -> String {
    let Ok(mut card) = text.parse::<DocumentMut>() else { return text.to_owned() };
    card.remove("pose");
    card.to_string()
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
    let mut card: DocumentMut = text.parse().map_err(|_| {
        let error = Card::parse(text).err();
        error.map_or_else(
            || Failure::new("the card is no TOML"),
            |error| Failure::of_card(side, &error),
        )
    })?;
    for edit in edits {
        apply(&mut card, edit, motion, anatomy)?;
    }
    let text = card.to_string();
    Card::parse(&text).map_err(|error| Failure::of_card(side, &error))?;
    Ok(text)
}

fn apply(
    card: &mut DocumentMut,
    edit: &Edit,
    (skeleton, clip, first): UsedMotion,
    anatomy: Option<&Anatomy>,
) -> Result<(), Failure> {
    match edit {
        Edit::Role { role, joints } => {
            let Some(role) = Role::all().into_iter().find(|own| own.name() == *role) else {
                return Err(Failure::new(format!(
                    "found the role {role:?}, expected one of VRM's"
                )));
            };
            let joints = joints.as_ref().map(|joints| {
                joints
                    .iter()
                    .map(|joint| self::joint(skeleton, *joint))
                    .collect::<Result<Vec<_>, _>>()
            });
            let value = joints.transpose()?.map(|joints| role_value(skeleton, role, &joints));
            set(card, Some("roles"), &role.name(), value)
        }
        Edit::Pose { joint, turn } => {
            let joint = self::joint(skeleton, *joint)?;
            let value = match turn {
                None => None,
                Some(turn) => Some(turn_value(anatomy, joint, turn)?),
            };
            set(card, Some("pose"), &select(skeleton, joint), value)
        }
        Edit::PoseOfFrame { frame } => {
            let count = clip.len().saturating_sub(first);
            let pose = clip.pose(frame.saturating_add(first));
            let pose = pose.ok_or_else(|| Failure::no_frame(*frame, count))?;
            let rest = skeleton.rest_pose();
            set(card, None, "pose_from", None)?;
            skeleton.ids().try_for_each(|id| {
                let turn = rest.rotations[id.index()].inverse() * pose.rotations[id.index()];
                let value = (turn.angle() > MIN_TURN)
                    .then(|| vector(turn.scaled_axis().map(f64::to_degrees)));
                set(card, Some("pose"), &select(skeleton, id), value)
            })
        }
        Edit::Key { key, value } => {
            if !KEYS.contains(&key.as_str()) {
                return Err(Failure::new(format!(
                    "found the key {key:?}, expected {}",
                    KEYS.join(", ")
                )));
            }
            set(card, None, key, value.as_deref().map(Value::from))
        }
    }
}

fn joint(skeleton: &Skeleton, index: usize) -> Result<JointId, Failure> {
    let count = skeleton.len();
    let joint = skeleton.ids().nth(index);
    joint.ok_or_else(|| Failure::new(format!("found joint {index}, expected one of {count}")))
}

/// The joints of a role: one selector, or a list.
fn role_value(skeleton: &Skeleton, role: Role, joints: &[JointId]) -> Value {
    match joints {
        [joint] if !role.is_list() => select(skeleton, *joint).into(),
        _ => Value::Array(joints.iter().map(|joint| select(skeleton, *joint)).collect::<Array>()),
    }
}

/// The rotation vector of a turn in the joint's own axes: the vector in the anatomical frame, seen from there.
fn turn_value(
    anatomy: Option<&Anatomy>,
    joint: JointId,
    turn: &[f64; 3],
) -> Result<Value, Failure> {
    let anatomy =
        anatomy.ok_or_else(|| Failure::new("a turn needs a skeleton that is understood"))?;
    if turn.iter().any(|degrees| !degrees.is_finite() || degrees.abs() > 360.0) {
        return Err(Failure::new(format!(
            "found the turn {turn:?}, expected three angles of at most 360 degrees"
        )));
    }
    Ok(vector(anatomy.joint_from_anatomical[joint.index()] * Vector3::from(*turn)))
}

/// A rotation vector in degrees, as cards write it.
fn vector(degrees: Vector3<f64>) -> Value {
    Value::Array(degrees.iter().map(|degrees| rounded(*degrees)).collect::<Array>())
}

/// Sets a key of a table, or takes it out; a table that is left empty goes.
fn set(
    card: &mut DocumentMut,
    table: Option<&str>,
    key: &str,
    value: Option<Value>,
) -> Result<(), Failure> {
    let root = card.as_table_mut();
    let Some(name) = table else {
        put(root, key, value);
        return Ok(());
    };
    if value.is_none() && root.get(name).is_none() {
        return Ok(());
    }
    let item = root.entry(name).or_insert_with(|| Item::Table(Table::new()));
    let Some(own) = item.as_table_mut() else {
        return Err(Failure::new(format!("found {name} in one line, expected the table [{name}]")));
    };
    put(own, key, value);
    if own.is_empty() {
        root.remove(name);
    }
    Ok(())
}

/// Replaces the value of a key and keeps the comment behind it.
fn put(table: &mut Table, key: &str, value: Option<Value>) {
    let Some(mut value) = value else {
        table.remove(key);
        return;
    };
    if let Some(Item::Value(own)) = table.get_mut(key) {
        *value.decor_mut() = own.decor().clone();
        *own = value;
    } else {
        table.insert(key, Item::Value(value));
    }
}
