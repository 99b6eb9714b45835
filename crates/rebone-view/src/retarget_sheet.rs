//! A contact sheet of source and result, recorded while the result is computed.

use crate::palette::Ink;
use crate::recorder::{FigureRecorder, Viewpoint};
use crate::sheet::{SheetOptions, ShownFrame, contact_sheet};
use nalgebra::UnitQuaternion;
use rebone::skeleton::{Clip, Pose};
use rebone::{Anatomy, Plan};

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
///     retargeter.frame(&source_pose, &mut pose);
///     sheet.add(&pose);
/// }
/// let names = SheetNames { source: "reach.bvh", target: "rig.bvh", result: "out.bvh" };
/// let png = sheet.draw(&source.clip, [0, 0], names);
/// assert!(png.starts_with(b"\x89PNG"));
/// ```
pub struct RetargetSheet<'a> {
    shown: Vec<ShownFrame>,
    source: FigureRecorder<'a>,
    result: FigureRecorder<'a>,
}

impl<'a> RetargetSheet<'a> {
    /// Starts a sheet of a result of `frames` frames of `frame_time` seconds.
    pub fn new(plan: &'a Plan, frames: usize, frame_time: f64) -> Self {
        let shown = ShownFrame::spread(frames, frame_time, COLUMNS);
        let recorder = |anatomy: &'a Anatomy, inner_from_file: UnitQuaternion<f64>| {
            let viewpoint = Viewpoint { anatomy, inner_from_file };
            FigureRecorder::new(&anatomy.skeleton, Some(viewpoint), (frames, frame_time), &shown)
        };
        let source = recorder(&plan.source, plan.inner_from_source);
        let result = recorder(&plan.target, plan.inner_from_target);
        Self { shown, source, result }
    }

    /// Takes the next pose of the result.
    pub fn add(&mut self, pose: &Pose) {
        self.result.add(pose);
    }

    /// Draws the sheet as PNG, after all poses of the result were added.
    ///
    /// `dropped` is the number of frames at the begin of the source `clip` without a result, `first` the
    /// number of the clip's first frame in its file.
    pub fn draw(mut self, clip: &Clip, [dropped, first]: [usize; 2], names: SheetNames) -> Vec<u8> {
        (dropped..clip.len()).for_each(|frame| self.source.add(&clip.pose(frame)));
        let figures = [
            self.source.figure(format!("{} (source)", names.source), Ink::BLUE_GREY),
            self.result.figure(format!("{} (result)", names.result), Ink::ORANGE),
        ];
        let title = format!("{} onto {}", names.source, names.target);
        let options = SheetOptions { title, first_frame: dropped + first };
        contact_sheet(&figures, &self.shown, &options)
    }
}
