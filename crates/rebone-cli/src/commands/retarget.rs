//! `rebone retarget`.
use crate::args::Retarget;
use crate::exit_code::Failure;
use crate::paths;
use crate::terminal::Terminal;

pub(crate) fn run(args: &Retarget, _terminal: &Terminal) -> Result<(), Failure> {
    paths::check_outputs(&[&args.source, &args.target], &[&args.output])?;
    Err(anyhow::anyhow!("not yet").into())
}
