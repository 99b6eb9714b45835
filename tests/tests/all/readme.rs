//! The front page: two commands in *Quick start*, which `.ci/run` takes from there and runs in a fresh clone.

use rebone_tests::{read, root};

/// The fenced blocks of the section `heading` of a page.
fn fenced_blocks(page: &str, heading: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut block: Option<String> = None;
    let section = page.lines().skip_while(|line| *line != heading).skip(1);
    for line in section.take_while(|line| !line.starts_with("## ")) {
        match (&mut block, line.starts_with("```")) {
            (Some(text), false) => text.push_str(&format!("{line}\n")),
            (Some(_), true) => blocks.extend(block.take()),
            (None, true) => block = Some(String::new()),
            (None, false) => {}
        }
    }
    blocks
}

#[test]
fn the_quick_start_is_two_commands() {
    let blocks = fenced_blocks(&read("README.md"), "## Quick start");
    assert_eq!(blocks.len(), 2, "{blocks:?}");
    for block in &blocks {
        assert_eq!(block.lines().filter(|line| !line.trim().is_empty()).count(), 1, "{block}");
    }
    assert!(blocks[0].starts_with("cargo run --release -- retarget "), "{}", blocks[0]);
    for file in blocks[0].split_whitespace().filter(|word| word.starts_with("data/")) {
        assert!(root().join(file).is_file(), "{file} is not there");
    }
    assert_eq!(blocks[1], "cargo test\n");
}

#[test]
fn links_lead_somewhere() {
    for page in rebone_tests::files("", &[".md"]) {
        let text = read(&page);
        let folder = page.parent().unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            if file.is_empty() || link.contains("://") || link.contains(char::is_whitespace) {
                continue;
            }
            assert!(folder.join(file).exists(), "{}: {link} is not there", page.display());
        }
    }
}
