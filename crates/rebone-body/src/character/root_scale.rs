//! Positions of a root in another unit than the bones.

use super::Character;
use crate::calibrate::{position_joints, root_unit};
use crate::card::RootScale;
use rebone_skeleton::Clip;
use rebone_skeleton::file::{Warning, WarningPlace};

impl Character {
    /// The character with the positions of its root in the unit that its card states.
    pub(super) fn with_scaled_root(mut self) -> Self {
        let factor = match self.hints.card().root_scale {
            None => 1.0,
            Some(RootScale::Factor(factor)) => factor,
            // A skeleton that is no body is refused where it is used.
            Some(RootScale::Auto) => self
                .analyse()
                .map_or(1.0, |anatomy| self.root_factor * root_unit(&anatomy, self.clip()).factor),
        };
        if factor != self.root_factor {
            let mut clip = self.clip().clone();
            scale(
                &mut clip,
                &position_joints(self.skeleton(), self.clip()),
                factor / self.root_factor,
            );
            self.set_clip(clip);
            self.root_factor = factor;
            let message = format!("positions of the root are scaled by {factor}");
            self.warnings.push(Warning { place: WarningPlace::File, message });
        }
        self
    }
}

fn scale(clip: &mut Clip, joints: &[rebone_skeleton::JointId], factor: f64) {
    let edited = clip.edit(|_, pose| {
        joints.iter().for_each(|joint| pose.translations[joint.index()] *= factor);
    });
    edited.expect("scaled translations are those of the same skeleton");
}
