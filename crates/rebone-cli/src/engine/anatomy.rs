//! Small questions to an anatomy.

use crate::preview;
use nalgebra::UnitQuaternion;
use rebone::skeleton::{Axis, rotation};
use rebone::understand::{Anatomy, Role, Side};

/// Turns the file's axes so that up is +Y and, where the rest pose says so, facing is +Z.
pub(crate) fn inner_from_file(anatomy: &Anatomy) -> UnitQuaternion<f64> {
    let turn = anatomy.facing.unwrap_or(0.0);
    rotation::from_euler(&[Axis::Y], &[turn]) * anatomy.upright_from_file
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
