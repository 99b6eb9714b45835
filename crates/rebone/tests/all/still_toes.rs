//! Toes that only carry an axis: no tip, one rotation over the whole clip.

use crate::motions::retarget_motions;
use nalgebra::{UnitQuaternion, Vector3};
use rebone::skeleton::{Clip, EndSite, Motion, Skeleton};
use rebone::{Hints, Options, analyse};
use rebone_samples as samples;

/// The walk with toes without tips, which are turned by 90 degrees in all frames, or turn by `swing` radians.
fn turned_toes(swing: f64) -> Motion {
    let walk = samples::walk().motion;
    let toes = ["LeftToeBase", "RightToeBase"].map(|name| walk.skeleton.find(name.into()).unwrap());
    let sites = walk.skeleton.end_sites().iter().filter(|site| !toes.contains(&site.parent));
    let sites: Vec<EndSite> = sites.cloned().collect();
    let skeleton = Skeleton::new(walk.skeleton.joints().to_vec(), sites).unwrap();
    let poses = walk.clip.poses().enumerate().map(|(frame, mut pose)| {
        let angle = std::f64::consts::FRAC_PI_2 + swing * (frame % 40) as f64 / 40.0;
        for joint in toes {
            pose.rotations[joint.index()] =
                UnitQuaternion::from_axis_angle(&Vector3::x_axis(), angle);
        }
        pose
    });
    let clip = Clip::from_poses(&skeleton, walk.clip.frame_time, poses).unwrap();
    Motion { skeleton, clip }
}

/// Largest bend of the toes of a result, degrees from the foot.
fn bend(source: &Motion) -> f64 {
    let rig = samples::rigs().into_iter().find(|rig| rig.name == "ground-root").unwrap().motion;
    let result = retarget_motions(source, &rig, &Options::default()).unwrap();
    let anatomy = analyse(&rig, &Hints::default()).unwrap();
    let leg = &anatomy.body.legs[0];
    let toes = leg.toes.unwrap();
    let bends = result.clip.poses().map(|pose| {
        let rest = anatomy.t_pose_locals()[toes.index()];
        pose.rotations[toes.index()].angle_to(&rest).to_degrees()
    });
    bends.fold(0.0, f64::max)
}

#[test]
fn one_rotation_of_toes_is_their_axis() {
    let bent = bend(&turned_toes(0.0));
    assert!(bent < 61.0, "{bent}");
    let still = bend(&samples::walk().motion);
    assert!(still < 61.0, "{still}");
    let moving = bend(&turned_toes(0.5));
    assert!(moving > 61.0, "toes that bend are not straightened: {moving}");
}
