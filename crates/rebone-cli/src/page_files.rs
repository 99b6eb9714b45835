//! Files of a page: one that holds all, or the page and scripts with its details in a folder beside it.

use crate::exit_code::Failure;
use crate::interrupt;
use crate::paths;
use anyhow::Context;
use rebone::skeleton::AtomicFile;
use rebone_batch::FileLock;
use rebone_view::{BLOCK_SCRIPT, Page, PageDetails, block_script};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Largest length of the details inside a page, bytes.
const MAX_INSIDE_BYTES: usize = 16 << 20;

/// Writes the details of a page while they come. Files that were added are removed unless [`finish`](Self::finish) is
/// reached.
#[derive(Debug)]
pub(crate) struct PageFiles<'a> {
    output: &'a Path,
    folder: PathBuf,
    max_inside: usize,
    /// Replaces files of others.
    overwrite: bool,
    /// Blocks that are not written.
    inside: Vec<String>,
    /// Names of scripts in the folder.
    scripts: Vec<String>,
    /// Files and folder that were not there before.
    added: Vec<PathBuf>,
    /// Lock on the page and its folder; none of a device, and where the file system has no locks.
    _lock: Option<FileLock>,
}

impl<'a> PageFiles<'a> {
    /// Files of the page at `output`. Refuses a page that another program writes: each would remove the scripts of the other.
    pub(crate) fn new(output: &'a Path, overwrite: bool) -> Result<Self, Failure> {
        let folder = scripts_folder(output);
        Ok(Self {
            output,
            _lock: lock(output, &folder)?,
            folder,
            max_inside: MAX_INSIDE_BYTES,
            overwrite,
            inside: Vec::new(),
            scripts: Vec::new(),
            added: Vec::new(),
        })
    }

    /// Takes the next block of details. Where they become too long for one file, they are written to scripts.
    pub(crate) fn push(&mut self, block: String) -> Result<(), Failure> {
        self.inside.push(block);
        let length: usize = self.inside.iter().map(String::len).sum();
        if self.scripts.is_empty() && length <= self.max_inside {
            return Ok(());
        }
        let blocks = std::mem::take(&mut self.inside);
        blocks.iter().try_for_each(|block| self.write_script(block))
    }

    /// Writes the page, then removes scripts of earlier ones. Returns the page, and the folder where there is one.
    pub(crate) fn finish(mut self, page: &Page) -> Result<Vec<PathBuf>, Failure> {
        let name = self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let scripts: Vec<String> =
            self.scripts.iter().map(|script| format!("{name}/{script}")).collect();
        let details = match scripts.is_empty() {
            true => PageDetails::Inside(&self.inside),
            false => PageDetails::Beside(&scripts),
        };
        let (file, ()) = paths::prepare(self.output, |file| Ok(page.write(file, details)?))?;
        interrupt::keep_at_exit(&self.added);
        file.commit()?;
        self.added.clear();
        self.remove_stale();
        let folder = (!scripts.is_empty()).then(|| self.folder.clone());
        Ok([self.output.to_owned()].into_iter().chain(folder).collect())
    }

    /// Writes a script. Its name holds its hash: what an earlier page names stays until the new page is complete.
    fn write_script(&mut self, block: &str) -> Result<(), Failure> {
        let script = block_script(self.scripts.len(), block);
        let hash = blake3::hash(script.as_bytes()).to_hex();
        let name = format!("{:05}-{}.js", self.scripts.len(), &hash[..16]);
        let path = self.folder.join(&name);
        self.make_folder()?;
        match fs::symlink_metadata(&path) {
            Ok(_) if !self.overwrite && !is_script(&path) => {
                let path = path.display();
                let text = format!("{path} is no script of a page: move it, or give --overwrite");
                return Err(anyhow::anyhow!(text).into());
            }
            Ok(_) => {}
            Err(_) => {
                interrupt::remove_at_exit(&path);
                self.added.push(path.clone());
            }
        }
        self.scripts.push(name);
        paths::write(&path, |file| Ok(file.write_all(script.as_bytes())?))
    }

    fn make_folder(&mut self) -> Result<(), Failure> {
        let made = match fs::create_dir(&self.folder) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && self.folder.is_dir() => {
                return Ok(());
            }
            made => made,
        };
        made.with_context(|| format!("cannot make the folder {}", self.folder.display()))?;
        self.added.push(self.folder.clone());
        Ok(())
    }

    /// Removes scripts in the folder that the page does not name, by best effort, and the folder where it is empty then.
    fn remove_stale(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let kept: BTreeSet<&str> = self.scripts.iter().map(String::as_str).collect();
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name();
            let is_named = |name: &str| is_script_name(name) && !kept.contains(name);
            if name.to_str().is_some_and(is_named) && is_script(&entry.path()) {
                let _ = fs::remove_file(entry.path());
            }
        }
        AtomicFile::remove_all_leftovers(&self.folder);
        let _ = fs::remove_dir(&self.folder);
    }
}

