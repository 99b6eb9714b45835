//! How the program ends, and what it says when it fails.

use rebone::roles::RolesError;
use rebone::skeleton::FileError;
use rebone::{AnalysisError, CharacterError, ClipError, LowConfidence, TextError};
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
    pub(crate) fn low_confidence(error: LowConfidence, option: &str) -> Self {
        let help = format!(
            "put this into a card, corrected where it is wrong, and give it with {option}; or go on with \
             --accept-guesses:\n{}",
            error.card_lines
        );
        Self::new(ExitCode::LowConfidence, error).with_help(help)
    }

    /// A retarget of a source and a target that cannot be done.
    pub(crate) fn of_pair(error: rebone::Error, source: &Path) -> Self {
        match error {
            rebone::Error::LowConfidence(error) => {
                let is_source = error.path == source;
                let option = if is_source { "--source-card" } else { "--target-card" };
                Self::low_confidence(error, option)
            }
            error => error.into(),
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

/// A part of a clip that cannot be used.
impl From<ClipError> for Failure {
    fn from(error: ClipError) -> Self {
        let code = match error {
            ClipError::BehindEnd { .. } => ExitCode::Usage,
            ClipError::NoClip { .. } | ClipError::TooLong { .. } => ExitCode::Input,
        };
        Self::new(code, error)
    }
}

/// A character that cannot be used.
impl From<CharacterError> for Failure {
    fn from(error: CharacterError) -> Self {
        rebone::Error::from(error).into()
    }
}

/// A text that cannot be read.
impl From<TextError> for Failure {
    fn from(error: TextError) -> Self {
        Self::new(ExitCode::Input, error)
    }
}

/// A guess below confidence, of a file whose card `--card` takes.
impl From<LowConfidence> for Failure {
    fn from(error: LowConfidence) -> Self {
        Self::low_confidence(error, "--card")
    }
}

/// A retarget that cannot be done. Errors within errors come to the front, where a batch counts them by kind.
impl From<rebone::Error> for Failure {
    fn from(error: rebone::Error) -> Self {
        use rebone::Error::{Character, Clip, File, LowConfidence};
        let code = if error.is_usage() { ExitCode::Usage } else { ExitCode::Input };
        match error {
            LowConfidence(error) => error.into(),
            Clip(error) => error.into(),
            File(error) | Character(CharacterError::File(error)) => error.into(),
            Character(CharacterError::Analysis { context, error }) => {
                let is_refused = matches!(*error, AnalysisError::Roles(RolesError::Missing { .. }));
                let failure = Self::new(code, anyhow::Error::new(*error).context(context));
                if is_refused { failure.with_help(HELP_WITH_ROLES) } else { failure }
            }
            Character(error) => Self::new(code, error),
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
