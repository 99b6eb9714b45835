//! The report of a batch: what it reads, and what it says of files that changed.

use crate::support::{Place, humanoid};

/// Three results, so that a line that is refused leaves others.
fn batch() -> Place {
    let place = Place::new();
    std::fs::create_dir(place.path("lib")).unwrap();
    for (name, frames) in [("a", 30), ("b", 40), ("c", 50)] {
        place.write(&format!("lib/{name}.bvh"), &humanoid("", frames));
    }
    place.run("batch lib -t hero.bvh -o out").succeeds();
    place
}

#[test]
fn files_that_changed_since_are_named() {
    let place = batch();
    place.run("report out -o page.html").succeeds();
    assert!(!place.read("page.html").contains("changed since the batch:"));
    place.write("lib/a.bvh", &humanoid("", 31));
    let result = place.read("out/b.bvh");
    place.write("out/b.bvh", &(result + "\n"));
    let run = place.run("report out -o page.html");
    run.succeeds();
    assert!(run.stderr.contains("2 of 3 results cannot be compared"), "{run:?}");
    let page = place.read("page.html");
    assert!(page.contains("changed since the batch: lib/a.bvh;"));
    assert!(page.contains("changed since the batch: out/b.bvh;"));
    let card = place.read("out/cards/hero.toml");
    place.write("out/cards/hero.toml", &(card + "# looked at\n"));
    let run = place.run("report out -o page.html");
    run.fails(1, &["changed since the batch:", "out/cards/hero.toml"]);
}

#[test]
fn nothing_outside_the_folders_of_the_batch_is_read() {
    let place = batch();
    let manifest = place.read("out/manifest.jsonl");
    let secret = tempfile::tempdir().unwrap();
    let secret = secret.path().join("passwd");
    std::fs::write(&secret, "root:x:0").unwrap();
    let secret = secret.to_str().unwrap();
    let up = "../../../../../../../../..";
    for (named, evil) in [
        ("lib/a.bvh", format!("{up}{secret}")),
        ("lib/a.bvh", secret.to_owned()),
        ("\"a.bvh", format!("\"{up}{secret}")),
        ("cards/a.toml", format!("{up}{secret}")),
    ] {
        let mut lines: Vec<String> = manifest.lines().map(str::to_owned).collect();
        lines[0] = lines[0].replacen(named, &evil, 1);
        place.write("out/manifest.jsonl", &(lines.join("\n") + "\n"));
        let run = place.run("report out -o page.html");
        run.succeeds();
        let page = place.read("page.html");
        assert!(page.contains("not read"), "{named}: {run:?}");
        assert!(!page.contains("root:x"));
    }
}

#[test]
fn a_page_of_many_results_details_the_worst() {
    let place = batch();
    let manifest = place.read("out/manifest.jsonl");
    let line = manifest.lines().next().unwrap();
    let many: String =
        (0..400).map(|k| line.replacen("\"a.bvh\"", &format!("\"x{k}.bvh\""), 1) + "\n").collect();
    place.write("out/manifest.jsonl", &many);
    for k in 0..400 {
        std::fs::copy(place.path("out/a.bvh"), place.path(&format!("out/x{k}.bvh"))).unwrap();
    }
    let run = place.run("report out -o page.html");
    run.succeeds();
    assert!(run.stderr.contains("the 300 worst results alone; 100 rows"), "{run:?}");
    let page = place.read("page.html");
    let data = page.lines().find(|line| line.starts_with("{\"made\"")).unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let clips = data["clips"].as_array().unwrap();
    let detailed = clips.iter().filter(|clip| !clip["player"].is_null()).count();
    assert_eq!((clips.len(), detailed), (400, 300));
    assert!(clips.iter().all(|clip| clip["score"].is_number()));
}
