//! Shards on the command line, and the scripts of docs/cluster.md.

use crate::support::{Place, humanoid};

/// Four clips of one rig class and one of another.
fn library() -> Place {
    let place = Place::new();
    std::fs::create_dir(place.path("lib")).unwrap();
    for k in 0..4 {
        place.write(&format!("lib/{k}.bvh"), &humanoid("", 2 + k));
    }
    place.write("lib/other.bvh", &humanoid("other:", 3));
    place
}

#[test]
fn shards_are_made_merged_and_named_where_they_are_missing() {
    let place = library();
    let line = "batch lib -t hero.bvh -o out --accept-guesses";
    place
        .run(&format!("{line} --shard 0/3"))
        .fails(1, &["hero.bvh: no card in cards", "--cards-only"]);
    let cards = place.run(&format!("{line} --cards-only --sample 1000"));
    cards.succeeds();
    assert!(cards.stdout.contains("surveyed 5 files; 0 cannot be read"), "{}", cards.stdout);
    place.run(&format!("{line} --shard 0/3")).succeeds();
    place.run(&format!("{line} --shard 0/2")).fails(2, &["has 3 shards: give --shard K/3"]);
    place.run(line).fails(2, &["has 3 shards", "rebone merge out"]);
    place.run(&format!("{line} --shard 3/3")).fails(2, &["counted from 0 to 2"]);
    let part = place.run("merge out");
    assert_eq!((part.code, part.stderr.contains("2 shards missing: 1-2")), (3, true), "{part:?}");
    place.run(&format!("{line} --shard 1/3")).succeeds();
    place.run(&format!("{line} --shard 2/3")).succeeds();
    let merged = place.run("merge out --json");
    merged.succeeds();
    let value: serde_json::Value = serde_json::from_str(&merged.stdout).unwrap();
    assert_eq!((&value["done"], &value["missing"]), (&5.into(), &serde_json::json!([])));
    place.run("report out -o page.html").succeeds();
    let whole = place.run(line);
    assert!(whole.stdout.contains("0 made, 5 up to date"), "{}", whole.stdout);
    assert!(!place.path("out/manifest").exists());
    place.run("merge out").fails(2, &["has no shards"]);
    place.run("merge lib").fails(2, &["has no shards"]);
}

/// A shard all of whose clips wait for a card ends as one that made some: to begin it again would bring nothing.
#[test]
fn a_clip_without_a_card_is_no_reason_to_begin_a_shard_again() {
    let place = library();
    let line = "batch lib/other.bvh -t hero.bvh -o out --accept-guesses";
    place.run("batch lib/0.bvh -t hero.bvh -o out --accept-guesses --cards-only").succeeds();
    let run = place.run(&format!("{line} --shard 0/1"));
    assert_eq!(run.code, 3, "{run:?}");
    assert!(
        run.stdout.contains("failed       1  no card for the rig class: lib/other.bvh"),
        "{}",
        run.stdout
    );
    place.run("merge out").succeeds();
    let again = place.run(&format!("{line} --cards-only --sample 1"));
    assert!(again.stdout.contains("1 of them had waited for a card"), "{}", again.stdout);
    place.run(&format!("{line} --shard 0/1")).succeeds();
}

/// Runs the scripts of the page by a shell that finds the program, with the samples.
#[cfg(unix)]
#[test]
fn the_scripts_of_the_page_run() {
    use std::path::Path;
    use std::process::Command;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/cluster.md")).unwrap();
    let block = |start: &str| {
        let (_, rest) = page.split_once(start).unwrap();
        rest.split("```").next().unwrap().to_owned()
    };
    let place = Place::new();
    std::os::unix::fs::symlink(root.join("data").canonicalize().unwrap(), place.path("data"))
        .unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_rebone")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let shell = |script: &str, task: &str| {
        let mut command = Command::new("sh");
        command.args(["-e", "-c", script]).current_dir(place.path("")).env("PATH", &path);
        command.env("SLURM_ARRAY_TASK_ID", task).env("JOB_COMPLETION_INDEX", task);
        let run = command.output().unwrap();
        assert!(run.status.success(), "{script}: {run:?}");
        String::from_utf8(run.stdout).unwrap()
    };
    let printed = shell(&block("**One machine**, four shards at a time:\n\n```sh\n"), "");
    assert!(printed.contains("merged   8 of 8 shards"), "{printed}");
    std::fs::rename(place.path("out"), place.path("first")).unwrap();
    let slurm = block("```bash needs=\"a Slurm cluster\"\n").replace("512", "3");
    place.run("batch data/clips --target data/rigs/toy-a-pose.bvh -o out --cards-only").succeeds();
    ["2", "0", "1"].iter().for_each(|task| drop(shell(&slurm, task)));
    place.run("merge out").succeeds();
    assert_eq!(place.read("out/walk.bvh"), place.read("first/walk.bvh"));
    // Pods of the indexed job: each has the number of its shard, and one is begun twice.
    std::fs::rename(place.path("out"), place.path("second")).unwrap();
    std::os::unix::fs::symlink(place.path("data/clips"), place.path("clips")).unwrap();
    std::fs::copy(place.path("data/rigs/toy-a-pose.bvh"), place.path("hero.bvh")).unwrap();
    let pod = block("args:\n            - ").lines().next().unwrap().replace("512", "3");
    place.run("batch clips --target hero.bvh -o out --cards-only").succeeds();
    ["1", "2", "1", "0"].iter().for_each(|task| drop(shell(&pod, task)));
    place.run("merge out").succeeds();
    assert_eq!(place.read("out/walk.bvh"), place.read("first/walk.bvh"));
}
