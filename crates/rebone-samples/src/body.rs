//! Where the joints of a body are: a few lengths, from which all rest places follow.

use super::two_bone::about;
use nalgebra::Vector3;
use rebone_skeleton::Axis;

/// Lengths of a body that stands with its arms out, in cm.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    /// From the floor to the ankle.
    pub(super) ankle: f64,
    /// From ankle to knee.
    pub(super) shin: f64,
    /// From knee to hip joint.
    pub(super) thigh: f64,
    /// Half the distance of the hip joints.
    pub(super) hip: f64,
    /// From the height of the hip joints to the neck's base.
    pub(super) trunk: f64,
    /// From the neck's base to the head joint.
    pub(super) neck: f64,
    /// From the head joint to the top of the skull.
    pub(super) head: f64,
    /// Half the distance of the shoulder joints.
    pub(super) shoulder: f64,
    /// From shoulder to elbow.
    pub(super) upper_arm: f64,
    /// From elbow to wrist.
    pub(super) forearm: f64,
    /// From the wrist to the tip of the middle finger.
    pub(super) hand: f64,
    /// From ankle to toe joint, forward; toes and heel in proportion.
    pub(super) foot: f64,
    /// How far the arms hang below the horizontal, in degrees.
    pub(super) arm_drop: f64,
}

/// The body of the capture skeleton.
pub(super) const ADULT: Body = Body {
    ankle: 8.5,
    shin: 42.0,
    thigh: 43.0,
    hip: 9.0,
    trunk: 53.0,
    neck: 10.0,
    head: 20.0,
    shoulder: 18.0,
    upper_arm: 29.0,
    forearm: 26.0,
    hand: 18.5,
    foot: 13.0,
    arm_drop: 0.0,
};

/// The rest of a finger: where its first joint is and where it points, for a left hand.
const FINGERS: [([f64; 3], [f64; 3], [f64; 3]); 5] = [
    ([0.13, -0.05, 0.13], [0.76, -0.20, 0.62], [0.25, 0.18, 0.14]),
    ([0.49, 0.0, 0.13], [0.996, -0.05, 0.07], [0.23, 0.14, 0.11]),
    ([0.50, 0.01, 0.02], [0.999, -0.05, 0.0], [0.24, 0.15, 0.11]),
    ([0.48, 0.0, -0.09], [0.997, -0.05, -0.06], [0.22, 0.14, 0.11]),
    ([0.45, -0.01, -0.19], [0.990, -0.05, -0.13], [0.17, 0.10, 0.09]),
];

/// The body's left or right: +1 or −1, the sign of X.
pub(super) type Sign = f64;

impl Body {
    /// Height of the hip joints.
    pub(super) fn hip_height(&self) -> f64 {
        self.ankle + self.shin + self.thigh
    }

    /// A place on the spine: 0 at the height of the hip joints, 1 at the neck's base. The line has
    /// the hollow of the back and the bulge of the ribs.
    pub(super) fn spine(&self, share: f64) -> Vector3<f64> {
        let bend = -2.2 * libm::sin(std::f64::consts::PI * share);
        Vector3::new(0.0, self.hip_height() + share * self.trunk, bend * self.trunk / 53.0)
    }

    /// A place on neck and skull: 0 at the neck's base, 1 at the head joint, 2 at the skull's top.
    pub(super) fn neck(&self, share: f64) -> Vector3<f64> {
        let (low, high) = (share.min(1.0), (share - 1.0).max(0.0));
        self.spine(1.0)
            + Vector3::new(0.0, low * self.neck + high * self.head, 0.2 * low * self.neck)
    }

    /// Hip joint, knee, ankle, toe joint and tip of the toes.
    pub(super) fn leg(&self, side: Sign) -> [Vector3<f64>; 5] {
        let at = |y: f64, z: f64| Vector3::new(side * self.hip, y, z);
        [
            at(self.hip_height(), 0.0),
            at(self.ankle + self.shin, 0.0),
            at(self.ankle, 0.0),
            at(0.26 * self.ankle, self.foot),
            at(0.12 * self.ankle, 1.54 * self.foot),
        ]
    }

    /// Collar, shoulder, elbow and wrist.
    pub(super) fn arm(&self, side: Sign) -> [Vector3<f64>; 4] {
        let shoulder =
            self.spine(0.0) + Vector3::new(self.shoulder, 0.91 * self.trunk, -0.03 * self.trunk);
        let collar = Vector3::new(0.12 * self.shoulder, shoulder.y + 0.01 * self.trunk, 0.0);
        let along = |length: f64| shoulder + self.along_arm(Vector3::new(length, 0.0, 0.0));
        [collar, shoulder, along(self.upper_arm), along(self.upper_arm + self.forearm)]
            .map(|place| Vector3::new(side * place.x, place.y, place.z))
    }

    /// A place between elbow (0) and wrist (1), or shoulder (−1) and elbow.
    pub(super) fn along_limb(&self, side: Sign, share: f64) -> Vector3<f64> {
        let [_, shoulder, elbow, wrist] = self.arm(side);
        if share < 0.0 { elbow.lerp(&shoulder, -share) } else { elbow.lerp(&wrist, share) }
    }

    /// The three joints of a finger (0 the thumb) and its tip.
    pub(super) fn finger(&self, side: Sign, finger: usize) -> [Vector3<f64>; 4] {
        let (base, point, lengths) = FINGERS[finger];
        let (base, point) = (Vector3::from(base), Vector3::from(point));
        let mut length = 0.0;
        [0.0, lengths[0], lengths[1], lengths[2]].map(|bone| {
            length += bone;
            let place = self.along_arm((base + point * length) * self.hand);
            self.arm(side)[3] + Vector3::new(side * place.x, place.y, place.z)
        })
    }

    /// From a left hand of a T-pose to the left arm as it rests here.
    fn along_arm(&self, v: Vector3<f64>) -> Vector3<f64> {
        about(Axis::Z.unit(), -self.arm_drop) * v
    }
}
