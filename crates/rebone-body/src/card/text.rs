//! Changes single entries of a card's text: all else stays as it was written.

use super::parse::syntax::{GENERATED, Lines, keys, syntax};
use crate::body::Role;
use crate::error::LineError;
use places::{Change, Form, Places};
use toml_edit::{Array, Document, Item, Key, TableLike, Value};

mod places;

/// Decimals of the degrees that are written.
const DECIMALS: f64 = 1e4;

/// A mark of the order of bytes, which some editors put before a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Keys at the top that belong to the calibration pose.
const POSE_KEYS: [&str; 3] = ["pose_from", "correct_bind", "confidence"];

/// Returns the text of a card that states which joints play a role; an empty list: no joint does. `None` takes the statement
/// back.
///
/// Entries of the user are changed in their place: all other bytes stay. Tables may stand below a head, `[roles]`, as dotted
/// keys, `roles.hips = "a"`, or in braces, `roles = { hips = "a" }`. [`Card::parse`](super::Card::parse) tells whether the
/// result is a card, so that of several entries which are wrong one can be set after the other.
///
/// ```
/// use rebone_body::body::Role;
///
/// let text = "# my rig\nroles = { head = \"Skull\" } # known\n";
/// let text = rebone_body::card::with_role(text, Role::Hips, Some(&["Pelvis"]))?;
/// assert_eq!(text, "# my rig\nroles = { head = \"Skull\", hips = \"Pelvis\" } # known\n");
/// # Ok::<(), rebone_body::LineError>(())
/// ```
///
/// # Errors
/// When the text is no TOML, or `roles` or the role is another kind of entry.
pub fn with_role(text: &str, role: Role, joints: Option<&[&str]>) -> Result<String, LineError> {
    edited(text, |card| card.set_role(role, joints))
}

/// Returns the text of a card that states the turn of a joint in the calibration pose, as [`with_role`] states a role: a
/// rotation vector in the axes of the joint, degrees. `None` takes the statement back.
///
/// # Errors
/// When the text is no TOML, or `pose` or the joint is another kind of entry.
pub fn with_turn(text: &str, joint: &str, turn: Option<[f64; 3]>) -> Result<String, LineError> {
    edited(text, |card| card.set_turn(joint, turn))
}

/// Returns the text of a card that states the calibration pose by its turns since the rest pose, as [`with_turn`] has them, in
/// place of any other that the card states or that was generated. Without turns it is the rest pose.
///
/// # Errors
/// As [`with_turn`].
pub fn with_pose<'a>(
    text: &str,
    turns: impl IntoIterator<Item = (&'a str, [f64; 3])>,
) -> Result<String, LineError> {
    edited(text, |card| card.set_pose(turns))
}

/// Returns the text of a card without the turns that [`with_turn`] states.
///
/// # Errors
/// When the text is no TOML.
pub fn without_turns(text: &str) -> Result<String, LineError> {
    edited(text, |card| card.remove(None, "pose"))
}

/// Returns the text of a card with a key at the top, such as `up`, set to a text. `None` takes it out.
///
/// # Errors
/// When the text is no TOML, or the key is a table.
pub fn with_key(text: &str, key: &str, value: Option<&str>) -> Result<String, LineError> {
    edited(text, |card| card.set(None, key, value.map(Value::from)))
}

fn edited(
    text: &str,
    edit: impl FnOnce(&mut CardText) -> Result<(), LineError>,
) -> Result<String, LineError> {
    let mut card = CardText::parse(text)?;
    edit(&mut card)?;
    Ok(card.into_text())
}

/// The text of a card, without a mark of the order of bytes.
#[derive(Clone, Debug)]
struct CardText {
    text: String,
    has_mark: bool,
}

impl CardText {
    fn parse(text: &str) -> Result<Self, LineError> {
        let body = text.strip_prefix(BYTE_ORDER_MARK);
        let own = Self { text: body.unwrap_or(text).to_owned(), has_mark: body.is_some() };
        own.document().map(drop)?;
        Ok(own)
    }

    fn set_role(&mut self, role: Role, joints: Option<&[&str]>) -> Result<(), LineError> {
        let value = joints.map(|joints| match joints {
            [joint] if !role.is_list() => Value::from(*joint),
            joints => Value::from(joints.iter().copied().collect::<Array>()),
        });
        self.set(Some("roles"), &role.name(), value)
    }

