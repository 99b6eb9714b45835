//! Prints the hashes of all results, computed by native code.

use std::error::Error;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    std::io::stdout().write_all(rebone_wasm::report()?.as_bytes())?;
    Ok(())
}
