//! A body on a sheet of calibrations: whole in a pose, and its hands and feet enlarged.

use crate::palette::Ink;
use crate::recorder::{Viewpoint, standing_figure, world_figure};
use crate::sheet::{BodySide, Figure, FigurePoint, FigureStroke};
use crate::stick_figure::StickFigure;
use nalgebra::{UnitQuaternion, Vector3};
use rebone::body::{Anatomy, Role};
use rebone::skeleton::{Axis, JointId, SkinMesh, WorldPose};
use std::sync::Arc;

/// Lengths of drawn axes, metres of a 1.7 m body: of main segments, of parts of hands and feet, of fingers.
const SEGMENT_AXIS_METRES: f64 = 0.09;
const PART_AXIS_METRES: f64 = 0.04;
const FINGER_AXIS_METRES: f64 = 0.018;
/// Shortest stroke of a hand or foot that is drawn, metres of a 1.7 m body.
const MIN_STROKE_METRES: f64 = 0.002;
/// Scale of hands and feet relative to bodies.
const PART_ZOOM: f64 = 4.0;

/// One figure and the two lines of text below it.
pub(super) struct Panel {
    pub(super) figure: Figure,
    pub(super) caption: [String; 2],
    pub(super) zoom: f64,
}

/// A body to draw, its name and its colours.
pub(super) struct DrawnBody<'a> {
    pub(super) anatomy: &'a Anatomy,
    pub(super) name: &'a str,
    pub(super) ink: Ink,
    /// Mesh behind the axes.
    pub(super) skin: Option<&'a Arc<SkinMesh>>,
}

impl DrawnBody<'_> {
    /// Draws the whole body in its T pose.
    pub(super) fn in_t_pose(&self, caption: [String; 2]) -> Panel {
        let (world, inner) = (t_pose(self.anatomy), UnitQuaternion::identity());
        self.with_axes(self.standing(&world, inner), &world, inner, caption)
    }

    /// Adds the axes of main segments to a figure of a pose, and the skin behind them.
    pub(super) fn with_axes(
        &self,
        mut figure: Figure,
        world: &WorldPose,
        inner_from_file: UnitQuaternion<f64>,
        caption: [String; 2],
    ) -> Panel {
        let viewpoint = Viewpoint { anatomy: self.anatomy, inner_from_file };
        for joint in main_segments(self.anatomy) {
            add_axes(&mut figure, viewpoint, world, joint, SEGMENT_AXIS_METRES);
        }
        let skin = self.skin.and_then(|mesh| viewpoint.skin(mesh, self.ink));
        figure.skin = skin.map(|mut skin| {
            // Point 0 is joint 0: the skin is raised as far as the figure was.
            let place = inner_from_file * world.positions[0] * self.anatomy.metres_per_unit();
            skin.raise(figure.frames[0][0][1] - place.y);
            skin.push(world);
            skin
        });
        Panel { figure, caption, zoom: 1.0 }
    }

    /// Draws a pose with its lowest point on the floor.
    pub(super) fn standing(
        &self,
        world: &WorldPose,
        inner_from_file: UnitQuaternion<f64>,
    ) -> Figure {
        let viewpoint = Viewpoint { anatomy: self.anatomy, inner_from_file };
        let figure = standing_figure(viewpoint, world, self.name.to_owned(), self.ink);
        self.with_face(figure)
    }

    /// Draws a pose at its height over the world's floor.
    pub(super) fn in_world(
        &self,
        world: &WorldPose,
        inner_from_file: UnitQuaternion<f64>,
    ) -> Figure {
        let viewpoint = Viewpoint { anatomy: self.anatomy, inner_from_file };
        self.with_face(world_figure(viewpoint, world, self.name.to_owned(), self.ink))
    }

    /// Draws a pose, and the outlines of the surface in it, with the lowest point of both on the floor.
    pub(super) fn with_surface(
        &self,
        world: &WorldPose,
        inner_from_file: UnitQuaternion<f64>,
    ) -> [Figure; 2] {
        let skeleton = self.in_world(world, inner_from_file);
        let (name, ink) = ("surface".to_owned(), Ink::ORANGE);
        let mut surface =
            Figure { label: name, ink, strokes: Vec::new(), skull: None, ..skeleton.clone() };
        let scale = self.anatomy.metres_per_unit();
        for outline in self.anatomy.surface_outlines().into_iter().flatten() {
            let first = surface.frames[0].len();
            let count = outline.len();
            for (k, corner) in outline.iter().enumerate() {
                let place = corner.place(world, 1.0).unwrap_or_default();
                surface.frames[0].push((inner_from_file * place * scale).into());
                let side =
                    self.anatomy.roles.of(corner.joint).map_or(BodySide::Middle, BodySide::from);
                let ends = [first + k, first + (k + 1) % count];
                surface.strokes.push(FigureStroke { ends, side, thin: true });
            }
        }
        let mut figures = [skeleton, surface];
        let heights = figures.iter().flat_map(Figure::drawn_heights);
        let lowest = heights.fold(f64::MAX, f64::min);
        let points = figures.iter_mut().flat_map(|figure| &mut figure.frames[0]);
        points.for_each(|point| point[1] -= lowest);
        figures
    }

    /// Adds eyes, jaw and end sites of the head.
    fn with_face(&self, mut figure: Figure) -> Figure {
        figure.strokes.extend(face(self.anatomy));
        figure
    }

    /// Draws each hand and foot of more than one joint in the T pose.
    pub(super) fn parts(&self) -> Vec<Panel> {
        let body = &self.anatomy.body;
        let hands = body.arms.each_ref().map(|arm| arm.hand);
        let feet = body.legs.each_ref().map(|leg| Some(leg.foot));
        let named = ["left hand", "right hand", "left foot", "right foot"];
        let joints = hands.into_iter().chain(feet).zip(named);
        joints.filter_map(|(joint, name)| self.part(joint?, name)).collect()
    }

    /// Draws the descendants of a joint: feet on the floor, hands with the wrist at its height.
    fn part(&self, joint: JointId, name: &str) -> Option<Panel> {
        let anatomy = self.anatomy;
        let viewpoint = Viewpoint { anatomy, inner_from_file: UnitQuaternion::identity() };
        let world = t_pose(anatomy);
        let mut figure = standing_figure(viewpoint, &world, self.name.to_owned(), self.ink);
        let stick_figure = StickFigure::new(&anatomy.skeleton, Some(anatomy));
        let is_part = |end: usize| anatomy.skeleton.is_ancestor(joint, stick_figure.owner(end));
        let points = &figure.frames[0];
        let length =
            |[a, b]: [usize; 2]| (Vector3::from(points[a]) - Vector3::from(points[b])).norm();
        figure.strokes.retain(|stroke| {
            stroke.ends.into_iter().all(is_part) && length(stroke.ends) > MIN_STROKE_METRES
        });
        let ends = anatomy.skeleton.len() + anatomy.skeleton.end_sites().len();
        figure.strokes.iter().find(|stroke| stroke.ends.iter().all(|end| *end < ends))?;
        figure.strokes.iter_mut().for_each(|stroke| stroke.thin = true);
        let hand = matches!(anatomy.roles.of(joint), Some(Role::Hand(_)));
        if hand {
            let wrist = figure.frames[0][joint.index()][1];
            figure.frames[0].iter_mut().for_each(|point| point[1] -= wrist);
        }
        for id in anatomy.skeleton.ids().filter(|id| is_part(id.index())) {
            match anatomy.roles.of(id) {
                Some(Role::Finger(..)) => {
                    add_axes(&mut figure, viewpoint, &world, id, FINGER_AXIS_METRES)
                }
                Some(_) => add_axes(&mut figure, viewpoint, &world, id, PART_AXIS_METRES),
                None => {}
            }
        }
        let (skull, centre) = (None, [joint.index(); 2]);
        let figure = Figure { skull, centre, ..figure };
        let text = if hand { "wrist level" } else { "T pose" };
        let caption = [name, text].map(str::to_owned);
        Some(Panel { figure, caption, zoom: PART_ZOOM })
    }
}

