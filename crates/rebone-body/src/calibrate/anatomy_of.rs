//! Builds an anatomy: joints whose roles are known, calibrated, in a T pose.

use super::calibration::spread;
use super::feet::sole_height::sole_height;
use super::fusion::angle_fusion::within_ten_degrees;
use super::known::Known;
use super::search::calibrate;
use super::trunk_radii::trunk_radii;
use crate::body::surface::{SharedSurface, StatedSurfaces};
use crate::body::{
    Anatomy, Body, CalibrationSource, Roles, SoleSource, TRUNK_RADII_METRES, inherit, skin_soles,
    t_pose_frames, turn_and_scale,
};
use crate::error::AnalysisError;
use crate::roles::Proportions;
use nalgebra::{UnitQuaternion, Vector3};
use rebone_skeleton::rotation::shortest_arc;
use rebone_skeleton::{Clip, JointId, Skeleton, WorldPose};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The least stature, in the file's unit: lengths that count as none, 1e-12, get a millionth of
/// it.
const MIN_STATURE: f64 = 1e-6;

/// Largest number of frames in which the floor is looked for.
const MAX_FLOOR_FRAMES: usize = 400;

/// Works out an anatomy for joints whose roles are known.
///
/// # Errors
/// When the roles make no body.
pub(crate) fn anatomy_of(
    skeleton: &Skeleton,
    roles: Roles,
    clip: &Clip,
    known: &Known,
) -> Result<Anatomy, AnalysisError> {
    let body = Body::new(skeleton, &roles)?;
    let calibration = calibrate(skeleton, &body, clip, known);
    let upright_from_file = shortest_arc(&calibration.up, &Vector3::y_axis());
    let mut anatomy = Anatomy {
        skeleton: skeleton.clone(),
        roles,
        upright_from_file,
        up_question: calibration.up_question,
        facing: calibration.facing,
        stature: 1.0,
        t_pose: WorldPose::zeros(skeleton),
        joint_from_anatomical: calibration.frames,
        calibration: calibration.source,
        soles: calibration.soles,
        skin: Arc::clone(&known.skin),
        skin_lost: Vec::new(),
        stated_surfaces: StatedSurfaces::default(),
        surface: SharedSurface::default(),
        skin_soles: None,
        sole_height: None,
        trunk_radii: TRUNK_RADII_METRES,
        sole_height_frame: None,
        stated_hands: [false; 2],
        corrections: BTreeMap::new(),
        from_zero_pose: calibration.from_zero_pose,
        without_motion_evidence: None,
        common: None,
        confidence: 1.0,
        stated_pose_confidence: None,
        limb_confidence: 1.0,
        warnings: calibration.warnings,
        sigmas: calibration.sigmas,
        calibration_rotations: calibration.locals,
        bind_rotations: known
            .bound
            .as_ref()
            .map_or_else(|| skeleton.rest_pose().rotations, |bound| bound.rotations.clone()),
        card_corrects_bind_pose: false,
        limits: Vec::new(),
        helpers: Vec::new(),
        metres_per_file_unit: None,
        body,
    };
    let sure = within_ten_degrees(anatomy.least_sure().1);
    if calibration.source != CalibrationSource::Given {
        anatomy.confidence = sure;
    } else if calibration.is_not_standing
        && anatomy.judged().any(|id| !known.frames.contains_key(&id))
    {
        anatomy.stated_pose_confidence = Some(sure);
    }
    anatomy.without_motion_evidence = calibration.without_motion_evidence.map(|frames| {
        let own = calibration.source == CalibrationSource::Motion;
        let soles = match anatomy.soles {
            SoleSource::Motion if !own => SoleSource::LevelPose,
            soles => soles,
        };
        let joint_from_anatomical = frames;
        let mut plain =
            Anatomy { joint_from_anatomical, soles, from_zero_pose: false, ..anatomy.clone() };
        stand_in_t_pose(&mut plain, clip);
        read_soles(&mut plain, clip);
        Box::new(plain)
    });
    stand_in_t_pose(&mut anatomy, clip);
    if calibration.source == CalibrationSource::Motion {
        anatomy.limb_confidence = limb_confidence(&anatomy);
    }
    read_soles(&mut anatomy, clip);
    match flat_part(&anatomy) {
        Some(part) => Err(AnalysisError::NoBody(format!(
            "the {part} has no length in the rest pose and in the first frame"
        ))),
        None => Ok(anatomy),
    }
}

/// Replaces anatomical frames of joints, and all that rests on them: T pose, stature and soles. `clip` is the clip that the
/// anatomy was read off.
pub fn with_frames(
    mut anatomy: Anatomy,
    clip: &Clip,
    frames: &BTreeMap<JointId, UnitQuaternion<f64>>,
) -> Anatomy {
    for (joint, frame) in frames {
        anatomy.joint_from_anatomical[joint.index()] = *frame;
    }
    let plain = anatomy.without_motion_evidence.take();
    anatomy.without_motion_evidence =
        plain.map(|plain| Box::new(with_frames(*plain, clip, frames)));
    stand_in_t_pose(&mut anatomy, clip);
    let (height, radii) = (anatomy.sole_height, anatomy.trunk_radii);
    read_soles(&mut anatomy, clip);
    // They may have been learned from other clips, and frames do not change them.
    anatomy.trunk_radii = radii;
    if anatomy.skin_soles.is_none() {
        anatomy.sole_height = anatomy.sole_height.or(height);
    }
    anatomy
}

