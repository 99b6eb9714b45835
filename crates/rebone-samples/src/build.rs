//! Skeletons from the places of their joints in the world.

use super::Sample;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::{Axis, Clip, EndSite, Joint, JointId, Motion, Skeleton};

/// Rotation channels in the order of the letters.
pub(super) mod order {
    use rebone_skeleton::Axis::{self, X, Y, Z};
    pub(crate) const XYZ: [Axis; 3] = [X, Y, Z];
    pub(crate) const XZY: [Axis; 3] = [X, Z, Y];
    pub(crate) const YXZ: [Axis; 3] = [Y, X, Z];
    pub(crate) const YZX: [Axis; 3] = [Y, Z, X];
    pub(crate) const ZXY: [Axis; 3] = [Z, X, Y];
    pub(crate) const ZYX: [Axis; 3] = [Z, Y, X];
}

/// A skeleton in the making: joints at places in the world (cm, Y up, facing +Z), none turned.
#[derive(Clone, Debug)]
pub(super) struct Build {
    order: [Axis; 3],
    joints: Vec<Joint>,
    places: Vec<Vector3<f64>>,
    ends: Vec<EndSite>,
}

impl Build {
    /// An empty skeleton whose joints get rotation channels of this order.
    pub(super) fn new(order: [Axis; 3]) -> Self {
        Self { order, joints: Vec::new(), places: Vec::new(), ends: Vec::new() }
    }

    /// Adds the root, with three channels of translation, at `place`.
    pub(super) fn root(&mut self, name: &str, place: Vector3<f64>) -> JointId {
        let id = self.push(name, None, place, place);
        self.moves(id);
        id
    }

    /// Adds a joint below `parent` at `place`.
    pub(super) fn joint(&mut self, name: &str, parent: JointId, place: Vector3<f64>) -> JointId {
        let offset = place - self.places[parent.index()];
        self.push(name, Some(parent), place, offset)
    }

    /// Adds joints below `parent`, each below the one before; gives back the last.
    pub(super) fn chain<N: AsRef<str>>(
        &mut self,
        parent: JointId,
        joints: impl IntoIterator<Item = (N, Vector3<f64>)>,
    ) -> JointId {
        joints
            .into_iter()
            .fold(parent, |parent, (name, place)| self.joint(name.as_ref(), parent, place))
    }

    /// Adds an end site below `parent` at `place`.
    pub(super) fn end(&mut self, parent: JointId, place: Vector3<f64>) {
        self.ends.push(EndSite { parent, offset: place - self.places[parent.index()] });
    }

    /// Gives a joint three channels of translation.
    pub(super) fn moves(&mut self, joint: JointId) {
        self.joints[joint.index()].translation_axes = Axis::ALL.to_vec();
    }

    /// Gives a joint other rotation channels.
    pub(super) fn turns(&mut self, joint: JointId, axes: &[Axis]) {
        self.joints[joint.index()].rotation_axes = axes.to_vec();
    }

    /// Gives each joint another name, from its number.
    pub(super) fn rename(&mut self, name: impl Fn(usize) -> String) {
        for (index, joint) in self.joints.iter_mut().enumerate() {
            joint.name = name(index).into();
        }
    }

    /// The skeleton, with `file_from_world` applied to all offsets.
    pub(super) fn skeleton(
        mut self,
        file_from_world: impl Fn(Vector3<f64>) -> Vector3<f64>,
    ) -> Skeleton {
        for joint in &mut self.joints {
            joint.rest_translation = rounded(file_from_world(joint.rest_translation));
        }
        for end in &mut self.ends {
            end.offset = rounded(file_from_world(end.offset));
        }
        Skeleton::new(self.joints, self.ends).expect("parents are added before their children")
    }

    fn push(
        &mut self,
        name: &str,
        parent: Option<JointId>,
        place: Vector3<f64>,
        offset: Vector3<f64>,
    ) -> JointId {
        self.joints.push(Joint {
            name: name.into(),
            parent,
            rest_translation: offset,
            rest_rotation: UnitQuaternion::identity(),
            translation_axes: Vec::new(),
            rotation_axes: self.order.to_vec(),
        });
        self.places.push(place);
        JointId(self.joints.len() - 1)
    }
}

/// To five decimals, and no negative zero: offsets are the same in memory and in a file.
fn rounded(v: Vector3<f64>) -> Vector3<f64> {
    v.map(|x| (x * 1e5).round() / 1e5 + 0.0)
}

/// A sample with the rest pose as its one frame.
pub(super) fn rig(name: &'static str, about: &'static str, skeleton: Skeleton) -> Sample {
    let clip = Clip::from_poses(&skeleton, 1.0 / 30.0, [skeleton.rest_pose()]);
    let clip = clip.expect("the rest pose is of the skeleton");
    let motion = Motion { skeleton, clip };
    Sample { name, about, motion, foot_plants: Vec::new(), contacts: Vec::new() }
}
