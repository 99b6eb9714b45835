//! Stick figures: which points and strokes stand for a skeleton.

use crate::outline::{Outline, outlines};
use crate::sheet::{BodySide, FigureStroke};
use nalgebra::Vector3;
use rebone::body::{Anatomy, Landmark, Role, Side};
use rebone::skeleton::{Axis, JointId, Skeleton, WorldPose};

/// Length from the base of the skull to its top, metres of a 1.7 m body.
const SKULL_METRES: f64 = 0.2;
/// Distance below which a corner of an outline is the point that is there already, metres of a 1.7 m body.
const SAME_POINT_METRES: f64 = 0.002;

/// The points and strokes that stand for a skeleton, independent of its pose.
///
/// Points are numbered: joints, then landmarks.
pub(crate) struct StickFigure {
    /// Number of joints.
    joints: usize,
    /// End sites, then the top of the skull where there is a head, then corners of outlines, then points of the surface.
    landmarks: Vec<Landmark>,
    /// Strokes between points.
    pub(crate) strokes: Vec<FigureStroke>,
    /// Base and top of the skull.
    pub(crate) skull: Option<[usize; 2]>,
    /// Points of the surface of each segment.
    pub(crate) surface: Vec<Vec<usize>>,
    /// Two points, the hips, whose midpoint is the centre of the figure.
    pub(crate) centre: [usize; 2],
}

impl StickFigure {
    /// Builds the figure of a body, or of all joints where there is no anatomy.
    pub(crate) fn new(skeleton: &Skeleton, anatomy: Option<&Anatomy>) -> Self {
        let sites = skeleton.end_sites().iter();
        let sites = sites.map(|site| Landmark { joint: site.parent, offset: site.offset });
        let mut figure = Self {
            joints: skeleton.len(),
            landmarks: sites.collect(),
            strokes: strokes(skeleton, anatomy),
            skull: None,
            surface: Vec::new(),
            centre: [0, 0],
        };
        if let Some(anatomy) = anatomy {
            figure.centre = anatomy.hips().map(JointId::index);
            figure.add_skull(anatomy);
            figure.add_outlines(anatomy);
        }
        figure
    }

    /// Builds the figure of a body without its fingers.
    pub(crate) fn without_fingers(anatomy: &Anatomy) -> Self {
        let mut figure = Self::new(&anatomy.skeleton, Some(anatomy));
        let is_finger = |joint: JointId| {
            let mut roles =
                anatomy.skeleton.path_to_root(joint).filter_map(|id| anatomy.roles.of(id));
            matches!(roles.next(), Some(Role::Finger(..)))
        };
        let strokes = std::mem::take(&mut figure.strokes);
        let is_kept = |stroke: &FigureStroke| !is_finger(figure.owner(stroke.ends[1]));
        figure.strokes = strokes.into_iter().filter(is_kept).collect();
        figure
    }

    /// Adds the surface of a body.
    pub(crate) fn add_surface(&mut self, anatomy: &Anatomy) {
        for outlines in anatomy.surface_outlines() {
            let first = self.joints + self.landmarks.len();
            self.landmarks.extend(outlines.into_iter().flatten());
            self.surface.push((first..self.joints + self.landmarks.len()).collect());
        }
    }

    /// Returns the positions of all points in a pose, in the world and unit of the file.
    pub(crate) fn points(&self, world: &WorldPose) -> impl Iterator<Item = Vector3<f64>> {
        let landmarks = self.landmarks.iter().filter_map(|landmark| landmark.place(world, 1.0));
        world.positions.iter().copied().chain(landmarks)
    }

    /// Renumbers the points of strokes, skull and centre without gaps; returns their numbers in [`points`](Self::points).
    pub(crate) fn renumber_used_points(&mut self) -> Vec<usize> {
        let mut used: Vec<usize> = self.ends_mut().map(|end| *end).collect();
        used.sort_unstable();
        used.dedup();
        self.ends_mut().for_each(|end| *end = used.partition_point(|point| *point < *end));
        used
    }

    fn ends_mut(&mut self) -> impl Iterator<Item = &mut usize> {
        let strokes = self.strokes.iter_mut().flat_map(|stroke| &mut stroke.ends);
        strokes.chain(self.skull.iter_mut().flatten()).chain(&mut self.centre)
    }

    /// Returns the joint that moves a point.
    pub(crate) fn owner(&self, point: usize) -> JointId {
        self.landmark(point).joint
    }

