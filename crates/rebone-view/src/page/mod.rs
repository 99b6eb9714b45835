//! The page of a report: HTML, CSS and JavaScript in `web/`, rows and details as data.

mod comparison;
mod contact_bars;
mod joints;
mod mesh;
mod pack;
mod player;

pub use comparison::{ClipDetails, Comparison, PageEntry, compare};
pub use mesh::PageMesh;

use crate::palette::css_variables;
use rebone::quality::Metric;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

/// Length from which a block of details is complete, in characters.
const BLOCK_CHARACTERS: usize = 1 << 18;

/// Limit of different meshes in a page; further bodies are drawn as sticks.
const MAX_MESHES: usize = 64;

/// Page that takes one result after another. Its rows are held, details are given back in blocks.
///
/// ```
/// use rebone_view::{Page, PageDetails, PageEntry};
/// let mut page = Page::new("rebone", "Walks").in_folder("out");
/// page.push(&PageEntry { name: "walk".to_owned(), verdict: "NONE".to_owned(), ..PageEntry::default() })?;
/// let mut html = Vec::new();
/// page.write(&mut html, PageDetails::Inside(&[]))?;
/// assert!(html.starts_with(b"<!doctype html>"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Page {
    made: String,
    title: String,
    /// Folder of the results.
    folder: String,
    /// Name, label and unit of the metrics of any result.
    metrics: Vec<[&'static str; 3]>,
    /// Rows as JSON, a line each.
    rows: String,
    block: String,
    /// Number of complete blocks, and of lines of the one that is not.
    blocks: usize,
    lines: usize,
    /// Place of each mesh, by its text.
    meshes: BTreeMap<Arc<str>, Place>,
}

/// Index of a block, and of a line in it.
type Place = [usize; 2];

/// Where the details of a page are.
#[derive(Clone, Copy, Debug)]
pub enum PageDetails<'a> {
    /// In the page: all blocks.
    Inside(&'a [String]),
    /// In scripts beside the page, one for each block: their paths from the page, with `/`.
    Beside(&'a [String]),
}

/// Row of the table.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    entry: &'a PageEntry,
    /// Place of the details.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
    /// Places of the meshes of source and result; left out where neither has one.
    #[serde(skip_serializing_if = "is_without_meshes")]
    meshes: [Option<Place>; 2],
    /// Values of the page's metrics.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<Option<f64>>,
}

/// Data of the page, before its rows.
#[derive(Serialize)]
struct PageHead<'a> {
    made: &'a str,
    title: &'a str,
    folder: &'a str,
    metrics: &'a [[&'static str; 3]],
    /// Paths of scripts with details.
    scripts: &'a [String],
}

const HTML: &str = include_str!("web/page.html");

/// Texts that replace the markers of the page; each marker is a line of its own.
const PARTS: [(&str, &str); 11] = [
    ("/*CSS*/", include_str!("web/page.css")),
    ("/*BASE*/", include_str!("web/base.js")),
    ("/*DATA_JS*/", include_str!("web/data.js")),
    ("/*SCENE*/", include_str!("web/scene.js")),
    ("/*SKIN*/", include_str!("web/skin.js")),
    ("/*PLAYER*/", include_str!("web/player.js")),
    ("/*CHARTS*/", include_str!("web/charts.js")),
    ("/*DETAIL*/", include_str!("web/detail.js")),
    ("/*MARKS*/", include_str!("web/marks.js")),
    ("/*TABLE*/", include_str!("web/table.js")),
    ("/*JS*/", include_str!("web/page.js")),
];
const BLOCKS: &str = "/*BLOCKS*/";
const DATA: &str = "/*DATA*/";
const PALETTE: &str = "/*PALETTE*/";
/// Sources of scripts in the page's policy; scripts beside it need more.
const INLINE_SCRIPTS: &str = "script-src 'unsafe-inline'";
const SCRIPTS_BESIDE: &str = "script-src 'unsafe-inline' 'self' file:";

