//! Position goal: a point in the world.

use super::point_terms::{add_point_hessian, add_point_jacobian, add_point_load, three_rows};
use crate::algebra::hessian::HessianTerms;
use crate::algebra::loads::Loads;
use crate::{Chain, Configuration, PointRef};
use nalgebra::Vector3;

/// Position of a point in the world.
///
/// ```text
/// r       = w (p − p*)   (3,)    length, in the world
/// ∂r/∂xₖ  = w ωₖ × (p − pivotₖ), or w times the axis of a translation
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// Point `p` of the chain.
    pub point: PointRef,
    /// Target position `p*`, in the world.
    pub target: Vector3<f64>,
}

impl Position {
    pub(super) fn residual(&self, weight: f64, at: &Configuration, out: &mut [f64]) {
        let residual = (at.position_of(&self.point) - self.target) * weight;
        out.copy_from_slice(residual.as_slice());
    }

    pub(super) fn jacobian(&self, w: f64, chain: &Chain, at: &Configuration, out: &mut [f64]) {
        add_point_jacobian(chain, at, &self.point, w, three_rows(out));
    }

    /// The force `w r` on the point.
    pub(super) fn load(
        &self,
        weight: f64,
        chain: &Chain,
        at: &Configuration,
        residual: &[f64],
        loads: &mut Loads,
    ) {
        let force = Vector3::from_column_slice(residual) * weight;
        add_point_load(chain, at, &self.point, &force, loads);
    }

    /// The force `w² (p − p*)` on the point.
    pub(super) fn hessian(
        &self,
        weight: f64,
        chain: &Chain,
        at: &Configuration,
        terms: &mut HessianTerms,
        out: &mut [f64],
    ) {
        let force = (at.position_of(&self.point) - self.target) * (weight * weight);
        add_point_hessian(chain, at, &self.point, &force, terms, out);
    }
}
