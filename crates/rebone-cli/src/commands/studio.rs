//! `rebone studio`: the page that shows and corrects, with the files that the command line names.

use crate::args::StudioArgs;
use crate::exit_code::Failure;
use crate::manifest_file::{manifest_path, read_lines};
use crate::paths::{self, Outputs};
use crate::studio::{
    Guard, Host, Limits, NamedFiles, Page, StudioFiles, listen, open_browser, serve,
};
use crate::terminal::Terminal;
use anyhow::Context;
use rebone::skeleton::file::FileKind;

/// Serves the page until a signal comes, or writes it into a file.
pub(crate) fn run(args: &StudioArgs, terminal: &Terminal) -> Result<(), Failure> {
    let outputs = Outputs::new(args.replace).with(args.save_page.as_ref(), FileKind::Html);
    outputs.check(&[])?;
    outputs.check_kinds()?;
    let page = Page::load()?;
    if let Some(path) = &args.save_page {
        paths::write(path, |file| Ok(file.write_all(&page.html)?))?;
        terminal.json(&serde_json::json!({ "written": [path] }))?;
        return Ok(terminal.line("wrote", path.display())?);
    }
    let manifest = args.library.as_deref().map(manifest_path);
    let lines = manifest.as_ref().map(|path| read_lines(path, terminal)).transpose()?;
    let files = StudioFiles::new(&NamedFiles {
        motions: [args.source.as_deref(), args.target.as_deref()],
        cards: [args.files.source_card.as_deref(), args.files.target_card.as_deref()],
        map: args.files.map.as_deref(),
        contacts: args.contacts_from.as_deref(),
        library: manifest.as_deref().zip(lines.as_deref()),
        out: args.out.as_deref(),
    })?;
    let listener = listen(args.port)?;
    let port = listener.local_addr().context("cannot listen")?.port();
    let guard = Guard::new(port).context("no random numbers for a token")?;
    let address = guard.address();
    terminal.json(&serde_json::json!({ "address": address }))?;
    terminal.line("studio", format!("{address} (Ctrl-C ends it)"))?;
    let opened = (!args.no_browser).then(|| open_browser(&address)).transpose();
    if let Err(error) = &opened {
        terminal.warn(&format!("cannot open a browser: {error}; open the address above"));
    }
    serve(listener, Host { page, guard, files, limits: Limits::PROGRAM })
}