/// Reads the soles off the mesh, or else what frames of the clip, or the rest pose of a skeleton without one, show of feet and
/// trunk over a floor at zero.
fn read_soles(anatomy: &mut Anatomy, clip: &Clip) {
    anatomy.skin_soles = skin_soles(anatomy, &anatomy.skin);
    if anatomy.skin_soles.is_some() {
        return;
    }
    let mut poses = match clip.len() {
        0 => vec![anatomy.skeleton.rest_world()],
        _ => spread(&anatomy.skeleton, clip, MAX_FLOOR_FRAMES),
    };
    let metres = anatomy.metres_per_unit();
    poses.iter_mut().for_each(|pose| turn_and_scale(pose, &anatomy.upright_from_file, metres));
    anatomy.sole_height = sole_height(anatomy, &poses);
    anatomy.trunk_radii = match anatomy.sole_height {
        Some(_) if !clip.is_empty() => trunk_radii(anatomy, &poses),
        _ => TRUNK_RADII_METRES,
    };
}

/// Fills in the T pose, the frames of joints without a role, and the stature.
fn stand_in_t_pose(anatomy: &mut Anatomy, clip: &Clip) {
    anatomy.surface = SharedSurface::default();
    let wanted = t_pose_frames(&anatomy.skeleton, &anatomy.body);
    let all = inherit(&anatomy.skeleton, &wanted, UnitQuaternion::identity());
    for (index, joint) in anatomy.skeleton.joints().iter().enumerate() {
        let parent = joint.parent.map(JointId::index);
        let rotation = match wanted[index] {
            Some(frame) => frame * anatomy.joint_from_anatomical[index].inverse(),
            None => {
                parent.map_or(UnitQuaternion::identity(), |p| anatomy.t_pose.rotations[p])
                    * anatomy.calibration_rotations[index]
            }
        };
        anatomy.t_pose.rotations[index] = rotation;
        anatomy.joint_from_anatomical[index] = rotation.inverse() * all[index];
        anatomy.t_pose.positions[index] = parent.map_or(Vector3::zeros(), |p| {
            anatomy.t_pose.positions[p]
                + anatomy.t_pose.rotations[p]
                    * clip.bone(&anatomy.skeleton, JointId(index)).unwrap_or_default()
        });
    }
    anatomy.stature = measure_stature(anatomy).max(f64::MIN_POSITIVE);
    let origin = anatomy.middle(anatomy.hips());
    let scale = anatomy.metres_per_unit();
    for place in &mut anatomy.t_pose.positions {
        *place = (*place - origin) * scale;
    }
}

/// Returns the probability that arms and legs are what they are taken for, by the least sure of their roles and by the
/// proportions of the body.
fn limb_confidence(anatomy: &Anatomy) -> f64 {
    let length = |a: JointId, b: JointId| (anatomy.place(a) - anatomy.place(b)).norm();
    let arms = anatomy.body.arms.each_ref().map(|arm| {
        let wrist = anatomy.point(arm.wrist);
        length(arm.upper, arm.lower) + (wrist - anatomy.place(arm.lower)).norm()
    });
    let legs = &anatomy.body.legs;
    let legs =
        legs.each_ref().map(|leg| length(leg.upper, leg.lower) + length(leg.lower, leg.foot));
    let [shoulders, hips] = [anatomy.shoulders(), anatomy.hips()];
    let proportions = Proportions {
        arm: arms.iter().sum::<f64>() / 2.0,
        leg: legs.iter().sum::<f64>() / 2.0,
        trunk: (anatomy.middle(shoulders) - anatomy.middle(hips)).norm(),
        shoulders: length(shoulders[0], shoulders[1]),
        hips: length(hips[0], hips[1]),
    };
    let roles = anatomy.judged().filter_map(|id| anatomy.roles.by_joint[id.index()].as_ref());
    proportions.confidence(roles.map(|role| role.confidence).fold(1.0, f64::min))
}

/// A part whose length other lengths are scaled by, and which has none.
fn flat_part(anatomy: &Anatomy) -> Option<&'static str> {
    let length = |a: JointId, b: JointId| (anatomy.place(a) - anatomy.place(b)).norm();
    let legs = anatomy.body.legs.iter();
    let leg = legs.map(|leg| length(leg.upper, leg.lower) + length(leg.lower, leg.foot));
    let [left, right] = anatomy.shoulders();
    let arms = anatomy.body.arms.iter().map(|arm| {
        let wrist = anatomy.point(arm.wrist);
        length(arm.upper, arm.lower) + (wrist - anatomy.place(arm.lower)).norm()
    });
    let parts = [
        ("leg", leg.fold(f64::INFINITY, f64::min)),
        ("arm", arms.fold(f64::INFINITY, f64::min)),
        ("line between the shoulders", length(left, right)),
    ];
    // A millimetre of a body of 1.7 m; anything that is not a number counts as none.
    let has_length = |length: f64| length > 1e-3;
    let flat = parts.into_iter().find(|part| !has_length(part.1)).map(|part| part.0);
    flat.or((anatomy.stature < MIN_STATURE).then_some("body"))
}

fn measure_stature(anatomy: &Anatomy) -> f64 {
    let length = |a: JointId, b: JointId| (anatomy.place(a) - anatomy.place(b)).norm();
    let leg: f64 = anatomy
        .body
        .legs
        .iter()
        .map(|leg| length(leg.upper, leg.lower) + length(leg.lower, leg.foot))
        .sum();
    let trunk = (anatomy.middle(anatomy.hips()) - anatomy.middle(anatomy.shoulders())).norm();
    1.1 * leg / 2.0 + 1.65 * trunk
}
