//! Sheets of calibrations: bodies in their T pose and in other poses, with the axes of their segments.

mod drawn_body;

use crate::error::ViewError;
use crate::palette::Ink;
use crate::sheet::{Column, Figure, Sheet, ViewDirection};
use drawn_body::{DrawnBody, Panel, t_pose};
use nalgebra::{UnitQuaternion, Vector3};
use rebone::body::{Anatomy, CalibrationSource};
use rebone::skeleton::{Axis, Clip, ClipError, Pose, SkinMesh, WorldPose, forward_kinematics};
use rebone::{Plan, Retargeter};
use std::sync::Arc;

/// Sine of the angle between the pelvis's forward axis and the vertical, below which a body has no facing.
const MIN_FACING_SINE: f64 = 0.01;

/// Scale of a body with its surface relative to other bodies.
const SURFACE_ZOOM: f64 = 2.5;

/// A file to draw: its name and its clip.
#[derive(Clone, Copy, Debug)]
pub struct SheetSubject<'a> {
    /// Name in the header.
    pub name: &'a str,
    /// Clip, whose first frame gives the lengths of bones.
    pub clip: &'a Clip,
    /// Mesh of the character, shown half transparent behind the axes.
    pub skin: Option<&'a Arc<SkinMesh>>,
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
/// let subject = SheetSubject { name: "seven-spine.bvh", clip: &rig.clip, skin: None };
/// let png = calibration_sheet(&subject, &anatomy, "calibrated on its rest pose".to_owned())?;
/// assert!(png.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the clip is no motion of the anatomy's skeleton.
pub fn calibration_sheet(
    subject: &SheetSubject,
    anatomy: &Anatomy,
    title: String,
) -> Result<Vec<u8>, ViewError> {
    subject.clip.check_for(&anatomy.skeleton)?;
    let body = DrawnBody { anatomy, name: subject.name, ink: Ink::BLUE_GREY, skin: subject.skin };
    let mut panels = vec![body.in_t_pose(["T pose", "computed"].map(str::to_owned))];
    let parts = body.parts();
    let rest = anatomy.skeleton.rest_pose();
    let mut add_pose = |pose: Pose, caption: [&str; 2]| -> Result<(), ViewError> {
        let world = world_of(subject, anatomy, pose)?;
        let inner = facing_forward(anatomy, &world, anatomy.upright_from_file);
        let figure = body.standing(&world, inner);
        panels.push(body.with_axes(figure, &world, inner, caption.map(str::to_owned)));
        Ok(())
    };
    add_pose(rest.clone(), ["rest pose", "of the file"])?;
    use CalibrationSource::{BindPose, Frame, Given};
    if matches!(anatomy.calibration, BindPose | Frame(_) | Given) {
        add_pose(anatomy.calibration_pose(), ["calibration", "pose"])?;
    }
    panels.extend(parts);
    let views = &[ViewDirection::Front, ViewDirection::Side, ViewDirection::Top];
    Ok(draw(title, &panels, &[&panels[0].figure], views))
}

/// Draws the outlines of a body's surface over its skeleton, in the calibration pose, as PNG.
///
/// ```
/// use rebone::{Hints, analyse};
/// use rebone_view::{SheetSubject, surface_sheet};
///
/// let rig = rebone_samples::rigs().remove(1).motion;
/// let anatomy = analyse(&rig, &Hints::default())?;
/// let subject = SheetSubject { name: "seven-spine.bvh", clip: &rig.clip, skin: None };
/// let png = surface_sheet(&subject, &anatomy, "the usual surface".to_owned())?;
/// assert!(png.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the clip is no motion of the anatomy's skeleton.
pub fn surface_sheet(
    subject: &SheetSubject,
    anatomy: &Anatomy,
    title: String,
) -> Result<Vec<u8>, ViewError> {
    subject.clip.check_for(&anatomy.skeleton)?;
    let body = DrawnBody { anatomy, name: subject.name, ink: Ink::BLUE_GREY, skin: subject.skin };
    let (world, inner) = calibrated(subject, anatomy)?;
    let figures = body.with_surface(&world, inner);
    let caption = ["calibration", "pose"];
    let columns = vec![Column { zoom: SURFACE_ZOOM, ..together(&figures, caption) }];
    let legend = figures.iter().collect();
    let views = &[ViewDirection::Front, ViewDirection::Side];
    Ok(Sheet { title, legend, columns, captions: ["", ""], views }.draw())
}

