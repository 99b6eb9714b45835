//! A place at a wanted point.

use super::place::{Place, add_force, add_place, push, three_rows};
use crate::curvature::Products;
use crate::loads::Loads;
use crate::{Chain, Configuration};
use nalgebra::Vector3;

/// A place that should be at a point.
///
/// ```text
/// r       = w (p − p*)   (3,)    length, in the world
/// ∂r/∂xₖ  = w ωₖ × (p − pivotₖ), or w times the direction of a shift
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// What should be there: `p`.
    pub place: Place,
    /// `p*`, in the world.
    pub wanted: Vector3<f64>,
}

impl Position {
    pub(super) fn residual(&self, weight: f64, at: &Configuration, out: &mut [f64]) {
        let residual = (at.place(&self.place) - self.wanted) * weight;
        out.copy_from_slice(residual.as_slice());
    }

    pub(super) fn jacobian(&self, w: f64, chain: &Chain, at: &Configuration, out: &mut [f64]) {
        add_place(chain, at, &self.place, w, three_rows(out));
    }

    /// The force `w r` on the place.
    pub(super) fn load(
        &self,
        weight: f64,
        chain: &Chain,
        at: &Configuration,
        residual: &[f64],
        loads: &mut Loads,
    ) {
        let force = Vector3::from_column_slice(residual) * weight;
        push(chain, at, &self.place, &force, loads);
    }

    /// The force `w² (p − p*)` on the place.
    pub(super) fn curvature(
        &self,
        weight: f64,
        chain: &Chain,
        at: &Configuration,
        products: &mut Products,
        out: &mut [f64],
    ) {
        let force = (at.place(&self.place) - self.wanted) * (weight * weight);
        add_force(chain, at, &self.place, &force, products, out);
    }
}
