//! One page for many results: the browser's side is in `page/`, its data in `clip.rs`.

mod clip;

pub(crate) use clip::{Entry, Shown, of};

use serde::Serialize;

/// The data of a page.
#[derive(Debug, Serialize)]
pub(crate) struct Page {
    /// The program and its version.
    pub(crate) made: String,
    /// What it is of.
    pub(crate) title: String,
    /// The results.
    pub(crate) clips: Vec<Entry>,
}

const HTML: &str = include_str!("page/page.html");

/// What stands in the place of each marker of the page, which is alone in its line.
const PARTS: [(&str, &str); 8] = [
    ("/*CSS*/", include_str!("page/page.css")),
    ("/*BASE*/", include_str!("page/base.js")),
    ("/*SCENE*/", include_str!("page/scene.js")),
    ("/*PLAYER*/", include_str!("page/player.js")),
    ("/*CHARTS*/", include_str!("page/charts.js")),
    ("/*DETAIL*/", include_str!("page/detail.js")),
    ("/*TABLE*/", include_str!("page/table.js")),
    ("/*JS*/", include_str!("page/page.js")),
];
const DATA: &str = "/*DATA*/";

impl Page {
    /// The page as one file.
    ///
    /// # Errors
    /// When its data cannot be written as JSON.
    pub(crate) fn html(&self) -> serde_json::Result<String> {
        // Inside a script, no text may end it.
        let data = serde_json::to_string(self)?.replace('<', "\\u003c");
        let line = |line: &str| -> String {
            let part = PARTS.iter().find(|part| part.0 == line.trim());
            match part {
                Some((_, text)) => (*text).to_owned(),
                None if line.trim() == DATA => data.clone() + "\n",
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