/// Returns the calibration pose in the world, and the rotation from there to axes in which the body faces forward.
fn calibrated(
    subject: &SheetSubject,
    anatomy: &Anatomy,
) -> Result<(WorldPose, UnitQuaternion<f64>), ClipError> {
    let world = world_of(subject, anatomy, anatomy.calibration_pose())?;
    let inner = facing_forward(anatomy, &world, anatomy.upright_from_file);
    Ok((world, inner))
}

/// Returns a pose in the world, with the bone lengths of the clip's first frame.
fn world_of(
    subject: &SheetSubject,
    anatomy: &Anatomy,
    mut pose: Pose,
) -> Result<WorldPose, ClipError> {
    for id in anatomy.skeleton.ids().skip(1) {
        pose.translations[id.index()] =
            subject.clip.bone(&anatomy.skeleton, id).unwrap_or_default();
    }
    forward_kinematics(&anatomy.skeleton, &pose)
}

/// Draws both bodies of a plan in their T poses, and in the first and the middle frame of the source, as PNG.
///
/// ```
/// use rebone::{Hints, Options, align, analyse};
/// use rebone_view::{SheetSubject, calibration_poses_sheet, comparison_sheet};
///
/// let (walk, rig) = (rebone_samples::walk().motion, rebone_samples::rigs().remove(1).motion);
/// let [source, target] =
///     [&walk, &rig].map(|motion| analyse(motion, &Hints::default()).expect("a body"));
/// let plan = align(&source, &target, &Options::default());
/// let subjects = [
///     SheetSubject { name: "walk.bvh", clip: &walk.clip, skin: None },
///     SheetSubject { name: "seven-spine.bvh", clip: &rig.clip, skin: None },
/// ];
/// assert!(comparison_sheet(&subjects, &plan)?.starts_with(b"\x89PNG"));
/// assert!(calibration_poses_sheet(&subjects, &plan)?.starts_with(b"\x89PNG"));
/// # Ok::<(), rebone_view::ViewError>(())
/// ```
///
/// # Errors
/// When the clips are no motions of the plan's skeletons, or the target's joints form no chains that can be solved.
pub fn comparison_sheet(subjects: &[SheetSubject; 2], plan: &Plan) -> Result<Vec<u8>, ViewError> {
    check(subjects, plan)?;
    let clip = subjects[0].clip;
    let bodies = bodies(subjects, plan);
    let caption = |body: usize, text: String| [subjects[body].name.to_owned(), text];
    let mut panels: Vec<Panel> =
        (0..2).map(|body| bodies[body].in_t_pose(caption(body, "T pose".to_owned()))).collect();
    let mut retargeter = Retargeter::new(plan.clone())?;
    let mut pose = plan.target.skeleton.rest_pose();
    let mut shown = vec![0, clip.len() / 2];
    shown.dedup();
    for frame in shown {
        let Some(source) = clip.pose(frame) else { continue };
        retargeter.frame(&source, &mut pose)?;
        let worlds = [
            forward_kinematics(&plan.source.skeleton, &source)?,
            forward_kinematics(&plan.target.skeleton, &pose)?,
        ];
        let turn = facing_forward(&plan.source, &worlds[0], plan.inner_from_source);
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
    Ok(draw(title, &panels, &legend, &[ViewDirection::Front, ViewDirection::Side]))
}

/// Draws both bodies of a plan over each other, in their calibration poses and in their T poses, as PNG.
///
/// [`comparison_sheet`] has an example.
///
/// # Errors
/// When the clips are no motions of the plan's skeletons.
pub fn calibration_poses_sheet(
    subjects: &[SheetSubject; 2],
    plan: &Plan,
) -> Result<Vec<u8>, ViewError> {
    check(subjects, plan)?;
    let bodies = bodies(subjects, plan);
    let standing = |index: usize| -> Result<Figure, ViewError> {
        let body: &DrawnBody = &bodies[index];
        let (world, inner) = calibrated(&subjects[index], body.anatomy)?;
        Ok(body.standing(&world, inner))
    };
    let calibrated = [standing(0)?, standing(1)?];
    let t_poses = bodies
        .each_ref()
        .map(|body| body.standing(&t_pose(body.anatomy), UnitQuaternion::identity()));
    let columns = vec![
        together(&calibrated, ["calibration", "as in the file"]),
        together(&t_poses, ["T pose", "computed"]),
    ];
    let title = format!("{} and {}: calibration poses", subjects[0].name, subjects[1].name);
    let legend = calibrated.iter().collect();
    let views = &[ViewDirection::Front, ViewDirection::Side, ViewDirection::Top];
    Ok(Sheet { title, legend, columns, captions: ["", ""], views }.draw())
}

/// Checks that the clips are motions of the plan's skeletons.
fn check([source, target]: &[SheetSubject; 2], plan: &Plan) -> Result<(), ClipError> {
    source.clip.check_for(&plan.source.skeleton)?;
    target.clip.check_for(&plan.target.skeleton)
}

/// Pairs the anatomies of a plan with their names and colours.
fn bodies<'a>(subjects: &[SheetSubject<'a>; 2], plan: &'a Plan) -> [DrawnBody<'a>; 2] {
    [
        DrawnBody {
            anatomy: &plan.source,
            name: subjects[0].name,
            ink: Ink::BLUE_GREY,
            skin: subjects[0].skin,
        },
        DrawnBody {
            anatomy: &plan.target,
            name: subjects[1].name,
            ink: Ink::ORANGE,
            skin: subjects[1].skin,
        },
    ]
}

