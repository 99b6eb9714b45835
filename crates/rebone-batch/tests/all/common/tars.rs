//! Tars of clips, as other programs write them.

use std::collections::BTreeMap;

/// A tar of regular files.
pub(crate) fn tar(members: &[(&str, &str)]) -> Vec<u8> {
    let mut bytes: Vec<u8> =
        members.iter().flat_map(|(name, text)| member(name, text, b'0')).collect();
    bytes.extend([0; 1024]);
    bytes
}

/// A member of a kind, in the form of old tars: no magic, numbers that end with a space.
pub(crate) fn member(name: &str, text: &str, kind: u8) -> Vec<u8> {
    let mut block = vec![0; 512];
    block[..name.len()].copy_from_slice(name.as_bytes());
    block[100..108].copy_from_slice(b"0000600 ");
    block[124..136].copy_from_slice(format!("{:11o} ", text.len()).as_bytes());
    block[136..148].copy_from_slice(b"14000000000 ");
    block[156] = kind;
    let sum: u32 = block.iter().map(|&own| u32::from(own)).sum::<u32>() + 8 * 32;
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block.extend(text.as_bytes());
    block.resize(block.len().next_multiple_of(512), 0);
    block
}

/// Members of a tar that rebone wrote, in their order.
pub(crate) fn members(tar: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut members = Vec::new();
    let mut at = 0;
    while tar[at] != 0 {
        let text = |from: usize, to: usize| {
            let field = tar[at + from..at + to].split(|&own| own == 0).next().unwrap();
            std::str::from_utf8(field).unwrap().to_owned()
        };
        let size = usize::from_str_radix(text(124, 136).trim(), 8).unwrap();
        members.push((text(0, 100), tar[at + 512..at + 512 + size].to_vec()));
        at += 512 + size.next_multiple_of(512);
    }
    members
}

/// Members by their names.
pub(crate) fn files(tar: &[u8]) -> BTreeMap<String, Vec<u8>> {
    members(tar).into_iter().collect()
}
