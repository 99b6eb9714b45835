//! Marks of a person on the results of a batch: lines of `review.jsonl` beside the manifest.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Name of the review, beside the manifest.
pub(crate) const REVIEW: &str = "review.jsonl";

/// Largest review that is read.
const MAX_REVIEW_BYTES: usize = 64 << 20;

/// A line of a review.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReviewLine {
    name: String,
    mark: Mark,
    #[serde(default)]
    note: Option<String>,
}

/// A mark of a person on a result.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mark {
    Accepted,
    Flagged,
}

impl Mark {
    /// Its name in a review.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Flagged => "flagged",
        }
    }
}

/// Marks and notes by the names of results.
pub(crate) type Review = BTreeMap<String, (Mark, Option<String>)>;

/// Reads the lines of a review; of several for one result the last.
pub(crate) fn parse(text: &str) -> Result<Review, String> {
    let mut review = Review::new();
    for (index, line) in text.lines().enumerate() {
        let line: Result<ReviewLine, _> = serde_json::from_str(line);
        let line = line.map_err(|error| format!("line {}: {error}", index + 1))?;
        review.insert(line.name, (line.mark, line.note));
    }
    Ok(review)
}

/// Reads the review beside a manifest; empty where there is none.
pub(crate) fn read(folder: &Path) -> Result<Review, String> {
    let path = folder.join(REVIEW);
    if !path.is_file() {
        return Ok(Review::new());
    }
    let text = rebone::read_text_up_to(&path, "review", MAX_REVIEW_BYTES);
    let text = text.map_err(|error| error.to_string())?;
    parse(&text).map_err(|error| format!("{}: {error}", path.display()))
}
