//! The gradient by virtual work, without the Jacobian.

use crate::{Chain, Configuration, LinkId};
use nalgebra::Vector3;

/// Forces and torques of the goals on each link: for a residual `r` the force `∂½|r|²/∂p` on its point,
/// or the torque on its link. The gradient of a variable is the power of the loads on its branch, at unit
/// rate. One pass over the links sums them, where the Jacobian takes one over goals times variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loads {
    forces: Vec<Vector3<f64>>,
    /// About the first link's origin.
    torques: Vec<Vector3<f64>>,
}

impl Loads {
    /// Sets the loads of all `links` links to 0.
    pub(crate) fn clear(&mut self, links: usize) {
        for list in [&mut self.forces, &mut self.torques] {
            list.clear();
            list.resize(links, Vector3::zeros());
        }
    }

    /// Adds a force on a point of `link`, `arm` from the first link's origin.
    pub(crate) fn add_force(&mut self, link: LinkId, arm: &Vector3<f64>, force: &Vector3<f64>) {
        self.forces[link.0] += force;
        self.torques[link.0] += arm.cross(force);
    }

    /// Adds a torque on a link.
    pub(crate) fn add_torque(&mut self, link: LinkId, torque: &Vector3<f64>) {
        self.torques[link.0] += torque;
    }

    /// Writes the gradient, (n,). Afterwards each link has the loads of its whole branch.
    pub(crate) fn gradient(&mut self, chain: &Chain, at: &Configuration, out: &mut [f64]) {
        for (index, link) in chain.links().iter().enumerate().rev() {
            let (force, torque) = (self.forces[index], self.torques[index]);
            for k in chain.own_range(LinkId(index)) {
                out[k] = at.power(k, &force, &torque);
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
    use crate::support::{KINDS, Random, gradient};

    #[test]
    fn virtual_work_is_the_jacobian_times_the_residual() {
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let chain = random.chain();
            let x = random.variables(&chain, 1.0);
            let at = Configuration::new(&chain, &x).unwrap();
            let goals = (0..KINDS).map(|kind| random.goal(kind, &chain, &at, 0.5)).collect();
            let problem = Problem::new(chain, goals).unwrap();
            let (mut residual, mut slopes) = (vec![0.0; problem.rows()], vec![0.0; x.len()]);
            problem.write_residual(&at, &mut residual);
            problem.gradient(&at, &residual, &mut Loads::default(), &mut slopes);
            for (slope, product) in slopes.iter().zip(gradient(&problem, &x)) {
                assert!((slope - product).abs() < 1e-12, "seed {seed}: {slope} and {product}");
            }
        }
    }
}
