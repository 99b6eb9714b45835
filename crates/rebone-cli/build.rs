//! Takes the page of the studio into the program, where it was built.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let web = folder.join("../../web");
    let page = web.join("dist/studio.html.gz");
    // A path that is not there would run this in each build.
    let watched = [&page, &web].into_iter().find(|path| path.exists());
    println!("cargo::rerun-if-changed={}", watched.unwrap_or(&folder.join("build.rs")).display());
    let out = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    let value = match fs::canonicalize(&page) {
        Ok(page) => format!("Some(include_bytes!({}))", quoted(&page)),
        Err(_) => "None".to_owned(),
    };
    let text = format!(
        "/// The page, packed by gzip; `None` in a build without it.\nconst PAGE: Option<&[u8]> = {value};\n"
    );
    fs::write(out.join("studio_page.rs"), text)
}

/// A path as a literal of Rust.
fn quoted(path: &Path) -> String {
    format!("{:?}", path.to_string_lossy())
}