impl Page {
    /// Starts a page with a headline, made by a program of this name and version.
    pub fn new(made: impl Into<String>, title: impl Into<String>) -> Self {
        Self {
            made: made.into(),
            title: title.into(),
            folder: String::new(),
            metrics: Vec::new(),
            rows: String::new(),
            block: String::new(),
            blocks: 0,
            lines: 0,
            meshes: BTreeMap::new(),
        }
    }

    /// States the folder of the results, which stands before their paths in lists that are copied.
    #[must_use]
    pub fn in_folder(self, folder: impl Into<String>) -> Self {
        Self { folder: folder.into(), ..self }
    }

    /// Adds a result. Returns a block of details where one is complete.
    ///
    /// # Errors
    /// When the row cannot be written as JSON.
    pub fn push(&mut self, entry: &PageEntry) -> io::Result<Option<String>> {
        let details = entry.details.as_ref();
        let meshes = details.map_or([None, None], |own| {
            own.meshes.each_ref().map(|text| self.mesh(text.as_ref()?))
        });
        let place = details.map(|details| self.line(&details.packed));
        let values = details.map_or(Vec::new(), |details| self.values(&details.metrics));
        let row = script_json(&Row { entry, place, meshes, values })?;
        let separator = if self.rows.is_empty() { "" } else { ",\n" };
        self.rows.push_str(separator);
        self.rows.push_str(&row);
        Ok(if self.block.len() < BLOCK_CHARACTERS { None } else { self.take_block() })
    }

    /// Returns the place of a mesh, and adds it where it is new; `None` beyond [`MAX_MESHES`].
    fn mesh(&mut self, text: &Arc<str>) -> Option<Place> {
        let known = self.meshes.get(text).copied();
        if known.is_some() || self.meshes.len() == MAX_MESHES {
            return known;
        }
        let place = self.line(text);
        self.meshes.insert(Arc::clone(text), place);
        Some(place)
    }

    /// Adds a line to the block and returns its place.
    fn line(&mut self, text: &str) -> Place {
        let separator = if self.lines == 0 { "" } else { "\n" };
        self.block.push_str(separator);
        self.block.push_str(text);
        self.lines += 1;
        [self.blocks, self.lines - 1]
    }

    /// Returns the last block of details, where there are any that were not returned.
    pub fn take_block(&mut self) -> Option<String> {
        if self.lines == 0 {
            return None;
        }
        self.blocks += 1;
        self.lines = 0;
        Some(std::mem::take(&mut self.block))
    }

    /// Writes the page, which needs no network.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write(&self, writer: &mut dyn Write, details: PageDetails) -> io::Result<()> {
        let policy = match details {
            PageDetails::Inside(_) => INLINE_SCRIPTS,
            PageDetails::Beside(_) => SCRIPTS_BESIDE,
        };
        for line in HTML.lines() {
            match (PARTS.iter().find(|part| part.0 == line.trim()), line.trim()) {
                (Some((_, text)), _) => writer.write_all(text.as_bytes())?,
                (_, BLOCKS) => write_blocks(writer, details)?,
                (_, DATA) => self.write_data(writer, details)?,
                (_, PALETTE) => writer.write_all(css_variables().as_bytes())?,
                _ => writeln!(writer, "{}", line.replace(INLINE_SCRIPTS, policy))?,
            }
        }
        Ok(())
    }

    /// Returns the values of metrics in the order of the page's, which grows where one is new.
    fn values(&mut self, metrics: &[Metric]) -> Vec<Option<f64>> {
        let mut values = vec![None; self.metrics.len()];
        for Metric { name, label, unit, value, .. } in metrics {
            let known = self.metrics.iter().position(|own| own[0] == *name);
            let index = known.unwrap_or_else(|| {
                self.metrics.push([name, label, unit]);
                values.push(None);
                values.len() - 1
            });
            // Four digits are more than a table shows.
            values[index] =
                format!("{value:.3e}").parse().ok().filter(|value: &f64| value.is_finite());
        }
        values
    }

    fn write_data(&self, writer: &mut dyn Write, details: PageDetails) -> io::Result<()> {
        let scripts = if let PageDetails::Beside(scripts) = details { scripts } else { &[] };
        let Self { made, title, folder, metrics, rows, .. } = self;
        let head = script_json(&PageHead { made, title, folder, metrics, scripts })?;
        writeln!(writer, "{{\"page\":{head},\"clips\":[\n{rows}\n]}}")
    }
}

