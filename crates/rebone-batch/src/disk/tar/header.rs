//! Headers of members, and the records of pax.

use super::BLOCK_BYTES;
use super::error::TarError;

/// A header as it stands in the file.
pub(super) struct Header<'a> {
    block: &'a [u8; BLOCK_BYTES],
    /// Byte of the file where it begins.
    at: u64,
}

/// Records of pax on the member behind them.
#[derive(Debug, Default)]
pub(super) struct PaxRecords {
    pub(super) name: Option<Vec<u8>>,
    pub(super) size: Option<u64>,
    pub(super) is_sparse: bool,
}

impl<'a> Header<'a> {
    /// A header whose check sum is right.
    pub(super) fn new(block: &'a [u8; BLOCK_BYTES], at: u64) -> Result<Self, TarError> {
        let own = Self { block, at };
        let stated = own.number(148..156, "check sum")?;
        // The field of the sum counts as spaces; old programs added bytes with a sign.
        let others = || block[..148].iter().chain(&[b' '; 8]).chain(&block[156..]);
        let sum: u64 = others().map(|&byte| u64::from(byte)).sum();
        let signed: i64 = others().map(|&byte| i64::from(byte.cast_signed())).sum();
        if stated != sum && i64::try_from(stated) != Ok(signed) {
            return Err(own.wrong(format!("a check sum of {stated} where {sum} is right")));
        }
        Ok(own)
    }

    /// Letter of the kind of member.
    pub(super) fn kind(&self) -> u8 {
        self.block[156]
    }

    /// Size of the data.
    pub(super) fn size(&self) -> Result<u64, TarError> {
        self.number(124..136, "size")
    }

    /// Name of the member, with the folders that POSIX puts into a second field.
    pub(super) fn name(&self) -> Vec<u8> {
        let name = until_zero(&self.block[..100]);
        let prefix = until_zero(&self.block[345..500]);
        match &self.block[257..263] == b"ustar\0" && !prefix.is_empty() {
            true => [prefix, b"/", name].concat(),
            false => name.to_vec(),
        }
    }

    /// A number in octal digits, or as GNU writes large ones: big-endian behind a first bit.
    fn number(&self, field: std::ops::Range<usize>, what: &str) -> Result<u64, TarError> {
        let field = &self.block[field];
        if field[0] & 0x80 != 0 {
            let (high, low) = field.split_at(field.len() - 8);
            let is_small = high.iter().enumerate().all(|(k, &own)| own == [0x80, 0][k.min(1)]);
            let bytes = low.try_into().ok().filter(|_| is_small && !high.is_empty());
            return bytes.map(u64::from_be_bytes).ok_or_else(|| self.no_number(field, what));
        }
        let text = field.trim_ascii_start();
        let digits = text.iter().position(|own| !own.is_ascii_digit()).unwrap_or(text.len());
        let (digits, rest) = text.split_at(digits);
        let is_end = rest.iter().all(|&own| own == 0 || own == b' ');
        let text = std::str::from_utf8(digits).ok().filter(|_| is_end);
        let number = text.and_then(|text| match text.is_empty() {
            true => Some(0),
            false => u64::from_str_radix(text, 8).ok(),
        });
        number.ok_or_else(|| self.no_number(field, what))
    }

    fn no_number(&self, field: &[u8], what: &str) -> TarError {
        self.wrong(format!("\"{}\" as {what}", field.escape_ascii()))
    }

    fn wrong(&self, found: String) -> TarError {
        TarError::Header { at: self.at, found }
    }
}

impl PaxRecords {
    /// Reads records `LENGTH KEY=VALUE\n`; `None` where one is none.
    pub(super) fn parse(mut bytes: &[u8]) -> Option<Self> {
        let mut own = Self::default();
        while !bytes.is_empty() {
            let space = bytes.iter().position(|&byte| byte == b' ')?;
            let length: usize = std::str::from_utf8(&bytes[..space]).ok()?.parse().ok()?;
            let (record, rest) = bytes.split_at_checked(length)?;
            let record = record.get(space + 1..)?.strip_suffix(b"\n")?;
            let equals = record.iter().position(|&byte| byte == b'=')?;
            let (key, value) = (&record[..equals], &record[equals + 1..]);
            match key {
                b"path" => own.name = Some(value.to_vec()),
                b"size" => own.size = Some(std::str::from_utf8(value).ok()?.parse().ok()?),
                key => own.is_sparse |= key.starts_with(b"GNU.sparse."),
            }
            bytes = rest;
        }
        Some(own)
    }
}

/// The bytes before the first zero.
pub(super) fn until_zero(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or_default()
}
