//! Files of the output folder: places, paths, archives, locks of files.

pub(crate) mod file_lock;
pub(crate) mod folders;
pub(crate) mod folding;
pub(crate) mod name_key;
pub(crate) mod npz_file;
pub(crate) mod path_text;
pub(crate) mod place;
pub mod tar;
