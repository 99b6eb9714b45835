//! Writes a tar: ustar, with records of pax for long names. Bytes depend on names and data alone.

use super::BLOCK_BYTES;
use std::io::{self, Read, Write};

/// Longest name in a header.
const MAX_NAME_BYTES: usize = 100;
/// Sizes that are written in octal digits are below.
const MAX_OCTAL_SIZE: u64 = 1 << 33;

/// Writer of a tar.
#[derive(Debug)]
pub(crate) struct TarWriter<W> {
    inner: W,
}

impl<W: Write> TarWriter<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self { inner }
    }

    /// Adds a file of `size` bytes.
    pub(crate) fn append(&mut self, name: &str, size: u64, data: impl Read) -> io::Result<()> {
        let mut records = Vec::new();
        if name.len() > MAX_NAME_BYTES || !name.is_ascii() {
            records.extend(record("path", name));
        }
        if size >= MAX_OCTAL_SIZE {
            records.extend(record("size", &size.to_string()));
        }
        if !records.is_empty() {
            self.inner.write_all(&header(b"././@PaxHeader", records.len() as u64, b'x'))?;
            self.data(records.len() as u64, &records[..])?;
        }
        let in_header = &name.as_bytes()[..name.len().min(MAX_NAME_BYTES)];
        self.inner.write_all(&header(in_header, size % MAX_OCTAL_SIZE, b'0'))?;
        self.data(size, data)
    }

    fn data(&mut self, size: u64, data: impl Read) -> io::Result<()> {
        let copied = io::copy(&mut data.take(size), &mut self.inner)?;
        if copied != size {
            return Err(io::Error::other(format!("found {copied} bytes of {size}")));
        }
        let padding = size.next_multiple_of(BLOCK_BYTES as u64) - size;
        io::copy(&mut io::repeat(0).take(padding), &mut self.inner).map(drop)
    }

    /// Writes the end; returns what it wrote to.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.inner.write_all(&[0; 2 * BLOCK_BYTES])?;
        Ok(self.inner)
    }
}

/// A record of pax; its length counts its own digits.
fn record(key: &str, value: &str) -> Vec<u8> {
    let rest = key.len() + value.len() + 3;
    let mut length = rest;
    while length != rest + length.to_string().len() {
        length = rest + length.to_string().len();
    }
    format!("{length} {key}={value}\n").into_bytes()
}

/// A header of a file that all may read, of user 0 and of the year 1970.
fn header(name: &[u8], size: u64, kind: u8) -> [u8; BLOCK_BYTES] {
    let mut block = [0; BLOCK_BYTES];
    let mut set = |at: usize, text: &[u8]| block[at..at + text.len()].copy_from_slice(text);
    set(0, name);
    set(100, b"0000644\0");
    [108, 116].into_iter().for_each(|owner| set(owner, b"0000000\0"));
    set(124, format!("{size:011o}\0").as_bytes());
    set(136, b"00000000000\0");
    set(148, b"        ");
    set(156, &[kind]);
    set(257, b"ustar\x0000");
    let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}
