//! How the program ends, and what it says when it fails.

use rebone::RetargetError;
use rebone::skeleton::FileError;
use std::path::Path;
use std::process;

/// Help where limbs of a skeleton are not found.
const HELP_WITH_ROLES: &str = "`rebone inspect FILE` lists the joints and the roles that were found; `rebone card FILE \
                               -o CARD` writes a card in which to name the missing ones";

/// What a caller can tell from the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitCode {
    /// Everything was done.
    Success = 0,
    /// The input cannot be used, or the output cannot be written.
    Input = 1,
    /// The command line is wrong.
    Usage = 2,
    /// Some of a batch was done, and some was not.
    Partial = 3,
    /// A guess is below confidence; nothing was written.
    LowConfidence = 4,
    /// The user stopped it.
    Interrupted = 130,
}

impl From<ExitCode> for process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code as u8)
    }
}

/// The user stopped the work.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub(crate) struct Interrupted;

impl From<Interrupted> for Failure {
    fn from(_: Interrupted) -> Self {
        Self::silent(ExitCode::Interrupted)
    }
}

/// Whether the user stopped the work that failed.
pub(crate) fn is_interruption(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.is::<Interrupted>())
}

/// Why a command was not done.
#[derive(Debug)]
pub(crate) struct Failure {
    /// How the program ends.
    pub(crate) code: ExitCode,
    /// What to say, outermost context first.
    pub(crate) error: anyhow::Error,
    /// What would help, in a line or a few; shown below the error.
    pub(crate) help: Option<String>,
}

impl Failure {
    /// A failure that ends the program with this code.
    pub(crate) fn new(code: ExitCode, error: impl Into<anyhow::Error>) -> Self {
        Self { code, error: error.into(), help: None }
    }

    /// The command line asks for something that is never done.
    pub(crate) fn usage(message: String) -> Self {
        Self::new(ExitCode::Usage, anyhow::Error::msg(message))
    }

    /// A guess is below confidence; the help holds the lines for the card that `option` takes.
    pub(crate) fn low_confidence(error: rebone::Error, option: &str) -> Self {
        let rebone::Error::LowConfidence { card_lines, .. } = &error else { return error.into() };
        let help = format!(
            "put this into a card, corrected where it is wrong, and give it with {option}; or go on with \
             --accept-guesses:\n{card_lines}"
        );
        Self::new(ExitCode::LowConfidence, error).with_help(help)
    }

    /// A retarget of a source and a target that cannot be done.
    pub(crate) fn of_pair(error: rebone::Error, source: &Path) -> Self {
        match &error {
            rebone::Error::LowConfidence { path, .. } => {
                let option = if path == source { "--source-card" } else { "--target-card" };
                Self::low_confidence(error, option)
            }
            _ => error.into(),
        }
    }

    /// The same with a line of advice.
    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// A failure of which all was said already.
    pub(crate) fn silent(code: ExitCode) -> Self {
        Self::new(code, anyhow::anyhow!(""))
    }

    /// True when the reader of standard output has seen enough, as in `rebone inspect a.bvh | head`.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        let error = self.error.downcast_ref::<std::io::Error>();
        error.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    }

    /// The chain of causes as one line: `cannot read a.bvh: line 3: found x, expected y`.
    ///
    /// A cause that its context quotes already is not said twice.
    pub(crate) fn message(&self) -> String {
        self.error.chain().fold(String::new(), |mut message, cause| {
            let cause = cause.to_string();
            if !message.ends_with(&cause) {
                message.push_str(if message.is_empty() { "" } else { ": " });
                message.push_str(&cause);
            }
            message
        })
    }
}

/// Printing that fails.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::new(ExitCode::Input, anyhow::Error::new(error).context("cannot print"))
    }
}

/// A file that cannot be read.
impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self::new(ExitCode::Input, error)
    }
}

/// A character that cannot be used, or a retarget that cannot be done. Errors within errors come to the front, where a
/// batch counts them by kind. The card of a guess below confidence is that which `--card` takes.
impl From<rebone::Error> for Failure {
    fn from(error: rebone::Error) -> Self {
        use rebone::Error::{Analysis, File, LowConfidence};
        let code = if error.is_usage() { ExitCode::Usage } else { ExitCode::Input };
        match error {
            File(error) => error.into(),
            Analysis { context, error } => {
                let is_refused = matches!(*error, RetargetError::NoLimbs { .. });
                let failure = Self::new(code, anyhow::Error::new(*error).context(context));
                if is_refused { failure.with_help(HELP_WITH_ROLES) } else { failure }
            }
            LowConfidence { .. } => Self::low_confidence(error, "--card"),
            error => Self::new(code, error),
        }
    }
}

/// Errors without a code of their own mean that the input cannot be used.
impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        if is_interruption(&error) {
            return Interrupted.into();
        }
        Self::new(ExitCode::Input, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chain_is_one_line_and_says_nothing_twice() {
        let error = anyhow::anyhow!("line 3").context("bad: line 3").context("cannot read a.bvh");
        assert_eq!(Failure::from(error).message(), "cannot read a.bvh: bad: line 3");
    }
}
