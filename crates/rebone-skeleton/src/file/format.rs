//! Formats: of bytes to read, by what they begin with; of files to write, by the end of their names.

use super::FileKind;
use super::kind::KIND_BYTES;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Names the formats that this build reads, for users.
pub const FORMATS_READ: &str = if cfg!(feature = "fbx") {
    "motions and rigs are read from BVH, glTF (GLB, VRM, VRMA), FBX and Acclaim (ASF, AMC)"
} else {
    "motions and rigs are read from BVH, glTF (GLB, VRM, VRMA) and Acclaim (ASF, AMC)"
};

/// A format that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// BVH: a hierarchy and Euler angles, as text.
    Bvh,
    /// glTF 2.0 in one binary file.
    Glb,
    /// glTF 2.0 as JSON.
    Gltf,
    /// A VRM avatar: a GLB that names the humanoid bones.
    Vrm,
    /// A VRM animation, which plays on any VRM 1.0 avatar.
    Vrma,
    /// Arrays of numbers, as NumPy reads them.
    Npz,
}

/// A name whose end is that of no format that is written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "cannot write {} as {extension}: name it {}, or .glb, .gltf, .vrm, .vrma or .npz",
    path.display(),
    path.with_extension("bvh").display()
)]
pub struct FormatError {
    /// The name.
    pub path: PathBuf,
    /// Its end.
    pub extension: String,
}

impl Format {
    /// Reads the format off the end of a name; [`Format::Bvh`] where it has none.
    ///
    /// ```
    /// use rebone_skeleton::Format;
    /// assert_eq!(Format::of_name("hero-walk.VRM"), Ok(Format::Vrm));
    /// assert_eq!(Format::of_name("walk"), Ok(Format::Bvh));
    /// assert!(Format::of_name("walk.fbx").is_err());
    /// ```
    ///
    /// # Errors
    /// When the end is that of no format which is written.
    pub fn of_name(name: impl AsRef<Path>) -> Result<Self, FormatError> {
        let path = name.as_ref();
        let extension = path.extension().map(|end| end.to_string_lossy().to_lowercase());
        Ok(match extension.as_deref() {
            None | Some("bvh") => Self::Bvh,
            Some("glb") => Self::Glb,
            Some("gltf") => Self::Gltf,
            Some("vrm") => Self::Vrm,
            Some("vrma") => Self::Vrma,
            Some("npz") => Self::Npz,
            Some(_) => {
                let extension = path.extension().unwrap_or_default().to_string_lossy();
                return Err(FormatError { path: path.into(), extension: extension.into() });
            }
        })
    }
}

impl From<Format> for FileKind {
    fn from(format: Format) -> Self {
        match format {
            Format::Bvh => Self::Bvh,
            Format::Gltf => Self::Gltf,
            Format::Npz => Self::Npz,
            Format::Glb | Format::Vrm | Format::Vrma => Self::Glb,
        }
    }
}

/// A format that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InputFormat {
    /// glTF, GLB, VRM or VRMA.
    Gltf,
    /// FBX, text or binary.
    Fbx,
    /// Acclaim skeleton.
    Asf,
    /// Acclaim motion.
    Amc,
    /// BVH, and whatever is not recognised: its reader says what it found.
    Bvh,
}

/// Recognises the format by the first bytes.
pub(super) fn sniff(bytes: &[u8]) -> InputFormat {
    match FileKind::of_bytes(&bytes[..bytes.len().min(KIND_BYTES)]) {
        Some(FileKind::Glb | FileKind::Gltf | FileKind::Json) => InputFormat::Gltf,
        Some(FileKind::Fbx) => InputFormat::Fbx,
        Some(FileKind::Asf) => InputFormat::Asf,
        Some(FileKind::Amc) => InputFormat::Amc,
        _ => InputFormat::Bvh,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognised_by_content() {
        assert_eq!(sniff(b"\xEF\xBB\xBF { \"asset\": {} }"), InputFormat::Gltf);
        assert_eq!(sniff(b"glTF\x02\0\0\0"), InputFormat::Gltf);
        assert_eq!(sniff(b"; FBX 7.4.0 project file"), InputFormat::Fbx);
        assert_eq!(sniff(b"HIERARCHY\nROOT Hips"), InputFormat::Bvh);
        let comment =
            "#!OML:ASF C:\\Takes\\walk.ASF and a long line of notes on the recording\n".repeat(800);
        assert!(comment.len() > 1 << 15);
        for (text, format) in [
            ("# Skeleton\r\n\r\n:version 1.10\r\n", InputFormat::Asf),
            (":ROOT\n order TX", InputFormat::Asf),
            (":FULLY-SPECIFIED\n:DEGREES\n1\n", InputFormat::Amc),
            (":radians\n", InputFormat::Amc),
            ("1\nroot 0 9.1 0 0 -1e-3 0\n", InputFormat::Amc),
            ("1\nroot 0 9.", InputFormat::Amc),
            ("1\n2\n3\n", InputFormat::Bvh),
            ("1 2 3\nroot 0 9\n", InputFormat::Bvh),
            ("12\nroot of all\n", InputFormat::Bvh),
            ("1\nHello world\n", InputFormat::Bvh),
            ("1\nHello world\nand so on", InputFormat::Bvh),
            (":frames 3\n", InputFormat::Bvh),
            ("HIERARCHY\n:version 1\n", InputFormat::Bvh),
            ("ROOT hips\n:root\n", InputFormat::Bvh),
            ("[roles]\n:root\n", InputFormat::Bvh),
        ] {
            assert_eq!(sniff(text.as_bytes()), format, "{text}");
            let commented = format!("{comment}{text}");
            let is_acclaim = matches!(format, InputFormat::Asf | InputFormat::Amc);
            assert!(!is_acclaim || sniff(commented.as_bytes()) == format, "{text}");
        }
        assert_eq!(sniff(b"GLTF\x02\0\0\0"), InputFormat::Bvh);
        assert_eq!(sniff(b""), InputFormat::Bvh);
    }

    #[test]
    fn a_name_of_another_format_is_refused_with_a_name_that_works() {
        for name in ["walk.txt", "walk.bvh~", "walk.bvh.bak", "walk."] {
            assert!(Format::of_name(name).is_err(), "{name}");
        }
        let message = Format::of_name("out/walk.Fbx").unwrap_err().to_string();
        assert_eq!(
            message,
            "cannot write out/walk.Fbx as Fbx: name it out/walk.bvh, or .glb, .gltf, .vrm, .vrma or .npz"
        );
    }
}
