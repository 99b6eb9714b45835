//! Adds a joint above all others: the root bone that a skeleton lacks.

use crate::{Axis, EndSite, Joint, JointId, Pose, Skeleton};
use bstr::{BStr, BString, ByteSlice};
use nalgebra::{Isometry3, Translation3};

impl JointId {
    /// The joint in a skeleton that was given a root.
    #[must_use]
    pub fn below_root(self) -> Self {
        Self(self.index().saturating_add(1))
    }
}

impl Skeleton {
    /// The world transform of the root at rest.
    pub fn rest_transform(&self) -> Isometry3<f64> {
        let root = &self[JointId(0)];
        Isometry3::from_parts(Translation3::from(root.rest_translation), root.rest_rotation)
    }

    /// The skeleton below one more joint, its new root, which has all channels. At rest, all joints stay where they
    /// are in the world.
    ///
    /// The root is called `name`, with a number behind it where a joint has that name.
    ///
    /// ```
    /// use rebone_skeleton::bvh;
    /// use nalgebra::Isometry3;
    /// let text = "HIERARCHY ROOT Hips { OFFSET 0 1 0 CHANNELS 3 Xrotation Yrotation Zrotation
    ///     End Site { OFFSET 0 1 0 } }\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 90\n";
    /// let skeleton = bvh::parse(text.as_bytes())?.motion.skeleton;
    /// let rooted = skeleton.with_root("root", &Isometry3::identity());
    /// assert_eq!((rooted.len(), &rooted.joints()[1].name), (2, &skeleton.joints()[0].name));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_root(&self, name: &str, rest: &Isometry3<f64>) -> Self {
        let root = Joint {
            name: unused_name(name, self.joints().iter().map(|joint| joint.name.as_bstr())),
            parent: None,
            rest_translation: rest.translation.vector,
            rest_rotation: rest.rotation,
            translation_axes: Axis::ALL.to_vec(),
            rotation_axes: vec![Axis::Z, Axis::X, Axis::Y],
        };
        let pose = self.rest_pose().with_root(rest);
        let below = self.joints().iter().enumerate().map(|(index, joint)| Joint {
            parent: Some(joint.parent.map_or(JointId(0), JointId::below_root)),
            rest_translation: pose.translations[index + 1],
            rest_rotation: pose.rotations[index + 1],
            ..joint.clone()
        });
        let sites = self.end_sites().iter();
        let sites = sites.map(|site| EndSite { parent: site.parent.below_root(), ..site.clone() });
        Self::new([root].into_iter().chain(below).collect(), sites.collect())
            .expect("a tree is still one below one more joint")
    }
}

impl Pose {
    /// The pose of a skeleton that was given a root with this transform: nothing moves in the world.
    #[must_use]
    pub fn with_root(&self, root: &Isometry3<f64>) -> Self {
        let mut pose = Self {
            translations: [&[root.translation.vector], &self.translations[..]].concat(),
            rotations: [&[root.rotation], &self.rotations[..]].concat(),
        };
        if *root != Isometry3::identity()
            && let (Some(place), Some(turn)) =
                (pose.translations.get_mut(1), pose.rotations.get_mut(1))
        {
            let top = root.inverse() * Isometry3::from_parts(Translation3::from(*place), *turn);
            (*place, *turn) = (top.translation.vector, top.rotation);
        }
        pose
    }
}

/// Returns a name that is none of `used`: `name`, or with a number behind it.
pub(crate) fn unused_name<'a>(name: &str, used: impl Iterator<Item = &'a BStr> + Clone) -> BString {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut names = [name.to_owned()].into_iter().chain(numbered);
    let free = names.find(|name| used.clone().all(|own| own != name.as_str()));
    free.unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forward_kinematics;
    use nalgebra::{UnitQuaternion, Vector3};

    fn joint(name: &str, parent: Option<usize>, turn: f64) -> Joint {
        Joint {
            name: name.into(),
            parent: parent.map(JointId),
            rest_translation: Vector3::new(0.0, 1.0, 0.5),
            rest_rotation: UnitQuaternion::from_euler_angles(turn, 0.2, 0.0),
            translation_axes: Vec::new(),
            rotation_axes: Vec::new(),
        }
    }

    #[test]
    fn a_root_moves_nothing_and_takes_a_free_name() {
        let joints = vec![joint("root", None, 0.3), joint("root_2", Some(0), -0.4)];
        let sites = vec![EndSite { parent: JointId(1), offset: Vector3::x() }];
        let skeleton = Skeleton::new(joints, sites).unwrap();
        let turn = UnitQuaternion::from_euler_angles(-1.5, 0.1, 0.0);
        let rest = Isometry3::from_parts(Translation3::new(1.0, 0.0, -2.0), turn);
        let rooted = skeleton.with_root("root", &rest);
        assert_eq!(rooted.joints()[0].name, "root_3");
        assert_eq!(rooted.end_sites()[0].parent, JointId(2));
        let before = forward_kinematics(&skeleton, &skeleton.rest_pose()).unwrap();
        let after = forward_kinematics(&rooted, &rooted.rest_pose()).unwrap();
        assert_eq!(after.positions[0], rest.translation.vector);
        for index in 0..skeleton.len() {
            assert!((before.positions[index] - after.positions[index + 1]).norm() < 1e-12);
            assert!(before.rotations[index].angle_to(&after.rotations[index + 1]) < 1e-7);
        }
    }
}
