//! The same body as another program would have written it: other names, another order of siblings,
//! other Euler orders, turned local axes. Other data, the same places in the world. Real clips; the kit does the same to random
//! bodies.

use crate::promises::support::*;
use nalgebra::{UnitQuaternion, Vector3};
use rebone::Options;
use rebone::body::{Anatomy, CalibrationSource, Role};
use rebone::skeleton::{Axis, Clip, EndSite, Joint, JointId, Motion, Pose, Skeleton};

/// A motion and where its joints come from.
struct Edited {
    motion: Motion,
    /// For each joint of the original, the joint of the edited.
    place: Vec<JointId>,
    /// For each joint of the original, how the edited joint's axes are turned: `R' = R C`.
    turned: Vec<UnitQuaternion<f64>>,
}

impl Edited {
    fn of(motion: &Motion) -> Self {
        let count = motion.skeleton.len();
        Self {
            motion: motion.clone(),
            place: motion.skeleton.ids().collect(),
            turned: vec![UnitQuaternion::identity(); count],
        }
    }

    fn with_joints(mut self, joints: Vec<Joint>) -> Self {
        let sites = self.motion.skeleton.end_sites().to_vec();
        self.motion.skeleton = Skeleton::new(joints, sites).unwrap();
        self
    }

    /// Names that say the role in words of their own; where there is none they stay.
    fn renamed(self, anatomy: &Anatomy) -> Self {
        let mut joints = self.motion.skeleton.joints().to_vec();
        let mut seen: Vec<Role> = Vec::new();
        for (old, new) in self.place.iter().enumerate() {
            let role = anatomy.roles.of(JointId(old));
            let nth = seen.iter().filter(|&&other| Some(other) == role).count() + 1;
            seen.extend(role);
            if let Some(role) = role {
                joints[new.index()].name = format!("DEF-{}", name(role, nth)).into();
            }
        }
        self.with_joints(joints)
    }

    /// The last child first, everywhere.
    fn reversed(self) -> Self {
        let skeleton = &self.motion.skeleton;
        let mut order = Vec::new();
        let mut open = vec![JointId(0)];
        while let Some(joint) = open.pop() {
            order.push(joint);
            open.extend(skeleton.children(joint));
        }
        let mut new = vec![JointId(0); order.len()];
        order.iter().enumerate().for_each(|(place, old)| new[old.index()] = JointId(place));
        let moved = |old: &JointId| {
            let joint = skeleton[*old].clone();
            Joint { parent: joint.parent.map(|parent| new[parent.index()]), ..joint }
        };
        let site = |site: &EndSite| EndSite { parent: new[site.parent.index()], ..site.clone() };
        let joints = order.iter().map(moved).collect();
        let sites = skeleton.end_sites().iter().rev().map(site).collect();
        let frame = |pose: Pose| Pose {
            translations: order.iter().map(|old| pose.translations[old.index()]).collect(),
            rotations: order.iter().map(|old| pose.rotations[old.index()]).collect(),
        };
        let skeleton = Skeleton::new(joints, sites).unwrap();
        let poses = self.motion.clip.poses().map(frame);
        let clip = Clip::from_poses(&skeleton, self.motion.clip.frame_time, poses).unwrap();
        Self {
            place: self.place.iter().map(|place| new[place.index()]).collect(),
            turned: self.turned,
            motion: Motion { skeleton, clip },
        }
    }

    /// Other Euler orders, another one for each joint.
    fn reordered(self) -> Self {
        let mut joints = self.motion.skeleton.joints().to_vec();
        for (index, joint) in joints.iter_mut().enumerate() {
            if joint.rotation_axes.len() == 3 {
                joint.rotation_axes.rotate_left(index % 3);
                if index % 2 == 0 {
                    joint.rotation_axes.swap(0, 2);
                }
            }
        }
        self.with_joints(joints)
    }

    /// Turned axes in each joint, offsets and rotations accordingly: the world places stay. Without
    /// rotations the body is then in no pose that anybody knows.
    fn turned(mut self) -> Self {
        let skeleton = &self.motion.skeleton;
        let turn = |index: usize| {
            let k = index as f64;
            let axis = Vector3::new((1.3 * k).sin(), (2.1 * k).cos(), (0.7 * k + 1.0).sin());
            UnitQuaternion::from_scaled_axis(axis * 1.7)
        };
        let above = |joint: usize| {
            let parent = skeleton.joints()[joint].parent;
            parent.map_or(UnitQuaternion::identity(), |parent| turn(parent.index()).inverse())
        };
        let mut joints = skeleton.joints().to_vec();
        let mut sites = skeleton.end_sites().to_vec();
        for (index, joint) in joints.iter_mut().enumerate() {
            joint.rest_translation = above(index) * joint.rest_translation;
            if !joint.translation_axes.is_empty() {
                joint.translation_axes = Axis::ALL.to_vec();
            }
        }
        sites.iter_mut().for_each(|site| {
            site.offset = turn(site.parent.index()).inverse() * site.offset;
        });
        let poses = self.motion.clip.poses().map(|mut pose| {
            for index in 0..joints.len() {
                pose.translations[index] = above(index) * pose.translations[index];
                pose.rotations[index] = above(index) * pose.rotations[index] * turn(index);
            }
            pose
        });
        let skeleton = Skeleton::new(joints.clone(), sites).unwrap();
        let clip = Clip::from_poses(&skeleton, self.motion.clip.frame_time, poses).unwrap();
        for (turned, place) in self.turned.iter_mut().zip(&self.place) {
            *turned *= turn(place.index());
        }
        self.motion = Motion { skeleton, clip };
        self
    }

