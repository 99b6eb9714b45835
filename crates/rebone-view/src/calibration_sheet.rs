//! Sheets of calibrations: bodies in their T pose and in other poses, with the axes of their segments.

use crate::error::ViewError;
use crate::palette::Ink;
use crate::recorder::{Viewpoint, body_side, standing_figure, world_figure};
use crate::sheet::{BodySide, Bone, Column, Figure, Point, Sheet, View};
use nalgebra::{UnitQuaternion, Vector3};
use rebone::body::{Anatomy, CalibrationSource, Role};
use rebone::skeleton::{Axis, Clip, JointId, Pose, WorldPose, forward_kinematics};
use rebone::{Plan, RetargetError, Retargeter};

/// Lengths of drawn axes, metres of a 1.7 m body: of main segments, of parts of hands and feet, of fingers.
const SEGMENT_AXIS_METRES: f64 = 0.09;
const PART_AXIS_METRES: f64 = 0.04;
const FINGER_AXIS_METRES: f64 = 0.018;
/// Sine of the angle between the pelvis's forward axis and the vertical, below which a body has no facing.
const MIN_FACING_SINE: f64 = 0.01;
/// Shortest stroke of a hand or foot that is drawn, metres of a 1.7 m body.
const MIN_STROKE_METRES: f64 = 0.002;
/// Scale of hands and feet relative to bodies.
const PART_ZOOM: f64 = 4.0;

/// A file to draw: its name and its clip.
#[derive(Clone, Copy, Debug)]
pub struct SheetSubject<'a> {
    /// Name in the header.
    pub name: &'a str,
    /// Clip, whose first frame gives the lengths of bones.
    pub clip: &'a Clip,
}

/// One figure and the two lines of text below it.
struct Panel {
    figure: Figure,
    caption: [String; 2],
    zoom: f64,
}

/// Draws the T pose, the rest pose, the calibration pose where it is a third one, and hands and feet in the
/// T pose, as PNG.
///
/// ```
/// use rebone::{Hints, analyse};
/// use rebone_view::{SheetSubject, calibration_sheet};
///
/// let rig = rebone_samples::rigs().remove(1).motion;
/// let anatomy = analyse(&rig, &Hints::default())?;
/// let subject = SheetSubject { name: "seven-spine.bvh", clip: &rig.clip };
/// let png = calibration_sheet(&subject, &anatomy, "calibrated on its rest pose".to_owned());
/// assert!(png.starts_with(b"\x89PNG"));
/// # Ok::<(), rebone::AnalysisError>(())
/// ```
pub fn calibration_sheet(subject: &SheetSubject, anatomy: &Anatomy, title: String) -> Vec<u8> {
    let body = DrawnBody { anatomy, name: subject.name, ink: Ink::BLUE_GREY };
    let mut panels = vec![body.in_t_pose(["T pose", "worked out"].map(str::to_owned))];
    let parts = body.parts();
    let rest = anatomy.skeleton.rest_pose();
    let mut add_pose = |pose: Pose, caption: [&str; 2]| {
        let world = world_of(subject, anatomy, pose);
        let ahead = ahead(anatomy, &world, anatomy.upright_from_file);
        let figure = body.standing(&world, ahead);
        panels.push(body.with_axes(figure, &world, ahead, caption.map(str::to_owned)));
    };
    add_pose(rest.clone(), ["rest pose", "of the file"]);
    use CalibrationSource::{BindPose, Frame, Given};
    if matches!(anatomy.calibration, BindPose | Frame(_) | Given) {
        let pose = Pose { rotations: anatomy.locals.clone(), ..rest };
        add_pose(pose, ["stance", "calibrated on"]);
    }
    panels.extend(parts);
    draw(title, &panels, &[&panels[0].figure], &[View::Front, View::Side, View::Top])
}

/// Returns a pose in the world, with the bone lengths of the clip's first frame.
fn world_of(subject: &SheetSubject, anatomy: &Anatomy, mut pose: Pose) -> WorldPose {
    for id in anatomy.skeleton.ids().skip(1) {
        pose.translations[id.index()] = subject.clip.bone(&anatomy.skeleton, id);
    }
    forward_kinematics(&anatomy.skeleton, &pose)
}

