//! Errors as the exceptions of `rebone._errors`.

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rebone::skeleton::FileError;
use rebone::{AnalysisError, CharacterError, Error, error_line};
use rebone_batch::BatchError;
use std::io::ErrorKind;
use std::path::Path;

/// Turns an error of the library into its exception.
pub(crate) fn raise(error: impl Into<Error>) -> PyErr {
    let error = error.into();
    Python::attach(|py| missing_file(&error).unwrap_or_else(|| exception(py, &error)))
}

/// Turns an error of a batch into its exception.
pub(crate) fn raise_batch(error: BatchError) -> PyErr {
    match error {
        BatchError::Retarget(error) => raise(error),
        error => named("InputError", &error_line(&error), |_| Ok(())),
    }
}

/// An exception for values that do not fit.
pub(crate) fn input_error(message: &str) -> PyErr {
    named("InputError", message, |_| Ok(()))
}

/// The error of the system for a file that is not there or may not be read.
fn missing_file(error: &Error) -> Option<PyErr> {
    let system = |error: &std::io::Error, path: &Path| {
        if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) {
            return None;
        }
        let code = error.raw_os_error()?;
        let text = error.to_string();
        let text = text.split(" (os error").next().unwrap_or_default().to_owned();
        Some(PyOSError::new_err((code, text, path.display().to_string())))
    };
    let Error::Character(error) = error else { return None };
    match error {
        CharacterError::File(FileError::Open { path, error }) => system(error, path),
        CharacterError::Text { name, error, .. } => system(error, Path::new(name)),
        _ => None,
    }
}

fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let fields = PyDict::new(py);
    let class = class_and_fields(error, &fields);
    let filled = class.and_then(|class| fields.set_item("help", error.help()).map(|()| class));
    match filled {
        Ok(class) => named(class, &error_line(error), |own| own.update(fields.as_mapping())),
        Err(error) => error,
    }
}

/// Chooses the class of an exception, and fills in what it holds besides its text.
fn class_and_fields(error: &Error, fields: &Bound<'_, PyDict>) -> PyResult<&'static str> {
    Ok(match error {
        Error::Character(error) => class_of_character(error, fields)?,
        Error::Stages(_) => "StagesError",
        Error::Clip(_) | Error::Option(_) | Error::Conflict(_) | Error::Contacts { .. } => {
            "InputError"
        }
        Error::Stopped => "ReboneError",
        _ => "WriteError",
    })
}

/// Chooses the class of an exception on a character, and fills in what it holds besides its text.
fn class_of_character(
    error: &CharacterError,
    fields: &Bound<'_, PyDict>,
) -> PyResult<&'static str> {
    Ok(match error {
        CharacterError::File(error) => {
            if let FileError::Bvh { path, error } = error {
                fields.set_item("path", path)?;
                fields.set_item("line", error.line)?;
            }
            "ReadError"
        }
        CharacterError::Card { path, error } | CharacterError::Map { path, error } => {
            fields.set_item("path", path)?;
            fields.set_item("line", error.line)?;
            "CardError"
        }
        CharacterError::Encoding { line, .. } => {
            fields.set_item("line", *line)?;
            "CardError"
        }
        CharacterError::Analysis { error, .. } => match &**error {
            AnalysisError::Card(error) => {
                fields.set_item("line", error.line)?;
                "CardError"
            }
            error => {
                if let AnalysisError::NoLimbs { missing } = error {
                    fields.set_item("missing", missing)?;
                }
                "NotUnderstood"
            }
        },
        CharacterError::LowConfidence { path, doubts, card_lines } => {
            fields.set_item("path", path)?;
            fields.set_item("doubts", doubts)?;
            fields.set_item("card_lines", card_lines)?;
            "UnsureError"
        }
        CharacterError::NoClip { .. }
        | CharacterError::EmptyClips { .. }
        | CharacterError::AfterEnd { .. }
        | CharacterError::TooLong { .. }
        | CharacterError::Clip(_)
        | CharacterError::Conflict(_) => "InputError",
        _ => "CardError",
    })
}

/// Makes an exception of a class of `rebone._errors`.
fn named(
    class: &str,
    message: &str,
    fill: impl FnOnce(&Bound<'_, PyDict>) -> PyResult<()>,
) -> PyErr {
    Python::attach(|py| {
        let make = || {
            let fields = PyDict::new(py);
            fill(&fields)?;
            py.import("rebone._errors")?.getattr(class)?.call((message,), Some(&fields))
        };
        make().map_or_else(|error| error, PyErr::from_value)
    })
}
