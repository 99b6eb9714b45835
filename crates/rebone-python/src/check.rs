//! The verdict on any result.

use crate::anatomy::json;
use crate::convert::errors::{input_error, raise};
use crate::motion::Motion;
use crate::pool;
use pyo3::prelude::*;
use rebone::{Error, LoopRange, Pair};
use serde_json::json;

/// Compares a result with its source, as `rebone check` does: verdict, curves, contacts and warnings as JSON. `rig` is the
/// character that the result was made for, `cycle` the cycle of the source that the result is, `auto` or `A..B`.
#[pyfunction]
#[pyo3(signature = (source, result, rig=None, cycle=None))]
pub(crate) fn check(
    py: Python<'_>,
    source: Motion,
    result: Motion,
    rig: Option<Motion>,
    cycle: Option<&str>,
) -> PyResult<String> {
    let cycle: Option<LoopRange> = cycle
        .map(str::parse)
        .transpose()
        .map_err(|error| input_error(&format!("loop: {error}")))?;
    let compare = || -> Result<_, Error> {
        let (source, result) = (source.character, result.character);
        let target = rig.map_or_else(|| result.clone(), |rig| rig.character);
        let pair = Pair::new([source, target], None)?.compare(&result, (0, None), cycle)?;
        Ok((pair.evaluate(), pair.warnings))
    };
    let (evaluation, warnings) = pool::run_unwatched(py, compare)?.map_err(raise)?;
    let own = evaluation.map_err(|error| input_error(&rebone::error_line(&error)))?;
    let curves = own
        .curves
        .iter()
        .map(|curve| json!({ "name": curve.name, "unit": curve.unit, "values": curve.values }));
    json(&json!({
        "verdict": own.verdict,
        "curves": curves.collect::<Vec<_>>(),
        "contacts": own.contacts,
        "warnings": warnings,
    }))
}
