//! Bytes as a tar, with the check sums of all blocks made right: members are within the file and follow each other.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rebone_batch::tar::TarReader;
use std::io::Cursor;

/// Bytes of a header.
const BLOCK: usize = 512;

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = bytes.to_vec();
    // A header with an odd first byte keeps the sum that it has.
    for block in bytes.chunks_exact_mut(BLOCK).filter(|block| block[0] % 2 == 0 && block[0] > 0) {
        block[148..156].copy_from_slice(b"        ");
        let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
        block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    }
    let length = bytes.len() as u64;
    let check = |text: String| assert!(text.len() < 600, "{text}");
    let mut reader = match TarReader::new(Cursor::new(&bytes)) {
        Ok(reader) => reader,
        Err(error) => return check(error.to_string()),
    };
    let mut end = 0;
    loop {
        match reader.next_member() {
            Ok(None) => return,
            Err(error) => return check(error.to_string()),
            Ok(Some(member)) => {
                assert!(member.header >= end && member.offset >= member.header + BLOCK as u64);
                end = member.offset + member.size;
                assert!(end <= length && member.name.len() <= 1 << 16);
            }
        }
    }
});
