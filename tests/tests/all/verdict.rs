//! The table of `docs/verdict.md` is what the thresholds of the metrics say:
//! `REBONE_BLESS=1 cargo test -p rebone-tests verdict` writes it.

use rebone_tests::{read, root};
use toml_edit::{DocumentMut, Item};

const PAGE: &str = "docs/verdict.md";

const HEAD: &str = "\
| metric | measures | LOOK | FAIL | what usually helps |
| --- | --- | --- | --- | --- |
";

fn row(name: &str, entry: &Item) -> String {
    let text = |key: &str| entry[key].as_str().expect("a text").to_owned();
    let number = |key: &str| entry[key].as_value().expect("a number").to_string();
    let unit = match text("unit").as_str() {
        "" => String::new(),
        unit => format!(" {unit}"),
    };
    let [look, fail] = ["look", "fail"].map(|key| number(key).trim().to_owned());
    let [measures, help] = ["measures", "help"].map(text);
    format!("| `{name}` | {measures} | {look}{unit} | {fail}{unit} | {help} |\n")
}

#[test]
fn the_table_of_metrics_is_that_of_the_thresholds() {
    let thresholds: DocumentMut =
        read("crates/rebone/src/quality/thresholds.toml").parse().expect("it is TOML");
    let rows: String = thresholds.iter().map(|(name, entry)| row(name, entry)).collect();
    let page = read(PAGE);
    let start = page.find("| metric |").expect("the page has the table");
    let length = page[start..].find("\n\n").expect("a paragraph comes after the table") + 1;
    let fresh = format!("{}{HEAD}{rows}{}", &page[..start], &page[start + length..]);
    if std::env::var_os("REBONE_BLESS").is_some() {
        std::fs::write(root().join(PAGE), &fresh).expect("the page can be written");
    }
    assert!(
        read(PAGE) == fresh,
        "{PAGE} is old: REBONE_BLESS=1 cargo test -p rebone-tests verdict"
    );
}