impl Drop for PageFiles<'_> {
    fn drop(&mut self) {
        for path in self.added.iter().rev() {
            let _ = if *path == self.folder { fs::remove_dir(path) } else { fs::remove_file(path) };
        }
    }
}

/// Longest name of a folder in the name of its lock.
const MAX_LOCK_NAME_BYTES: usize = 240;

/// Locks a page by a hidden file beside it, named after its folder.
fn lock(output: &Path, folder: &Path) -> Result<Option<FileLock>, Failure> {
    if fs::metadata(output).is_ok_and(|found| !found.is_file()) {
        return Ok(None);
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let name = match name.len() {
        0..=MAX_LOCK_NAME_BYTES => name.into_owned(),
        _ => blake3::hash(name.as_bytes()).to_hex().to_string(),
    };
    let path = folder.with_file_name(format!(".{name}.lock"));
    match FileLock::acquire(&path) {
        Ok(Some(lock)) => {
            if lock.is_removed() {
                interrupt::remove_at_exit(&path);
            }
            Ok(Some(lock))
        }
        Ok(None) => {
            let text = format!("another report is written to {}: wait for it", output.display());
            Err(anyhow::anyhow!(text).into())
        }
        Err(error) if error.kind() == ErrorKind::Unsupported => Ok(None),
        locked => Ok(locked.with_context(|| format!("cannot lock {}", path.display()))?),
    }
}

/// Returns the folder of a page's scripts: `report_data` of `report.html`.
fn scripts_folder(output: &Path) -> PathBuf {
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    output.with_file_name(format!("{}_data", name.strip_suffix(".html").unwrap_or(&name)))
}

/// Returns whether a file is called as scripts are: `00012-0123456789abcdef.js`.
fn is_script_name(name: &str) -> bool {
    let parts = name.strip_suffix(".js").and_then(|name| name.split_once('-'));
    let is_hash = |hash: &str| hash.len() == 16 && hash.bytes().all(|own| own.is_ascii_hexdigit());
    parts.is_some_and(|(index, hash)| {
        index.len() >= 5 && index.bytes().all(|own| own.is_ascii_digit()) && is_hash(hash)
    })
}

/// Returns whether a regular file begins as scripts do.
fn is_script(path: &Path) -> bool {
    let mut begin = [0; BLOCK_SCRIPT.len()];
    let mut read = || File::open(path)?.read_exact(&mut begin);
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
        && read().is_ok_and(|()| begin == *BLOCK_SCRIPT.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_view::PageEntry;
    use std::process::{Command, Stdio};

    /// Writes a page with these blocks, at most `max_inside` bytes of them inside it.
    fn write(output: &Path, blocks: &[&str], max_inside: usize) -> Result<Vec<PathBuf>, Failure> {
        let mut files = PageFiles::new(output, false)?;
        files.max_inside = max_inside;
        blocks.iter().try_for_each(|block| files.push((*block).to_owned()))?;
        let mut page = Page::new("rebone", "test");
        page.push(&PageEntry::default()).unwrap();
        files.finish(&page)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn details_that_are_too_long_are_beside_the_page_and_nothing_stale_stays() {
        let place = tempfile::tempdir().unwrap();
        let output = place.path().join("report.html");
        let data = place.path().join("report_data");
        assert_eq!(write(&output, &["AAAA", "BBBB"], 8).unwrap().len(), 1);
        assert_eq!(names(place.path()), ["report.html"]);
        assert!(fs::read_to_string(&output).unwrap().contains(">BBBB</script>"));
        assert_eq!(
            write(&output, &["AAAA", "BBBB", "CCCC"], 8).unwrap(),
            [output.clone(), data.clone()]
        );
        let first = names(&data);
        assert!(first.len() == 3 && first.iter().all(|name| is_script_name(name)), "{first:?}");
        let html = fs::read_to_string(&output).unwrap();
        assert!(first.iter().all(|name| html.contains(&format!("\"report_data/{name}\""))));
        let script = fs::read_to_string(data.join(&first[1])).unwrap();
        assert_eq!(script, "addReportBlock(1, `BBBB`);\n");
        // Other files stay, and the folder with them.
        let other = "00007-0123456789abcdef.js";
        fs::write(data.join(other), "let own;").unwrap();
        write(&output, &["AAAA", "DDDD"], 7).unwrap();
        let second = names(&data);
        assert_eq!(second.len(), 3);
        assert!(second.contains(&first[0]) && second.contains(&other.to_owned()));
        write(&output, &["AAAA"], 7).unwrap();
        assert_eq!(names(&data), [other]);
        fs::remove_file(data.join(other)).unwrap();
        write(&output, &["AAAA"], 7).unwrap();
        assert_eq!(names(place.path()), ["report.html"]);
    }

    #[test]
    fn a_page_that_another_program_writes_is_refused_before_the_work() {
        let place = tempfile::tempdir().unwrap();
        let output = place.path().join("report.html");
        let mut first = PageFiles::new(&output, false).unwrap();
        first.max_inside = 0;
        first.push("AAAA".to_owned()).unwrap();
        let failure = write(&output, &["BBBB"], 8).unwrap_err();
        assert!(
            failure.message().contains("another report is written to"),
            "{}",
            failure.message()
        );
        write(&place.path().join("other.html"), &["BBBB"], 8).unwrap();
        let mut page = Page::new("rebone", "test");
        page.push(&PageEntry::default()).unwrap();
        first.finish(&page).unwrap();
        assert_eq!(names(place.path()), ["other.html", "report.html", "report_data"]);
        assert_eq!(names(&place.path().join("report_data")).len(), 1);
        write(&output, &["BBBB"], 8).unwrap();
        assert_eq!(names(place.path()), ["other.html", "report.html"]);
        let long = format!("{}.html", "n".repeat(250));
        write(&place.path().join(&long), &["AAAA"], 8).unwrap();
        // A file of the user that is called as a lock stays.
        fs::write(place.path().join(".report_data.lock"), "notes").unwrap();
        write(&output, &["AAAA"], 8).unwrap();
        assert_eq!(fs::read(place.path().join(".report_data.lock")).unwrap(), b"notes");
    }

    /// Variable with the folder of a page that several processes write at once.
    const SHARED: &str = "REBONE_SHARED_PAGE";

    /// The page of one process: a test that does nothing unless the next one starts it.
    #[test]
    fn shared_page() {
        let Some(folder) = std::env::var_os(SHARED) else { return };
        let own = std::process::id();
        let blocks: Vec<String> = (0..30).map(|k| format!("{own} {k}")).collect();
        let blocks: Vec<&str> = blocks.iter().map(String::as_str).collect();
        while !Path::new(&folder).join("begin").exists() {
            std::thread::yield_now();
        }
        let written = write(&Path::new(&folder).join("report.html"), &blocks, 0);
        let message = written.map_or_else(|failure| failure.message(), |_| String::new());
        assert!(message.is_empty() || message.contains("another report"), "{message}");
    }

    #[test]
    fn a_page_of_several_processes_is_that_of_one() {
        let place = tempfile::tempdir().unwrap();
        let data = place.path().join("report_data");
        for round in 0..10 {
            let start = || {
                let mut process = Command::new(std::env::current_exe().unwrap());
                process
                    .args(["--exact", "page_files::tests::shared_page"])
                    .env(SHARED, place.path());
                process.stdout(Stdio::null()).spawn().unwrap()
            };
            let mut processes = [start(), start(), start()];
            fs::write(place.path().join("begin"), "").unwrap();
            let ends = processes.each_mut().map(|process| process.wait().unwrap());
            assert!(ends.iter().all(|end| end.success()), "{ends:?}");
            fs::remove_file(place.path().join("begin")).unwrap();
            let html = fs::read_to_string(place.path().join("report.html")).unwrap();
            let scripts = names(&data);
            assert!(scripts.len() == 30, "round {round}: {scripts:?}");
            let text = |name: &String| fs::read_to_string(data.join(name)).unwrap();
            let ids = processes.each_ref().map(std::process::Child::id);
            let own = |name: &String| {
                let text = text(name);
                ids.into_iter().find(|id| text.contains(&format!("`{id} ")))
            };
            let owners: BTreeSet<Option<u32>> = scripts.iter().map(own).collect();
            assert!(owners.len() == 1 && !owners.contains(&None), "round {round}: {owners:?}");
            let is_named = |name: &String| html.contains(&format!("\"report_data/{name}\""));
            assert!(scripts.iter().all(is_named), "round {round}");
        }
    }

    #[test]
    fn a_page_that_is_not_complete_leaves_the_earlier_one_and_no_scripts() {
        let place = tempfile::tempdir().unwrap();
        let output = place.path().join("a b.html");
        write(&output, &["AAAA"], 0).unwrap();
        let data = place.path().join("a b_data");
        let before = (fs::read(&output).unwrap(), names(&data));
        let mut files = PageFiles::new(&output, false).unwrap();
        files.max_inside = 0;
        files.push("AAAA".to_owned()).unwrap();
        files.push("BBBB".to_owned()).unwrap();
        assert_eq!(names(&data).len(), 2);
        drop(files);
        assert_eq!((fs::read(&output).unwrap(), names(&data)), before);
        // A file of another that has the name of a script is not replaced.
        fs::write(data.join(&before.1[0]), "let own;").unwrap();
        assert!(write(&output, &["AAAA"], 0).is_err());
        assert_eq!(fs::read_to_string(data.join(&before.1[0])).unwrap(), "let own;");
        fs::remove_dir_all(&data).unwrap();
        fs::write(&data, "a file").unwrap();
        let failure = write(&output, &["AAAA"], 0).unwrap_err();
        assert!(failure.message().contains("cannot make the folder"), "{}", failure.message());
    }
}
