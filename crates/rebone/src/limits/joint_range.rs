//! A joint's own coordinates, and the box that they stay in.

use crate::body::JointLimits;
use crate::options::LimitMode;
use nalgebra::UnitQuaternion;
use rebone_ik::LinkMotion;
use rebone_skeleton::JointId;
use std::f64::consts::{PI, TAU};

/// Where a joint stands in its box in one frame, in its own coordinates, radians: swing about X, swing
/// about Z and twist of a ball joint; the file's channels of a joint that has fewer than three.
#[derive(Clone, Debug, PartialEq)]
pub struct JointRangeUse {
    /// The joint of the target.
    pub joint: JointId,
    /// Its coordinates.
    pub values: Vec<f64>,
    /// Their least values.
    pub lower: Vec<f64>,
    /// Their greatest values.
    pub upper: Vec<f64>,
}

/// The coordinates of a joint and the box that they stay in: `parent_from_joint = pre · Q(x) · post`.
///
/// A joint of three channels has a swing vector and a twist; one of fewer channels, or of which the
/// card limits channels, has their angles. Radians.
#[derive(Clone, Debug, PartialEq)]
pub struct JointRange {
    /// The centre of the swing, in the parent joint's own axes; the rest rotation before channels.
    pub pre: UnitQuaternion<f64>,
    /// `Q(x)`: swing about X, swing about Z, twist; or the channels.
    pub motion: LinkMotion,
    /// From the anatomical frame to the joint's own axes.
    pub post: UnitQuaternion<f64>,
    /// Least value of each variable.
    pub lower: [f64; 3],
    /// Greatest value of each variable.
    pub upper: [f64; 3],
    /// Which variables the card limits: these are never widened.
    pub stated: [bool; 3],
}

impl JointRange {
    /// The variables at which the joint is nearest to a local rotation: of those that mean the same,
    /// the ones least outside the box, of these the ones nearest to its middle.
    pub fn read(&self, local: &UnitQuaternion<f64>) -> [f64; 3] {
        let turn = self.pre.inverse() * local * self.post.inverse();
        let middle = [0, 1, 2].map(|k| (self.lower[k] + self.upper[k]) / 2.0);
        let middle = middle.map(|x| if x.is_finite() { x } else { 0.0 });
        let x = self.motion.coordinates(&turn, &middle[..self.motion.len()]).unwrap_or_default();
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

    /// The local rotation of variables.
    pub fn rotation(&self, x: &[f64; 3]) -> UnitQuaternion<f64> {
        self.pre * self.motion.rotation(x) * self.post
    }

    /// The box of a frame in which the source asks for `x`: with [`LimitMode::Source`] what is not
    /// stated is widened to hold it.
    pub fn bounds(&self, x: &[f64; 3], mode: LimitMode) -> [[f64; 3]; 2] {
        let widened = |k: usize| mode == LimitMode::Source && !self.stated[k];
        let end = |k: usize, own: f64, asked: f64| if widened(k) { asked } else { own };
        let lower = [0, 1, 2].map(|k| end(k, self.lower[k], self.lower[k].min(x[k])));
        let upper = [0, 1, 2].map(|k| end(k, self.upper[k], self.upper[k].max(x[k])));
        [lower, upper]
    }

    /// The local rotation whose variables are those of `local`, each moved into the box, and how far
    /// each was outside, radians: negative below it.
    ///
    /// A joint of fewer than three channels gets a rotation that they can make.
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

    /// Whether nothing can be outside: all is widened to what the source does.
    pub(crate) fn is_open(&self, mode: LimitMode) -> bool {
        mode == LimitMode::Source && self.stated == [false; 3] && self.motion.len() == 3
    }

    /// Where a rotation stands in the box; `None` where there is none.
    pub(crate) fn usage(
        &self,
        joint: JointId,
        local: &UnitQuaternion<f64>,
        mode: LimitMode,
    ) -> Option<JointRangeUse> {
        let count = self.motion.len();
        let values = self.read(local);
        let [lower, upper] = self.bounds(&values, mode);
        let [values, lower, upper] = [values, lower, upper].map(|list| list[..count].to_vec());
        lower.iter().any(|end| end.is_finite()).then_some(JointRangeUse {
            joint,
            values,
            lower,
            upper,
        })
    }

    /// Puts stated ranges in the place of default ones.
    pub(crate) fn override_with(&mut self, limits: &JointLimits, names: &[&str]) {
        for (name, [low, high]) in &limits.ranges {
            if let Some(k) = names.iter().position(|known| known == name) {
                (self.lower[k], self.upper[k]) = (low.to_radians(), high.to_radians());
                self.stated[k] = true;
            }
        }
    }
}
