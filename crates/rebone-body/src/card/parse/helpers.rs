//! Helper joints in a card: which joint of the body each goes along with.

use crate::body::{JointEntry, Role, Roles};
use crate::card::Card;
use crate::card::parse::syntax::{Lines, keys, table, wrong};
use crate::error::LineError;
use rebone_skeleton::selector::{resolve, shown};
use rebone_skeleton::{JointId, Skeleton};
use std::collections::BTreeSet;
use toml_edit::{Item, Key};

/// Reads the section `helpers`.
pub(crate) fn helper_entries(
    lines: &Lines,
    key: &Key,
    item: &Item,
) -> Result<Vec<JointEntry<String>>, LineError> {
    let joints = keys(table(lines, key, item)?).into_iter();
    let helper_entries = joints.map(|(joint, item)| {
        let after = item
            .as_str()
            .ok_or_else(|| lines.error(joint, item, wrong(item, "a role or a joint, in quotes")))?;
        let (joint, after, line) =
            (joint.get().to_owned(), after.to_owned(), lines.at(joint.span()));
        Ok(JointEntry { joint, value: after, line })
    });
    helper_entries.collect()
}

impl Card {
    /// Helper joints, each with the joint that it goes along with.
    ///
    /// # Errors
    /// The first line that names a joint which is not there or is named already, a role that no joint plays, a
    /// joint that is or carries a part of the body, or one that would go along with itself.
    pub(crate) fn resolve_helpers(
        &self,
        skeleton: &Skeleton,
        roles: &Roles,
    ) -> Result<Vec<[JointId; 2]>, LineError> {
        let mut taken = BTreeSet::new();
        let mut helpers = Vec::new();
        for entry in &self.helpers {
            let at = |message: String| LineError { line: entry.line, message };
            let no = |why| cannot_follow(entry, why);
            let joint = resolve(skeleton, &entry.joint).map_err(|error| at(error.to_string()))?;
            let after = match Role::from_name(&entry.value) {
                Some(role) => {
                    roles.joints(role).last().ok_or_else(|| no("no joint plays that role"))?
                }
                None => resolve(skeleton, &entry.value).map_err(|error| at(error.to_string()))?,
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
            Some(at) => Err(cannot_follow(
                &self.helpers[at],
                "that joint goes along with another one itself: name that one",
            )),
            None => Ok(helpers),
        }
    }
}

fn cannot_follow(entry: &JointEntry<String>, why: &str) -> LineError {
    let message = format!("joint {:?} cannot follow that: {why}", shown(&entry.joint));
    LineError { line: entry.line, message }
}
