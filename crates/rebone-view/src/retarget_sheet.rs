//! A contact sheet of source and result, recorded while the result is computed.

use crate::animation::animation;
use crate::error::ViewError;
use crate::palette::Ink;
use crate::recorder::{FigureRecorder, Viewpoint};
use crate::sheet::{Figure, SheetOptions, ShownFrame, contact_sheet};
use nalgebra::UnitQuaternion;
use rebone::skeleton::{Clip, Pose, SkinMesh};
use rebone::{Anatomy, Plan, Report};
use std::sync::Arc;

/// Columns of a sheet of a retarget.
const COLUMNS: usize = 8;

/// Names in the header of a sheet of a retarget.
#[derive(Clone, Copy, Debug)]
pub struct SheetNames<'a> {
    /// Name of the source clip.
    pub source: &'a str,
    /// Name of the target rig.
    pub target: &'a str,
    /// Name of the result.
    pub result: &'a str,
}

/// A contact sheet of source and result over each other, recorded pose by pose.
///
/// ```
/// use rebone::{Hints, Options, Retargeter, align, analyse};
/// use rebone_view::{RetargetSheet, SheetNames};
///
/// let source = rebone_samples::reach().motion;
/// let rig = rebone_samples::rigs().remove(0).motion;
/// let hints = Hints::default();
/// let plan = align(
///     &analyse(&source, &hints).expect("a body"),
///     &analyse(&rig, &hints).expect("a body"),
///     &Options::default(),
/// );
/// let mut sheet = RetargetSheet::new(&plan, source.clip.len(), source.clip.frame_time);
/// let mut retargeter = Retargeter::new(plan.clone()).expect("a rig that can be solved");
/// let mut pose = rig.skeleton.rest_pose();
/// for source_pose in source.clip.poses() {
///     retargeter.frame(&source_pose, &mut pose)?;
///     sheet.add(&pose)?;
/// }
/// let names = SheetNames { source: "reach.bvh", target: "rig.bvh", result: "out.bvh" };
/// let png = sheet.draw(&source.clip, [0, 0], names)?;
/// assert!(png.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RetargetSheet<'a> {
    shown: Vec<ShownFrame>,
    source: FigureRecorder<'a>,
    result: FigureRecorder<'a>,
    /// Metres of a 1.7 m body for one unit of the target's file.
    metres_per_unit: f64,
    /// Heights of the result over those of the source.
    path_scale: f64,
    /// Height that the source is raised by, metres of a 1.7 m body.
    source_rise: f64,
}

impl<'a> RetargetSheet<'a> {
    /// Starts a sheet of a result of `frames` frames of `frame_time` seconds.
    pub fn new(plan: &'a Plan, frames: usize, frame_time: f64) -> Self {
        Self::showing(plan, (frames, frame_time), ShownFrame::spread(frames, frame_time, COLUMNS))
    }

    /// Starts an animation of a result of `frames` frames of `frame_time` seconds, for [`animate`](Self::animate).
    pub fn moving(plan: &'a Plan, frames: usize, frame_time: f64) -> Self {
        Self::showing(plan, (frames, frame_time), ShownFrame::moving(frames, frame_time))
    }

