//! Translations that joints take over from a source: of bones that change length with rotation copy, and of props.

use crate::align::plan::Plan;
use crate::align::rules::rule::Rule;
use nalgebra::Vector3;
use rebone_skeleton::{Axis, JointId, WorldPose};

/// Smallest change of a bone's length that counts.
const MIN_STRETCH_METRES: f64 = 1e-9;

impl Plan {
    /// Returns the source joint whose change of translation a target joint takes over, and its parent: with rotation copy
    /// each, else only of joints without a role (props). None at or above the top of the trunk, only if the target has
    /// position channels. Of several joints that follow one, only the first takes it over.
    pub fn stretched(&self, joint: JointId) -> Option<[JointId; 2]> {
        let source = match *self.rules.get(joint.index())? {
            Rule::CopyRotation { source, .. } => source,
            Rule::RelativeToRole { source: [source, _], .. }
                if self.target.roles.of(joint).is_none() =>
            {
                source
            }
            _ => return None,
        };
        let skeleton = &self.source.skeleton;
        let top = self.source.body.trunk[self.source.body.trunk_top()];
        let can_move = |own: &[Axis]| own.len() == 3;
        let follows = |above: JointId| matches!(self.rules[above.index()], Rule::CopyRotation { source: other, .. } if other == source);
        let moves = can_move(&self.target.skeleton[joint].translation_axes)
            && !skeleton[source].translation_axes.is_empty()
            && joint != self.translation_joint
            && !self.target.skeleton.path_to_root(joint).skip(1).any(follows)
            && !skeleton.is_ancestor(source, top);
        skeleton[source].parent.filter(|_| moves).map(|parent| [source, parent])
    }

    /// Returns whether a target joint is a prop whose translation follows the source's.
    pub(crate) fn is_prop(&self, joint: JointId) -> bool {
        matches!(self.rules[joint.index()], Rule::RelativeToRole { .. })
            && self.stretched(joint).is_some()
    }

    /// Returns the mean vector from a source joint's parent to it in the clip, in the parent's axes, metres of a 1.7 m
    /// body.
    pub(crate) fn source_bone(&self, [joint, parent]: [JointId; 2]) -> Vector3<f64> {
        let across = self.source.place(joint) - self.source.place(parent);
        self.source.t_pose.rotations[parent.index()].inverse() * across
    }

    /// Returns the displacement of a source joint from the end of its bone, in the inner world, scaled to the target.
    pub(crate) fn stretch(&self, seen: &WorldPose, pair: [JointId; 2]) -> Option<Vector3<f64>> {
        Some(self.displacement(seen, pair)? * self.path_scale)
    }

    /// Returns the displacement of a source joint from the end of its bone, in the inner world, metres of a 1.7 m body.
    pub(crate) fn displacement(
        &self,
        seen: &WorldPose,
        pair: [JointId; 2],
    ) -> Option<Vector3<f64>> {
        let [joint, parent] = pair.map(JointId::index);
        let bone = seen.rotations[parent] * self.source_bone(pair);
        let off = seen.positions[joint] - seen.positions[parent] - bone;
        (off.norm() > MIN_STRETCH_METRES).then_some(off)
    }
}
