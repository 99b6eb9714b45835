//! Clips in tars: members that are motions, and those that cannot be used.

use crate::disk::tar::{MemberKind, TarError, TarMember, TarReader};
use crate::error::{BatchError, Fault, FaultKind};
use crate::find::clip_file::TarPlace;
use crate::find::inputs::{FoundClips, UNREAD, is_motion_name};
use crate::find::tar_names::MemberSample;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Largest member that is read: all of it is in memory.
const MAX_MEMBER_BYTES: u64 = 1 << 30;
/// Largest number of members of a tar.
const MAX_MEMBERS: usize = 1_000_000;
/// Longest name of a member, as of a path on most systems.
const MAX_PATH_BYTES: usize = 4096;

impl FoundClips {
    /// Adds the clips of a tar, all or a sample. One that is damaged is a fault, and none of its clips is used.
    pub(crate) fn add_tar(&mut self, tar: &Path, folder: &Path, sample: Option<MemberSample>) {
        let members = match Members::read(tar, sample) {
            Ok(members) => members,
            Err(error) => {
                let message = error.to_string();
                let kind = match error {
                    TarError::Io(_) => FaultKind::Unreadable,
                    _ => FaultKind::Format,
                };
                let message = format!("{}: {message}", tar.display());
                self.held.add(tar, "cannot be read");
                return self.faults.push((tar.to_owned(), Fault { kind, message }));
            }
        };
        self.faults.extend(members.faults);
        self.skipped.extend(members.skipped);
        let result = folder.join(tar.file_name().unwrap_or_default());
        let (tar, result) = (Arc::from(tar), Arc::from(result));
        for (below, TarMember { offset, size, .. }) in members.clips {
            let folder = Path::new(&*result).join(below.parent().unwrap_or(Path::new("")));
            self.folders.add(&folder);
            let place =
                TarPlace { tar: Arc::clone(&tar), result: Arc::clone(&result), offset, size };
            let path = below_tar(&tar, &below);
            let clips = place.reader().map_err(BatchError::from);
            let clips = clips.and_then(|reader| Ok(self.clips_in(&path, &folder, reader)?));
            // As of a file in a folder, one that cannot be read fails later, by itself.
            let clips = clips.unwrap_or_else(|_| vec![UNREAD]);
            match clips.iter().all(|clip| clip.is_empty) {
                true => self.skipped.push(path),
                false => self.add_clips(&path, &folder, &clips, Some(&place)),
            }
        }
    }
}

/// Members of a tar by what is done with them.
#[derive(Debug, Default)]
struct Members {
    /// Motions, each with its path in the tar, in the order of the tar.
    clips: Vec<(PathBuf, TarMember)>,
    /// Paths of files that are no motions.
    skipped: Vec<PathBuf>,
    /// Paths of motions that are not read, and why.
    faults: Vec<(PathBuf, Fault)>,
}

impl Members {
    fn read(tar: &Path, sample: Option<MemberSample>) -> Result<Self, TarError> {
        let mut reader = TarReader::new(File::open(tar)?)?;
        let mut members = Self::default();
        // Byte at which the member of each name begins.
        let mut seen = BTreeMap::new();
        let waits = sample.is_some_and(|sample| sample.has_first(tar));
        let (mut number, mut taken) = (0, 0);
        while let Some(member) = reader.next_member()? {
            number += 1;
            if number > MAX_MEMBERS {
                let found = format!("more than {MAX_MEMBERS} members");
                let help = "pack them into several tars";
                return Err(TarError::Unsupported { at: member.header, found, help });
            }
            if sample.is_some_and(|sample| !waits && taken >= sample.count) {
                break;
            }
            let before = members.clips.len();
            members.add(tar, member, &mut seen)?;
            if let (Some(sample), Some((below, _))) = (sample, members.clips.get(before)) {
                let is_first = sample.first.contains(&below_tar(tar, below));
                if !is_first && taken >= sample.count {
                    members.clips.pop();
                }
                taken += usize::from(!is_first);
            }
        }
        Ok(members)
    }

    fn add(
        &mut self,
        tar: &Path,
        member: TarMember,
        seen: &mut BTreeMap<PathBuf, u64>,
    ) -> Result<(), TarError> {
        if member.kind == MemberKind::Folder {
            return Ok(());
        }
        let at = member.header;
        let name = String::from_utf8_lossy(&member.name);
        let shown = below_tar(tar, Path::new(&*name));
        let fault = |why: String| {
            let message = format!("{}, byte {at}: {why}", tar.display());
            (shown.clone(), Fault { kind: FaultKind::Format, message })
        };
        if !is_motion_name(Path::new(&*name)) {
            let is_hidden = path_of(&member.name).is_some_and(|path| is_hidden(&path));
            self.skipped.extend(Some(shown.clone()).filter(|_| !is_hidden));
            return Ok(());
        }
        let Some(path) = path_of(&member.name) else {
            let why = format!(
                "the member's name is \"{}\", expected a path below the tar, in UTF-8, of at most {MAX_PATH_BYTES} bytes: \
                 rename it",
                name.chars().take(100).collect::<String>().escape_debug()
            );
            self.faults.push(fault(why));
            return Ok(());
        };
        if is_hidden(&path) {
            return Ok(());
        }
        let why = match member.kind {
            MemberKind::Link => Some("a link, expected a file: make the tar with --dereference"),
            MemberKind::Other => Some("a device or a pipe, expected a file"),
            _ => None,
        };
        if let Some(why) = why {
            self.faults.push(fault(format!("{name} is {why}")));
        } else if member.size > MAX_MEMBER_BYTES {
            self.faults.push(fault(format!(
                "{name} has {} bytes, at most {MAX_MEMBER_BYTES} are read of a member: give it as a file of its own",
                member.size
            )));
        } else if let Some(first) = seen.insert(path.clone(), at) {
            let found = format!("{name} is there twice, first at byte {first}");
            let help = "make the tar again with each name once";
            return Err(TarError::Unsupported { at, found, help });
        } else {
            self.clips.push((path, member));
        }
        Ok(())
    }
}

/// Path of a member in its tar, without `.`; `None` of a name that leads out of it, or is none.
fn path_of(name: &[u8]) -> Option<PathBuf> {
    let name = std::str::from_utf8(name).ok().filter(|name| name.len() <= MAX_PATH_BYTES)?;
    let mut path = PathBuf::new();
    for part in Path::new(name).components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(path).filter(|path| path.file_name().is_some() && !name.contains('\0'))
}

/// Returns whether a file, or a folder that it is in, is hidden.
fn is_hidden(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str().as_encoded_bytes().starts_with(b"."))
}

/// Path of a member for messages and the manifest: that of the tar, and the name behind it, whatever it is.
fn below_tar(tar: &Path, name: &Path) -> PathBuf {
    let mut path = OsString::from(tar);
    path.push("/");
    path.push(name);
    path.into()
}
