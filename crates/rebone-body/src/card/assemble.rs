//! Makes a card of an analysed skeleton.

use super::Card;
use super::generated::entry_key;
use crate::body::{Anatomy, JointEntry, Roles};
use crate::error::LineError;
use crate::roles::known_helpers;
use rebone_skeleton::selector::select;
use rebone_skeleton::{JointId, Skeleton};

/// Comment after `correct_bind` in a card of the T pose.
const T_POSE: &str = "the T pose: bind poses are corrected to it";

impl Card {
    /// Makes a card of an analysed skeleton, with examples of limits. `stated` is the card that it was analysed by:
    /// entries of the user stay the user's, everything else is generated.
    ///
    /// ```
    /// use rebone_body::card::Card;
    /// use rebone_body::{Hints, analyse};
    ///
    /// let motion = rebone_samples::walk().motion;
    /// let anatomy = analyse(&motion, &Hints::default())?;
    /// let text = Card::from_anatomy(&anatomy, &Card::default())?.to_toml();
    /// assert!(text.contains("[generated.roles]\nhips = \"Hips\""));
    ///
    /// // The card holds for every clip of the skeleton.
    /// let card = Some(Card::parse(&text)?);
    /// let again = analyse(&motion, &Hints { card, ..Hints::default() })?;
    /// assert_eq!(again.facing.is_some(), anatomy.facing.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first line of `stated` that names a joint which is not there.
    pub fn from_anatomy(anatomy: &Anatomy, stated: &Card) -> Result<Self, LineError> {
        let mut card = Card::of(&anatomy.skeleton, &common_roles(anatomy));
        card.limit_examples = crate::limits::default_limits(anatomy);
        card.take_calibration(anatomy);
        card.order_entries(anatomy);
        card.take_stated(&anatomy.skeleton, stated)?;
        card.take_known_helpers(anatomy);
        Ok(card)
    }

    /// Adds a line for each helper that names and places tell and no line names.
    fn take_known_helpers(&mut self, anatomy: &Anatomy) {
        let known = known_helpers(anatomy).into_iter().filter(|[joint, _]| {
            anatomy.is_in_card(*joint) && anatomy.helpers.iter().all(|own| own[0] != *joint)
        });
        for [joint, after] in known {
            let Some(role) = anatomy.roles.of(after) else { continue };
            let joint = select(&anatomy.skeleton, joint);
            self.helpers.push(JointEntry { joint, value: role.name(), line: 0 });
        }
    }

    /// Makes a card whose pose is the T pose, whatever `stated` says of the pose.
    ///
    /// # Errors
    /// As [`Card::from_anatomy`].
    pub fn from_anatomy_in_t_pose(anatomy: &Anatomy, stated: &Card) -> Result<Self, LineError> {
        let calibration_rotations = anatomy.t_pose_locals();
        let stated = Card { pose_from: None, pose: Vec::new(), ..stated.clone() };
        let mut card =
            Self::from_anatomy(&Anatomy { calibration_rotations, ..anatomy.clone() }, &stated)?;
        card.correct_bind = true;
        card.generated.insert("correct_bind".to_owned(), T_POSE.to_owned());
        Ok(card)
    }

    /// Orders entries by joints' names where files of the rig list them in other orders.
    fn order_entries(&mut self, anatomy: &Anatomy) {
        if anatomy.common.as_ref().is_some_and(|common| !common.is_ordered) {
            self.limit_examples.sort_by(|a, b| a.joint.cmp(&b.joint));
            self.pose.sort_by(|a, b| a.joint.cmp(&b.joint));
            self.axes.sort_by(|a, b| a.joint.cmp(&b.joint));
        }
    }

    /// Takes over what a card states; what is generated there stays generated.
    fn take_stated(&mut self, skeleton: &Skeleton, stated: &Card) -> Result<(), LineError> {
        let is_stated = |section: &str, key: &str| !stated.is_generated(section, key);
        for (key, has) in [
            ("up", stated.up.is_some()),
            ("facing", stated.facing.is_some()),
            ("pose_from", stated.pose_from.is_some()),
            ("sole_height", stated.sole_height.is_some()),
            ("trunk_radii", stated.trunk_radii.is_some()),
            ("confidence", stated.confidence.is_some()),
        ] {
            if has && is_stated("", key) {
                self.generated.remove(key);
            }
        }
        self.up = stated.up.or(self.up);
        self.facing = stated.facing.or(self.facing);
        if !(self.is_corrected("", "sole_height") && stated.is_generated("", "sole_height")) {
            self.sole_height = stated.sole_height.or(self.sole_height);
        }
        self.trunk_radii = stated.trunk_radii.or(self.trunk_radii);
        self.confidence = stated.confidence.or(self.confidence);
        let axes = stated.axes.iter().filter(|entry| is_stated("axes", &entry.joint));
        self.keep_axes(skeleton, axes.cloned().collect())?;
        if !stated.pose.is_empty() {
            self.pose_from = None;
        }
        for entry in stated.pose.iter().filter(|entry| is_stated("pose", &entry.joint)) {
            self.generated.remove(&entry_key("pose", &entry.joint));
        }
        if let Some(pose) = &stated.pose_from {
            self.pose.clear();
            self.pose_from = Some(pose.clone());
        }
        for entry in stated.roles.iter().filter(|entry| is_stated("roles", &entry.role.name())) {
            self.roles.retain(|other| other.role != entry.role);
            self.roles.push(entry.clone());
            self.generated.remove(&entry_key("roles", &entry.role.name()));
        }
        self.correct_bind = stated.correct_bind;
        let bind = stated.generated.get_key_value("correct_bind");
        self.generated.extend(bind.map(|(key, comment)| (key.clone(), comment.clone())));
        (self.unit, self.root_scale) = (stated.unit, stated.root_scale);
        self.limits.clone_from(&stated.limits);
        self.helpers.clone_from(&stated.helpers);
        self.surface.clone_from(&stated.surface);
        Ok(())
    }
}

/// The roles of an anatomy, without those of joints that only some of the files have that it was learned from.
fn common_roles(anatomy: &Anatomy) -> Roles {
    let mut roles = anatomy.roles.clone();
    for (index, role) in roles.by_joint.iter_mut().enumerate() {
        if !anatomy.is_in_card(JointId(index)) {
            *role = None;
        } else if let Some(role) = role {
            role.runner_up = role.runner_up.filter(|&other| anatomy.is_in_card(other));
        }
    }
    roles
}
