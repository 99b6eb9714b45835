//! A source and a result that are compared: which animation, and at one rate.

use rebone::skeleton::Document;
use rebone::{Anatomy, Character};
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

/// Brings the faster of source and result to the rate of the other. Returns the number of new frames of the source per
/// old frame.
pub(crate) fn at_one_rate(
    [source, result]: [&mut Character; 2],
    [from, onto]: [&Anatomy; 2],
) -> Result<f64, rebone::Error> {
    let times = [&*source, &*result].map(|own| own.clip().frame_time);
    if (times[1] / times[0] - 1.0).abs() < SAME_RATE {
        return Ok(1.0);
    }
    if times[1] > times[0] {
        return source.resample(from, 1.0 / times[1]);
    }
    result.resample(onto, 1.0 / times[0])?;
    Ok(1.0)
}
