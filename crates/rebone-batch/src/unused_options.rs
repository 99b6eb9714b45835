//! Options of a batch that have no effect on any of its results.

use crate::error::BatchError;
use crate::jobs::BatchJob;
use crate::request::BatchRequest;
use rebone::skeleton::Format;
use rebone::{Options, UnusedOption};
use serde_json::Value;
use std::collections::BTreeMap;

/// Refuses an option that is stated and changes none of the results: by the request, or by its rules.
///
/// # Errors
/// The first such option, with what it would need.
pub(crate) fn check(request: &BatchRequest, jobs: &[BatchJob]) -> Result<(), BatchError> {
    let mut unused: BTreeMap<&str, UnusedOption> = BTreeMap::new();
    for job in jobs {
        unused.extend(of_job(job).into_iter().map(|own| (own.name, own)));
    }
    let usual = Options::default();
    for (name, own) in unused {
        let is_stated = |options: &Options| value(options, name) != value(&usual, name);
        let is_used = |job: &BatchJob| {
            is_stated(&job.options) && of_job(job).iter().all(|other| other.name != name)
        };
        if jobs.iter().any(is_used) {
            continue;
        }
        return Err(BatchError::Request(match (&request.rules, is_stated(&request.options)) {
            (Some(rules), false) => format!("{}: {own}", rules.display()),
            _ => format!("--{own}"),
        }));
    }
    Ok(())
}

/// Options that change nothing in the result of a job.
fn of_job(job: &BatchJob) -> Vec<UnusedOption> {
    Format::of_name(&job.path)
        .map_or_else(|_| Vec::new(), |format| job.options.unused(format, false))
}

/// The value of an option by its name.
fn value(options: &Options, name: &str) -> Value {
    let options = serde_json::to_value(options).expect("options are JSON");
    options.get(name).cloned().unwrap_or_default()
}
