//! Random numbers, chains and problems, equal on all machines.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)] // Each test and example uses a part.

pub mod body;

use nalgebra::{Unit, UnitQuaternion, Vector3};
use rebone_ik::{
    Chain, Configuration, Goal, Link, LinkId, LinkMotion, Options, Point, PointRef, Problem, Solver,
};

/// Number of the kinds of goals that [`Random::goal`] builds.
pub const KINDS: usize = 4;

/// A xorshift generator (Marsaglia 2003, 64 bits, shifts 13, 7, 17).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    /// Uniform from `-half` to `half`.
    pub fn about(&mut self, half: f64) -> f64 {
        let unit = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        (2.0 * unit - 1.0) * half
    }

    pub fn vector(&mut self, half: f64) -> Vector3<f64> {
        Vector3::new(self.about(half), self.about(half), self.about(half))
    }

    pub fn direction(&mut self) -> Unit<Vector3<f64>> {
        loop {
            let v = self.vector(1.0);
            if (0.1..1.0).contains(&v.norm()) {
                return Unit::new_unchecked(v / v.norm());
            }
        }
    }

    pub fn rotation(&mut self, half: f64) -> UnitQuaternion<f64> {
        UnitQuaternion::from_scaled_axis(self.vector(half))
    }

    pub fn motion(&mut self) -> LinkMotion {
        match self.below(5) {
            0 => LinkMotion::Fixed,
            1 => LinkMotion::Rotation,
            2 => LinkMotion::SwingTwist,
            _ => {
                let count = 1 + self.below(3);
                LinkMotion::Axes((0..count).map(|_| self.direction()).collect())
            }
        }
    }

    /// Builds a tree of links with all kinds of motion and at least three variables.
    pub fn chain(&mut self) -> Chain {
        let count = 3 + self.below(5);
        let links = (0..count).map(|index| {
            let parent = match index {
                0 => None,
                _ if self.below(3) == 0 => Some(LinkId(self.below(index))),
                _ => Some(LinkId(index - 1)),
            };
            let motion = if index == 0 { LinkMotion::SwingTwist } else { self.motion() };
            let mut link = Link::new(parent, self.vector(0.3), motion);
            link.translates = self.below(6) == 0;
            link.pre = self.rotation(1.0);
            link.post = self.rotation(1.0);
            link
        });
        let mut chain = Chain::new(links.collect()).unwrap();
        chain.base.position = self.vector(1.0);
        chain.base.rotation = self.rotation(3.0);
        chain
    }

    pub fn variables(&mut self, chain: &Chain, half: f64) -> Vec<f64> {
        (0..chain.len()).map(|_| self.about(half)).collect()
    }

    pub fn point(&mut self, chain: &Chain) -> Point {
        Point { link: LinkId(self.below(chain.links().len())), offset: self.vector(0.3) }
    }

    fn point_ref(&mut self, chain: &Chain) -> PointRef {
        match self.below(3) {
            0 => PointRef::Midpoint(self.point(chain), self.point(chain)),
            _ => PointRef::At(self.point(chain)),
        }
    }

    /// Builds a goal of the given kind, below [`KINDS`], that `at` misses by about `error`.
    pub fn goal(&mut self, kind: usize, chain: &Chain, at: &Configuration, error: f64) -> Goal {
        let weight = 0.75 + self.about(0.5);
        let lever = 0.3;
        match kind {
            0 => {
                let point = self.point_ref(chain);
                Goal::position(weight, point, at.position(&point).unwrap() + self.vector(error))
            }
            1 => {
                let (from, to, line) = loop {
                    let (from, to) = (self.point_ref(chain), self.point_ref(chain));
                    let line = at.position(&to).unwrap() - at.position(&from).unwrap();
                    if line.norm() > 0.1 {
                        break (from, to, line / line.norm() + self.vector(error));
                    }
                };
                Goal::direction(weight, lever, [from, to], Unit::new_unchecked(line / line.norm()))
            }
            kind => {
                let link = LinkId(self.below(chain.links().len()));
                let frame = self.rotation(2.0);
                let wanted = at.rotation(link).unwrap() * frame * self.rotation(error);
                let build = if kind == 2 { Goal::orientation } else { Goal::axial };
                build(weight, lever, link, frame, wanted)
            }
        }
    }

    /// Builds a problem whose goals a configuration misses by about `error`, with a box around it of
    /// about `room` on each side and a start in that box. Returns the configuration's variables, too.
    pub fn problem(&mut self, goals: usize, error: f64, room: f64) -> (Problem, Vec<f64>) {
        let chain = self.chain();
        let met = self.variables(&chain, 0.7);
        let at = Configuration::new(&chain, &met).unwrap();
        let goals = (0..goals)
            .map(|_| {
                let kind = self.below(KINDS);
                self.goal(kind, &chain, &at, error)
            })
            .collect();
        let mut problem = Problem::new(chain, goals).unwrap();
        for (k, met) in met.iter().enumerate() {
            problem.lower[k] = met - room * (0.5 + self.about(0.5));
            problem.upper[k] = met + room * (0.5 + self.about(0.5));
            let (low, high) = (problem.lower[k], problem.upper[k]);
            problem.start[k] =
                (0.5 * (low + high) + self.about(0.5) * (high - low)).clamp(low, high);
        }
        (problem, met)
    }
}

/// Computes the greatest violation of the optimality conditions of `½|r|²` in the box at `x`: the gradient where a variable is inside, its wrong sign at a bound.
pub fn optimality(problem: &Problem, x: &[f64]) -> f64 {
    let gradient = gradient(problem, x);
    let violation = |k: usize| {
        assert!(problem.lower[k] <= x[k] && x[k] <= problem.upper[k], "outside its box");
        match gradient[k] {
            _ if problem.lower[k] == problem.upper[k] => 0.0,
            g if x[k] == problem.lower[k] => (-g).max(0.0),
            g if x[k] == problem.upper[k] => g.max(0.0),
            g => g.abs(),
        }
    };
    (0..x.len()).map(violation).fold(0.0, f64::max)
}

/// Computes `Jᵀr` at `x`.
pub fn gradient(problem: &Problem, x: &[f64]) -> Vec<f64> {
    let (m, n) = (problem.rows(), problem.columns());
    let at = Configuration::new(&problem.chain, x).unwrap();
    let (r, j) = (problem.residual(&at).unwrap(), problem.jacobian(&at).unwrap());
    (0..n).map(|k| (0..m).map(|row| j[row * n + k] * r[row]).sum()).collect()
}

/// Returns the first `count` problems, with their seeds, whose solution is at a limit: their goals
/// contradict each other and the box is narrow.
pub fn active_problems(count: usize) -> Vec<(u64, Problem)> {
    let problem = |seed: u64| {
        let (mut problem, near) = Random::new(seed).problem(3 + seed as usize % 8, 0.2, 0.4);
        // From farther starts two solvers may find two minima.
        for (start, near) in problem.start.iter_mut().zip(near) {
            *start = near + 0.3 * (*start - near);
        }
        problem
    };
    let options = Options { max_iterations: 200, ..Options::default() };
    let mut solver = Solver::new(options);
    let mut active = |problem: &Problem| {
        solver.solve(problem).unwrap();
        let x = solver.x();
        (0..x.len()).any(|k| x[k] == problem.lower[k] || x[k] == problem.upper[k])
    };
    (0..).map(|seed| (seed, problem(seed))).filter(|(_, p)| active(p)).take(count).collect()
}
