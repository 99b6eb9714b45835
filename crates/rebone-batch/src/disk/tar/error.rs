//! Faults of tars.

use std::io;
use thiserror::Error;

/// Fault of a tar: its byte, what was found and expected, and advice.
#[derive(Debug, Error)]
pub enum TarError {
    /// The system cannot read it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file has no bytes.
    #[error("the file is empty, expected a tar: copy it again")]
    Empty,
    /// The file is compressed.
    #[error("found {found}, expected a tar without compression: unpack it with `{tool}`")]
    Compressed {
        /// Kind of compression.
        found: &'static str,
        /// Program that takes it away.
        tool: &'static str,
    },
    /// There is no header where one has to be.
    #[error(
        "byte {at}: found {found}, expected the header of a tar's member: it is damaged or no tar"
    )]
    Header {
        /// Byte of the file.
        at: u64,
        /// Content that was found.
        found: String,
    },
    /// A member begins that the file does not hold to its end.
    #[error(
        "byte {at}: {member} has {declared} bytes by its header, and the file ends after {left} of them: it is cut, copy it \
         again"
    )]
    Cut {
        /// Byte of the member's header.
        at: u64,
        /// Its name.
        member: String,
        /// Its size by the header.
        declared: u64,
        /// Bytes that are there.
        left: u64,
    },
    /// The file ends without the block of zeros that ends a tar.
    #[error(
        "byte {at}: the file ends here, expected a member or the zeros that end a tar: it is cut, copy it again"
    )]
    NoEnd {
        /// Byte of the file.
        at: u64,
    },
    /// A member in a form that is not read.
    #[error("byte {at}: {found}: {help}")]
    Unsupported {
        /// Byte of the member's header.
        at: u64,
        /// Form of the member.
        found: String,
        /// Advice.
        help: &'static str,
    },
}
