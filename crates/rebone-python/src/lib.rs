//! The Python module `rebone`: motions, analyses and retargets as Python objects.
//!
//! Numbers cross as bytes of little-endian `f64`, which `python/rebone` gives their shapes; reports cross as JSON. All types are
//! frozen. What takes time runs in a pool of the process, without the interpreter.

mod anatomy;
mod batch;
mod card;
mod check;
mod convert;
mod hints;
mod motion;
mod pair;
mod pool;
mod preview;
mod report;
mod result;
mod skeleton;
mod state;

use mimalloc::MiMalloc;
use pyo3::prelude::*;
use std::ffi::OsString;

/// Keeps the memory of one clip for the next: the system's gives it back after each, and clears it again, which takes half of the time
/// of reading a file.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Compiled part of the module `rebone`.
#[pymodule(gil_used = false)]
fn _rebone(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // Reads the table of metrics here: a child that is forked while another thread reads it would wait for ever.
    let _ = rebone::quality::Grade::Pass.scores();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<motion::Motion>()?;
    module.add_class::<anatomy::Anatomy>()?;
    module.add_class::<pair::Pair>()?;
    module.add_class::<result::Outcome>()?;
    module.add_function(wrap_pyfunction!(anatomy::analyse, module)?)?;
    module.add_function(wrap_pyfunction!(anatomy::learn, module)?)?;
    module.add_function(wrap_pyfunction!(card::check_card, module)?)?;
    module.add_function(wrap_pyfunction!(card::card_with_role, module)?)?;
    module.add_function(wrap_pyfunction!(card::card_with_pose, module)?)?;
    module.add_function(wrap_pyfunction!(batch::batch, module)?)?;
    module.add_function(wrap_pyfunction!(batch::make_cards, module)?)?;
    module.add_function(wrap_pyfunction!(batch::merge, module)?)?;
    module.add_function(wrap_pyfunction!(batch::files_up_to_date, module)?)?;
    module.add_function(wrap_pyfunction!(batch::clip_hash, module)?)?;
    module.add_function(wrap_pyfunction!(batch::is_tar_name, module)?)?;
    module.add_function(wrap_pyfunction!(batch::shard_holds, module)?)?;
    module.add_function(wrap_pyfunction!(check::check, module)?)?;
    module.add_function(wrap_pyfunction!(preview::preview, module)?)?;
    module.add_function(wrap_pyfunction!(pool::threads, module)?)?;
    module.add_function(wrap_pyfunction!(pair::default_options, module)?)?;
    module.add_function(wrap_pyfunction!(state::motion_state, module)?)?;
    module.add_function(wrap_pyfunction!(state::restore_motion, module)?)?;
    module.add_function(wrap_pyfunction!(main, module)?)
}

/// Runs the program with its arguments, the first of which is its name, and returns its exit code.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| rebone_cli::run(arguments))
}