/// Draws both bodies of a plan in their T poses, and in the first and the middle frame of the source, as PNG.
///
/// # Errors
/// When the target's joints form no chains that can be solved.
pub fn comparison_sheet(subjects: &[SheetSubject; 2], plan: &Plan) -> Result<Vec<u8>, ViewError> {
    let clip = subjects[0].clip;
    let bodies = bodies(subjects, plan);
    let caption = |body: usize, text: String| [subjects[body].name.to_owned(), text];
    let mut panels: Vec<Panel> =
        (0..2).map(|body| bodies[body].in_t_pose(caption(body, "T pose".to_owned()))).collect();
    let mut retargeter = Retargeter::new(plan.clone()).map_err(RetargetError::Stages)?;
    let mut pose = plan.target.skeleton.rest_pose();
    let mut shown = vec![0, clip.len() / 2];
    shown.dedup();
    for frame in shown.into_iter().filter(|&frame| frame < clip.len()) {
        let source = clip.pose(frame);
        retargeter.frame(&source, &mut pose);
        let worlds = [
            forward_kinematics(&plan.source.skeleton, &source),
            forward_kinematics(&plan.target.skeleton, &pose),
        ];
        let turn = ahead(&plan.source, &worlds[0], plan.inner_from_source);
        let yaw = turn * plan.inner_from_source.inverse();
        let texts = [format!("frame {frame}"), "retargeted".to_owned()];
        for (body, inner) in [turn, yaw * plan.inner_from_target].into_iter().enumerate() {
            let caption = caption(body, texts[body].clone());
            let figure = bodies[body].in_world(&worlds[body], inner);
            panels.push(bodies[body].with_axes(figure, &worlds[body], inner, caption));
        }
    }
    let title = format!("{} and {} in the same poses", subjects[0].name, subjects[1].name);
    let legend = [&panels[0].figure, &panels[1].figure];
    Ok(draw(title, &panels, &legend, &[View::Front, View::Side]))
}

/// Draws both bodies of a plan over each other, in their calibration poses and in their T poses, as PNG.
pub fn calibration_poses_sheet(subjects: &[SheetSubject; 2], plan: &Plan) -> Vec<u8> {
    let bodies = bodies(subjects, plan);
    let calibrated = [0, 1].map(|index| {
        let body = &bodies[index];
        let rotations = body.anatomy.locals.clone();
        let pose = Pose { rotations, ..body.anatomy.skeleton.rest_pose() };
        let world = world_of(&subjects[index], body.anatomy, pose);
        let inner = ahead(body.anatomy, &world, body.anatomy.upright_from_file);
        body.standing(&world, inner)
    });
    let t_poses = bodies
        .each_ref()
        .map(|body| body.standing(&t_pose(body.anatomy), UnitQuaternion::identity()));
    let columns = vec![
        together(&calibrated, ["calibration", "as they stand"]),
        together(&t_poses, ["T pose", "worked out"]),
    ];
    let title = format!("{} and {}: calibration poses", subjects[0].name, subjects[1].name);
    let legend = calibrated.iter().collect();
    let views = &[View::Front, View::Side, View::Top];
    Sheet { title, legend, columns, captions: ["", ""], views }.draw()
}

fn bodies<'a>(subjects: &[SheetSubject<'a>; 2], plan: &'a Plan) -> [DrawnBody<'a>; 2] {
    [
        DrawnBody { anatomy: &plan.source, name: subjects[0].name, ink: Ink::BLUE_GREY },
        DrawnBody { anatomy: &plan.target, name: subjects[1].name, ink: Ink::ORANGE },
    ]
}

fn together<'a>(tracks: &'a [Figure; 2], caption: [&str; 2]) -> Column<'a> {
    let figures = tracks.iter().map(|track| (track, 0)).collect();
    Column { figures, caption: caption.map(str::to_owned), zoom: 1.0 }
}

fn draw(title: String, panels: &[Panel], legend: &[&Figure], views: &'static [View]) -> Vec<u8> {
    let columns = panels.iter().map(|panel| Column {
        figures: vec![(&panel.figure, 0)],
        caption: panel.caption.clone(),
        zoom: panel.zoom,
    });
    Sheet { title, legend: legend.to_vec(), columns: columns.collect(), captions: ["", ""], views }
        .draw()
}

/// A body to draw, its name and its colours.
struct DrawnBody<'a> {
    anatomy: &'a Anatomy,
    name: &'a str,
    ink: Ink,
}

