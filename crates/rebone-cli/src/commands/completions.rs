//! `rebone completions`: the completion script for a shell.

use crate::args::{Cli, CompletionsArgs};
use crate::exit_code::Failure;
use crate::terminal::Terminal;
use clap::CommandFactory;

/// Prints the script.
pub(crate) fn run(args: &CompletionsArgs, terminal: &Terminal) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "rebone", &mut script);
    Ok(terminal.raw(&script)?)
}
