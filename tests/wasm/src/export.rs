//! The functions that the module offers to JavaScript.

use wasm_bindgen::prelude::wasm_bindgen;

/// Computes the text of [`report`](crate::report) and leaves it in the module's memory. Returns its length in
/// bytes in the upper 32 bits, its address in the lower 32. The text of an error begins with `error: `.
#[wasm_bindgen]
#[must_use]
pub fn report() -> u64 {
    let text = crate::report().unwrap_or_else(|error| format!("error: {error}\n")).leak();
    ((text.len() as u64) << 32) | text.as_ptr() as u64
}
