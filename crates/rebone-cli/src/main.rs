//! The `rebone` program.
fn main() {}
