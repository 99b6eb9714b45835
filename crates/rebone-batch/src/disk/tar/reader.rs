//! Finds the members of a tar.

use super::BLOCK_BYTES;
use super::error::TarError;
use super::header::{Header, PaxRecords, until_zero};
use std::io::{Read, Seek, SeekFrom};

/// Largest number of bytes that are read of a long name, or of the records of pax for a member.
const MAX_NAME_BYTES: u64 = 1 << 16;

/// First bytes of compressed files, with their kind and the program that unpacks them.
const COMPRESSED: [(&[u8], &str, &str); 4] = [
    (b"\x1f\x8b", "gzip", "gunzip"),
    (b"\x28\xb5\x2f\xfd", "Zstandard", "unzstd"),
    (b"\xfd7zXZ\0", "xz", "unxz"),
    (b"BZh", "bzip2", "bunzip2"),
];

/// Kind of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberKind {
    /// Bytes.
    File,
    /// A folder.
    Folder,
    /// A symbolic or a hard link: its data are those of another file.
    Link,
    /// A device, a pipe, or a kind of one program.
    Other,
}

/// A member of a tar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TarMember {
    /// Its name, as it stands there.
    pub name: Vec<u8>,
    /// Its kind.
    pub kind: MemberKind,
    /// Byte of the file where its header begins.
    pub header: u64,
    /// Byte of the file where its data begin.
    pub offset: u64,
    /// Size of its data; they are within the file.
    pub size: u64,
}

/// Reads the headers of a tar, one after the other. Memory does not depend on what they declare.
#[derive(Debug)]
pub struct TarReader<R> {
    inner: R,
    length: u64,
    /// Byte of the next header.
    at: u64,
}

impl<R: Read + Seek> TarReader<R> {
    /// Begins to read a tar from its first byte.
    ///
    /// # Errors
    /// When it is empty, compressed, or cannot be read.
    pub fn new(mut inner: R) -> Result<Self, TarError> {
        let length = inner.seek(SeekFrom::End(0))?;
        inner.seek(SeekFrom::Start(0))?;
        let mut first = Vec::new();
        inner.by_ref().take(BLOCK_BYTES as u64).read_to_end(&mut first)?;
        if first.is_empty() {
            return Err(TarError::Empty);
        }
        let compressed = COMPRESSED.iter().find(|(begin, ..)| first.starts_with(begin));
        match compressed {
            Some((_, found, tool)) => Err(TarError::Compressed { found, tool }),
            None => Ok(Self { inner, length, at: 0 }),
        }
    }

    /// Finds the next member; `None` behind the last one.
    ///
    /// # Errors
    /// When a header is damaged or in a form that is not read, or the file ends too early.
    pub fn next_member(&mut self) -> Result<Option<TarMember>, TarError> {
        let (mut long_name, mut pax) = (None, PaxRecords::default());
        loop {
            let header = self.at;
            let Some(block) = self.block()? else { return Ok(None) };
            let own = Header::new(&block, header)?;
            let kind = own.kind();
            let is_member = !matches!(kind, b'L' | b'K' | b'x' | b'g');
            // A link has no data, whatever its header says.
            let size = match (kind, pax.size.filter(|_| is_member)) {
                (b'1'..=b'6', _) => 0,
                (_, Some(size)) => size,
                _ => own.size()?,
            };
            let long = pax.name.as_ref().or(long_name.as_ref()).filter(|_| is_member);
            let name = long.cloned().unwrap_or_else(|| own.name());
            let offset = self.pass(header, &name, size)?;
            match kind {
                b'L' => long_name = Some(until_zero(&self.text(header, offset, size)?).to_vec()),
                b'x' => pax = self.records(header, offset, size)?,
                // A long target of a link, and records for all members, say nothing of data.
                b'K' | b'g' => {}
                _ => {
                    check_sparse(kind, &pax, header, &name)?;
                    let kind = kind_of(kind, &name);
                    return Ok(Some(TarMember { name, kind, header, offset, size }));
                }
            }
        }
    }

    /// Reads the next header; `None` at the zeros that end a tar.
    fn block(&mut self) -> Result<Option<[u8; BLOCK_BYTES]>, TarError> {
        let at = self.at;
        if self.length.saturating_sub(at) < BLOCK_BYTES as u64 {
            return Err(TarError::NoEnd { at: self.length });
        }
        let mut block = [0; BLOCK_BYTES];
        self.inner.seek(SeekFrom::Start(at))?;
        self.inner.read_exact(&mut block)?;
        Ok(block.iter().any(|&byte| byte != 0).then_some(block))
    }

    /// Goes beyond the data of a header; returns where they begin.
    fn pass(&mut self, header: u64, name: &[u8], size: u64) -> Result<u64, TarError> {
        let offset = header + BLOCK_BYTES as u64;
        let left = self.length - offset;
        if size > left {
            let member = shown(name);
            return Err(TarError::Cut { at: header, member, declared: size, left });
        }
        // The last block may lack its zeros: then the file ends without an end.
        self.at = (offset + size).next_multiple_of(BLOCK_BYTES as u64).min(self.length);
        Ok(offset)
    }

    /// Reads the data of a header that is about the next member.
    fn text(&mut self, at: u64, offset: u64, size: u64) -> Result<Vec<u8>, TarError> {
        if size > MAX_NAME_BYTES {
            let found = format!("a name or records of {size} bytes");
            let help = "at most 65,536 are read, give the member a shorter name";
            return Err(TarError::Unsupported { at, found, help });
        }
        let mut text = Vec::new();
        self.inner.seek(SeekFrom::Start(offset))?;
        self.inner.by_ref().take(size).read_to_end(&mut text)?;
        Ok(text)
    }

