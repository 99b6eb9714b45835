//! Small questions to an anatomy.

use rebone::body::{Anatomy, CalibrationSource, SoleSource};

/// Where the anatomical frames were read off, for people.
pub(crate) fn calibration(anatomy: &Anatomy) -> String {
    let mended =
        anatomy.soles == SoleSource::Motion && anatomy.calibration != CalibrationSource::Motion;
    let soles = if mended { ", its soles on its motion" } else { "" };
    let frames = match anatomy.calibration {
        CalibrationSource::RestPose => "calibrated on its rest pose".to_owned(),
        CalibrationSource::BindPose => "calibrated on its bind pose".to_owned(),
        CalibrationSource::Frame(frame) => format!("calibrated on its frame {frame}"),
        CalibrationSource::Given => "calibrated on the given pose".to_owned(),
        CalibrationSource::Motion => "calibrated on its motion".to_owned(),
        CalibrationSource::Learned(files) => format!("learned from {}", self::files(files)),
        CalibrationSource::Kind => "calibrated as the other file, of the same kind".to_owned(),
    };
    frames + soles
}

/// `1 file`, `4 files`.
pub(super) fn files(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}
