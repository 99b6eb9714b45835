//! Reads the modules of one crate: their items, imports and paths, without test code.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

/// A module's path from the root of its crate; the root is empty.
pub(super) type ModulePath = Vec<String>;

/// One source file.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path below `src`, with `/` between folders.
    pub path: String,
    /// The Rust code.
    pub text: String,
}

/// Names that a module brings into scope.
#[derive(Debug, Default)]
pub(super) struct Module {
    /// Functions, types, constants and macros that are defined in it.
    pub(super) items: BTreeSet<String>,
    /// Names imported by `use`, with the path as written.
    pub(super) imports: Vec<(String, Vec<String>)>,
    /// Paths imported with `*`.
    pub(super) globs: Vec<Vec<String>>,
}

/// A path in code or in a `use`, as written.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) module: ModulePath,
    pub(super) path: Vec<String>,
    /// `file:line`.
    pub(super) place: String,
}

/// All modules of a crate and all paths in them.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) modules: BTreeMap<ModulePath, Module>,
    pub(super) references: Vec<Reference>,
}

/// Keywords before the name of an item.
const ITEM_KEYWORDS: [&str; 8] =
    ["fn", "struct", "enum", "union", "trait", "type", "const", "static"];

/// Reads all `sources` of a crate.
///
/// # Errors
/// The path of a source that is not Rust code.
pub(super) fn scan(sources: &[Source]) -> Result<Scan, String> {
    let mut scan = Scan::default();
    let mut tests = BTreeSet::new();
    for source in sources {
        let module = module_of(&source.path);
        if module.iter().any(|name| name == "tests") {
            continue;
        }
        let tokens: TokenStream =
            source.text.parse().map_err(|error| format!("{}: {error}", source.path))?;
        scan.modules.entry(module.clone()).or_default();
        let mut scanner = Scanner { file: &source.path, scan: &mut scan, tests: &mut tests };
        scanner.tokens(&tokens.into_iter().collect::<Vec<_>>(), &module, true);
    }
    let is_test = |path: &ModulePath| tests.iter().any(|test| path.starts_with(test));
    scan.modules.retain(|path, _| !is_test(path));
    scan.references.retain(|reference| !is_test(&reference.module));
    Ok(scan)
}

/// `a/b.rs` and `a/b/mod.rs` hold the module `a::b`.
fn module_of(path: &str) -> ModulePath {
    let path = path.trim_end_matches(".rs");
    let mut names: ModulePath = path.split('/').map(str::to_owned).collect();
    if matches!(names.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        names.pop();
    }
    names
}

struct Scanner<'a> {
    file: &'a str,
    scan: &'a mut Scan,
    /// Modules declared behind `#[cfg(test)]`.
    tests: &'a mut BTreeSet<ModulePath>,
}

impl Scanner<'_> {
    /// Reads the tokens of a module, or of code inside one where `is_top` is false.
    fn tokens(&mut self, tokens: &[TokenTree], module: &ModulePath, is_top: bool) {
        let mut index = 0;
        while index < tokens.len() {
            let rest = &tokens[index..];
            index += if is_test_attribute(rest) {
                let length = item_length(rest);
                if let Some(name) = declared_module(&rest[..length]) {
                    self.tests.insert(child(module, &name));
                }
                length
            } else if is_ident(rest, 0, "pub") && matches!(rest.get(1), Some(TokenTree::Group(_))) {
                2
            } else if is_ident(rest, 0, "use") && !is_punct(rest, 1, '<') {
                self.import(rest, module)
            } else if let Some((name, body)) = inline_module(rest) {
                let inner = child(module, &name);
                self.scan.modules.entry(inner.clone()).or_default();
                self.tokens(&trees(body), &inner, true);
                3
            } else {
                self.code(rest, module, is_top)
            };
        }
    }

    /// Reads a group, a path or one token; returns the number of tokens.
    fn code(&mut self, rest: &[TokenTree], module: &ModulePath, is_top: bool) -> usize {
        if let TokenTree::Group(group) = &rest[0] {
            self.tokens(&trees(group), module, false);
            return 1;
        }
        if is_top && let Some(name) = item_name(rest) {
            self.scan.modules.entry(module.clone()).or_default().items.insert(name);
            return 1;
        }
        let (path, length) = path_of(rest);
        if path.len() > 1 {
            self.refer(module, path, &rest[0]);
        }
        length.max(1)
    }

    /// Reads `use …;`; returns the number of tokens.
    fn import(&mut self, rest: &[TokenTree], module: &ModulePath) -> usize {
        let end =
            rest.iter().position(|tree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ';'));
        let end = end.unwrap_or(rest.len());
        self.use_tree(&rest[1..end], &[], module);
        end + 1
    }

    /// Reads one tree of a `use` below `prefix`.
    fn use_tree(&mut self, tree: &[TokenTree], prefix: &[String], module: &ModulePath) {
        let Some(first) = tree.first() else { return };
        let (names, length) = path_of(tree);
        let mut path = [prefix, &names].concat();
        let entry = self.scan.modules.entry(module.clone()).or_default();
        match tree.get(length) {
            Some(TokenTree::Group(group)) => {
                let inner = trees(group);
                let is_comma =
                    |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ',');
                inner.split(is_comma).for_each(|part| self.use_tree(part, &path, module));
            }
            Some(TokenTree::Punct(star)) if star.as_char() == '*' => {
                entry.globs.push(path.clone());
                self.refer(module, path, first);
            }
            renamed => {
                if path.last().is_some_and(|name| name == "self") && path.len() > 1 {
                    path.pop();
                }
                let name = match (renamed, tree.last()) {
                    (Some(_), Some(TokenTree::Ident(name))) => name.to_string(),
                    _ => path.last().cloned().unwrap_or_default(),
                };
                entry.imports.push((name, path.clone()));
                self.refer(module, path, first);
            }
        }
    }

    fn refer(&mut self, module: &ModulePath, path: Vec<String>, at: &TokenTree) {
        let place = format!("{}:{}", self.file, at.span().start().line);
        self.scan.references.push(Reference { module: module.clone(), path, place });
    }
}

