//! What every file of the project keeps to.

use rebone_tests::{files, read, root};

/// Lines of code that a source file may have; comments, blank lines and the tests at its end do
/// not count.
const LINES: usize = 300;

fn lines_of_code(text: &str) -> usize {
    text.lines()
        .take_while(|line| !line.starts_with("#[cfg(test)]"))
        .map(str::trim_start)
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .count()
}

#[test]
fn comments_and_tests_are_not_code() {
    assert_eq!(lines_of_code("//! a\n\nfn a() {}\n    // b\nfn b() {}\n#[cfg(test)]\nmod c;\n"), 2);
}

#[test]
fn files_fit_in_a_head() {
    let long: Vec<String> = files("crates", &[".rs"])
        .into_iter()
        .map(|path| (lines_of_code(&read(&path)), path))
        .filter(|(lines, _)| *lines > LINES)
        .map(|(lines, path)| format!("{} ({lines})", path.display()))
        .collect();
    assert!(long.is_empty(), "more than {LINES} lines of code: {long:#?}");
}

#[test]
fn no_file_names_a_folder_of_one_machine() {
    // Put together here, so that this file does not hold what it looks for.
    let folders = ["home", "root", "work", "tmp", "Users"].map(|name| format!("/{name}/"));
    for path in files("", &[""]) {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        for (number, line) in text.lines().enumerate() {
            let named = folders.iter().find(|folder| {
                line.find(folder.as_str()).is_some_and(|at| {
                    let before = line[..at].chars().next_back();
                    !before.is_some_and(|c| c.is_alphanumeric() || "./_-".contains(c))
                })
            });
            assert!(
                named.is_none(),
                "{}:{} names a path of one machine: {line}",
                path.strip_prefix(root()).unwrap_or(&path).display(),
                number + 1
            );
        }
    }
}

/// Functions that the platform computes, whose last bits differ. `powf` is left out: that of rotations goes through `libm`.
const PLATFORM_FUNCTIONS: [&str; 24] = [
    "sin", "cos", "tan", "sin_cos", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
    "asinh", "acosh", "atanh", "exp", "exp2", "exp_m1", "ln", "ln_1p", "log", "log2", "log10",
    "hypot", "cbrt",
];

#[test]
fn results_come_from_libm() {
    let crates = ["rebone", "rebone-body", "rebone-ik", "rebone-skeleton"];
    for path in crates.iter().flat_map(|name| files(&format!("crates/{name}/src"), &[".rs"])) {
        let text = read(&path);
        let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
        for line in code.lines() {
            let is_called = |name: &&&str| {
                line.contains(&format!(".{name}(")) || line.contains(&format!("f64::{name}("))
            };
            let called = PLATFORM_FUNCTIONS.iter().find(is_called);
            assert!(called.is_none(), "{}: {line}", path.display());
        }
    }
}
