//! Opens the page in the browser of the person.

use std::io::{self, Write};
use tempfile::NamedTempFile;

/// Opens an address that has a token. Arguments of programs are seen by all who use the computer, so the browser is given
/// a file that only its user can read and that leads to the address. Keep the file while the page may be opened.
pub(crate) fn open_browser(address: &str) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix("rebone-studio-").suffix(".html").tempfile()?;
    writeln!(
        file,
        "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">\
         <title>rebone studio</title><script>location.replace({address:?})</script>"
    )?;
    file.flush()?;
    open::that_detached(file.path())?;
    Ok(file)
}