/// Returns a column of two figures of one frame over each other.
fn together<'a>(figures: &'a [Figure; 2], caption: [&str; 2]) -> Column<'a> {
    let figures = figures.iter().map(|figure| figure.in_middle(0)).collect();
    Column { figures, caption: caption.map(str::to_owned), zoom: 1.0 }
}

/// Draws a sheet with one panel in each column.
fn draw(
    title: String,
    panels: &[Panel],
    legend: &[&Figure],
    views: &'static [ViewDirection],
) -> Vec<u8> {
    let columns = panels.iter().map(|panel| Column {
        figures: vec![panel.figure.in_middle(0)],
        caption: panel.caption.clone(),
        zoom: panel.zoom,
    });
    Sheet { title, legend: legend.to_vec(), columns: columns.collect(), captions: ["", ""], views }
        .draw()
}

/// Returns the rotation from the file's axes to +Y up and +Z forward of the pelvis in this pose.
fn facing_forward(
    anatomy: &Anatomy,
    world: &WorldPose,
    inner_from_file: UnitQuaternion<f64>,
) -> UnitQuaternion<f64> {
    let pelvis = anatomy.body.pelvis();
    let frame = world.rotations[pelvis.index()] * anatomy.joint_from_anatomical[pelvis.index()];
    let forward = inner_from_file * frame * *Axis::Z.unit();
    let level = Vector3::new(forward.x, 0.0, forward.z);
    if level.norm() < MIN_FACING_SINE {
        return inner_from_file;
    }
    UnitQuaternion::face_towards(&level, &Axis::Y.unit()).inverse() * inner_from_file
}