/// Returns the script beside a page that holds one of its blocks.
pub fn block_script(index: usize, block: &str) -> String {
    format!("{BLOCK_SCRIPT}({index}, `{block}`);\n")
}

/// First characters of [`block_script`].
pub const BLOCK_SCRIPT: &str = "addReportBlock";

fn is_without_meshes(meshes: &[Option<Place>; 2]) -> bool {
    meshes.iter().all(Option::is_none)
}

fn write_blocks(writer: &mut dyn Write, details: PageDetails) -> io::Result<()> {
    let PageDetails::Inside(blocks) = details else { return Ok(()) };
    for (index, block) in blocks.iter().enumerate() {
        writeln!(writer, "<script type=\"text/plain\" id=\"block-{index}\">{block}</script>")?;
    }
    Ok(())
}

/// Returns JSON that ends no script.
fn script_json(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(page: &Page, details: PageDetails) -> String {
        let mut html = Vec::new();
        page.write(&mut html, details).unwrap();
        String::from_utf8(html).unwrap()
    }

    fn detailed(packed: &str) -> PageEntry {
        let details =
            ClipDetails { packed: packed.to_owned(), metrics: Vec::new(), meshes: [None, None] };
        PageEntry { details: Some(details), ..PageEntry::default() }
    }

    #[test]
    fn a_page_holds_all_parts_and_no_marker_and_data_end_no_script() {
        let page = Page::new("", "</script>/*JS*/");
        let html = html(&page, PageDetails::Inside(&[]));
        for (marker, part) in PARTS {
            assert!(html.contains(part) && !html.lines().any(|line| line.trim() == marker));
        }
        assert!(html.contains("\"title\":\"\\u003c/script>/*JS*/\""), "{html}");
        assert_eq!(html.matches("</script>").count(), 2);
    }

    #[test]
    fn details_are_in_blocks_inside_the_page_or_beside_it() {
        let mut page = Page::new("", "");
        assert_eq!(page.push(&detailed("AAAA")).unwrap(), None);
        assert_eq!(page.push(&PageEntry::default()).unwrap(), None);
        let long = "B".repeat(BLOCK_CHARACTERS);
        assert_eq!(page.push(&detailed(&long)).unwrap(), Some(format!("AAAA\n{long}")));
        assert_eq!(page.take_block(), None);
        assert_eq!(page.push(&detailed("CCCC")).unwrap(), None);
        assert_eq!(page.take_block().as_deref(), Some("CCCC"));
        assert_eq!(page.take_block(), None);
        let inside = html(&page, PageDetails::Inside(&["AAAA".to_owned(), "CCCC".to_owned()]));
        assert!(inside.contains("id=\"block-1\">CCCC</script>"));
        assert!(inside.contains("script-src 'unsafe-inline';"));
        let scripts = ["data/0.js".to_owned(), "data/1.js".to_owned()];
        let beside = html(&page, PageDetails::Beside(&scripts));
        assert!(beside.contains("\"scripts\":[\"data/0.js\",\"data/1.js\"]"));
        assert!(beside.contains("script-src 'unsafe-inline' 'self' file:;"));
        for place in ["[0,0]", "[0,1]", "[1,0]"] {
            assert!(beside.contains(&format!("\"place\":{place}")));
        }
    }
}
