//! Paths as text, also those that are not UTF-8: the manifest keeps every byte.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::path::{Path, PathBuf};

/// A path as text. One that is not UTF-8 has `%` and two hexadecimal digits for each byte that is no text, and for `%`.
///
/// ```
/// assert_eq!(rebone_batch::path_text("lib/100 %.bvh".as_ref()), "lib/100 %.bvh");
/// # #[cfg(unix)]
/// # {
/// use std::{ffi::OsStr, os::unix::ffi::OsStrExt, path::Path};
/// let path = Path::new(OsStr::from_bytes(b"lib/100 % caf\xe9.bvh"));
/// assert_eq!(rebone_batch::path_text(path), "lib/100 %25 caf%E9.bvh");
/// # }
/// ```
pub fn path_text(path: &Path) -> String {
    path.to_str().map_or_else(|| escape(path), str::to_owned)
}

fn escape(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text += &chunk.valid().replace('%', "%25");
        chunk.invalid().iter().for_each(|byte| text += &format!("%{byte:02X}"));
    }
    text
}

/// Reads what [`escape`] writes; `None` where it is nothing of that, or no path on this system.
fn unescape(text: &str) -> Option<PathBuf> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let digits =
            part.get(..2).filter(|own| own.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend(part[2..].bytes());
    }
    #[cfg(unix)]
    {
        Some(std::os::unix::ffi::OsStringExt::from_vec(bytes))
            .map(|name: std::ffi::OsString| name.into())
    }
    #[cfg(not(unix))]
    {
        String::from_utf8(bytes).ok().map(PathBuf::from)
    }
}

/// A path in a manifest: text, or an object with the text of a path that is not UTF-8.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Escaped {
        /// The path, with `%` and two digits for a byte.
        escaped: String,
    },
}

/// Writes a path.
pub(crate) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    let written = match path.to_str() {
        Some(text) => Written::Text(text.to_owned()),
        None => Written::Escaped { escaped: escape(path) },
    };
    written.serialize(serializer)
}

/// Reads a path.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    match Written::deserialize(deserializer)? {
        Written::Text(text) => Ok(text.into()),
        Written::Escaped { escaped } => unescape(&escaped)
            .ok_or_else(|| D::Error::custom(format!("found {escaped:?}, expected a path"))),
    }
}

/// Paths that may be missing.
pub(crate) mod optional {
    use super::{Deserialize, Deserializer, PathBuf, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Own(#[serde(with = "super")] PathBuf);

    /// Writes a path, or nothing.
    pub(crate) fn serialize<S: Serializer>(
        path: &Option<PathBuf>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        path.clone().map(Own).serialize(serializer)
    }

    /// Reads a path, or nothing.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<PathBuf>, D::Error> {
        Ok(Option::<Own>::deserialize(deserializer)?.map(|own| own.0))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn every_path_reads_back() {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        struct Line(#[serde(with = "super")] PathBuf);
        let names: [&[u8]; 6] =
            [b"a%20b", b"caf\xe9", b"\xff%E9\xfe", b"e\xcc\x81", b"\xc3\xa9", b"\xff%"];
        for name in names {
            let line = Line(OsStr::from_bytes(name).into());
            let text = serde_json::to_string(&line).unwrap();
            assert_eq!(text.contains("escaped"), std::str::from_utf8(name).is_err(), "{text}");
            assert_eq!(serde_json::from_str::<Line>(&text).unwrap(), line, "{text}");
        }
        for wrong in ["%", "%F", "%XY", "a%+1", "%é"] {
            let text = serde_json::json!({ "escaped": wrong }).to_string();
            assert!(serde_json::from_str::<Line>(&text).is_err(), "{wrong}");
        }
    }
}
