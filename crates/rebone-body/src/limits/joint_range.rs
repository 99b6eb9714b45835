//! The coordinates of a joint and their range.

use crate::limits::LimitMode;
use nalgebra::UnitQuaternion;
use rebone_ik::LinkMotion;
use std::f64::consts::{PI, TAU};

/// The coordinates `x` of a joint and their range: `parent_from_joint = pre · Q(x) · post`.
///
/// A joint of three channels has a swing vector and a twist; one of fewer channels, or whose card limits channels, has
/// their angles. Radians.
#[derive(Clone, Debug, PartialEq)]
pub struct JointRange {
    /// Centre of the swing in the axes of the parent joint; for channels, the rest rotation.
    pub pre: UnitQuaternion<f64>,
    /// `Q(x)`: swing about X, swing about Z, twist; or the channels.
    pub motion: LinkMotion,
    /// From the anatomical axes to the axes of the joint.
    pub post: UnitQuaternion<f64>,
    /// Lower bound of each variable.
    pub lower: [f64; 3],
    /// Upper bound of each variable.
    pub upper: [f64; 3],
    /// Variables that the card limits: their ranges are never widened.
    pub stated: [bool; 3],
}

impl JointRange {
    /// Returns the variables of a local rotation: among equivalent values those that violate the range least, then
    /// those nearest to its middle.
    pub fn read(&self, local: &UnitQuaternion<f64>) -> [f64; 3] {
        let turn = self.pre.inverse() * local * self.post.inverse();
        let middle = [0, 1, 2].map(|k| (self.lower[k] + self.upper[k]) / 2.0);
        let middle = middle.map(|x| if x.is_finite() { x } else { 0.0 });
        let x = self.motion.coordinates(&turn, &middle).unwrap_or_default();
        if !matches!(&self.motion, LinkMotion::Axes(axes) if axes.len() == 3) {
            return x;
        }
        let other = [x[0] + PI, PI - x[1], x[2] + PI];
        let other = [0, 1, 2].map(|k| other[k] - TAU * ((other[k] - middle[k]) / TAU).round());
        let off = |x: &[f64; 3]| -> f64 {
            let off = |k: usize| (self.lower[k] - x[k]).max(x[k] - self.upper[k]).max(0.0);
            (0..3).map(|k| off(k).powi(2)).sum()
        };
        if off(&other) < off(&x) { other } else { x }
    }

    /// Returns the local rotation of variables.
    pub fn rotation(&self, x: &[f64; 3]) -> UnitQuaternion<f64> {
        self.pre * self.motion.rotation(x) * self.post
    }

    /// Returns the bounds in a frame in which the source asks for `x`: with [`LimitMode::Source`], ranges that the
    /// card does not state are widened to contain it.
    pub fn bounds(&self, x: &[f64; 3], mode: LimitMode) -> [[f64; 3]; 2] {
        let widened = |k: usize| mode == LimitMode::Source && !self.stated[k];
        let end = |k: usize, own: f64, asked: f64| if widened(k) { asked } else { own };
        let lower = [0, 1, 2].map(|k| end(k, self.lower[k], self.lower[k].min(x[k])));
        let upper = [0, 1, 2].map(|k| end(k, self.upper[k], self.upper[k].max(x[k])));
        [lower, upper]
    }

    /// Clamps a local rotation to the range. Returns the rotation and the violation of each variable, radians:
    /// negative below the range.
    ///
    /// For a joint of fewer than three channels the result is a rotation that they can represent.
    pub fn clamp(
        &self,
        local: &UnitQuaternion<f64>,
        mode: LimitMode,
    ) -> (UnitQuaternion<f64>, [f64; 3]) {
        let x = self.read(local);
        let [lower, upper] = self.bounds(&x, mode);
        let held = [0, 1, 2].map(|k| x[k].clamp(lower[k], upper[k]));
        let inside = held == x && self.motion.len() == 3;
        let rotation = if inside { *local } else { self.rotation(&held) };
        (rotation, [0, 1, 2].map(|k| x[k] - held[k]))
    }

    /// Returns whether no rotation violates the range, since all of it is widened to the source.
    pub fn is_open(&self, mode: LimitMode) -> bool {
        mode == LimitMode::Source && self.stated == [false; 3] && self.motion.len() == 3
    }

    /// Overrides default ranges with stated ones.
    pub(crate) fn override_with(&mut self, limits: &[(String, [f64; 2])], names: &[&str]) {
        for (name, [low, high]) in limits {
            if let Some(k) = names.iter().position(|known| known == name) {
                (self.lower[k], self.upper[k]) = (low.to_radians(), high.to_radians());
                self.stated[k] = true;
            }
        }
    }
}
