//! Public functions and hostile values: `public_functions.txt` lists all public functions of the libraries, and how each is
//! known not to panic on values.
//!
//! `none`: it takes nothing but `self`. `hostile`: one of the crate's `tests/hostile_*.rs` calls it with lengths, indices,
//! numbers and clips that do not fit. `bytes`: it reads bytes or text, which `tests/fuzz` and the crate's tests break at
//! random. `files`: it takes paths, and its errors are those of files. `any`: all values of its arguments have a result, for
//! it does not index, divide whole numbers or allocate by them.

use rebone_tests::{documented_sources, files, read};
use std::collections::BTreeMap;
use std::path::Path;

const LIBRARIES: [&str; 7] = [
    "rebone-batch",
    "rebone-body",
    "rebone-ik",
    "rebone-samples",
    "rebone-skeleton",
    "rebone-view",
    "rebone",
];

/// A public function: whether it has arguments besides `self`, and its documentation.
struct Function {
    has_arguments: bool,
    documentation: String,
    returns: String,
}

/// All public functions of a crate, by `module::Type::name` or `module::name`, but those that the documentation hides.
fn public_functions(library: &str) -> BTreeMap<String, Function> {
    let mut found = BTreeMap::new();
    for path in documented_sources(library) {
        let text = read(&path);
        let module = top_module(&path);
        let text = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        let mut owner = String::new();
        for (index, line) in lines.iter().enumerate() {
            if line.starts_with("impl") {
                owner = type_name(line);
            }
            let code = line.trim_start();
            let Some(rest) = code.strip_prefix("pub fn ").or(code.strip_prefix("pub const fn "))
            else {
                continue;
            };
            let before = lines[..index].iter().rev();
            let before = before.take_while(|line| line.trim_start().starts_with(['#', '/']));
            let documentation: Vec<&str> = before.map(|line| line.trim_start()).collect();
            if documentation.contains(&"#[doc(hidden)]") {
                continue;
            }
            let name = rest.split(['(', '<']).next().unwrap_or_default();
            let is_method = line.starts_with(' ');
            let name = match is_method {
                true => format!("{module}::{owner}::{name}"),
                false => format!("{module}::{name}"),
            };
            let signature = lines[index..].join(" ");
            let (arguments, returns) = signature_of(&signature);
            let twice = found.insert(
                name.clone(),
                Function {
                    has_arguments: arguments.iter().any(|own| !own.ends_with("self")),
                    documentation: documentation.join("\n"),
                    returns,
                },
            );
            assert!(twice.is_none(), "{library} has two functions {name}");
        }
    }
    found
}

/// The file or folder directly below `src`.
fn top_module(path: &Path) -> String {
    let parts: Vec<String> =
        path.iter().map(|part| part.to_string_lossy().trim_end_matches(".rs").to_owned()).collect();
    let src = parts.iter().rposition(|part| part == "src").unwrap_or_default();
    parts[src + 1].clone()
}

/// The type of an `impl` block.
fn type_name(line: &str) -> String {
    let line = line.rsplit(" for ").next().unwrap_or(line);
    let line = line.strip_prefix("impl").unwrap_or(line);
    let line =
        line.strip_prefix('<').and_then(|rest| rest.split_once("> ")).map_or(line, |own| own.1);
    line.trim().split(['<', ' ']).next().unwrap_or_default().to_owned()
}

/// The arguments of a function, and what stands between them and its body.
fn signature_of(text: &str) -> (Vec<String>, String) {
    let open = text.find('(').unwrap_or_default();
    let (mut depth, mut arguments, mut own) = (0, Vec::new(), String::new());
    for (index, letter) in text.char_indices().skip_while(|(index, _)| *index < open) {
        match letter {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' => depth -= 1,
            '>' if !text[..index].ends_with('-') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            arguments.push(own.trim().to_owned());
            arguments.retain(|own| !own.is_empty());
            let returns = text[index..].split('{').next().unwrap_or_default();
            return (arguments, returns.to_owned());
        }
        match letter {
            ',' if depth == 1 => arguments.push(std::mem::take(&mut own).trim().to_owned()),
            '(' if depth == 1 => {}
            _ => own.push(letter),
        }
    }
    (arguments, String::new())
}

/// The list: crate and function, and how it is known not to panic.
fn listed() -> BTreeMap<(String, String), String> {
    let text = read("tests/public_functions.txt");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let words = lines.map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    let listed: Vec<((String, String), String)> = words
        .map(|words| {
            let [library, name, how] = words.try_into().expect("a line is: crate, function, how");
            ((library, name), how)
        })
        .collect();
    assert!(listed.is_sorted_by(|a, b| a.0 < b.0), "the list is sorted, each function once");
    listed.into_iter().collect()
}

#[test]
fn each_public_function_is_listed_and_meets_hostile_values() {
    let mut listed = listed();
    let mut wrong = Vec::new();
    for library in LIBRARIES {
        // The tests of `rebone` reach `rebone-body` by its re-exports.
        let tested = if library == "rebone-body" { "rebone" } else { library };
        let folder = format!("crates/{tested}/tests");
        let is_there = rebone_tests::root().join(&folder).exists();
        let mut all = if is_there { files(&folder, &[".rs"]) } else { Vec::new() };
        all.retain(|path| path.to_string_lossy().contains("/hostile_"));
        let hostile: String = all.into_iter().map(read).collect();
        for (name, function) in public_functions(library) {
            let key = (library.to_owned(), name.clone());
            let last = name.rsplit("::").next().unwrap_or_default();
            let fits = match listed.remove(&key).as_deref() {
                Some("none") => !function.has_arguments,
                Some("hostile") => hostile.contains(&format!("{last}(")),
                Some("any" | "bytes" | "files") => function.has_arguments,
                _ => false,
            };
            if !fits {
                let how = if function.has_arguments { "hostile" } else { "none" };
                wrong.push(format!("{library} {name} {how}"));
            }
        }
    }
    assert!(wrong.is_empty(), "not listed, or not as said:\n{}", wrong.join("\n"));
    assert!(listed.is_empty(), "listed, but not there: {:?}", listed.keys());
}

#[test]
fn errors_are_documented_and_panics_are_not_there() {
    for library in LIBRARIES {
        for (name, function) in public_functions(library) {
            let Function { documentation, returns, .. } = function;
            assert!(!documentation.contains("# Panics"), "{library} {name} panics");
            assert!(
                !returns.contains("Result<") || documentation.contains("# Errors"),
                "{library} {name} says nothing of its errors"
            );
        }
    }
}
