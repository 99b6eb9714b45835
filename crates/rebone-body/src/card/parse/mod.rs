//! Reads a card.

pub(crate) mod helpers;
pub(crate) mod misplaced;
pub(crate) mod surface;
pub(crate) mod syntax;

use crate::body::{JointEntry, Ranges, Role, SignedAxis};
use crate::card::calibration::frame_of;
use crate::card::generated::{Parts, entry_key};
use crate::card::parse::helpers::helper_entries;
use crate::card::parse::misplaced::check_places;
use crate::card::parse::surface::surface_entries;
use crate::card::parse::syntax::{
    GENERATED, Lines, TOP_KEYS, axis, keys, number, syntax, table, unknown, wrong,
};
use crate::card::{Card, PoseFrom, RoleEntry, RootScale, metres};
use crate::error::LineError;
use nalgebra::{UnitQuaternion, Vector3};
use toml_edit::{Document, Item, Key, TableLike};

/// Sections that stand in and outside `[generated]`.
const SECTIONS: [&str; 3] = ["roles", "pose", "axes"];
/// Sections that the user writes alone.
const USER_SECTIONS: [&str; 3] = ["limits", "helpers", "surface"];
/// The key at the top that the program does not write.
const UNIT: &str = "unit";
const ROOT_SCALE: &str = "root_scale";

/// The axes that a frame is given by.
const FRAME: [&str; 2] = ["x", "y"];

const VARIABLES: [&str; 6] = ["swing_x", "swing_z", "twist", "x", "y", "z"];

impl Card {
    /// Reads the text of a card. Entries outside `[generated]` go before those in it.
    ///
    /// # Errors
    /// The first fault, with its line: no TOML, a key or role that does not exist, a value of
    /// another kind.
    pub fn parse(text: &str) -> Result<Self, LineError> {
        Parts::parse(text).map(Parts::merged)
    }

    /// Reads the entries of a table.
    fn read(lines: &Lines, table: &dyn TableLike, known: &[&str]) -> Result<Self, LineError> {
        let mut card = Card::default();
        for (key, item) in keys(table) {
            check_places(lines, key, item)?;
            let fault = |fault| lines.error(key, item, fault);
            match key.get() {
                name if !known.contains(&name) => return Err(fault(unknown(name, "key", known))),
                "up" => card.up = Some(axis(item).map_err(fault)?),
                "facing" => card.facing = Some(axis(item).map_err(fault)?),
                UNIT => card.unit = Some(unit(item).map_err(fault)?),
                ROOT_SCALE => card.root_scale = Some(root_scale(item).map_err(fault)?),
                "pose_from" => {
                    card.pose_from = Some(pose_from(item).map_err(fault)?);
                    card.pose_from_line = lines.at(key.span());
                }
                "correct_bind" => {
                    let found = item.as_bool().ok_or_else(|| wrong(item, "true or false"));
                    card.correct_bind = found.map_err(fault)?;
                }
                "sole_height" => {
                    card.sole_height = Some(length(item).map_err(fault)?);
                    card.length_lines[0] = lines.at(key.span());
                }
                "trunk_radii" => {
                    card.trunk_radii = Some(radii(item).map_err(fault)?);
                    card.length_lines[1] = lines.at(key.span());
                }
                "confidence" => card.confidence = Some(probability(item).map_err(fault)?),
                "roles" => card.roles = roles(lines, key, item)?,
                "limits" => card.limits = limits(lines, key, item)?,
                "helpers" => card.helpers = helper_entries(lines, key, item)?,
                "surface" => card.surface = surface_entries(lines, key, item)?,
                "pose" => card.pose = joint_rotations(lines, key, item, turn)?,
                "axes" => card.axes = joint_rotations(lines, key, item, frame)?,
                _ => {}
            }
            if let (Some(up), Some(facing)) = (card.up, card.facing)
                && up.axis == facing.axis
            {
                return Err(fault(format!(
                    "up {up} and facing {facing} lie on one axis, expected two"
                )));
            }
            if card.pose_from.is_some() && !card.pose.is_empty() {
                let both =
                    "pose_from and [pose] both state the calibration pose: take one of them away";
                return Err(fault(both.to_owned()));
            }
        }
        Ok(card)
    }
}

