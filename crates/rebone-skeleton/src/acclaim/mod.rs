//! Acclaim files, the original format of the CMU library: an ASF holds a skeleton, an AMC a motion of it. They are
//! read, not written.
//!
//! The format, in short: a bone has a direction `d` in the axes of the world, a length `l`, and axes `C` in which its
//! degrees of freedom (`dof`) are measured; each frame gives one number for each of them. A bone's joint is where the
//! bone begins: at the end of the parent's bone, `d·l` from the parent's joint. Its local rotation is `C M C⁻¹`, where
//! `M` is the rotation by the frame's angles about fixed axes: `Rz Ry Rx` for the order `XYZ`. Where all angles are zero
//! bones lie along their directions, so the rest rotations are identities. The root has the axes `orientation`, begins
//! at `position`, and turns the whole skeleton.
//!
//! Lengths stay in the unit of the file. `limits`, masses and skins are not read.
//!
//! ```
//! use rebone_skeleton::acclaim;
//! let asf = acclaim::parse_asf(
//!     b":root\n order TX TY TZ RX RY RZ\n:bonedata\n begin\n name thigh\n direction 0 -1 0\n length 2
//!         axis 0 0 0 XYZ\n dof rx\n end\n:hierarchy\n root thigh\n",
//! )?;
//! let motion = acclaim::parse_amc(b":DEGREES\n1\nroot 0 9 0 0 0 0\nthigh 90\n", &asf)?;
//! assert_eq!((asf.skeleton().len(), motion.clip.len()), (2, 1));
//! # Ok::<(), rebone_skeleton::acclaim::ReadError>(())
//! ```

mod amc;
mod asf;
mod build;
mod error;
mod words;

pub use amc::{Amc, parse_amc};
pub(crate) use amc::{FRAME_TIME, Frames, Reader};
pub use build::{Asf, parse_asf};
pub use error::{ReadError, ReadErrorKind};

/// A kind of Acclaim file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AcclaimFile {
    /// A skeleton.
    Asf,
    /// A motion.
    Amc,
}

/// Recognises an Acclaim file by its first bytes: the first line that is no comment is a keyword with a colon, or, in a
/// motion, the number of a frame with the values of a bone below it.
pub(crate) fn recognise(text: &[u8]) -> Option<AcclaimFile> {
    let is_end = |byte: &u8| b"\r\n".contains(byte);
    let mut lines = text
        .split_inclusive(is_end)
        .map(|line| (words::words(line).collect::<Vec<_>>(), line.last().is_some_and(is_end)))
        .filter(|(words, _)| !words.is_empty());
    let (first, _) = lines.next()?;
    let keyword = first[0].to_ascii_lowercase();
    match keyword.as_slice() {
        b":version" | b":name" | b":units" | b":documentation" | b":root" | b":bonedata"
        | b":hierarchy" => Some(AcclaimFile::Asf),
        b":fully-specified" | b":degrees" | b":radians" => Some(AcclaimFile::Amc),
        _ if words::frame_number(&first).is_some() => {
            let (bone, is_whole) = lines.next()?;
            let is_bone = bone[0][0].is_ascii_alphabetic() && bone.len() > 1;
            let is_number = |word: &&[u8]| fast_float2::parse::<f64, _>(word).is_ok();
            // The last word may be cut where the bytes end.
            let end = bone.len() - usize::from(!is_whole);
            (is_bone && bone[1..end].iter().all(is_number)).then_some(AcclaimFile::Amc)
        }
        _ => None,
    }
}
