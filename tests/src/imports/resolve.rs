//! From a path as written to the module that defines the item.

use super::scan::{ModulePath, Scan, child};
use std::collections::BTreeSet;

/// The meaning of a name.
enum Target {
    Module(ModulePath),
    /// An item of this module.
    Item(ModulePath),
}

/// Names on the way of one resolution, against imports that lead to themselves.
type Visited = BTreeSet<(ModulePath, String)>;

/// The module that defines the end of `path`, which is written in `module`; `None` for other crates.
pub(super) fn resolve(scan: &Scan, module: &ModulePath, path: &[String]) -> Option<ModulePath> {
    match target(scan, module, path, &mut Visited::new())? {
        Target::Module(path) | Target::Item(path) => Some(path),
    }
}

fn target(
    scan: &Scan,
    module: &ModulePath,
    path: &[String],
    visited: &mut Visited,
) -> Option<Target> {
    let (first, rest) = path.split_first()?;
    let mut at = match first.as_str() {
        "crate" | "$crate" => Target::Module(ModulePath::new()),
        "self" => Target::Module(module.clone()),
        "super" => Target::Module(parent(module)),
        name => lookup(scan, module, name, visited)?,
    };
    for name in rest {
        at = match at {
            Target::Module(inner) => match name.as_str() {
                "self" => Target::Module(inner),
                "super" => Target::Module(parent(&inner)),
                // A name that is not found comes out of a macro there.
                name => lookup(scan, &inner, name, visited).unwrap_or(Target::Item(inner)),
            },
            // A variant, or a function of a type.
            item @ Target::Item(_) => item,
        };
    }
    Some(at)
}

/// The meaning of `name` in the scope of `module`.
fn lookup(scan: &Scan, module: &ModulePath, name: &str, visited: &mut Visited) -> Option<Target> {
    let inner = child(module, name);
    if scan.modules.contains_key(&inner) {
        return Some(Target::Module(inner));
    }
    let scope = scan.modules.get(module)?;
    if scope.items.contains(name) {
        return Some(Target::Item(module.clone()));
    }
    if !visited.insert((module.clone(), name.to_owned())) {
        return None;
    }
    let imported = scope.imports.iter().filter(|(import, _)| import == name);
    imported.into_iter().find_map(|(_, path)| target(scan, module, path, visited)).or_else(|| {
        scope.globs.iter().find_map(|glob| match target(scan, module, glob, visited)? {
            Target::Module(inner) => lookup(scan, &inner, name, visited),
            Target::Item(_) => None,
        })
    })
}

fn parent(module: &[String]) -> ModulePath {
    module.split_last().map(|(_, parent)| parent.to_vec()).unwrap_or_default()
}
