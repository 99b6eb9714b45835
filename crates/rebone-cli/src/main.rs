//! The `rebone` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(rebone_cli::run(std::env::args_os()))
}
