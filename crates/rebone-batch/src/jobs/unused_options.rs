//! Options of a batch that have no effect on any of its results.

use crate::error::BatchError;
use crate::jobs::BatchJob;
use crate::jobs::request::BatchRequest;
use rebone::Options;
use rebone::skeleton::Format;
use serde_json::Value;
use std::collections::BTreeMap;

/// Refuses an option that is stated and changes none of the results: by the request, or by its rules.
///
/// # Errors
/// The first such option, with what it would need.
pub(crate) fn check(request: &BatchRequest, jobs: &[BatchJob]) -> Result<(), BatchError> {
    let unused: BTreeMap<&str, &str> = jobs.iter().flat_map(of_job).collect();
    let usual = Options::default();
    for (name, need) in unused {
        let is_stated = |options: &Options| value(options, name) != value(&usual, name);
        let is_used = |job: &BatchJob| {
            is_stated(&job.options) && of_job(job).iter().all(|other| other.0 != name)
        };
        if jobs.iter().any(is_used) {
            continue;
        }
        let place = match (&request.rules, is_stated(&request.options)) {
            (Some(rules), false) => format!("{}: ", rules.display()),
            _ => "--".to_owned(),
        };
        let message = format!("{place}{name} has no effect: it needs {need}");
        return Err(BatchError::Request(message));
    }
    Ok(())
}

/// Options that change nothing in the result of a job, each with what it would need.
fn of_job(job: &BatchJob) -> Vec<(&'static str, &'static str)> {
    let Ok(format) = Format::of_name(&job.path) else { return Vec::new() };
    let mut unused = job.options.unused(format, false);
    if job.animation.is_some() && job.options.animation.is_some() {
        let need = "a file for each result, not --one-file: --name names its animations";
        unused.push(("animation", need));
    }
    unused
}

/// The value of an option by its name.
fn value(options: &Options, name: &str) -> Value {
    let options = serde_json::to_value(options).expect("options are JSON");
    options.get(name).cloned().unwrap_or_default()
}
