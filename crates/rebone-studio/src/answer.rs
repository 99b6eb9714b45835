//! Answers to a page.

use crate::request::Side;
use rebone::skeleton::ClipError;
use rebone::{CharacterError, Error, error_causes};
use serde_json::{Value, json};

/// An answer: JSON with `ok`, and bytes.
///
/// One of a request that failed has `ok` false, `causes` with the error and its causes, `side` and `line` of the card that
/// is at fault, if any, and `help` with advice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The answer.
    pub json: String,
    /// Bytes of poses or of a file.
    pub bytes: Vec<u8>,
}

impl Answer {
    /// An answer of fields, with bytes.
    pub(crate) fn new(mut fields: Value, bytes: Vec<u8>) -> Self {
        fields["ok"] = json!(true);
        Self { json: fields.to_string(), bytes }
    }
}

/// Reason why a request has no answer.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The error, then its causes.
    pub(crate) causes: Vec<String>,
    /// The file that is at fault.
    pub(crate) side: Option<Side>,
    /// Line of its card.
    pub(crate) line: Option<usize>,
    /// Advice.
    pub(crate) help: Option<String>,
}

impl Failure {
    /// A failure without causes.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { causes: vec![text.into()], side: None, line: None, help: None }
    }

    /// A failure of a frame that a clip of `count` frames does not have.
    pub(crate) fn no_frame(frame: usize, count: usize) -> Self {
        Self::new(format!("found frame {frame}, expected 0 to {}", count.saturating_sub(1)))
    }

    /// A failure of one side.
    pub(crate) fn of_side(side: Side, error: impl Into<Self>) -> Self {
        Self { side: Some(side), ..error.into() }
    }

    /// A failure of a line of a side's card.
    pub(crate) fn of_card(side: Side, error: &rebone::LineError) -> Self {
        let line = Some(error.line).filter(|line| *line > 0);
        Self { side: Some(side), line, ..Self::new(error.message.clone()) }
    }

    /// The failure as an answer.
    pub(crate) fn answer(&self) -> Answer {
        let mut fields = self.fields();
        fields["ok"] = json!(false);
        Answer { json: fields.to_string(), bytes: Vec::new() }
    }

    /// The failure as fields of an answer.
    pub(crate) fn fields(&self) -> Value {
        let Self { causes, side, line, help } = self;
        json!({ "causes": causes, "side": side, "line": line, "help": help })
    }
}

impl From<ClipError> for Failure {
    fn from(error: ClipError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let line = match &error {
            Error::Character(CharacterError::Card { error, .. }) => {
                Some(error.line).filter(|line| *line > 0)
            }
            _ => None,
        };
        Self {
            causes: error_causes(&error),
            side: None,
            line,
            help: error.help().map(str::to_owned),
        }
    }
}

impl From<CharacterError> for Failure {
    fn from(error: CharacterError) -> Self {
        Error::from(error).into()
    }
}
