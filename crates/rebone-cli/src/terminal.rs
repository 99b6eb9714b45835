//! What is printed, where, and in which colour.
//!
//! `anstream` drops colours unless the stream is a terminal, and where `NO_COLOR` is set.

use crate::args::Verbosity;
use crate::exit_code::Failure;
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use std::io::{self, Write};

/// Errors.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Warnings and guesses.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// Advice and what was done.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Names of lines.
pub(crate) const NAME: Style = Style::new().bold();
/// Side notes.
pub(crate) const QUIET: Style = Style::new().dimmed();

/// Text in a style.
pub(crate) fn styled(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Standard output and standard error, as loud as the user wants them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    talk: Verbosity,
}

impl Terminal {
    /// As loud as the command line says.
    pub(crate) fn new(talk: Verbosity) -> Self {
        Self { talk }
    }

    /// True when standard output is to hold one JSON object and nothing else.
    pub(crate) fn wants_json(&self) -> bool {
        self.talk.json
    }

    /// True when everything that is known should be said.
    pub(crate) fn wants_details(&self) -> bool {
        self.talk.verbose && !self.talk.json
    }

    /// True when it may be shown how a long job is getting on.
    pub(crate) fn wants_progress(&self) -> bool {
        !self.talk.quiet && !self.talk.json
    }

    /// The result for people: a line or many on standard output.
    pub(crate) fn say(&self, text: &str) -> io::Result<()> {
        if self.talk.quiet || self.talk.json {
            return Ok(());
        }
        unless_closed(writeln!(anstream::stdout().lock(), "{text}"))
    }

    /// The result for programs, with `--json` only.
    pub(crate) fn json(&self, value: &impl Serialize) -> io::Result<()> {
        if !self.talk.json {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        let text = serde_json::to_string_pretty(value)?;
        unless_closed(writeln!(stdout, "{text}"))
    }

    /// The same in one line.
    pub(crate) fn json_line(&self, value: &impl Serialize) -> io::Result<()> {
        if !self.talk.json {
            return Ok(());
        }
        unless_closed(writeln!(io::stdout().lock(), "{}", serde_json::to_string(value)?))
    }

    /// What the user asked for as bytes: said with `-q` as well.
    pub(crate) fn raw(&self, bytes: &[u8]) -> io::Result<()> {
        io::stdout().lock().write_all(bytes)
    }

    /// Something to know that stops nothing, on standard error.
    pub(crate) fn warn(&self, text: &str) {
        if !self.talk.quiet {
            print_error(WARNING, "warning", text);
        }
    }

    /// Why nothing was done, on standard error.
    pub(crate) fn fail(&self, failure: &Failure) {
        if failure.message().is_empty() {
            return;
        }
        print_error(ERROR, "error", &failure.message());
        if let Some(help) = &failure.help {
            print_error(GOOD, "help", help);
        }
    }
}

/// Whoever reads standard output and has seen enough, as `head`, does not make the work fail.
fn unless_closed(printed: io::Result<()>) -> io::Result<()> {
    match printed {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed,
    }
}

/// Standard error that is closed is no reason to fail.
fn print_error(style: Style, name: &str, text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{style}{name}{style:#}: {text}");
}