impl Parts {
    /// Reads both parts of a card.
    pub(crate) fn parse(text: &str) -> Result<Self, LineError> {
        let lines = Lines::of(text);
        let document = Document::parse(text).map_err(|error| syntax(&lines, &error))?;
        let sections = SECTIONS.into_iter().chain(USER_SECTIONS).chain([GENERATED]);
        let known: Vec<&str> = TOP_KEYS.into_iter().chain(sections).collect();
        let user = Card::read(&lines, document.as_table(), &known)?;
        let Some((key, item)) = document.as_table().get_key_value(GENERATED) else {
            return Ok(Self { user, generated: Card::default() });
        };
        let part = table(&lines, key, item)?;
        let known =
            TOP_KEYS.into_iter().filter(|&key| key != UNIT && key != ROOT_SCALE).chain(SECTIONS);
        let mut generated = Card::read(&lines, part, &known.collect::<Vec<_>>())?;
        for (key, item) in keys(part) {
            match item.as_table_like() {
                None => {
                    generated.generated.insert(key.get().to_owned(), comment(text, item));
                }
                Some(entries) => generated.generated.extend(
                    keys(entries)
                        .iter()
                        .map(|(own, item)| (entry_key(key.get(), own.get()), comment(text, item))),
                ),
            }
        }
        Ok(Self { user, generated })
    }
}

/// The comment after a value.
fn comment(text: &str, item: &Item) -> String {
    let behind = item.span().and_then(|span| text.get(span.end..)).unwrap_or_default();
    let behind = behind.lines().next().unwrap_or_default();
    behind.split_once('#').map_or("", |(_, comment)| comment).trim().to_owned()
}

fn probability(item: &Item) -> Result<f64, String> {
    let number = number(item).filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| wrong(item, "a number from 0 to 1"))
}

/// Three lengths in the unit of the file.
fn radii(item: &Item) -> Result<[f64; 3], String> {
    let radii = numbers(item).and_then(|numbers| <[f64; 3]>::try_from(numbers).ok());
    radii
        .filter(|radii| radii.iter().all(|radius| (0.0..f64::INFINITY).contains(radius)))
        .ok_or_else(|| wrong(item, "three lengths in the unit of the file, of seat, back and head"))
}

/// A length in the unit of the file: of either sign.
fn length(item: &Item) -> Result<f64, String> {
    number(item).filter(|number| number.is_finite()).ok_or_else(|| wrong(item, "a number"))
}

fn unit(item: &Item) -> Result<f64, String> {
    let text = item.as_str().map(str::to_owned).or_else(|| Some(number(item)?.to_string()));
    text.and_then(|text| metres(&text).ok())
        .ok_or_else(|| wrong(item, "\"m\", \"dm\", \"cm\", \"mm\", \"inch\", \"foot\" or metres"))
}

fn root_scale(item: &Item) -> Result<RootScale, String> {
    let text = item.as_str().map(str::to_owned).or_else(|| Some(number(item)?.to_string()));
    text.and_then(|text| text.parse().ok())
        .ok_or_else(|| wrong(item, "\"auto\" or a factor greater than 0"))
}

fn pose_from(item: &Item) -> Result<PoseFrom, String> {
    let pose = item.as_str().and_then(|text| text.parse().ok());
    pose.ok_or_else(|| wrong(item, "\"rest\" or \"FILE[:FRAME]\""))
}

fn roles(lines: &Lines, key: &Key, item: &Item) -> Result<Vec<RoleEntry>, LineError> {
    let table = table(lines, key, item)?;
    let known: Vec<String> = Role::all().into_iter().map(Role::name).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let mut roles = Vec::new();
    for (key, item) in keys(table) {
        let fault = |fault| lines.error(key, item, fault);
        let role = Role::from_name(key.get());
        let role = role.ok_or_else(|| fault(unknown(key.get(), "role", &known)))?;
        let joints = selectors(item).map_err(fault)?;
        if joints.len() > 1 && !role.is_list() {
            let (role, count) = (role.name(), joints.len());
            return Err(fault(format!("{role} is played by one joint, not by {count}")));
        }
        roles.push(RoleEntry { role, joints, line: lines.at(key.span()) });
    }
    Ok(roles)
}

/// One selector or a list of them.
fn selectors(item: &Item) -> Result<Vec<String>, String> {
    let list = || {
        let texts = item.as_array()?.iter().map(|value| value.as_str().map(str::to_string));
        texts.collect::<Option<Vec<String>>>()
    };
    let one = item.as_str().map(|text| vec![text.to_string()]);
    one.or_else(list).ok_or_else(|| wrong(item, "a joint or a list of joints, in quotes"))
}