    fn set_turn(&mut self, joint: &str, turn: Option<[f64; 3]>) -> Result<(), LineError> {
        let rounded = |degrees: f64| (degrees * DECIMALS).round() / DECIMALS + 0.0;
        let value = turn.map(|turn| Value::from(turn.map(rounded).into_iter().collect::<Array>()));
        self.set(Some("pose"), joint, value)
    }

    fn set_pose<'a>(
        &mut self,
        turns: impl IntoIterator<Item = (&'a str, [f64; 3])>,
    ) -> Result<(), LineError> {
        POSE_KEYS.into_iter().try_for_each(|key| self.remove(None, key))?;
        for name in POSE_KEYS.into_iter().chain(["pose", "axes"]) {
            self.remove(Some(GENERATED), name)?;
        }
        let mut old = self.joints_with_turns()?;
        let mut is_rest = true;
        for (joint, turn) in turns {
            self.set_turn(joint, Some(turn))?;
            old.retain(|own| own != joint);
            is_rest = false;
        }
        old.iter().try_for_each(|joint| self.set_turn(joint, None))?;
        if is_rest {
            self.set(None, "pose_from", Some("rest".into()))?;
        }
        Ok(())
    }

    fn into_text(self) -> String {
        let mark = self.has_mark.then_some(BYTE_ORDER_MARK);
        mark.into_iter().chain(self.text.chars()).collect()
    }

    fn document(&self) -> Result<Document<&str>, LineError> {
        Document::parse(self.text.as_str()).map_err(|error| syntax(&Lines::of(&self.text), &error))
    }

    fn joints_with_turns(&self) -> Result<Vec<String>, LineError> {
        let document = self.document()?;
        let table = document.get("pose").and_then(Item::as_table_like);
        let joints = table.map(keys).unwrap_or_default();
        Ok(joints.into_iter().map(|(joint, _)| joint.get().to_owned()).collect())
    }

    /// Sets a key of a table, or of the top, or takes it out. A table that is left empty goes.
    fn set(
        &mut self,
        table: Option<&str>,
        key: &str,
        value: Option<Value>,
    ) -> Result<(), LineError> {
        let changes = {
            let document = self.document()?;
            let places = Places { text: &self.text, root: document.as_table() };
            let form = table.map_or(Ok(Form::Head(places.root)), |name| places.form(name))?;
            let old = match &form {
                Form::Missing => table
                    .and_then(|name| places.root.get(name)?.as_table_like())
                    .and_then(|table| table.get_key_value(key)),
                Form::Head(table) | Form::Dotted(table) => table.get_key_value(key),
                Form::Inline(table) => TableLike::get_key_value(*table, key),
            };
            match (old, value) {
                (None, None) => Vec::new(),
                (None, Some(value)) => {
                    let line = format!("{} = {}", Key::new(key), value.to_string().trim());
                    vec![places.insertion(table, &form, &line)]
                }
                (Some((key, item)), Some(value)) => match item.span().filter(|_| item.is_value()) {
                    Some(span) => vec![(span, value.to_string().trim().to_owned())],
                    None => return Err(places.error(key, item, "one value")),
                },
                (Some((key, item)), None) => places.removals(table, &form, key, item),
            }
        };
        self.apply(changes);
        Ok(())
    }

    /// Takes an entry or a table out, of the top or of another table.
    fn remove(&mut self, above: Option<&str>, name: &str) -> Result<(), LineError> {
        let changes = {
            let document = self.document()?;
            let places = Places { text: &self.text, root: document.as_table() };
            let table = above.map_or(Some(places.root as &dyn TableLike), |above| {
                places.root.get(above).and_then(Item::as_table_like)
            });
            match (table.and_then(|table| table.get_key_value(name)), above) {
                (None, _) => Vec::new(),
                (Some((key, item)), Some(above)) => match places.form(above)? {
                    Form::Inline(table) => {
                        places.removal_in_braces(table, key).into_iter().collect()
                    }
                    _ => places.lines_of(key, item),
                },
                (Some((key, item)), None) => places.lines_of(key, item),
            }
        };
        self.apply(changes);
        Ok(())
    }

    /// Puts changes in, which do not overlap.
    fn apply(&mut self, mut changes: Vec<Change>) {
        changes.sort_by_key(|(range, _)| range.start);
        for (range, new) in changes.into_iter().rev() {
            self.text.replace_range(range, &new);
        }
    }
}

#[cfg(test)]
mod tests;
