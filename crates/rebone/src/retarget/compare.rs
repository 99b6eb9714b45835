//! Compares a result with its source: plan, clip and rate of both.

use crate::align::{Plan, align};
use crate::analyse::AnalysedPair;
use crate::body::Anatomy;
use crate::character::Character;
use crate::error::Error;
use crate::options::Options;
use crate::report::Report;

/// Largest relative difference of frame times that count as equal.
const MAX_RATE_DIFFERENCE: f64 = 1e-3;

/// Plans a retarget of two analysed characters; with warnings of motion that cannot be carried over, and of pairs that
/// were not used.
pub fn plan_pair(analysed: &AnalysedPair, options: &Options) -> (Plan, Vec<String>) {
    let [source, target] = &analysed.anatomies;
    let mut plan = align(source, target, options);
    let unused = plan.follow(&analysed.loose);
    let mut warnings = Report::new(&plan).warnings;
    warnings.extend(analysed.warnings.iter().cloned().chain(unused));
    (plan, warnings)
}

/// Names of the clips of a result, and the one of them that has the name of the source's clip.
///
/// # Errors
/// When the result cannot be read.
#[cfg(feature = "disk")]
pub fn clip_of_result(
    result: &std::path::Path,
    source: &Character,
) -> Result<(Vec<String>, Option<String>), rebone_skeleton::FileError> {
    let clips = rebone_skeleton::Document::clips_at(result)?;
    let names: Vec<String> = clips.into_iter().map(|clip| clip.name).collect();
    let name = Some(source.clip_name()).filter(|name| names.contains(name));
    Ok((names, name))
}

/// Brings the faster of source and result to the rate of the other. Returns the number of new frames of the source per old
/// frame.
///
/// # Errors
/// When a clip cannot be resampled.
pub fn match_rates(
    [source, result]: [&mut Character; 2],
    [source_anatomy, result_anatomy]: [&Anatomy; 2],
) -> Result<f64, Error> {
    let times = [&*source, &*result].map(|character| character.clip().frame_time);
    if (times[1] / times[0] - 1.0).abs() < MAX_RATE_DIFFERENCE {
        return Ok(1.0);
    }
    if times[1] > times[0] {
        return source.resample(source_anatomy, 1.0 / times[1]);
    }
    result.resample(result_anatomy, 1.0 / times[0])?;
    Ok(1.0)
}
