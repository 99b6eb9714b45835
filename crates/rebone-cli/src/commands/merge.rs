//! `rebone merge`: the manifests of shards as one.

use crate::args::MergeArgs;
use crate::batch_report;
use crate::exit_code::{ExitCode, Failure};
use crate::interrupt;
use crate::terminal::Terminal;
use rebone_batch::merge_shards;

/// Merges, and says which shards are missing.
pub(crate) fn run(args: &MergeArgs, terminal: &Terminal) -> Result<(), Failure> {
    let merged = merge_shards(&args.folder, interrupt::flag())?;
    batch_report::merged_shards(&merged, terminal)?;
    match merged.is_complete() {
        true => Ok(()),
        false => Err(Failure::silent(ExitCode::Partial)),
    }
}
