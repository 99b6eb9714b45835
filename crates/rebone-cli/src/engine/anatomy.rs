//! Small questions to an anatomy.

use crate::preview;
use nalgebra::UnitQuaternion;
use rebone::card::SignedAxis;
use rebone::skeleton::{Axis, rotation};
use rebone::understand::{Anatomy, CalibrationSource, Role, Side, Soles};

/// Turns the file's axes so that up is +Y and, where the rest pose says so, facing is +Z.
pub(crate) fn inner_from_file(anatomy: &Anatomy) -> UnitQuaternion<f64> {
    let turn = anatomy.facing.unwrap_or(0.0);
    rotation::from_euler(&[Axis::Y], &[turn]) * anatomy.upright_from_file
}

/// The file's axes that point up and that the rest pose faces along, where it says so.
pub(crate) fn signed_axes(anatomy: &Anatomy) -> [Option<SignedAxis>; 2] {
    let file_from_inner = inner_from_file(anatomy).inverse();
    let find = |inner: Axis| {
        let direction = file_from_inner * inner.unit();
        let axis = Axis::ALL.into_iter().find(|axis| direction[axis.index()].abs() > 0.999)?;
        Some(SignedAxis { axis, negative: direction[axis.index()] < 0.0 })
    };
    [find(Axis::Y), anatomy.facing.and_then(|_| find(Axis::Z))]
}

/// Where the anatomical frames were read off, for people.
pub(crate) fn calibration(anatomy: &Anatomy) -> String {
    let mended = anatomy.soles == Soles::Motion && anatomy.calibration != CalibrationSource::Motion;
    let soles = if mended { ", its soles on its motion" } else { "" };
    let frames = match anatomy.calibration {
        CalibrationSource::RestPose => "calibrated on its rest pose".to_owned(),
        CalibrationSource::Frame(frame) => format!("calibrated on its frame {frame}"),
        CalibrationSource::Given => "calibrated on the given pose".to_owned(),
        CalibrationSource::Motion => "calibrated on its motion".to_owned(),
        CalibrationSource::Kind => "calibrated as the other file, of the same kind".to_owned(),
    };
    frames + soles
}

/// The side of the body that a role is on.
pub(crate) fn side(role: Role) -> preview::Side {
    use Role::*;
    match role {
        Eye(side)
        | Shoulder(side)
        | UpperArm(side)
        | UpperArmTwist(side)
        | LowerArm(side)
        | LowerArmTwist(side)
        | Hand(side)
        | Finger(side, _)
        | HipBone(side)
        | UpperLeg(side)
        | UpperLegTwist(side)
        | LowerLeg(side)
        | LowerLegTwist(side)
        | Foot(side)
        | Toes(side) => match side {
            Side::Left => preview::Side::Left,
            Side::Right => preview::Side::Right,
        },
        Hips | Spine | Neck | Head | Jaw => preview::Side::Middle,
    }
}