    fn records(&mut self, at: u64, offset: u64, size: u64) -> Result<PaxRecords, TarError> {
        let text = self.text(at, offset, size)?;
        let found = || "records of pax that do not fit their lengths".to_owned();
        PaxRecords::parse(&text).ok_or_else(|| TarError::Header { at, found: found() })
    }
}

/// Refuses files with holes: their data are not those of the file.
fn check_sparse(kind: u8, pax: &PaxRecords, at: u64, name: &[u8]) -> Result<(), TarError> {
    if kind != b'S' && !pax.is_sparse {
        return Ok(());
    }
    let found = format!("{} is stored as a file with holes", shown(name));
    Err(TarError::Unsupported { at, found, help: "make the tar again without --sparse" })
}

/// Kind of a member by its letter; old programs mark a folder by its name alone.
fn kind_of(letter: u8, name: &[u8]) -> MemberKind {
    match letter {
        b'0' | b'7' | 0 if name.ends_with(b"/") => MemberKind::Folder,
        b'0' | b'7' | 0 => MemberKind::File,
        b'5' | b'D' => MemberKind::Folder,
        b'1' | b'2' => MemberKind::Link,
        _ => MemberKind::Other,
    }
}

/// A name for messages, at most 100 characters of it.
fn shown(name: &[u8]) -> String {
    String::from_utf8_lossy(name).chars().take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::tar::TarWriter;
    use std::io::Cursor;

    fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = TarWriter::new(Vec::new());
        for (name, data) in members {
            writer.append(name, data.len() as u64, *data).unwrap();
        }
        writer.finish().unwrap()
    }

    fn read(bytes: &[u8]) -> Result<Vec<TarMember>, TarError> {
        let mut reader = TarReader::new(Cursor::new(bytes))?;
        let mut members = Vec::new();
        while let Some(member) = reader.next_member()? {
            members.push(member);
        }
        Ok(members)
    }

    /// Writes a text into a header, and the check sum anew.
    fn with_field(bytes: &mut [u8], field: usize, text: &[u8]) {
        bytes[field..field + text.len()].copy_from_slice(text);
        bytes[148..156].copy_from_slice(b"        ");
        let sum: u32 = bytes[..512].iter().map(|&own| u32::from(own)).sum();
        bytes[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    }

    #[test]
    fn what_is_written_is_found_again() {
        let long = format!("{}/clip.bvh", "folder".repeat(40));
        let members: [(&str, &[u8]); 4] =
            [("a.bvh", b"one"), (&long, &[7; 1000]), ("caf\u{e9}.bvh", b""), ("b.bvh", &[1; 512])];
        let bytes = tar(&members);
        assert_eq!(bytes.len() % 512, 0);
        let found = read(&bytes).unwrap();
        assert_eq!(found.len(), members.len());
        for ((name, data), own) in members.iter().zip(found) {
            let end = (own.offset + own.size) as usize;
            assert_eq!((own.name, own.kind), (name.as_bytes().to_vec(), MemberKind::File));
            assert_eq!(&bytes[own.offset as usize..end], *data);
        }
    }

    #[test]
    fn a_tar_that_is_cut_at_any_byte_is_refused() {
        let bytes = tar(&[("a.bvh", &[1; 700]), ("b.bvh", b"two")]);
        let end = bytes.len() - 1024;
        for length in 0..end + 512 {
            let error = read(&bytes[..length]).unwrap_err().to_string();
            assert!(error.contains("again") || error.contains("no tar"), "{length}: {error}");
        }
        // One block of zeros ends it.
        assert_eq!(read(&bytes[..end + 512]).unwrap().len(), 2);
    }

    #[test]
    fn sizes_beyond_the_file_are_refused_with_both_numbers() {
        let mut bytes = tar(&[("a.bvh", b"one")]);
        with_field(&mut bytes, 124, b"77777777777\0");
        let error = read(&bytes).unwrap_err().to_string();
        assert!(error.contains("byte 0: a.bvh has 8589934591 bytes"), "{error}");
        with_field(&mut bytes, 124, &[0xff; 12]);
        let error = read(&bytes).unwrap_err().to_string();
        assert!(error.contains("as size"), "{error}");
        with_field(&mut bytes, 124, b"\x80\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff");
        let error = read(&bytes).unwrap_err().to_string();
        assert!(error.contains("18446744073709551615 bytes"), "{error}");
        with_field(&mut bytes, 124, b"\x80\0\0\0\0\0\0\0\0\0\0\x03");
        assert_eq!(read(&bytes).unwrap()[0].size, 3);
    }

    #[test]
    fn other_kinds_of_files_are_named() {
        for (bytes, part) in [
            (&b""[..], "the file is empty"),
            (
                b"\x1f\x8b\x08",
                "found gzip, expected a tar without compression: unpack it with `gunzip`",
            ),
            (&[b'x'; 2000], "no tar"),
            (&[b'x'; 20], "it is cut"),
        ] {
            let error = read(bytes).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        let mut bytes = tar(&[("a.bvh", b"one")]);
        with_field(&mut bytes, 156, b"S");
        assert!(read(&bytes).unwrap_err().to_string().contains("without --sparse"));
        // The data that are left out stand where the next header has to be.
        with_field(&mut bytes, 156, b"2");
        let error = read(&bytes).unwrap_err().to_string();
        assert!(error.starts_with("byte 512: found"), "{error}");
    }
}