/// The module `name` inside `module`.
pub(super) fn child(module: &[String], name: &str) -> ModulePath {
    [module, &[name.to_owned()]].concat()
}

fn trees(group: &Group) -> Vec<TokenTree> {
    group.stream().into_iter().collect()
}

fn is_ident(tokens: &[TokenTree], index: usize, name: &str) -> bool {
    matches!(tokens.get(index), Some(TokenTree::Ident(ident)) if ident == name)
}

fn is_punct(tokens: &[TokenTree], index: usize, sign: char) -> bool {
    matches!(tokens.get(index), Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

/// Returns whether `#[cfg(test)]` or `#[cfg(all(test, …))]` stands first.
fn is_test_attribute(tokens: &[TokenTree]) -> bool {
    let Some(TokenTree::Group(attribute)) = tokens.get(1) else { return false };
    let text: String = attribute.stream().to_string().split_whitespace().collect();
    is_punct(tokens, 0, '#') && (text == "cfg(test)" || text.starts_with("cfg(all(test,"))
}

/// The number of tokens of an item and of the attributes before it: to its `;` or its body.
fn item_length(tokens: &[TokenTree]) -> usize {
    let is_end = |tree: &TokenTree| match tree {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    };
    let grouped_import = |end: usize| is_punct(tokens, end + 1, ';');
    match tokens.iter().position(is_end) {
        Some(end) if grouped_import(end) => end + 2,
        Some(end) => end + 1,
        None => tokens.len(),
    }
}

/// The name in `mod name;`.
fn declared_module(item: &[TokenTree]) -> Option<String> {
    let at = item.iter().position(|tree| matches!(tree, TokenTree::Ident(i) if i == "mod"))?;
    item.get(at + 1).map(ToString::to_string)
}

/// The name and body of `mod name { … }`.
fn inline_module(tokens: &[TokenTree]) -> Option<(String, &Group)> {
    match tokens {
        [TokenTree::Ident(word), TokenTree::Ident(name), TokenTree::Group(body), ..]
            if word == "mod" =>
        {
            Some((name.to_string(), body))
        }
        _ => None,
    }
}

/// The name of the item that begins here.
fn item_name(tokens: &[TokenTree]) -> Option<String> {
    let name = match tokens {
        [TokenTree::Ident(word), TokenTree::Ident(name), ..]
            if ITEM_KEYWORDS.iter().any(|keyword| word == keyword) =>
        {
            name
        }
        [TokenTree::Ident(word), TokenTree::Punct(_), TokenTree::Ident(name), ..]
            if word == "macro_rules" =>
        {
            name
        }
        _ => return None,
    };
    Some(name.to_string())
}

/// The names of a path `a::b::c`, and the number of its tokens, a `::` at the end included.
fn path_of(tokens: &[TokenTree]) -> (Vec<String>, usize) {
    let (mut names, mut length) = (Vec::new(), 0);
    while let Some(TokenTree::Ident(name)) = tokens.get(length) {
        names.push(name.to_string());
        length += 1;
        if !(is_punct(tokens, length, ':') && is_punct(tokens, length + 1, ':')) {
            break;
        }
        length += 2;
    }
    (names, length)
}
