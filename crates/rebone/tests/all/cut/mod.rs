//! Bodies from which joints are cut off.

use nalgebra::Vector3;
use rebone::skeleton::{Clip, EndSite, Joint, JointId, Motion, Pose, Skeleton};

/// The motion without the joints that are cut off, all below them too; `ends` are end sites that are added to joints that
/// stay.
pub(crate) fn cut(
    motion: &Motion,
    is_cut: impl Fn(JointId) -> bool,
    ends: &[(JointId, Vector3<f64>)],
) -> Motion {
    let skeleton = &motion.skeleton;
    let kept: Vec<JointId> = skeleton.ids().filter(|&id| !is_cut(id)).collect();
    let renumbered = |id: JointId| kept.iter().position(|&other| other == id).map(JointId);
    let joints = kept.iter().map(|&id| {
        let joint = skeleton[id].clone();
        Joint { parent: joint.parent.and_then(renumbered), ..joint }
    });
    let moved = |site: &EndSite| Some(EndSite { parent: renumbered(site.parent)?, ..site.clone() });
    let added = ends.iter().map(|&(joint, offset)| EndSite {
        parent: renumbered(joint).expect("the joint stays"),
        offset,
    });
    let sites = skeleton.end_sites().iter().filter_map(moved).chain(added).collect();
    let poses = motion.clip.poses().map(|pose| Pose {
        translations: kept.iter().map(|id| pose.translations[id.index()]).collect(),
        rotations: kept.iter().map(|id| pose.rotations[id.index()]).collect(),
    });
    let skeleton = Skeleton::new(joints.collect(), sites).expect("parents stay first");
    let clip = Clip::from_poses(&skeleton, motion.clip.frame_time, poses).unwrap();
    Motion { skeleton, clip }
}
