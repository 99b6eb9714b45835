//! The gradient without the Jacobian, by virtual work.

use crate::{Chain, Configuration, LinkId};
use nalgebra::Vector3;

/// What the goals pull each link with: for a goal's residual `r` the force `∂½|r|²/∂p` on its point, or the
/// torque on its link. A variable's slope is the work of all that hangs on it, at unit rate. One pass over
/// the links sums that up, where the Jacobian takes one over goals times variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loads {
    forces: Vec<Vector3<f64>>,
    /// About the first link's origin.
    torques: Vec<Vector3<f64>>,
}

impl Loads {
    /// No loads on so many links.
    pub(crate) fn clear(&mut self, links: usize) {
        for list in [&mut self.forces, &mut self.torques] {
            list.clear();
            list.resize(links, Vector3::zeros());
        }
    }

    /// Adds a force on what `link` carries at `arm` from the first link's origin.
    pub(crate) fn push(&mut self, link: LinkId, arm: &Vector3<f64>, force: &Vector3<f64>) {
        self.forces[link.0] += force;
        self.torques[link.0] += arm.cross(force);
    }

    /// Adds a torque on a link.
    pub(crate) fn twist(&mut self, link: LinkId, torque: &Vector3<f64>) {
        self.torques[link.0] += torque;
    }

    /// Writes the slope of each variable, (n,). The loads are then those of whole branches.
    pub(crate) fn gradient(&mut self, chain: &Chain, at: &Configuration, out: &mut [f64]) {
        for (index, link) in chain.links().iter().enumerate().rev() {
            let (force, torque) = (self.forces[index], self.torques[index]);
            for k in chain.range(LinkId(index)) {
                out[k] = at.work(k, &force, &torque);
            }
            if let Some(parent) = link.parent {
                self.forces[parent.0] += force;
                self.torques[parent.0] += torque;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Problem;
    use crate::support::{Random, gradient};

    #[test]
    fn virtual_work_is_the_jacobian_times_the_residual() {
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let chain = random.chain();
            let x = random.variables(&chain, 1.0);
            let at = Configuration::new(&chain, &x);
            let goals = (0..4).map(|kind| random.goal(kind, &chain, &at, 0.5)).collect();
            let problem = Problem::new(chain, goals).unwrap();
            let (mut residual, mut slopes) = (vec![0.0; problem.rows()], vec![0.0; x.len()]);
            problem.residual(&at, &mut residual);
            problem.gradient(&at, &residual, &mut Loads::default(), &mut slopes);
            for (slope, product) in slopes.iter().zip(gradient(&problem, &x)) {
                assert!((slope - product).abs() < 1e-12, "seed {seed}: {slope} and {product}");
            }
        }
    }
}
