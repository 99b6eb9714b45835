//! Arrays of numbers in one file, as NumPy's `load` reads them: a ZIP archive whose members are stored, each one array.
//!
//! Formats: [NPY 1.0](https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html), and PKWARE's APPNOTE 6.3,
//! sections 4.3.7, 4.3.12 and 4.3.16, without ZIP64.

use std::io::{Error, ErrorKind, Write};

/// First bytes of an array of version 1.0.
const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
/// Bytes of which the head of an array is a multiple.
const ALIGNMENT: usize = 64;
/// Version of ZIP that is needed to read: 2.0.
const VERSION: u16 = 20;
/// 1 January 1980, the first day that ZIP knows: equal arrays make equal files.
const DATE: u16 = 1 << 5 | 1;
/// Bytes of the head of a member without its name.
const HEAD_BYTES: u64 = 30;

/// An archive that is written to a stream.
pub(crate) struct NpzWriter<'a> {
    file: &'a mut (dyn Write + Send),
    /// Bytes that were written.
    offset: u64,
    /// Directory at the end of the file.
    directory: Vec<u8>,
    members: u16,
}

impl<'a> NpzWriter<'a> {
    pub(crate) fn new(file: &'a mut (dyn Write + Send)) -> Self {
        Self { file, offset: 0, directory: Vec::new(), members: 0 }
    }

    /// Adds an array of numbers in the order of its indices, the last one fastest.
    pub(crate) fn add<T: Number>(
        &mut self,
        name: &str,
        shape: &[usize],
        numbers: impl IntoIterator<Item = T>,
    ) -> std::io::Result<()> {
        let mut bytes = npy_head(T::TYPE, shape);
        numbers.into_iter().for_each(|number| number.put(&mut bytes));
        self.member(name, &bytes)
    }

    /// Adds texts, as fixed numbers of characters of four bytes.
    pub(crate) fn add_texts(
        &mut self,
        name: &str,
        shape: &[usize],
        texts: &[&str],
    ) -> std::io::Result<()> {
        // NumPy has no texts of no characters.
        let longest =
            texts.iter().map(|text| text.chars().count()).max().unwrap_or_default().max(1);
        let mut bytes = npy_head(&format!("<U{longest}"), shape);
        for text in texts {
            let letters = text.chars().map(u32::from).chain(std::iter::repeat(0));
            letters.take(longest).for_each(|letter| bytes.extend(letter.to_le_bytes()));
        }
        self.member(name, &bytes)
    }

    /// Writes the directory, which ends the file.
    pub(crate) fn finish(self) -> std::io::Result<()> {
        let mut end = Vec::from(*b"PK\x05\x06\0\0\0\0");
        [self.members; 2].iter().for_each(|count| end.extend(count.to_le_bytes()));
        end.extend(short(self.directory.len() as u64)?.to_le_bytes());
        end.extend(short(self.offset)?.to_le_bytes());
        end.extend([0; 2]);
        self.file.write_all(&self.directory)?;
        self.file.write_all(&end)
    }

    /// Writes a member, and notes it in the directory.
    fn member(&mut self, name: &str, bytes: &[u8]) -> std::io::Result<()> {
        let name = format!("{name}.npy");
        let (length, offset) = (short(bytes.len() as u64)?, short(self.offset)?);
        let mut head = Vec::new();
        for number in [VERSION, 0, 0, 0, DATE] {
            head.extend(number.to_le_bytes());
        }
        for number in [crc32fast::hash(bytes), length, length] {
            head.extend(number.to_le_bytes());
        }
        head.extend((name.len() as u16).to_le_bytes());
        head.extend([0; 2]);
        self.file.write_all(b"PK\x03\x04")?;
        self.file.write_all(&head)?;
        self.file.write_all(name.as_bytes())?;
        self.file.write_all(bytes)?;
        self.offset += HEAD_BYTES + name.len() as u64 + u64::from(length);
        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(VERSION.to_le_bytes());
        self.directory.extend(&head);
        // No comment, first disk, no attributes.
        self.directory.extend([0; 10]);
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.members += 1;
        Ok(())
    }
}

/// A number of an array, little-endian.
pub(crate) trait Number {
    /// NumPy's name of its type.
    const TYPE: &'static str;
    /// Appends its bytes.
    fn put(self, bytes: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($number:ty, $name:literal;)*) => {$(
        impl Number for $number {
            const TYPE: &'static str = $name;
            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }
        }
    )*};
}
numbers! {
    f32, "<f4";
    f64, "<f8";
    i32, "<i4";
    i8, "|i1";
}

/// Head of an array: its type and shape as a Python dictionary, filled up with spaces.
fn npy_head(number: &str, shape: &[usize]) -> Vec<u8> {
    let shape: String = shape.iter().map(|size| format!("{size}, ")).collect();
    let mut text = format!(
        "{{'descr': '{number}', 'fortran_order': False, 'shape': ({}), }}",
        shape.trim_end()
    );
    let length = (MAGIC.len() + 2 + text.len() + 1).next_multiple_of(ALIGNMENT) - MAGIC.len() - 2;
    text += &" ".repeat(length - 1 - text.len());
    [MAGIC, &(length as u16).to_le_bytes(), text.as_bytes(), b"\n"].concat()
}

/// A number of bytes in the four bytes that ZIP has for it.
fn short(bytes: u64) -> std::io::Result<u32> {
    let message = "an .npz holds less than 4 GiB: take fewer frames with --frames";
    u32::try_from(bytes).map_err(|_| Error::new(ErrorKind::FileTooLarge, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_those_of_numpy() {
        for (shape, text) in [(&[][..], "()"), (&[3], "(3,)"), (&[2, 3, 4], "(2, 3, 4,)")] {
            let head = npy_head("<f4", shape);
            assert_eq!(head.len() % ALIGNMENT, 0);
            let head = String::from_utf8_lossy(&head).into_owned();
            assert!(
                head.contains(&format!("'shape': {text}, }}")) && head.ends_with(" \n"),
                "{head}"
            );
        }
    }

    #[test]
    fn the_directory_leads_to_each_member() {
        let mut bytes = Vec::new();
        let mut npz = NpzWriter::new(&mut bytes);
        npz.add("a", &[2], [1.0_f32, 2.0]).unwrap();
        npz.add_texts("names", &[2], &["hips", "é"]).unwrap();
        npz.finish().unwrap();
        let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let end = bytes.len() - 22;
        assert_eq!(&bytes[end..end + 4], b"PK\x05\x06");
        assert_eq!(
            u32_at(end + 12) + u32_at(end + 16),
            end,
            "the directory ends where the end begins"
        );
        let mut at = u32_at(end + 16);
        for name in ["a.npy", "names.npy"] {
            let member = u32_at(at + 42);
            assert_eq!(&bytes[member..member + 4], b"PK\x03\x04");
            let data = member + 30 + name.len();
            assert_eq!(&bytes[member + 30..data], name.as_bytes());
            let length = u32_at(member + 18);
            assert_eq!(u32_at(member + 14), crc32fast::hash(&bytes[data..data + length]) as usize);
            assert_eq!(bytes[at + 10..at + 28], bytes[member + 8..member + 26], "{name}");
            at += 46 + name.len();
        }
        assert_eq!(at, end);
    }
}
