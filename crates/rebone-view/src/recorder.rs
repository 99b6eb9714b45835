//! Recording of motions: from poses to the points of a figure.

use crate::error::ViewError;
use crate::palette::{Ink, Rgb};
use crate::sheet::{BodySide, Figure, FigurePoint, ShownFrame};
use crate::skin::FigureSkin;
use crate::stick_figure::StickFigure;
use nalgebra::UnitQuaternion;
use rebone::body::{Anatomy, BODY_HEIGHT};
use rebone::skeleton::{ClipError, JointId, Motion, Pose, Skeleton, SkinMesh, WorldPose};
use std::sync::Arc;

/// Limit of the joints of a skeleton that is drawn with its mesh: each drawn frame keeps the pose of all.
const MAX_SKIN_JOINTS: usize = 4096;

/// A motion to draw.
#[derive(Clone, Copy, Debug)]
pub struct MotionView<'a> {
    /// Name in the header of the sheet.
    pub label: &'a str,
    /// Skeleton and clip.
    pub motion: &'a Motion,
    /// Anatomy of the skeleton; without one all joints are drawn with +Y up, scaled to 1.7 m.
    pub anatomy: Option<&'a Anatomy>,
    /// Mesh of the character, [`Character::skin_mesh`](rebone::Character::skin_mesh); without one sticks are drawn.
    pub skin: Option<&'a Arc<SkinMesh>>,
}

/// Computes the strokes of a motion at some frames.
///
/// Heights are those of the world: the floor is at height 0 along the up axis.
///
/// ```
/// use rebone_view::{Ink, MotionView, ShownFrame, motion_figure};
///
/// let walk = rebone_samples::walk().motion;
/// let shown = ShownFrame::spread(walk.clip.len(), walk.clip.frame_time, 4);
/// let view = MotionView { label: "walk.bvh", motion: &walk, anatomy: None, skin: None };
/// let figure = motion_figure(&view, &shown, Ink::ORANGE)?;
/// # Ok::<(), rebone_view::ViewError>(())
/// ```
///
/// # Errors
/// When the clip is no motion of its skeleton, or the anatomy that of another.
pub fn motion_figure(
    view: &MotionView,
    shown: &[ShownFrame],
    ink: Ink,
) -> Result<Figure, ViewError> {
    let Motion { skeleton, clip } = view.motion;
    clip.check_for(skeleton)?;
    view.anatomy.map_or(Ok(()), |anatomy| clip.check_for(&anatomy.skeleton))?;
    let viewpoint = view.anatomy.map(Viewpoint::at_rest);
    let mut recorder =
        FigureRecorder::new(skeleton, viewpoint, (clip.len(), clip.frame_time), shown);
    if let Some(mesh) = view.skin {
        recorder.add_skin(mesh, ink);
    }
    clip.poses().try_for_each(|pose| recorder.add(&pose))?;
    Ok(recorder.figure(view.label.to_owned(), ink))
}

/// An anatomy and the direction that it is viewed in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Viewpoint<'a> {
    /// Anatomy of the skeleton.
    pub(crate) anatomy: &'a Anatomy,
    /// Rotation from the file's axes to +Y up and +Z forward.
    pub(crate) inner_from_file: UnitQuaternion<f64>,
}

impl<'a> Viewpoint<'a> {
    /// Views a body so that its rest pose faces +Z, where its facing is known.
    fn at_rest(anatomy: &'a Anatomy) -> Self {
        Self { anatomy, inner_from_file: anatomy.inner_from_file() }
    }

    /// Returns the skin of the body in this view; limbs have the shades of their sides.
    pub(crate) fn skin(&self, mesh: &Arc<SkinMesh>, ink: Ink) -> Option<FigureSkin> {
        let Self { anatomy, inner_from_file } = *self;
        let (skeleton, roles) = (&anatomy.skeleton, &anatomy.roles);
        let colour = |joint: JointId| -> Rgb {
            let known = skeleton.joint(joint).is_some();
            let mut roles =
                skeleton.path_to_root(joint).filter(|_| known).filter_map(|id| roles.of(id));
            let shade = match roles.next().map_or(BodySide::Middle, BodySide::from) {
                BodySide::Left => ink.left,
                BodySide::Middle => ink.middle,
                BodySide::Right => ink.right,
            };
            std::array::from_fn(|k| shade[k].midpoint(ink.middle[k]))
        };
        let view = (inner_from_file, anatomy.metres_per_unit());
        FigureSkin::new(mesh, &skeleton.rest_world(), view, colour)
    }
}