    /// Returns the joint that moves a point, and the point in its axes, in the unit of the file.
    pub(crate) fn landmark(&self, point: usize) -> Landmark {
        let landmark = point.checked_sub(self.joints).and_then(|index| self.landmarks.get(index));
        let joint = Landmark { joint: JointId(point), offset: Vector3::zeros() };
        landmark.copied().unwrap_or(joint)
    }

    fn add_skull(&mut self, anatomy: &Anatomy) {
        let Some(head) = anatomy.body.head() else { return };
        let up = *Axis::Y.unit() * (SKULL_METRES / anatomy.metres_per_unit());
        let offset = anatomy.joint_from_anatomical[head.index()] * up;
        self.skull = Some([head.index(), self.joints + self.landmarks.len()]);
        self.landmarks.push(Landmark { joint: head, offset });
    }

    fn add_outlines(&mut self, anatomy: &Anatomy) {
        let tolerance = SAME_POINT_METRES / anatomy.metres_per_unit();
        for Outline { corners, side } in outlines(anatomy) {
            let points: Vec<usize> =
                corners.into_iter().map(|corner| self.point_of(corner, tolerance)).collect();
            let next = points.iter().cycle().skip(1);
            let edges = points.iter().zip(next).map(|(&from, &to)| [from, to]);
            self.strokes.extend(edges.map(|ends| FigureStroke { ends, side, thin: true }));
        }
    }

    /// Returns the number of the point at a landmark, which is added where there is none.
    fn point_of(&mut self, landmark: Landmark, tolerance: f64) -> usize {
        if landmark.offset.norm() < tolerance {
            return landmark.joint.index();
        }
        let is_there = |other: &Landmark| {
            other.joint == landmark.joint && (other.offset - landmark.offset).norm() < tolerance
        };
        let index = self.landmarks.iter().position(is_there).unwrap_or_else(|| {
            self.landmarks.push(landmark);
            self.landmarks.len() - 1
        });
        self.joints + index
    }
}

/// Returns the strokes to each joint of the body, and to descendants of hands, feet and forearms without hands.
fn strokes(skeleton: &Skeleton, anatomy: Option<&Anatomy>) -> Vec<FigureStroke> {
    let carries = anatomy.map(|anatomy| carries_role(skeleton, anatomy));
    let joints = skeleton.ids().filter_map(|id| Some((id, skeleton[id].parent?, id.index())));
    let sites = skeleton.end_sites().iter().zip(skeleton.len()..);
    let sites = sites.map(|(site, index)| (site.parent, site.parent, index));
    let strokes = joints.chain(sites).filter_map(|(owner, from, to)| {
        let stroke = FigureStroke { ends: [from.index(), to], side: BodySide::Middle, thin: false };
        let (Some(anatomy), Some(carries)) = (anatomy, &carries) else { return Some(stroke) };
        let role = |id: JointId| skeleton.path_to_root(id).find_map(|id| anatomy.roles.of(id));
        let (above, role) = (role(from)?, role(owner)?);
        let is_body = to < skeleton.len() && carries[to];
        let is_forearm =
            anatomy.body.arms.iter().any(|arm| arm.hand.is_none() && arm.wrist.joint == from);
        let is_end = is_forearm
            || matches!(role, Role::Hand(_) | Role::Finger(..) | Role::Foot(_) | Role::Toes(_));
        let is_face = matches!(above, Role::Head | Role::Jaw | Role::Eye(_));
        let thin = matches!(role, Role::Finger(..))
            || (!is_body && !is_forearm && !matches!(role, Role::Toes(_)));
        ((is_body || is_end) && !is_face).then(|| FigureStroke {
            side: role.into(),
            thin,
            ..stroke
        })
    });
    strokes.collect()
}

/// Returns for each joint whether it has a role or a descendant that has one.
fn carries_role(skeleton: &Skeleton, anatomy: &Anatomy) -> Vec<bool> {
    let mut carries: Vec<bool> = skeleton.ids().map(|id| anatomy.roles.of(id).is_some()).collect();
    for id in skeleton.ids().rev() {
        if let Some(parent) = skeleton[id].parent {
            carries[parent.index()] |= carries[id.index()];
        }
    }
    carries
}

impl From<Side> for BodySide {
    fn from(side: Side) -> Self {
        match side {
            Side::Left => Self::Left,
            Side::Right => Self::Right,
        }
    }
}

impl From<Role> for BodySide {
    fn from(role: Role) -> Self {
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
            | Toes(side) => side.into(),
            Hips | Spine | Neck | Head | Jaw => Self::Middle,
        }
    }
}
