//! The verdict on any result.

use crate::anatomy::json;
use crate::errors::{input_error, raise};
use crate::motion::Motion;
use crate::pool;
use pyo3::prelude::*;
use rebone::quality::evaluate;
use rebone::{Error, Options, analyse_characters, match_rates, plan_pair};
use serde_json::json;

/// Compares a result with its source, as `rebone check` does: verdict, curves, contacts and warnings as JSON.
#[pyfunction]
pub(crate) fn check(py: Python<'_>, source: Motion, result: Motion) -> PyResult<String> {
    let compare = || -> Result<_, Error> {
        let mut loaded = [source.character, result.character];
        let analysed = analyse_characters(loaded.each_ref(), &[], None)?;
        loaded[0].check_motion()?;
        loaded[1].check_clip()?;
        loaded[0].turn_feet_back(&analysed.anatomies[0]);
        let (plan, warnings) = plan_pair(&analysed, &Options::default());
        match_rates(loaded.each_mut(), analysed.anatomies.each_ref())?;
        Ok((evaluate(&plan, loaded[0].clip(), loaded[1].clip()), warnings))
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
