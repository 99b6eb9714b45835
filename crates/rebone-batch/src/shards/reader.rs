//! Reads the manifest of a finished shard line by line.

use crate::error::{BatchError, context};
use crate::record::manifest::{MAX_LINE_BYTES, ManifestLine, sort_key};
use crate::record::shard::Shard;
use std::fs::{File, Metadata};
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::time::SystemTime;

/// A line of a shard.
#[derive(Debug)]
pub(crate) struct ShardLine {
    /// Its shard.
    pub(crate) shard: Shard,
    /// What it says.
    pub(crate) line: ManifestLine,
    /// Its bytes, with their end of line.
    pub(crate) bytes: Vec<u8>,
    /// Place among the lines of its shard, as [`sort_key`].
    pub(crate) key: (Vec<u8>, Option<Vec<u8>>),
}

/// A manifest that is read in pieces. No file stays open: there may be more shards than a process may open files.
#[derive(Debug)]
pub(crate) struct ShardReader {
    shard: Shard,
    path: PathBuf,
    /// Length and time of the last change when reading began.
    stamp: (u64, Option<SystemTime>),
    /// Bytes of the file that were read.
    offset: u64,
    /// Bytes of a piece.
    piece: usize,
    buffer: Vec<u8>,
    /// Begin of the bytes that were not given yet.
    begin: usize,
    last: Option<(Vec<u8>, Option<Vec<u8>>)>,
    /// Lines that were given.
    lines: usize,
}

impl ShardReader {
    /// Begins to read the manifest at a path.
    pub(crate) fn new(shard: Shard, path: PathBuf, piece: usize) -> Result<Self, BatchError> {
        let found = context(path.metadata(), || format!("cannot read {}", path.display()))?;
        Ok(Self {
            shard,
            path,
            stamp: stamp(&found),
            offset: 0,
            piece,
            buffer: Vec::new(),
            begin: 0,
            last: None,
            lines: 0,
        })
    }

    /// Reads the next line; `None` at the end.
    ///
    /// # Errors
    /// When it is no line of a finished manifest, or the file changed.
    pub(crate) fn next(&mut self) -> Result<Option<ShardLine>, BatchError> {
        let Some(bytes) = self.next_bytes()? else { return Ok(None) };
        self.lines += 1;
        let wrong = |why: &str| {
            let (path, shard) = (self.path.display(), self.shard);
            BatchError::Input(format!("{path}:{}: {why}: make --shard {shard} again", self.lines))
        };
        let line: ManifestLine = serde_json::from_slice(&bytes)
            .map_err(|error| wrong(&format!("no line of a manifest, {error}")))?;
        let key = sort_key(&line);
        if self.last.as_ref().is_some_and(|last| *last > key) {
            return Err(wrong("expected lines sorted by input and output"));
        }
        self.last = Some(key.clone());
        Ok(Some(ShardLine { shard: self.shard, line, bytes, key }))
    }

    /// Bytes of the next line.
    fn next_bytes(&mut self) -> Result<Option<Vec<u8>>, BatchError> {
        let mut seen = 0;
        loop {
            let rest = &self.buffer[self.begin..];
            if let Some(end) = rest[seen..].iter().position(|&byte| byte == b'\n') {
                let bytes = rest[..=seen + end].to_vec();
                self.begin += bytes.len();
                return Ok(Some(bytes));
            }
            seen = rest.len();
            if seen as u64 > MAX_LINE_BYTES || self.offset == self.stamp.0 {
                let message = || {
                    format!(
                        "{}: its last line is not complete: make --shard {} again",
                        self.path.display(),
                        self.shard
                    )
                };
                return if seen == 0 { Ok(None) } else { Err(BatchError::Input(message())) };
            }
            let read = self.fill();
            context(read, || format!("cannot read {}", self.path.display()))?;
        }
    }

    /// Reads the next piece.
    fn fill(&mut self) -> Result<(), BatchError> {
        self.buffer.drain(..self.begin);
        self.begin = 0;
        let mut file = File::open(&self.path)?;
        let changed = || {
            BatchError::Input(
                "it changed while it was merged: merge again when its shard is done".to_owned(),
            )
        };
        if stamp(&file.metadata()?) != self.stamp {
            return Err(changed());
        }
        file.seek(SeekFrom::Start(self.offset))?;
        let read = file.take(self.piece as u64).read_to_end(&mut self.buffer)?;
        self.offset += read as u64;
        if read == 0 { Err(changed()) } else { Ok(()) }
    }
}

fn stamp(found: &Metadata) -> (u64, Option<SystemTime>) {
    (found.len(), found.modified().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::manifest::JobStatus;
    use std::fs;
    use std::path::Path;

    /// Lines of lengths that differ by hundreds.
    fn lines(count: usize) -> Vec<String> {
        let line = |k: usize| {
            let mut line = ManifestLine::new(Path::new(&format!("{k:05}.bvh")), JobStatus::Skipped);
            line.warnings = vec!["long ".repeat(k % 90)];
            serde_json::to_string(&line).unwrap() + "\n"
        };
        (0..count).map(line).collect()
    }

    #[test]
    fn lines_are_whole_whatever_the_pieces_and_few_bytes_are_held() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("0-of-1.jsonl");
        let lines = lines(2_000);
        fs::write(&path, lines.concat()).unwrap();
        for piece in [1 << 6, 1 << 10, 1 << 16, 1 << 24] {
            let shard = Shard::new(0, 1).unwrap();
            let mut reader = ShardReader::new(shard, path.clone(), piece).unwrap();
            for line in &lines {
                assert_eq!(reader.next().unwrap().unwrap().bytes, line.as_bytes());
                let most = lines.iter().map(String::len).max().unwrap() + piece;
                assert!(reader.buffer.len() <= most, "{} bytes", reader.buffer.len());
            }
            assert!(reader.next().unwrap().is_none());
        }
    }

    #[test]
    fn a_manifest_that_changes_while_it_is_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("0-of-1.jsonl");
        let lines = lines(200);
        fs::write(&path, lines.concat()).unwrap();
        let mut reader = ShardReader::new(Shard::new(0, 1).unwrap(), path.clone(), 256).unwrap();
        reader.next().unwrap();
        fs::write(&path, lines[..150].concat()).unwrap();
        let error = std::iter::from_fn(|| reader.next().transpose()).find_map(Result::err);
        let error = rebone::error_line(&error.unwrap());
        assert!(error.contains("it changed while it was merged"), "{error}");
    }
}
