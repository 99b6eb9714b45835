//! [`Studio`] as a WebAssembly module whose functions take and give numbers alone, so that a page needs no generated code
//! to call it.
//!
//! A page asks [`reserve`] for room in the module's memory, writes the request as JSON and the bytes of a file into it,
//! calls [`ask`], and reads the answer at [`json_address`] and [`bytes_address`]. Addresses hold until the next call.

use rebone_studio::{Answer, Studio};
use std::cell::RefCell;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static ROOM: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static STUDIO: RefCell<Studio> = RefCell::default();
    static ANSWER: RefCell<Answer> = RefCell::default();
}

/// Makes room for a request of `length` bytes, and returns its address; 0 where there is no memory for it.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
#[must_use]
pub fn reserve(length: usize) -> usize {
    ROOM.with_borrow_mut(|room| {
        room.clear();
        if room.try_reserve_exact(length).is_err() {
            return 0;
        }
        room.resize(length, 0);
        room.as_ptr() as usize
    })
}

/// Answers the request in the room: JSON of `json_length` bytes, then the bytes of a file.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn ask(json_length: usize) {
    let room = ROOM.take();
    let (json, bytes) = room.split_at(json_length.min(room.len()));
    let answer = STUDIO.with_borrow_mut(|studio| studio.ask(&String::from_utf8_lossy(json), bytes));
    ANSWER.set(answer);
}

/// Address of the answer's JSON.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
#[must_use]
pub fn json_address() -> usize {
    ANSWER.with_borrow(|answer| answer.json.as_ptr() as usize)
}

/// Length of the answer's JSON in bytes.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
#[must_use]
pub fn json_length() -> usize {
    ANSWER.with_borrow(|answer| answer.json.len())
}

/// Address of the answer's bytes.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
#[must_use]
pub fn bytes_address() -> usize {
    ANSWER.with_borrow(|answer| answer.bytes.as_ptr() as usize)
}

/// Length of the answer's bytes.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
#[must_use]
pub fn bytes_length() -> usize {
    ANSWER.with_borrow(|answer| answer.bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_follows_a_request() {
        assert_ne!(reserve(2), 0);
        ask(1000);
        let json = ANSWER.with_borrow(|answer| answer.json.clone());
        let fields: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!((fields["ok"].as_bool(), json_length()), (Some(false), json.len()));
        assert_eq!(bytes_length(), 0);
        assert_eq!(reserve(usize::MAX), 0);
    }
}
