//! The page of the studio, as the build put it into the program.

use crate::exit_code::Failure;
use anyhow::anyhow;
use hyper::body::Bytes;

include!(concat!(env!("OUT_DIR"), "/studio_page.rs"));

/// Length of the head of a gzip file without a name, and of its end.
const GZIP_HEAD: usize = 10;
const GZIP_END: usize = 8;

/// The page.
pub(crate) struct Page {
    /// HTML, packed by gzip.
    pub(crate) packed: &'static [u8],
    /// HTML.
    pub(crate) html: Bytes,
    /// Its content security policy, for the header.
    pub(crate) policy: String,
}

impl Page {
    /// Unpacks the page.
    pub(crate) fn load() -> Result<Self, Failure> {
        let packed = PAGE.ok_or_else(|| {
            Failure::from(anyhow!("this build of rebone has no page")).with_help(
                "make one with `npm ci --ignore-scripts && npm run engine && npm run build` in web/ (docs/studio.md), then build rebone again",
            )
        })?;
        let body = packed.get(GZIP_HEAD..packed.len().saturating_sub(GZIP_END));
        let html = body.and_then(|body| miniz_oxide::inflate::decompress_to_vec(body).ok());
        let html = html.ok_or_else(|| anyhow!("the page in this build of rebone is broken"))?;
        let policy = policy(&html).ok_or_else(|| anyhow!("the page has no security policy"))?;
        Ok(Self { packed, policy, html: html.into() })
    }
}

/// Returns the policy that the page states of itself, which no other page may embed.
fn policy(html: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&html[..html.len().min(4096)]).into_owned();
    let (_, behind) = head.split_once("\"Content-Security-Policy\" content=\"")?;
    let (policy, _) = behind.split_once('"')?;
    Some(format!("{policy}; frame-ancestors 'none'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_is_that_of_the_page() {
        let html = b"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">";
        let own = policy(html).unwrap();
        assert_eq!(own, "default-src 'none'; frame-ancestors 'none'");
        assert_eq!(policy(b"<html>"), None);
    }
}