impl DrawnBody<'_> {
    /// Draws the whole body in its T pose.
    fn in_t_pose(&self, caption: [String; 2]) -> Panel {
        let (world, inner) = (t_pose(self.anatomy), UnitQuaternion::identity());
        self.with_axes(self.standing(&world, inner), &world, inner, caption)
    }

    /// Adds the axes of main segments to a figure of a pose.
    fn with_axes(
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
        Panel { figure, caption, zoom: 1.0 }
    }

    /// Draws a pose with its lowest point on the floor.
    fn standing(&self, world: &WorldPose, inner_from_file: UnitQuaternion<f64>) -> Figure {
        let viewpoint = Viewpoint { anatomy: self.anatomy, inner_from_file };
        let figure = standing_figure(viewpoint, world, self.name.to_owned(), self.ink);
        self.with_face(figure)
    }

    /// Draws a pose at its height over the world's floor.
    fn in_world(&self, world: &WorldPose, inner_from_file: UnitQuaternion<f64>) -> Figure {
        let viewpoint = Viewpoint { anatomy: self.anatomy, inner_from_file };
        self.with_face(world_figure(viewpoint, world, self.name.to_owned(), self.ink))
    }

    fn with_face(&self, mut figure: Figure) -> Figure {
        figure.bones.extend(face(self.anatomy));
        figure
    }

    /// Draws hands and feet in the T pose where they have more than one joint.
    fn parts(&self) -> Vec<Panel> {
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
        let is_part = |end: usize| anatomy.skeleton.is_ancestor(joint, owner(anatomy, end));
        let points = &figure.frames[0];
        let length =
            |[a, b]: [usize; 2]| (Vector3::from(points[a]) - Vector3::from(points[b])).norm();
        figure.bones.retain(|bone| {
            bone.ends.into_iter().all(is_part) && length(bone.ends) > MIN_STROKE_METRES
        });
        figure.bones.iter_mut().for_each(|bone| bone.thin = true);
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
        (!figure.bones.is_empty()).then_some(Panel { figure, caption, zoom: PART_ZOOM })
    }
}

/// Returns the T pose in file units, in the axes of the inner world.
fn t_pose(anatomy: &Anatomy) -> WorldPose {
    let mut world = anatomy.t_pose.clone();
    world.positions.iter_mut().for_each(|place| *place /= anatomy.metres_per_unit());
    world
}

/// Returns the rotation from the file's axes to +Y up and +Z ahead of the pelvis in this pose.
fn ahead(
    anatomy: &Anatomy,
    world: &WorldPose,
    inner_from_file: UnitQuaternion<f64>,
) -> UnitQuaternion<f64> {
    let pelvis = anatomy.body.pelvis();
    let frame = anatomy.anatomical(pelvis, &world.rotations[pelvis.index()]);
    let forward = inner_from_file * frame * *Axis::Z.unit();
    let level = Vector3::new(forward.x, 0.0, forward.z);
    if level.norm() < MIN_FACING_SINE {
        return inner_from_file;
    }
    UnitQuaternion::face_towards(&level, &Axis::Y.unit()).inverse() * inner_from_file
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

/// Returns the joint that a point of a figure belongs to.
fn owner(anatomy: &Anatomy, point: usize) -> JointId {
    let sites = anatomy.skeleton.end_sites();
    let site = point.checked_sub(anatomy.skeleton.len()).and_then(|site| sites.get(site));
    site.map_or(JointId(point), |site| site.parent)
}

/// Returns thin strokes to eyes, jaw and the end sites of the head.
fn face(anatomy: &Anatomy) -> Vec<Bone> {
    let Some(head) = anatomy.body.head() else { return Vec::new() };
    let skeleton = &anatomy.skeleton;
    let bone = |from: JointId, to, side| Bone { ends: [from.index(), to], side, thin: true };
    let joints = skeleton.ids().filter_map(|id| {
        let role = anatomy.roles.of(id).filter(|role| matches!(role, Role::Eye(_) | Role::Jaw))?;
        Some(bone(skeleton.joint(id).parent?, id.index(), body_side(role)))
    });
    let sites = skeleton.end_sites().iter().zip(skeleton.len()..);
    let sites = sites.filter(|(site, _)| site.parent == head);
    let sites = sites.map(|(_, index)| bone(head, index, BodySide::Middle));
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
    let frame = viewpoint.anatomy.anatomical(joint, &world.rotations[joint.index()]);
    let points = &mut figure.frames[0];
    let origin = Vector3::from(points[joint.index()]);
    let first = points.len();
    points.extend(Axis::ALL.map(|axis| -> Point {
        (origin + viewpoint.inner_from_file * frame * *axis.unit() * length).into()
    }));
    figure.axes.push([joint.index(), first, first + 1, first + 2]);
}