/// Records the strokes of a motion pose by pose and keeps the shown frames only.
pub(crate) struct FigureRecorder<'a> {
    skeleton: &'a Skeleton,
    viewpoint: Option<Viewpoint<'a>>,
    stick_figure: StickFigure,
    /// Frame numbers to keep, ascending.
    shown: Vec<usize>,
    kept: Vec<Vec<FigurePoint>>,
    /// Number of frames so far.
    frames: usize,
    /// Largest height of a frame's bounding box.
    tallest: f64,
    world: WorldPose,
    skin: Option<FigureSkin>,
}

impl<'a> FigureRecorder<'a> {
    /// Starts a motion of `frames` frames of `frame_time` seconds.
    ///
    /// Without a viewpoint all joints are drawn as they are in the file, with +Y up.
    pub(crate) fn new(
        skeleton: &'a Skeleton,
        viewpoint: Option<Viewpoint<'a>>,
        (frames, frame_time): (usize, f64),
        shown: &[ShownFrame],
    ) -> Self {
        let shown = shown.iter().map(|instant| instant.frame_of(frames, frame_time));
        let anatomy = viewpoint.map(|view| view.anatomy);
        let mut stick_figure = StickFigure::new(skeleton, anatomy);
        if let Some(anatomy) = anatomy.filter(|anatomy| anatomy.has_known_surface()) {
            stick_figure.add_surface(anatomy);
        }
        Self {
            skeleton,
            viewpoint,
            stick_figure,
            shown: shown.collect(),
            kept: Vec::new(),
            frames: 0,
            tallest: 0.0,
            world: WorldPose::zeros(skeleton),
            skin: None,
        }
    }

    /// Draws the body with its mesh, as sticks where it has more than [`MAX_SKIN_JOINTS`]. To call before any frame is added.
    pub(crate) fn add_skin(&mut self, mesh: &Arc<SkinMesh>, ink: Ink) {
        if self.skeleton.len() > MAX_SKIN_JOINTS {
            return;
        }
        self.skin = match self.viewpoint {
            Some(viewpoint) => viewpoint.skin(mesh, ink),
            None => {
                let view = (UnitQuaternion::identity(), 1.0);
                FigureSkin::new(mesh, &self.skeleton.rest_world(), view, |_| ink.middle)
            }
        };
    }

    /// Takes the next frame.
    ///
    /// # Errors
    /// When it is no pose of the skeleton.
    pub(crate) fn add(&mut self, pose: &Pose) -> Result<(), ClipError> {
        pose.check_for(self.skeleton)?;
        let is_shown = self.shown.get(self.kept.len()) == Some(&self.frames);
        if is_shown || self.viewpoint.is_none() {
            self.world.update(self.skeleton, pose)?;
            let points = points(&self.stick_figure, self.viewpoint, &self.world);
            let heights = || points.iter().map(|point| point[1]);
            let height = heights().fold(f64::MIN, f64::max) - heights().fold(f64::MAX, f64::min);
            self.tallest = self.tallest.max(height);
            while self.shown.get(self.kept.len()) == Some(&self.frames) {
                self.kept.push(points.clone());
                self.skin.iter_mut().for_each(|skin| skin.push(&self.world));
            }
        }
        self.frames += 1;
        Ok(())
    }

    /// Returns the strokes, after all frames were added.
    pub(crate) fn figure(mut self, label: String, ink: Ink) -> Figure {
        if self.viewpoint.is_none() && self.tallest > 0.0 {
            let scale = BODY_HEIGHT / self.tallest;
            self.kept.iter_mut().flatten().flatten().for_each(|value| *value *= scale);
            self.skin.iter_mut().for_each(|skin| skin.enlarge(scale));
        }
        Figure { skin: self.skin, ..of_frames(self.stick_figure, self.kept, label, ink) }
    }
}

/// Computes the strokes of one pose, given in the world, with its lowest point on the floor.
pub(crate) fn standing_figure(
    viewpoint: Viewpoint,
    world: &WorldPose,
    label: String,
    ink: Ink,
) -> Figure {
    let mut figure = world_figure(viewpoint, world, label, ink);
    let lowest = figure.drawn_heights().fold(f64::MAX, f64::min);
    figure.raise(-lowest);
    figure
}

