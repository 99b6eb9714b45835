//! `docs/options.md`, `web/src/options.json` and the types of the Python module's options are what [`Options`] says:
//! `REBONE_BLESS=1 cargo test -p rebone-tests options` writes them.

use clap::{Arg, Args, Command};
use rebone::Options;
use rebone_tests::{read, root};
use serde_json::json;

const PAGE: &str = "docs/options.md";

/// Options with a list of values, for the page of the studio.
const LIST: &str = "web/src/options.json";

/// Types of the options of the Python module.
const TYPES: &str = "crates/rebone-python/python/rebone/_options.py";

const TYPES_HEAD: &str = "\
\"\"\"Types of the options of a retarget. Generated from `crates/rebone/src/options/`: docs/options.md has the same text.\"\"\"

# fmt: off
from __future__ import annotations

from typing import Literal, TypedDict

__all__ = [\"Options\"]


class Options(TypedDict, total=False):
    \"\"\"All options of a retarget. `None` is the default of each.\"\"\"
";

const HEAD: &str = "\
# Options of a retarget

Each option is an argument of `rebone retarget` and `rebone batch`, a key of a batch's rules (TOML), of the library's
`rebone::Options` (Rust), and of its JSON. Values are the same everywhere; in TOML and JSON switches and `loop` are `true`
or `false`. This page is generated from `crates/rebone/src/options/`.

```toml file=rules.toml
[[clips]]
files = 'walk*'
contacts = 'all'
fps = 30
```

```sh
rebone batch data/clips -t data/rigs/ground-root.bvh -o out --options rules.toml
```
";

fn text(help: Option<&clap::builder::StyledStr>) -> String {
    help.map(|help| help.to_string().replace('\n', " ").trim().to_owned()).unwrap_or_default()
}

/// Default of an option as JSON, as a library user meets it.
fn default(name: &str, all: &serde_json::Value) -> String {
    match &all[name] {
        serde_json::Value::String(text) => format!("`{text}`"),
        serde_json::Value::Array(values) if values.is_empty() => "none".to_owned(),
        serde_json::Value::Null => "none".to_owned(),
        value => format!("`{value}`"),
    }
}

fn section(argument: &Arg, all: &serde_json::Value) -> String {
    let name = argument.get_long().expect("options have long names");
    let mut section = format!("\n### `--{name}`");
    let is_flag = argument.get_action().takes_values();
    if let Some([value]) = argument.get_value_names().filter(|_| is_flag) {
        section += &format!(" {value}");
    }
    let help = text(argument.get_long_help().or(argument.get_help()));
    let dot = if help.ends_with('.') { "" } else { "." };
    section += &format!("\n\n{help}{dot}");
    if !help.contains("Default: ") {
        section += &format!(" Default: {}.", default(name, all));
    }
    section.push('\n');
    let values = argument.get_possible_values();
    if is_flag && values.iter().any(|value| value.get_help().is_some()) {
        section.push_str("\n| value | effect |\n| --- | --- |\n");
        for value in &values {
            let help = text(value.get_help());
            section += &format!("| `{}` | {help} |\n", value.get_name());
        }
    }
    section
}

#[test]
fn the_page_of_options_is_what_the_program_takes() {
    let command = Options::augment_args(Command::new("rebone"));
    let all = serde_json::to_value(Options::default()).unwrap();
    let mut page = HEAD.to_owned();
    let mut heading = None;
    for argument in command.get_arguments() {
        if heading != argument.get_help_heading() {
            heading = argument.get_help_heading();
            page += &format!("\n## {}\n", heading.unwrap_or("Others"));
        }
        page += &section(argument, &all);
    }
    check(PAGE, &page);
}

/// Compares a generated file, or writes it where `REBONE_BLESS` is set.
fn check(path: &str, text: &str) {
    if std::env::var_os("REBONE_BLESS").is_some() {
        std::fs::write(root().join(path), text).expect("a folder of the workspace can be written");
    }
    assert!(read(path) == text, "{path} is old: REBONE_BLESS=1 cargo test -p rebone-tests options");
}

#[test]
fn the_studio_offers_the_values_that_the_program_takes() {
    let command = Options::augment_args(Command::new("rebone"));
    let all = serde_json::to_value(Options::default()).unwrap();
    let list = command.get_arguments().filter_map(|argument| {
        let name = argument.get_long()?;
        let values: Vec<_> = argument.get_possible_values();
        let is_choice = argument.get_action().takes_values() && all[name].is_string();
        (is_choice && values.len() > 1).then(|| {
            let values: Vec<_> = values
                .iter()
                .map(|value| json!({ "value": value.get_name(), "help": text(value.get_help()) }))
                .collect();
            let help = text(argument.get_help());
            json!({ "name": name, "help": help, "default": all[name], "values": values })
        })
    });
    let text = serde_json::to_string_pretty(&list.collect::<Vec<_>>()).unwrap() + "\n";
    check(LIST, &text);
}

/// The Python type of the values of an option.
fn python_type(argument: &Arg) -> String {
    if !argument.get_action().takes_values() {
        return "bool".to_owned();
    }
    let values = argument.get_possible_values();
    let values: Vec<String> =
        values.iter().map(|value| format!("\"{}\"", value.get_name())).collect();
    let literal = format!("Literal[{}]", values.join(", "));
    let names = argument.get_value_names().unwrap_or_default();
    match names.first().map_or("", |name| name.as_str()) {
        "REGION" => format!("list[{literal}] | str"),
        _ if !values.is_empty() => literal,
        "MODE" => "Literal[\"direction\", \"position\"] | float".to_owned(),
        "HEIGHT" | "SECONDS" | "N" => "float".to_owned(),
        "A..B" if argument.get_long() == Some("loop") => "bool | str | tuple[int, int]".to_owned(),
        "A..B" => "str | tuple[int | None, int | None] | range | slice".to_owned(),
        "DEG,MM" => "str | tuple[float, float]".to_owned(),
        _ => "str".to_owned(),
    }
}

#[test]
fn the_python_module_has_types_of_all_options() {
    let command = Options::augment_args(Command::new("rebone"));
    let all = serde_json::to_value(Options::default()).unwrap();
    let mut page = TYPES_HEAD.to_owned();
    for argument in command.get_arguments() {
        let name = argument.get_long().expect("options have long names");
        let help = text(argument.get_long_help().or(argument.get_help()));
        let dot = if help.ends_with('.') { "" } else { "." };
        page += &format!("\n    #: {help}{dot}");
        if !help.contains("Default: ") {
            page += &format!(" Default: {}.", default(name, &all));
        }
        let (name, kind) = (name.replace('-', "_"), python_type(argument));
        page += &format!("\n    {name}: {kind} | None\n");
    }
    check(TYPES, &page);
}

#[test]
fn keys_of_json_are_names_of_arguments() {
    let command = Options::augment_args(Command::new("rebone"));
    let mut names: Vec<_> = command.get_arguments().filter_map(Arg::get_long).collect();
    let all = serde_json::to_value(Options::default()).unwrap();
    let mut keys: Vec<_> = all.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    keys.sort_unstable();
    assert_eq!(names, keys);
}
