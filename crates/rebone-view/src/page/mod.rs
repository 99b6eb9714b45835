//! The page of a report: HTML, CSS and JavaScript in `web/`, data in `comparison.rs`.

mod comparison;
mod pack;
mod player;

pub use comparison::{ClipView, Comparison, PageEntry, compare};

use crate::error::ViewError;
use crate::palette::css_variables;
use serde::Serialize;

/// Data of a page.
///
/// ```
/// use rebone_view::{Page, PageEntry};
/// let entry = PageEntry { name: "walk".to_owned(), verdict: "NONE".to_owned(), ..PageEntry::default() };
/// let page = Page { made: "rebone".to_owned(), title: "Walks".to_owned(), clips: vec![entry] };
/// assert!(page.html()?.starts_with("<!doctype html>"));
/// # Ok::<(), rebone_view::ViewError>(())
/// ```
#[derive(Debug, Serialize)]
pub struct Page {
    /// Program and version that made the page.
    pub made: String,
    /// Headline.
    pub title: String,
    /// Results.
    pub clips: Vec<PageEntry>,
}

const HTML: &str = include_str!("web/page.html");

/// Texts that replace the markers of the page; each marker is a line of its own.
const PARTS: [(&str, &str); 8] = [
    ("/*CSS*/", include_str!("web/page.css")),
    ("/*BASE*/", include_str!("web/base.js")),
    ("/*SCENE*/", include_str!("web/scene.js")),
    ("/*PLAYER*/", include_str!("web/player.js")),
    ("/*CHARTS*/", include_str!("web/charts.js")),
    ("/*DETAIL*/", include_str!("web/detail.js")),
    ("/*TABLE*/", include_str!("web/table.js")),
    ("/*JS*/", include_str!("web/page.js")),
];
const DATA: &str = "/*DATA*/";
const PALETTE: &str = "/*PALETTE*/";

impl Page {
    /// Returns the page as one HTML file that needs no network.
    ///
    /// # Errors
    /// When the data cannot be written as JSON.
    pub fn html(&self) -> Result<String, ViewError> {
        // No text inside a script may end it.
        let data = serde_json::to_string(self)?.replace('<', "\\u003c");
        let line = |line: &str| -> String {
            let part = PARTS.iter().find(|part| part.0 == line.trim());
            match part {
                Some((_, text)) => (*text).to_owned(),
                None if line.trim() == DATA => data.clone() + "\n",
                None if line.trim() == PALETTE => css_variables(),
                None => format!("{line}\n"),
            }
        };
        Ok(HTML.lines().map(line).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_holds_all_parts_and_no_marker_and_data_end_no_script() {
        let page = Page { made: String::new(), title: "</script>/*JS*/".to_owned(), clips: vec![] };
        let html = page.html().unwrap();
        for (marker, part) in PARTS {
            assert!(html.contains(part) && !html.lines().any(|line| line.trim() == marker));
        }
        assert!(html.contains("\"title\":\"\\u003c/script>/*JS*/\""), "{html}");
        assert_eq!(html.matches("</script>").count(), 2);
    }
}