/// Returns the T pose in file units, in the axes of the inner world.
pub(super) fn t_pose(anatomy: &Anatomy) -> WorldPose {
    let mut world = anatomy.t_pose.clone();
    world.positions.iter_mut().for_each(|position| *position /= anatomy.metres_per_unit());
    world
}

/// Returns the joints whose axes are drawn on the whole body.
fn main_segments(anatomy: &Anatomy) -> Vec<JointId> {
    let body = &anatomy.body;
    let mut joints = vec![body.pelvis(), body.chest()];
    joints.dedup();
    joints.extend(body.head());
    joints.extend(body.limbs());
    joints.extend(body.legs.iter().filter_map(|leg| leg.toes));
    joints
}

/// Returns thin strokes to eyes, jaw and the end sites of the head.
fn face(anatomy: &Anatomy) -> Vec<FigureStroke> {
    let Some(head) = anatomy.body.head() else { return Vec::new() };
    let skeleton = &anatomy.skeleton;
    let stroke =
        |from: JointId, to, side| FigureStroke { ends: [from.index(), to], side, thin: true };
    let joints = skeleton.ids().filter_map(|id| {
        let role = anatomy.roles.of(id).filter(|role| matches!(role, Role::Eye(_) | Role::Jaw))?;
        Some(stroke(skeleton[id].parent?, id.index(), role.into()))
    });
    let sites = skeleton.end_sites().iter().zip(skeleton.len()..);
    let sites = sites.filter(|(site, _)| site.parent == head);
    let sites = sites.map(|(_, index)| stroke(head, index, BodySide::Middle));
    joints.chain(sites).collect()
}

/// Adds the axes of a joint's anatomical frame to a figure of one frame.
fn add_axes(
    figure: &mut Figure,
    viewpoint: Viewpoint,
    world: &WorldPose,
    joint: JointId,
    length: f64,
) {
    let frame =
        world.rotations[joint.index()] * viewpoint.anatomy.joint_from_anatomical[joint.index()];
    let points = &mut figure.frames[0];
    let origin = Vector3::from(points[joint.index()]);
    let first = points.len();
    points.extend(Axis::ALL.map(|axis| -> FigurePoint {
        (origin + viewpoint.inner_from_file * frame * *axis.unit() * length).into()
    }));
    figure.axes.push([joint.index(), first, first + 1, first + 2]);
}
