//! Rules of the workspace, its documents and its public functions.

mod architecture;
mod imports;
mod options;
mod paths;
mod public_functions;
mod readme;
mod tree;
mod verdict;