    fn showing(plan: &'a Plan, (frames, frame_time): (usize, f64), shown: Vec<ShownFrame>) -> Self {
        let recorder = |anatomy: &'a Anatomy, inner_from_file: UnitQuaternion<f64>| {
            let viewpoint = Viewpoint { anatomy, inner_from_file };
            FigureRecorder::new(&anatomy.skeleton, Some(viewpoint), (frames, frame_time), &shown)
        };
        let source = recorder(&plan.source, plan.inner_from_source);
        let result = recorder(&plan.target, plan.inner_from_target);
        let (metres_per_unit, path_scale) = (plan.target.metres_per_unit(), plan.path_scale);
        Self { shown, source, result, metres_per_unit, path_scale, source_rise: 0.0 }
    }

    /// Draws source and result with their meshes, before any pose is added: [`Character::skin_mesh`](rebone::Character::skin_mesh)
    /// of both; an empty one is drawn as sticks.
    #[must_use]
    pub fn with_skins(mut self, [source, target]: [&Arc<SkinMesh>; 2]) -> Self {
        self.source.add_skin(source, Ink::BLUE_GREY);
        self.result.add_skin(target, Ink::ORANGE);
        self
    }

    /// Takes the next pose of the result.
    ///
    /// # Errors
    /// When it is no pose of the target's skeleton.
    pub fn add(&mut self, pose: &Pose) -> Result<(), ViewError> {
        Ok(self.result.add(pose)?)
    }

    /// Raises the source as the result was, where the report says that its floor was moved: both stand on one floor then.
    pub fn follow_floor(&mut self, report: &Report) {
        let moved =
            report.floor.and_then(|floor| Some(floor.moved_to? - floor.level / self.path_scale));
        self.source_rise = moved.map_or(0.0, |units| units * self.metres_per_unit);
    }

    /// Draws the sheet as PNG, after all poses of the result were added.
    ///
    /// `dropped` is the number of frames at the begin of the source `clip` without a result, `first` the
    /// number of the clip's first frame in its file.
    ///
    /// # Errors
    /// When the clip is not of the source's skeleton.
    pub fn draw(
        self,
        clip: &Clip,
        [dropped, first]: [usize; 2],
        names: SheetNames,
    ) -> Result<Vec<u8>, ViewError> {
        let title = format!("{} onto {}", names.source, names.target);
        let (shown, figures) = self.figures(clip, dropped, names)?;
        let options = SheetOptions { title, first_frame: dropped.saturating_add(first) };
        contact_sheet(&figures, &shown, &options)
    }

    /// Draws source and result side by side as they move, as GIF, after all poses of the result were added.
    ///
    /// `dropped` is the number of frames at the begin of the source `clip` without a result.
    ///
    /// # Errors
    /// When the clip is not of the source's skeleton.
    pub fn animate(
        self,
        clip: &Clip,
        dropped: usize,
        names: SheetNames,
    ) -> Result<Vec<u8>, ViewError> {
        let (shown, mut figures) = self.figures(clip, dropped, names)?;
        for (figure, name) in figures.iter_mut().zip([names.source, names.result]) {
            name.clone_into(&mut figure.label);
        }
        animation(&figures, &shown)
    }

    /// Returns the instants, and the figures of source and result.
    fn figures(
        mut self,
        clip: &Clip,
        dropped: usize,
        names: SheetNames,
    ) -> Result<(Vec<ShownFrame>, [Figure; 2]), ViewError> {
        clip.poses().skip(dropped).try_for_each(|pose| self.source.add(&pose))?;
        let place =
            if self.source_rise == 0.0 { "source" } else { "source, on the result's floor" };
        let mut source = self.source.figure(format!("{} ({place})", names.source), Ink::BLUE_GREY);
        source.raise(self.source_rise);
        let result = self.result.figure(format!("{} (result)", names.result), Ink::ORANGE);
        Ok((self.shown, [source, result]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone::report::GroundReport;
    use rebone::{Hints, Options, align, analyse};

    #[test]
    fn a_source_stands_on_the_floor_that_its_result_was_moved_to() {
        let walk = rebone_samples::walk().motion;
        let rig = rebone_samples::rigs().remove(0).motion;
        let [source, target] =
            [&walk, &rig].map(|motion| analyse(motion, &Hints::default()).unwrap());
        let plan = align(&source, &target, &Options::default());
        let mut sheet = RetargetSheet::new(&plan, 1, 1.0);
        let floor = GroundReport { level: 1.0, confidence: 1.0, moved_to: Some(-1.0) };
        sheet.follow_floor(&Report { floor: Some(floor), ..Report::default() });
        let expected = (-1.0 - 1.0 / plan.path_scale) * plan.target.metres_per_unit();
        assert!((sheet.source_rise - expected).abs() < 1e-12);
        sheet.follow_floor(&Report::default());
        assert_eq!(sheet.source_rise, 0.0);
    }
}