/// Computes the strokes of one pose, given in the world, at its height over the world's floor.
pub(crate) fn world_figure(
    viewpoint: Viewpoint,
    world: &WorldPose,
    label: String,
    ink: Ink,
) -> Figure {
    let anatomy = viewpoint.anatomy;
    let stick_figure = StickFigure::new(&anatomy.skeleton, Some(anatomy));
    let frames = vec![points(&stick_figure, Some(viewpoint), world)];
    of_frames(stick_figure, frames, label, ink)
}

/// Returns the figure of frames whose points are computed.
fn of_frames(
    stick_figure: StickFigure,
    frames: Vec<Vec<FigurePoint>>,
    label: String,
    ink: Ink,
) -> Figure {
    let StickFigure { strokes, skull, surface, centre, .. } = stick_figure;
    Figure { label, ink, frames, centre, strokes, skull, surface, axes: Vec::new(), skin: None }
}

/// Returns the points of a pose in the axes of the picture; in file units without a viewpoint.
fn points(
    stick_figure: &StickFigure,
    viewpoint: Option<Viewpoint>,
    world: &WorldPose,
) -> Vec<FigurePoint> {
    let points = stick_figure.points(world);
    points
        .map(|position| match viewpoint {
            Some(Viewpoint { anatomy, inner_from_file }) => {
                (inner_from_file * position * anatomy.metres_per_unit()).into()
            }
            None => position.into(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;
    use rebone::skeleton::Clip;
    use rebone::{Hints, analyse, card::Card};

    /// Returns the lowest point of each shown frame.
    fn lowest(motion: &Motion) -> Vec<f64> {
        let anatomy = analyse(motion, &Hints::default()).unwrap();
        let shown = ShownFrame::spread(motion.clip.len(), motion.clip.frame_time, 8);
        let view = MotionView { label: "", motion, anatomy: Some(&anatomy), skin: None };
        let figure = motion_figure(&view, &shown, Ink::ORANGE).unwrap();
        let heights =
            |frame: &Vec<FigurePoint>| frame.iter().map(|point| point[1]).fold(f64::MAX, f64::min);
        figure.frames.iter().map(heights).collect()
    }

    #[test]
    fn heights_are_over_the_floor_of_the_world_and_not_over_the_lowest_point() {
        let mut motion = rebone_samples::clips().remove(0).motion;
        let walking = lowest(&motion);
        let anatomy = analyse(&motion, &Hints::default()).unwrap();
        let up = anatomy.inner_from_file().inverse() * Vector3::y();
        let clip = std::mem::replace(&mut motion.clip, Clip::new(&motion.skeleton, 1.0 / 30.0));
        motion.clip.frame_time = clip.frame_time;
        for mut pose in clip.poses() {
            pose.translations[0] += up * (0.5 / anatomy.metres_per_unit());
            motion.clip.push(&pose).unwrap();
        }
        for (raised, walking) in lowest(&motion).into_iter().zip(walking) {
            assert!(
                (raised - walking - 0.5).abs() < 1e-6 && walking.abs() < 0.05,
                "{raised} {walking}"
            );
        }
    }

    #[test]
    fn a_surface_is_drawn_where_a_card_or_a_mesh_tells_it() {
        let motion = rebone_samples::clips().remove(0).motion;
        let shown = ShownFrame::spread(motion.clip.len(), motion.clip.frame_time, 2);
        let figure = |anatomy: &Anatomy| {
            let anatomy = Some(anatomy);
            let view = MotionView { label: "", motion: &motion, anatomy, skin: None };
            motion_figure(&view, &shown, Ink::ORANGE).unwrap()
        };
        let card = Card::parse("[surface]\nbelly = 1.2\n").unwrap();
        let hints = Hints { card: Some(card), ..Hints::default() };
        let stated = analyse(&motion, &hints).unwrap();
        assert!(figure(&analyse(&motion, &Hints::default()).unwrap()).surface.is_empty());
        let drawn = figure(&stated);
        assert!(drawn.surface.len() > 10);
        let points = drawn.surface.iter().flatten().map(|point| drawn.frames[1][*point]);
        assert!(points.flatten().all(f64::is_finite));
    }
}
