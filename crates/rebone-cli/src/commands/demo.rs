//! `rebone demo`.
use crate::args::Demo;
use crate::exit_code::Failure;
use crate::terminal::Terminal;

pub(crate) fn run(_args: &Demo, _terminal: &Terminal) -> Result<(), Failure> {
    Err(anyhow::anyhow!("not yet").into())
}