fn limits(lines: &Lines, key: &Key, item: &Item) -> Result<Vec<JointEntry<Ranges>>, LineError> {
    let mut limits = Vec::new();
    for (joint, item) in keys(table(lines, key, item)?) {
        let mut ranges = Vec::new();
        for (variable, item) in keys(table(lines, joint, item)?) {
            let fault = |fault| lines.error(variable, item, fault);
            if !VARIABLES.contains(&variable.get()) {
                return Err(fault(unknown(variable.get(), "variable", &VARIABLES)));
            }
            ranges.push((variable.get().to_string(), range(variable, item).map_err(fault)?));
        }
        let line = lines.at(joint.span());
        limits.push(JointEntry { joint: joint.get().to_string(), value: ranges, line });
    }
    Ok(limits)
}

/// Rotations by joint, each read by `rotation`.
fn joint_rotations(
    lines: &Lines,
    key: &Key,
    item: &Item,
    rotation: fn(&Lines, &Key, &Item) -> Result<UnitQuaternion<f64>, LineError>,
) -> Result<Vec<JointEntry<UnitQuaternion<f64>>>, LineError> {
    let joints = keys(table(lines, key, item)?).into_iter();
    let rotations = joints.map(|(joint, item)| {
        let value = rotation(lines, joint, item)?;
        let line = lines.at(joint.span());
        Ok(JointEntry { joint: joint.get().to_string(), value, line })
    });
    rotations.collect()
}

/// A rotation vector in degrees.
fn turn(lines: &Lines, key: &Key, item: &Item) -> Result<UnitQuaternion<f64>, LineError> {
    match numbers(item).as_deref() {
        Some(&[x, y, z]) if [x, y, z].iter().all(|angle| angle.abs() <= 360.0) => {
            let vector = Vector3::new(x, y, z).map(f64::to_radians);
            Ok(UnitQuaternion::from_scaled_axis(vector))
        }
        _ => {
            Err(lines.error(key, item, wrong(item, "a rotation vector, three numbers in degrees")))
        }
    }
}

/// `{ x = "+Z", y = [0.99, 0.01, 0] }`
fn frame(lines: &Lines, key: &Key, item: &Item) -> Result<UnitQuaternion<f64>, LineError> {
    let mut axes = [None; 2];
    for (name, item) in keys(table(lines, key, item)?) {
        let fault = |fault| lines.error(name, item, fault);
        let place = FRAME.iter().position(|axis| *axis == name.get());
        let place = place.ok_or_else(|| fault(unknown(name.get(), "axis of a frame", &FRAME)))?;
        axes[place] = Some(direction(item).map_err(fault)?);
    }
    let frame = match axes {
        [Some(x), Some(y)] => frame_of(&x, &y),
        _ => None,
    };
    let expected = "two different directions: { x = …, y = … }";
    frame.ok_or_else(|| lines.error(key, item, wrong(item, expected)))
}

/// A signed axis, or three numbers.
fn direction(item: &Item) -> Result<Vector3<f64>, String> {
    let axis = item.as_str().and_then(|text| text.parse::<SignedAxis>().ok());
    let axis = axis.map(|axis| axis.unit().into_inner());
    let vector = || match numbers(item)?[..] {
        [x, y, z] if [x, y, z].iter().all(|x| x.abs() <= 1e6) => Some(Vector3::new(x, y, z)),
        _ => None,
    };
    axis.or_else(vector).ok_or_else(|| wrong(item, "an axis such as \"+Z\", or three numbers"))
}

/// A list of numbers.
fn numbers(item: &Item) -> Option<Vec<f64>> {
    let number = |value: &toml_edit::Value| {
        value.as_float().or(value.as_integer().map(|number| number as f64))
    };
    item.as_array()?.iter().map(number).collect()
}

/// A swing is half a turn at most; twists and channels may be stated around any angle.
fn range(variable: &Key, item: &Item) -> Result<[f64; 2], String> {
    let (most, expected) = match variable.get().starts_with("swing") {
        true => (180.0, "two numbers in degrees from -180 to 180, the lower first"),
        false => (360.0, "two numbers in degrees from -360 to 360, the lower first"),
    };
    match numbers(item).as_deref() {
        Some(&[low, high]) if -most <= low && low <= high && high <= most => Ok([low, high]),
        _ => Err(wrong(item, expected)),
    }
}
