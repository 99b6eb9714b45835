//! The file host of the studio: serves the page and the files that the command line names to a browser of this computer.
//!
//! It listens on 127.0.0.1 alone, and knows files by numbers that it gives at the start: no path comes from the page.

mod browser;
mod file_numbers;
mod files;
mod guard;
#[cfg(test)]
mod killed;
mod library;
mod limits;
mod page;
mod routes;
mod server;
#[cfg(test)]
mod slow_clients;
#[cfg(all(test, unix))]
mod special_files;
mod stream;
#[cfg(test)]
mod tests;

pub(crate) use browser::open_browser;
pub(crate) use files::{NamedFiles, StudioFiles};
pub(crate) use guard::Guard;
pub(crate) use limits::Limits;
pub(crate) use page::Page;
pub(crate) use routes::Host;
pub(crate) use server::{listen, serve};
