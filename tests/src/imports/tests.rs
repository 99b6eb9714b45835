use super::*;

fn imports(sources: &[(&str, &str)]) -> Imports {
    let source =
        |(path, text): &(&str, &str)| Source { path: (*path).to_owned(), text: (*text).to_owned() };
    Imports::of(&sources.iter().map(source).collect::<Vec<_>>()).unwrap()
}

fn arrows(sources: &[(&str, &str)]) -> Vec<String> {
    imports(sources).0.keys().map(|(from, to)| format!("{from} -> {to}")).collect()
}

#[test]
fn a_circle_through_a_re_export_of_the_root_is_found() {
    let imports = imports(&[
        ("lib.rs", "mod a; mod b; mod c; pub use a::Thing; pub use c::Other;"),
        ("a.rs", "\nuse crate::Other;\npub struct Thing;"),
        ("b.rs", "use crate::Thing;"),
        ("c.rs", "pub struct Other;\n\nfn f() { crate::Thing::new() }"),
    ]);
    let circle = imports.circle().unwrap();
    assert_eq!(circle, ["a", "c"]);
    assert_eq!(imports.describe(&circle), "a -> c\n  a -> c: a.rs:2\n  c -> a: c.rs:3");
}

#[test]
fn a_re_export_of_a_module_leads_to_the_definition() {
    let arrows = arrows(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a/mod.rs", "mod inner; pub use inner::{Deep as Renamed}; pub use crate::c::*;"),
        ("a/inner.rs", "pub(crate) struct Deep;"),
        ("b.rs", "use crate::a::Renamed; use super::a::FromC;"),
        ("c.rs", "pub enum FromC {}"),
    ]);
    assert_eq!(arrows, ["a -> c", "b -> a", "b -> c"]);
}

#[test]
fn grouped_and_nested_imports_are_read() {
    let arrows = arrows(&[
        ("lib.rs", "mod a; mod b; mod c; mod d;"),
        ("a/mod.rs", "mod sub;"),
        ("a/sub.rs", "use crate::{b::{self, One}, c::{Two as _}, };\nuse std::fmt::{self, Debug};"),
        ("b.rs", "pub struct One;"),
        ("c.rs", "pub trait Two {} fn f() { use super::super::never; super::d::call(); }"),
        ("d.rs", "pub fn call() {}"),
    ]);
    assert_eq!(arrows, ["a -> b", "a -> c", "c -> d"]);
}

#[test]
fn paths_in_code_and_in_macros_count_without_a_use() {
    let arrows = arrows(&[
        ("lib.rs", "mod a; mod b; mod c; mod d;"),
        ("a.rs", "fn f(x: &crate::b::B) -> bool { assert!(matches!(x, crate::c::C::Yes)); true }"),
        ("b.rs", "pub struct B { field: Option<super::d::D> }"),
        ("c.rs", "pub enum C { Yes }"),
        ("d.rs", "pub struct D;"),
    ]);
    assert_eq!(arrows, ["a -> b", "a -> c", "b -> d"]);
}

#[test]
fn an_imported_module_is_followed_to_what_it_re_exports() {
    let arrows = arrows(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use crate::b; fn f() { b::far(); }"),
        ("b.rs", "pub(crate) use crate::c::far;"),
        ("c.rs", "pub(crate) fn far() {}"),
    ]);
    assert_eq!(arrows, ["a -> b", "a -> c", "b -> c"]);
}

#[test]
fn tests_comments_and_texts_do_not_count() {
    let arrows = arrows(&[
        ("lib.rs", "mod a; mod b;"),
        (
            "a.rs",
            "/// [`crate::b::B`]\nconst T: &str = \"crate::b::B\"; // crate::b::B\n\
             #[cfg(test)] use crate::{b::B};\n#[cfg(test)]\n#[path = \"x.rs\"]\nmod cases;\n\
             #[cfg(test)]\nmod tests { use crate::b::B; }\nstruct A;",
        ),
        ("a/cases.rs", "use crate::b::B;"),
        ("a/tests.rs", "use crate::b::B;"),
        ("b.rs", "pub struct B; pub(in crate::a) struct C; fn f() { crate::a::A; }"),
    ]);
    assert_eq!(arrows, ["b -> a"]);
}

#[test]
fn a_long_circle_is_found_and_a_tree_has_none() {
    let tree = [
        ("lib.rs", "mod a; mod b; mod c; mod d;"),
        ("a.rs", "use crate::{b, c, d};"),
        ("b.rs", "use crate::c;"),
        ("c.rs", "use crate::d;"),
    ];
    let mut sources = [&tree[..], &[("d.rs", "fn f() {}")]].concat();
    assert_eq!(imports(&sources).circle(), None);
    sources[4].1 = "use crate::b;";
    assert_eq!(imports(&sources).circle(), Some(["b", "c", "d"].map(str::to_owned).to_vec()));
}

#[test]
fn everything_of_the_root_at_once_is_refused() {
    let source = Source { path: "a.rs".to_owned(), text: "use crate::*;".to_owned() };
    let root = Source { path: "lib.rs".to_owned(), text: "mod a;".to_owned() };
    let error = Imports::of(&[root, source]).unwrap_err();
    assert_eq!(error, "a.rs:1: name the imports from the root");
}
