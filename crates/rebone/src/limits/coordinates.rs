//! A joint's own coordinates, and the box that they stay in.

use super::{BallLimits, ball_limits};
use crate::understand::Anatomy;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_skeleton::{
    Axis, JointId,
    rotation::{from_euler, shortest_arc, swing_twist},
};

/// Where a joint stands in its box in one frame, in its own coordinates, radians: swing about X, swing
/// about Z and twist of a ball joint; the file's channels of a joint that has fewer than three.
#[derive(Clone, Debug, PartialEq)]
pub struct JointBox {
    /// The joint of the target.
    pub joint: JointId,
    /// Its coordinates.
    pub values: Vec<f64>,
    /// Their least values.
    pub lower: Vec<f64>,
    /// Their greatest values.
    pub upper: Vec<f64>,
}

/// How one joint's local rotation becomes variables.
#[derive(Clone, Debug)]
pub(crate) enum Coordinates {
    /// It keeps the rotation it has.
    Fixed,
    /// Swing and twist.
    Ball(BallLimits),
    /// The file's channels, fewer than three.
    Channels(Channels),
    /// Any rotation.
    Free,
}

/// A joint that turns about fewer than three axes, `rest · R₀(x₀) R₁(x₁)`, each within a range.
#[derive(Clone, Debug)]
pub(crate) struct Channels {
    pub(crate) rest: UnitQuaternion<f64>,
    pub(crate) axes: Vec<Axis>,
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
}

impl Coordinates {
    /// Those of a joint within its limits.
    pub(crate) fn limited(anatomy: &Anatomy, joint: JointId) -> Self {
        let ball = ball_limits(anatomy, joint);
        let rig = anatomy.skeleton.joint(joint);
        if rig.rotation_axes.len() >= 3 {
            return Self::Ball(ball);
        }
        let [lower, upper] = [-1, 1].map(|sign| {
            let axes = rig.rotation_axes.iter();
            axes.map(|&axis| channel_end(&ball, &rig.rest_rotation, axis, sign)).collect()
        });
        let axes = rig.rotation_axes.clone();
        Self::Channels(Channels { rest: rig.rest_rotation, axes, lower, upper })
    }

    /// The rotation nearest to `local` in these coordinates inside the box; `local` itself where it is.
    pub(crate) fn nearest(&self, local: &UnitQuaternion<f64>) -> UnitQuaternion<f64> {
        match self {
            Self::Fixed | Self::Free => *local,
            Self::Ball(ball) => {
                let x = ball.coordinates(local);
                let inside = [0, 1, 2].map(|k| x[k].clamp(ball.lower[k], ball.upper[k]));
                if inside == x { *local } else { ball.rotation(&inside) }
            }
            Self::Channels(channels) => {
                let x = channels.angles(local);
                let mut inside = [0.0; 3];
                for (k, inside) in inside.iter_mut().enumerate().take(channels.axes.len()) {
                    *inside = x[k].clamp(channels.lower[k], channels.upper[k]);
                }
                channels.rest * from_euler(&channels.axes, &inside)
            }
        }
    }

    /// Where `local` stands in the default box; `None` where there are no limits.
    pub(crate) fn read(&self, joint: JointId, local: &UnitQuaternion<f64>) -> Option<JointBox> {
        match self {
            Self::Fixed | Self::Free => None,
            Self::Ball(ball) => Some(JointBox {
                joint,
                values: ball.coordinates(local).to_vec(),
                lower: ball.lower.to_vec(),
                upper: ball.upper.to_vec(),
            }),
            Self::Channels(channels) => Some(JointBox {
                joint,
                values: channels.angles(local)[..channels.axes.len()].to_vec(),
                lower: channels.lower.clone(),
                upper: channels.upper.clone(),
            }),
        }
    }
}

impl BallLimits {
    /// Swing vector and twist of a local rotation.
    pub(crate) fn coordinates(&self, local: &UnitQuaternion<f64>) -> [f64; 3] {
        let turn = self.pre.inverse() * local * self.post.inverse();
        let bone = Unit::new_unchecked(turn * Vector3::y());
        let swing = shortest_arc(&Vector3::y_axis(), &bone);
        let twist = swing.inverse() * turn;
        let angle = 2.0 * libm::atan2(twist.j, twist.w);
        let vector = swing.scaled_axis();
        [vector.x, vector.z, wrapped(angle)]
    }

    /// The local rotation at a swing vector and a twist.
    fn rotation(&self, x: &[f64; 3]) -> UnitQuaternion<f64> {
        let swing = UnitQuaternion::from_scaled_axis(Vector3::new(x[0], 0.0, x[1]));
        let twist = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), x[2]);
        self.pre * swing * twist * self.post
    }
}

impl Channels {
    /// The channel angles whose product comes near `local`: exact where it is such a product.
    pub(crate) fn angles(&self, local: &UnitQuaternion<f64>) -> [f64; 3] {
        let mut angles = [0.0; 3];
        let mut left = self.rest.inverse() * local;
        for (angle, axis) in angles.iter_mut().zip(&self.axes) {
            let (_, twist) = swing_twist(&left.inverse(), &axis.unit());
            *angle = -wrapped(2.0 * libm::atan2(twist.imag().dot(&axis.unit()), twist.w));
            left = UnitQuaternion::from_axis_angle(&axis.unit(), -*angle) * left;
        }
        angles
    }
}

/// How far a channel can turn, the others at rest, until the joint leaves its anatomical box.
fn channel_end(ball: &BallLimits, rest: &UnitQuaternion<f64>, axis: Axis, sign: i32) -> f64 {
    let inside = |degrees: &i32| {
        let angle = f64::from(sign * degrees).to_radians();
        let x = ball.coordinates(&(rest * UnitQuaternion::from_axis_angle(&axis.unit(), angle)));
        // The side angle and the twist of a hinge are the rig's own: only the bend counts.
        ball.lower[0] <= x[0] && x[0] <= ball.upper[0]
    };
    let last = (0..=180).take_while(inside).last();
    f64::from(sign * last.unwrap_or(180)).to_radians()
}

/// An angle between −π and π.
fn wrapped(angle: f64) -> f64 {
    use std::f64::consts::{PI, TAU};
    if angle > PI {
        angle - TAU
    } else if angle < -PI {
        angle + TAU
    } else {
        angle
    }
}
