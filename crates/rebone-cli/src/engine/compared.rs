//! A source and a result that are compared: which animation, and at one rate.

use crate::exit_code::Failure;
use rebone::skeleton::Document;
use rebone::{Anatomy, Character, FrameMapping};
use std::path::Path;

/// Frame times that differ by less are the same, as part of one of them.
const SAME_RATE: f64 = 1e-3;

/// The animations of a result, and the one of several that is called as the source's clip.
pub(crate) fn animation_of(
    result: &Path,
    source: &Character,
) -> anyhow::Result<(Vec<String>, Option<String>)> {
    let names = Document::clip_names_at(result)?;
    let name = Some(source.clip_name()).filter(|name| names.contains(name));
    Ok((names, name))
}

/// Brings the faster of source and result to the rate of the other; the source begins at a frame of its file.
pub(crate) fn at_one_rate(
    [source, result]: [&mut Character; 2],
    [from, onto]: [&Anatomy; 2],
    first: usize,
) -> Result<FrameMapping, Failure> {
    let times = [&*source, &*result].map(|own| own.clip().frame_time);
    let differ = (times[1] / times[0] - 1.0).abs() >= SAME_RATE;
    if differ && times[1] < times[0] {
        result.resample(onto, Some(1.0 / times[0]), 0)?;
    }
    let slower = (differ && times[1] > times[0]).then(|| 1.0 / times[1]);
    Ok(source.resample(from, slower, first)?)
}
