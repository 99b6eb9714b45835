//! What the fuzz targets share.

mod edits;
mod figure;
pub mod scene;
mod template;

pub use figure::{Figure, Node};
pub use template::{Template, templates};

use arbitrary::{Result, Unstructured};
use cap::Cap;
use rebone::skeleton::bvh::{Document, WriteError, WriteOptions, write_clip};
use std::alloc::System;
use std::ffi::OsString;
use std::path::Path;
use std::sync::LazyLock;

/// The most that a target may hold at a time, bytes: beyond it, allocation fails, which aborts with a
/// message. The limits of libFuzzer see none of what Rust allocates.
const MEMORY: usize = 1 << 30;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, MEMORY);

/// A figure that bytes describe: a template, or a lone joint, after some edits.
///
/// # Errors
/// Never: where the bytes end, the first of all choices are made.
pub fn figure(bytes: &mut Unstructured) -> Result<Figure> {
    let templates = templates();
    let mut figure = match templates.get(bytes.int_in_range(0..=templates.len())?) {
        Some(template) => template.figure(bytes)?,
        None => Figure::default(),
    };
    for _ in 0..bytes.int_in_range(0..=12)? {
        if bytes.is_empty() {
            break;
        }
        edits::edit(&mut figure, bytes)?;
    }
    Ok(figure)
}

/// Writes a text to `name` in the folder that the environment variable `SHOW` names, if it is set: to look at
/// what an input stands for.
///
/// # Panics
/// When the file cannot be written.
pub fn show(name: &str, text: impl FnOnce() -> Vec<u8>) {
    static FOLDER: LazyLock<Option<OsString>> = LazyLock::new(|| std::env::var_os("SHOW"));
    if let Some(folder) = FOLDER.as_ref() {
        std::fs::write(Path::new(folder).join(name), text()).expect("SHOW names a folder");
    }
}

/// Checks an error of a text, which names a line: one that is there, in words that are not much longer than the text.
///
/// # Panics
/// When it is not so.
pub fn check_error(error: &dyn std::error::Error, line: usize, text: &str) {
    let message = error.to_string();
    assert!(message.len() < 8 * text.len() + 2000, "{message}");
    assert!(line <= 1 + text.matches('\n').count(), "{message}");
}

/// The text of a document that was read; `None` where a number is larger than a text may hold.
///
/// # Panics
/// When it cannot be written for another reason.
pub fn text(document: &Document) -> Option<Vec<u8>> {
    let Document { hierarchy, motion, .. } = document;
    match write_clip(Vec::new(), hierarchy, &motion.clip, WriteOptions::default()) {
        Ok(text) => Some(text),
        Err(WriteError::TooLarge { .. }) => None,
        Err(error) => panic!("what was read cannot be written: {error}"),
    }
}