    /// A pose of the original's joints, given one of the edited.
    fn back(&self, pose: &Pose, original: &Skeleton) -> Pose {
        let mut back = original.rest_pose();
        for id in original.ids() {
            let above = original[id].parent;
            let above =
                above.map_or(UnitQuaternion::identity(), |above| self.turned[above.index()]);
            let place = self.place[id.index()].index();
            back.translations[id.index()] = above * pose.translations[place];
            back.rotations[id.index()] =
                above * pose.rotations[place] * self.turned[id.index()].inverse();
        }
        back
    }
}

/// Names after those of Rigify.
fn name(role: Role, nth: usize) -> String {
    use rebone::body::Side;
    let (word, side) = match role {
        Role::Hips => return "hips".into(),
        Role::Spine => return format!("spine.{nth:03}"),
        Role::Neck => return format!("neck.{nth:03}"),
        Role::Head => return "head".into(),
        Role::Jaw => return "jaw".into(),
        Role::Eye(side) => ("eye".to_string(), side),
        Role::Shoulder(side) => ("shoulder".into(), side),
        Role::UpperArm(side) => ("upper_arm".into(), side),
        Role::UpperArmTwist(side) => (format!("upper_arm_twist.{nth:03}"), side),
        Role::LowerArm(side) => ("forearm".into(), side),
        Role::LowerArmTwist(side) => (format!("forearm_twist.{nth:03}"), side),
        Role::Hand(side) => ("hand".into(), side),
        Role::Finger(side, finger) => {
            let names = ["thumb", "f_index", "f_middle", "f_ring", "f_pinky"];
            (format!("{}.{nth:02}", names[finger as usize]), side)
        }
        Role::HipBone(side) => ("pelvis".into(), side),
        Role::UpperLeg(side) => ("thigh".into(), side),
        Role::UpperLegTwist(side) => (format!("thigh_twist.{nth:03}"), side),
        Role::LowerLeg(side) => ("shin".into(), side),
        Role::LowerLegTwist(side) => (format!("shin_twist.{nth:03}"), side),
        Role::Foot(side) => ("foot".into(), side),
        Role::Toes(side) => ("toe".into(), side),
    };
    format!("{word}.{}", if side == Side::Left { "L" } else { "R" })
}

/// The clip's skeleton as a rig: its rest pose as the one frame where that is what it was understood
/// from, else the clip.
fn rig(clip: &Motion, anatomy: &Anatomy) -> Motion {
    let mut rig = clip.clone();
    if anatomy.calibration == CalibrationSource::RestPose {
        let rest = [clip.skeleton.rest_pose()];
        rig.clip = Clip::from_poses(&clip.skeleton, clip.clip.frame_time, rest).unwrap();
    }
    rig
}

/// The largest difference of a joint with a role, over some frames.
fn worst(clip: &Named, frames: usize, edit: impl Fn(Edited, &Anatomy) -> Edited) -> (Off, String) {
    let source = anatomy(&clip.motion);
    let edited = edit(Edited::of(&rig(&clip.motion, &source)), &source);
    let target = anatomy(&edited.motion);
    for id in source.skeleton.ids() {
        let (was, is) = (source.roles.of(id), target.roles.of(edited.place[id.index()]));
        assert_eq!(was, is, "{}: {}", clip.name, source.skeleton[id].name);
    }
    let mut retargeter = retargeter(&source, &target, &Options::default());
    let mut worst = (Off::default(), String::new());
    for pose in thinned(&clip.motion.clip, frames) {
        let result = edited.back(&pose_of(&mut retargeter, &pose), &source.skeleton);
        let offs = offs(&source.skeleton, source.stature, &pose, &result);
        for (id, off) in source.skeleton.ids().zip(offs) {
            let off = Off { local: 0.0, ..off };
            if source.roles.of(id).is_some() && off.worst() > worst.0.worst() {
                worst = (off, source.skeleton[id].name.to_string());
            }
        }
    }
    worst
}

type Edit = (&'static str, fn(Edited, &Anatomy) -> Edited);

const EDITS: [Edit; 5] = [
    ("renamed", |edited, anatomy| edited.renamed(anatomy)),
    ("reversed", |edited, _| edited.reversed()),
    ("reordered", |edited, _| edited.reordered()),
    ("turned", |edited, _| edited.turned()),
    ("all", |edited, anatomy| edited.renamed(anatomy).reversed().reordered().turned()),
];

/// Files that move bones out of their OFFSET cannot be met; see `itself`.
#[test]
fn corpus_stands_still_on_edited_skeletons() {
    for path in corpus() {
        let clip = read(&path);
        let displaced = displaced(&clip.motion, &anatomy(&clip.motion));
        for (name, edit) in EDITS {
            let (off, joint) = worst(&clip, 20, edit);
            let bound = 1e-9 + 1000.0 * displaced;
            assert!(off.worst() < bound, "{} {name}: {joint} {off:?}, {displaced:e}", clip.name);
        }
    }
}
