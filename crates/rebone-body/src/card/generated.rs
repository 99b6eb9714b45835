//! Puts the two parts of a card together: entries of the user, and `[generated]` where the user states nothing.

use super::Card;
use crate::body::Correction;

/// The two parts of a card.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    /// Entries outside `[generated]`.
    pub(super) user: Card,
    /// Entries in `[generated]`, each with its comment in [`Card::generated`].
    pub(super) generated: Card,
}

impl Parts {
    /// Returns the card that counts. An entry of the user goes before the generated one. `pose_from` of the user
    /// replaces a generated calibration that has a pose of its own; turns of the user replace those of the same joints.
    pub(super) fn merged(self) -> Card {
        let Self { mut user, mut generated } = self;
        generated.yield_to(&user);
        user.up = user.up.or(generated.up);
        user.facing = user.facing.or(generated.facing);
        let is_stated = [user.sole_height.is_some(), user.trunk_radii.is_some()];
        for (index, _) in is_stated.into_iter().enumerate().filter(|(_, is)| !is) {
            user.length_lines[index] = generated.length_lines[index];
        }
        user.sole_height = user.sole_height.or(generated.sole_height);
        user.trunk_radii = user.trunk_radii.or(generated.trunk_radii);
        user.confidence = user.confidence.or(generated.confidence);
        user.correct_bind |= generated.correct_bind;
        if user.pose_from.is_none() {
            user.pose_from = generated.pose_from;
            user.pose_from_line = generated.pose_from_line;
        }
        user.roles.extend(generated.roles);
        user.pose.extend(generated.pose);
        user.axes.extend(generated.axes);
        user.generated = generated.generated;
        user
    }
}

impl Card {
    /// Whether an entry is generated. `section` is empty for keys such as `up`.
    pub(crate) fn is_generated(&self, section: &str, key: &str) -> bool {
        self.generated.contains_key(&entry_key(section, key))
    }

    /// Returns whether a generated entry is a correction that a person asked for.
    pub(super) fn is_corrected(&self, section: &str, key: &str) -> bool {
        let comment = self.generated.get(&entry_key(section, key));
        comment.is_some_and(|comment| Correction::is_remark(comment))
    }

    /// Leaves only generated entries that are corrections.
    pub(super) fn keep_corrections(&mut self) {
        let axes = self.axes.iter().filter(|entry| self.is_corrected("axes", &entry.joint));
        let is_corrected = |(_, comment): &(&String, &String)| Correction::is_remark(comment);
        let comments = self.generated.iter().filter(is_corrected);
        *self = Self {
            sole_height: self.sole_height.filter(|_| self.is_corrected("", "sole_height")),
            axes: axes.cloned().collect(),
            generated: comments.map(|(key, comment)| (key.clone(), comment.clone())).collect(),
            ..Self::default()
        };
    }

    /// Takes away what entries of the user replace.
    pub(super) fn yield_to(&mut self, user: &Card) {
        let mut gone = Vec::new();
        let has_pose = self.pose_from.is_some() || !self.pose.is_empty();
        if user.pose_from.is_some() && has_pose {
            self.drop_calibration();
        }
        if !user.pose.is_empty() && has_pose {
            self.pose_from = None;
            self.confidence = None;
            gone.extend(["pose_from".to_owned(), "confidence".to_owned()]);
        }
        if user.up.is_some_and(|up| self.facing.is_some_and(|facing| facing.axis == up.axis)) {
            self.facing = None;
            gone.push("facing".to_owned());
        }
        if user.facing.is_some_and(|facing| self.up.is_some_and(|up| up.axis == facing.axis)) {
            self.up = None;
            gone.push("up".to_owned());
        }
        let stated = [
            ("up", user.up.is_some()),
            ("facing", user.facing.is_some()),
            ("sole_height", user.sole_height.is_some()),
            ("trunk_radii", user.trunk_radii.is_some()),
            ("confidence", user.confidence.is_some()),
            ("correct_bind", user.correct_bind),
        ];
        gone.extend(stated.iter().filter(|(_, is)| *is).map(|(key, _)| (*key).to_owned()));
        self.roles.retain(|entry| {
            let is_free = user.roles.iter().all(|other| other.role != entry.role);
            gone.extend((!is_free).then(|| entry_key("roles", &entry.role.name())));
            is_free
        });
        for (section, own, other) in
            [("pose", &mut self.pose, &user.pose), ("axes", &mut self.axes, &user.axes)]
        {
            own.retain(|entry| {
                let is_free = other.iter().all(|other| other.joint != entry.joint);
                gone.extend((!is_free).then(|| entry_key(section, &entry.joint)));
                is_free
            });
        }
        gone.iter().for_each(|key| drop(self.generated.remove(key)));
    }

    /// Takes away the calibration: pose, axes, and the keys that belong to them.
    pub(super) fn drop_calibration(&mut self) {
        if self.is_corrected("", "sole_height") {
            self.sole_height = None;
            self.generated.remove("sole_height");
        }
        self.pose_from = None;
        self.correct_bind = false;
        self.confidence = None;
        self.pose.clear();
        self.axes.clear();
        self.generated.retain(|key, _| {
            !matches!(key.as_str(), "" | "pose_from" | "correct_bind" | "confidence")
                && !key.starts_with("pose.")
                && !key.starts_with("axes.")
        });
    }
}

/// The key of an entry in [`Card::generated`].
pub(crate) fn entry_key(section: &str, key: &str) -> String {
    if section.is_empty() { key.to_owned() } else { format!("{section}.{key}") }
}
