//! The `rebone` program as a library: its arguments in, its exit code out.

mod args;
mod batch_report;
mod commands;
mod engine;
mod exit_code;
mod interrupt;
mod job_sheet;
mod manifest_file;
mod page_files;
mod page_meshes;
mod paths;
mod progress;
mod report_list;
mod review;
#[cfg(feature = "studio")]
mod studio;
mod terminal;
mod tree;

use args::{Cli, Command};
use clap::Parser;
use exit_code::{ExitCode, Failure};
use std::ffi::OsString;
use terminal::Terminal;

/// Runs the program with its arguments, the first of which is its name, and returns its exit code. It prints, takes over the
/// signals of the process, and may end the process after one.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let code = u8::try_from(error.exit_code()).unwrap_or(2);
            let Err(unprinted) = terminal::print_usage(&error) else { return code };
            let verbosity = args::Verbosity { verbose: false, quiet: false, json: false };
            let failure = Failure::from(unprinted);
            Terminal::new(verbosity).fail(&failure);
            return failure.code as u8;
        }
    };
    let terminal = Terminal::new(cli.verbosity);
    let done = interrupt::listen()
        .and_then(|()| rebone_batch::on_threads(None, || run_command(&cli.command, &terminal)));
    let code = match done {
        Ok(()) => ExitCode::Success,
        Err(failure) if failure.is_closed_pipe() => ExitCode::Success,
        Err(failure) => {
            terminal.fail(&failure);
            failure.code
        }
    };
    // Also where the signal came behind the last step.
    interrupt::exit_code().unwrap_or(code) as u8
}

/// Does what the command line says.
fn run_command(command: &Command, terminal: &Terminal) -> Result<(), Failure> {
    match command {
        Command::Retarget(args) => commands::retarget::run(args, terminal),
        Command::Batch(args) => commands::batch::run(args, terminal),
        Command::Merge(args) => commands::merge::run(args, terminal),
        Command::Doctor(args) => commands::doctor::run(args, terminal),
        Command::Inspect(args) => commands::inspect::run(args, terminal),
        Command::Card(args) => commands::card::run(args, terminal),
        Command::Export(args) => commands::export::run(args, terminal),
        Command::Check(args) => commands::check::run(args, terminal),
        Command::Report(args) => commands::report::run(args, terminal),
        #[cfg(feature = "studio")]
        Command::Studio(args) => commands::studio::run(args, terminal),
        Command::Preview(args) => commands::preview::run(args, terminal),
        Command::Demo(args) => commands::demo::run(args, terminal),
        Command::Completions(args) => commands::completions::run(args, terminal),
    }
}
