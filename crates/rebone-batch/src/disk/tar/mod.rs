//! Tar archives: finds the members of one by its headers, and writes one with the same bytes on each machine.
//!
//! Reads POSIX ustar and pax, GNU and old tars, without compression. Data of members are not read: a [`TarMember`] says where
//! they are. No number of a header is trusted beyond the length of the file.

mod error;
mod header;
mod reader;
mod writer;

pub use error::TarError;
pub use reader::{MemberKind, TarMember, TarReader};
pub(crate) use writer::TarWriter;

/// Bytes of a header, and of the pieces that data are padded to.
const BLOCK_BYTES: usize = 512;
