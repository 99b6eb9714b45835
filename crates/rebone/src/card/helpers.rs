//! Helper joints in a card: which joint of the body each goes along with.

use super::parse::{Lines, keys, table, wrong};
use super::{Card, CardError, CardFault};
use crate::body::{Role, Roles};
use rebone_skeleton::selector::{resolve, shown};
use rebone_skeleton::{JointId, Skeleton};
use std::collections::BTreeSet;
use toml_edit::{Item, Key};

/// A joint that goes along with another one, as if it hung on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HelperEntry {
    /// Selector of the joint.
    pub joint: String,
    /// What it goes along with: a role, or the selector of a joint.
    pub after: String,
    /// The line of the card, counted from 1; 0 for a card that was not read.
    pub line: usize,
}

/// Reads the section `follow`.
pub(crate) fn helper_entries(
    lines: &Lines,
    key: &Key,
    item: &Item,
) -> Result<Vec<HelperEntry>, CardError> {
    let joints = keys(table(lines, key, item)?).into_iter();
    let helper_entries = joints.map(|(joint, item)| {
        let after = item
            .as_str()
            .ok_or_else(|| lines.error(joint, item, wrong(item, "a role or a joint, in quotes")))?;
        let (joint, after, line) =
            (joint.get().to_owned(), after.to_owned(), lines.at(joint.span()));
        Ok(HelperEntry { joint, after, line })
    });
    helper_entries.collect()
}

impl Card {
    /// Helper joints, each with the joint that it goes along with.
    ///
    /// # Errors
    /// The first line that names a joint which is not there or is named already, a role that no joint plays, a
    /// joint that is or carries a part of the body, or one that would go along with itself.
    pub fn resolve_helpers(
        &self,
        skeleton: &Skeleton,
        roles: &Roles,
    ) -> Result<Vec<[JointId; 2]>, CardError> {
        let mut taken = BTreeSet::new();
        let mut helpers = Vec::new();
        for entry in &self.helpers {
            let at = |fault: CardFault| CardError { line: entry.line, fault };
            let no = |why| at(CardFault::Helper { joint: shown(&entry.joint), why });
            let joint = resolve(skeleton, &entry.joint).map_err(|error| at(error.into()))?;
            let after = match Role::from_name(&entry.after) {
                Some(role) => {
                    roles.joints(role).last().ok_or_else(|| no("no joint plays that role"))?
                }
                None => resolve(skeleton, &entry.after).map_err(|error| at(error.into()))?,
            };
            let below = || skeleton.ids().filter(|&id| skeleton.is_ancestor(joint, id));
            if below().any(|id| roles.of(id).is_some()) {
                return Err(no("it is or carries a part of the body"));
            }
            if below().any(|id| id == after) {
                return Err(no("that joint is itself, or hangs on it"));
            }
            if !taken.insert(joint) {
                return Err(no("it goes along with something already, in another line"));
            }
            helpers.push([joint, after]);
        }
        let is_moved = |after| skeleton.path_to_root(after).any(|id| taken.contains(&id));
        match helpers.iter().position(|[_, after]| is_moved(*after)) {
            Some(at) => {
                let HelperEntry { joint, line, .. } = &self.helpers[at];
                let why = "that joint goes along with another one itself: name that one";
                let fault = CardFault::Helper { joint: shown(joint), why };
                Err(CardError { line: *line, fault })
            }
            None => Ok(helpers),
        }
    }
}
