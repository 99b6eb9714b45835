//! Inputs, names and rules of batches, by dry runs over files that cannot be read.

use rebone_batch::{BatchError, BatchPlan, BatchRequest, FaultKind, Input, NameTemplate, plan};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// A folder with empty files.
fn tree() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in ["a.bvh", "b/c.BVH", "b/readme.txt", ".git/x.bvh", "out/d.bvh", "b/.hidden.bvh"] {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    folder
}

fn files(path: impl AsRef<Path>) -> Input {
    Input::Files(path.as_ref().to_owned())
}

fn request(inputs: Vec<Input>, output: &Path) -> BatchRequest {
    let rig = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/rigs/toy-a-pose.bvh");
    BatchRequest::new(inputs, vec![rig.into()], output)
}

fn dry_run(request: &BatchRequest) -> Result<BatchPlan, BatchError> {
    plan(request, &AtomicBool::new(false), &mut |_| {})
}

/// Results of a plan, which all cannot be made, with their clips below a folder.
fn results(plan: &BatchPlan, root: &Path) -> Vec<(String, String)> {
    let name = |path: &Path| {
        path.strip_prefix(root).unwrap_or(path).display().to_string().replace('\\', "/")
    };
    let lines = plan.failing.iter();
    lines.map(|line| (name(&line.input), name(line.output.as_deref().unwrap()))).collect()
}

fn pair(a: &str, b: &str) -> (String, String) {
    (a.to_owned(), b.to_owned())
}

#[test]
fn folders_are_walked_without_output_and_hidden_files() {
    let folder = tree();
    let root = folder.path();
    let plan = dry_run(&request(vec![files(root), files(root)], &root.join("out"))).unwrap();
    assert_eq!(results(&plan, root), [pair("a.bvh", "a.bvh"), pair("b/c.BVH", "b/c.bvh")]);
    assert_eq!(plan.skipped, [root.join("b/readme.txt")]);
    assert!(
        plan.failing.iter().all(|line| {
            line.error.as_ref().is_some_and(|error| error.kind == FaultKind::Format)
        })
    );
    let error = dry_run(&request(vec![files(root)], root)).unwrap_err().to_string();
    assert!(error.contains("is the output folder"), "{error}");
}

#[test]
fn patterns_and_lists_keep_the_folders_that_they_leave_open_or_write_out() {
    let folder = tree();
    let root = folder.path();
    let pattern = files(root.join("**/*.[bB][vV][hH]"));
    let plan = dry_run(&request(vec![pattern], &root.join("out"))).unwrap();
    assert!(results(&plan, root).contains(&pair("b/c.BVH", "b/c.bvh")));
    let list = |text: &str| Input::List { name: "list.txt".to_owned(), text: text.to_owned() };
    let text = "src/error.rs\n# comment\n./Cargo.toml\n../rebone/src/lib.rs\n";
    let plan = dry_run(&request(vec![list(text)], &root.join("out"))).unwrap();
    let mut outputs: Vec<_> = results(&plan, root).into_iter().map(|(_, output)| output).collect();
    outputs.sort();
    assert_eq!(outputs, ["Cargo.bvh", "lib.bvh", "src/error.bvh"]);
    let error = dry_run(&request(vec![list("Cargo.toml\n\nno-such.bvh\n")], root)).unwrap_err();
    let error = rebone::error_line(&error);
    assert!(error.contains("list.txt:3: no-such.bvh: there is no such file"), "{error}");
}

#[test]
fn templates_are_filled_and_stay_below_the_folder() {
    let folder = tree();
    let root = folder.path();
    fs::write(root.join("b/{target}.bvh"), "").unwrap();
    let name = Some("{target}/x-{stem}".parse().unwrap());
    let request = BatchRequest { name, ..request(vec![files(root)], &root.join("out")) };
    let outputs = results(&dry_run(&request).unwrap(), root);
    assert!(outputs.contains(&pair("b/{target}.bvh", "b/toy-a-pose/x-{target}.bvh")));
    for wrong in ["{target}", "{stem}{kind}", "../{stem}", "/{stem}", "{stem}/", "{stem", ""] {
        assert!(wrong.parse::<NameTemplate>().is_err(), "{wrong}");
    }
}

#[test]
fn results_of_one_name_are_refused_before_the_work() {
    let folder = tree();
    let root = folder.path();
    fs::write(root.join("b/A.bvh"), "").unwrap();
    let refusal = |inputs: &[&str], name: Option<&str>| {
        let inputs = inputs.iter().map(|input| files(root.join(input))).collect();
        let name = name.map(|name| name.parse().unwrap());
        match dry_run(&BatchRequest { name, ..request(inputs, &root.join("out")) }) {
            Err(BatchError::Request(message)) => message,
            other => panic!("{other:?}"),
        }
    };
    let message = refusal(&["a.bvh", "b/A.bvh"], None);
    assert!(message.contains("would both be written to") && message.contains("case"), "{message}");
    for name in ["Cards/{stem}", ".rebone/{stem}"] {
        assert!(refusal(&["a.bvh"], Some(name)).contains("the batch's own"), "{name}");
    }
}
