//! Tars as inputs and results: each a unit, of the same bytes as the files that it stands for.

use crate::common::tars::{files, member, members, tar};
use crate::common::{Place, done, tree, try_run, turning, turning_bent};
use rebone_batch::manifest::{JobStatus, ManifestLine, read_lines};
use rebone_batch::{
    BatchOutcome, BatchRequest, Input, Progress, Shard, make_cards, merge_shards, run,
};
use std::fs;
use std::num::NonZeroUsize;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

/// Variable with the folder of a run that is killed.
const KILLED: &str = "REBONE_KILLED_TARS";

/// Seven clips of two rig classes in two tars, and a file that is none.
fn library() -> Place {
    let place = Place::new();
    let clip = |k: u32| {
        if k.is_multiple_of(3) { turning_bent(f64::from(k)) } else { turning(f64::from(k)) }
    };
    for (name, numbers) in [("a.tar", [4, 3, 2]), ("sub/b.tar", [5, 6, 7])] {
        let texts: Vec<(String, String)> =
            numbers.map(|k| (format!("./dance/{k}.bvh"), clip(k))).into();
        let mut parts: Vec<(&str, &str)> = texts.iter().map(|(a, b)| (&**a, &**b)).collect();
        parts.push(("notes.txt", "clips"));
        write(&place, &format!("lib/{name}"), &tar(&parts));
    }
    place.write("lib/sub/1.bvh", &clip(1));
    place
}

fn write(place: &Place, name: &str, bytes: &[u8]) {
    place.write(name, "");
    fs::write(place.path(name), bytes).unwrap();
}

fn result(place: &Place, name: &str) -> Vec<u8> {
    fs::read(place.path(&format!("out/{name}"))).unwrap()
}

/// Names of results that a run made.
fn made(outcome: &BatchOutcome) -> Vec<String> {
    let outputs = outcome.lines.iter().filter_map(|line| line.output.as_ref());
    outputs.map(|path| path.to_str().unwrap().to_owned()).collect()
}

fn messages<'a>(lines: impl Iterator<Item = &'a ManifestLine>) -> Vec<String> {
    lines.filter_map(|line| Some(line.error.as_ref()?.message.clone())).collect()
}

#[test]
fn results_are_those_of_files_in_the_order_of_the_tar() {
    let place = library();
    let outcome = done(&place.request());
    assert_eq!(messages(outcome.failed()), [""; 0]);
    assert_eq!(outcome.lines.len(), 7);
    let results = members(&result(&place, "a.tar"));
    let names: Vec<&str> = results.iter().map(|(name, _)| &**name).collect();
    assert_eq!(
        names,
        [
            "dance/4.bvh",
            "dance/4.json",
            "dance/3.bvh",
            "dance/3.json",
            "dance/2.bvh",
            "dance/2.json"
        ]
    );
    // The same clips as files, with the same cards.
    let plain = library();
    for name in ["a.tar", "sub/b.tar"] {
        let bytes = fs::read(plain.path(&format!("lib/{name}"))).unwrap();
        fs::remove_file(plain.path(&format!("lib/{name}"))).unwrap();
        for (member, bytes) in members(&bytes) {
            let member = member.trim_start_matches("./");
            write(&plain, &format!("lib/{}/{member}", name.replace('.', "-")), &bytes);
        }
    }
    done(&plain.request());
    assert_eq!(files(&result(&place, "a.tar"))["dance/3.bvh"], result(&plain, "a-tar/dance/3.bvh"));
    assert_eq!(
        files(&result(&place, "sub/b.tar"))["dance/7.bvh"],
        result(&plain, "sub/b-tar/dance/7.bvh")
    );
    assert_eq!(result(&place, "sub/1.bvh"), result(&plain, "sub/1.bvh"));
    // The line in the tar is that of the manifest, but for what it cannot hold.
    let (lines, _) = read_lines(&place.path("out/manifest.jsonl")).unwrap();
    let own =
        lines.iter().find(|line| line.output.as_deref() == Some("a.tar/dance/3.bvh".as_ref()));
    let own = own.unwrap();
    assert_eq!(own.input, place.path("lib/a.tar/dance/3.bvh"));
    let text = &files(&result(&place, "a.tar"))["dance/3.json"];
    let line: ManifestLine = serde_json::from_slice(text).unwrap();
    let (input, target) = ("a.tar/dance/3.bvh".into(), Some("hero.bvh".into()));
    assert_eq!(ManifestLine { seconds: 0.0, tar: None, input, target, ..own.clone() }, line);
    // Nothing is done twice.
    let before = tree(&place.path("out"));
    assert_eq!(made(&done(&place.request())), [""; 0]);
    assert_eq!(tree(&place.path("out")), before);
}

#[test]
fn bytes_do_not_depend_on_threads_and_a_change_makes_its_tar_again() {
    let place = library();
    done(&place.request());
    let other = library();
    done(&BatchRequest { threads: 4.try_into().ok(), ..other.request() });
    for name in ["a.tar", "sub/b.tar"] {
        // In another folder, by other threads.
        assert_eq!(result(&place, name), result(&other, name));
    }
    let bytes = fs::read(place.path("lib/a.tar")).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let mut parts = files(text.as_bytes());
    parts.remove("./dance/2.bvh");
    let parts: Vec<(String, String)> =
        parts.into_iter().map(|(name, text)| (name, String::from_utf8(text).unwrap())).collect();
    let parts: Vec<(&str, &str)> = parts.iter().map(|(a, b)| (&**a, &**b)).collect();
    write(&place, "lib/a.tar", &tar(&parts));
    assert_eq!(made(&done(&place.request())), ["a.tar/dance/3.bvh", "a.tar/dance/4.bvh"]);
    assert!(!files(&result(&place, "a.tar")).contains_key("dance/2.bvh"));
    assert!(!place.read("out/manifest.jsonl").contains("dance/2.bvh"));
    // A tar that is gone takes its results along where that is wanted, once.
    fs::remove_file(place.path("lib/a.tar")).unwrap();
    let pruned = done(&BatchRequest { prune: true, ..place.request() }).pruned;
    assert_eq!((pruned.removed, pruned.changed), (vec!["a.tar".into()], Vec::new()));
    assert!(!place.path("out/a.tar").exists() && place.path("out/sub/b.tar").exists());
}

#[test]
fn a_tar_that_was_changed_is_kept_and_one_that_was_cut_is_made_again() {
    let place = library();
    done(&place.request());
    let whole = result(&place, "a.tar");
    let edited = [&member("mine.txt", "mine", b'0'), &whole[..]].concat();
    write(&place, "out/a.tar", &edited);
    let outcome = done(&place.request());
    assert_eq!((made(&outcome).len(), outcome.edited.clone()), (0, vec!["a.tar".into()]));
    let forced = BatchRequest { force: true, ..place.request() };
    let outcome = done(&forced);
    assert!(messages(outcome.failed()).iter().all(|text| text.contains("a.tar was changed since")));
    assert_eq!((outcome.failed().count(), result(&place, "a.tar")), (3, edited));
    // It is still known as the batch's.
    done(&BatchRequest { overwrite: true, ..place.request() });
    assert_eq!(result(&place, "a.tar"), whole);
    write(&place, "out/a.tar", &whole[..1000]);
    assert_eq!(made(&done(&place.request())).len(), 3);
    assert_eq!(result(&place, "a.tar"), whole);
    // A file that no batch made stays.
    fs::remove_file(place.path("out/manifest.jsonl")).unwrap();
    let outcome = done(&place.request());
    assert!(messages(outcome.failed()).iter().any(|text| text.contains("that no batch here made")));
    assert_eq!(result(&place, "a.tar"), whole);
}

#[test]
fn hostile_tars_fail_by_themselves_and_say_where() {
    let place = library();
    let clip = turning(5.0);
    let good = [("ok.bvh", &*clip)];
    let cases: [(&str, Vec<u8>, &str); 7] = [
        ("cut.tar", tar(&good)[..700].to_vec(), "byte 0: ok.bvh has"),
        ("empty.tar", Vec::new(), "the file is empty"),
        ("gzip.tar", b"\x1f\x8b\x08\0".to_vec(), "found gzip, expected a tar without compression"),
        ("named.tar.gz", b"\x1f\x8b\x08\0".to_vec(), "unpack it with `gunzip`"),
        ("noend.tar", member("ok.bvh", &clip, b'0'), "the zeros that end a tar"),
        ("text.tar", vec![b'a'; 3000], "expected the header of a tar's member"),
        ("twice.tar", tar(&[good[0], ("./ok.bvh", "")]), "is there twice, first at byte 0"),
    ];
    for (name, bytes, _) in &cases {
        write(&place, &format!("lib/{name}"), bytes);
    }
    let mut mixed = member("../out.bvh", &clip, b'0');
    for (name, kind) in
        [("/abs.bvh", b'0'), ("link.bvh", b'2'), ("pipe.bvh", b'6'), ("link.txt", b'2')]
    {
        mixed.extend(member(name, "", kind));
    }
    mixed.extend(member("._hidden.bvh", "", b'0'));
    mixed.extend(member("broken.bvh", "HIERARCHY nonsense", b'0'));
    mixed.extend(tar(&good));
    write(&place, "lib/mixed.tar", &mixed);
    let outcome = done(&BatchRequest { prune: true, ..place.request() });
    let faults = messages(outcome.failed());
    let find = |part: &str| faults.iter().any(|own| own.contains(part));
    for (name, _, part) in &cases {
        assert!(
            faults.iter().any(|own| own.contains(name) && own.contains(part)),
            "{name}: {faults:#?}"
        );
        assert!(!place.path(&format!("out/{name}")).exists());
    }
    assert!(find("mixed.tar, byte 0: the member's name is \"../out.bvh\""), "{faults:#?}");
    assert!(find("the member's name is \"/abs.bvh\""), "{faults:#?}");
    assert!(find("link.bvh is a link, expected a file"), "{faults:#?}");
    assert!(find("pipe.bvh is a device or a pipe"), "{faults:#?}");
    assert_eq!(faults.len(), cases.len() + 5, "{faults:#?}");
    let names: Vec<String> = files(&result(&place, "mixed.tar")).into_keys().collect();
    assert_eq!(names, ["broken.json", "ok.bvh", "ok.json"]);
    assert!(!place.path("out.bvh").exists() && files(&result(&place, "a.tar")).len() == 6);
    // What failed by its bytes is not tried again: the tar is up to date.
    assert_eq!(made(&done(&place.request())), [""; 0]);
}

#[test]
fn what_tars_cannot_be_is_refused_before_the_work() {
    let place = library();
    let refused =
        |request: &BatchRequest| try_run(request, &AtomicBool::new(false)).unwrap_err().to_string();
    let message = refused(&BatchRequest { one_file: true, ..place.request() });
    assert!(message.starts_with("--one-file is not for clips in tars, as in"), "{message}");
    let inputs = vec![place.input("lib/a.tar")];
    let message = refused(&BatchRequest { inputs, output: place.path("lib"), ..place.request() });
    assert!(message.contains("a.tar is an input"), "{message}");
    write(&place, "other/a.tar", &fs::read(place.path("lib/a.tar")).unwrap());
    let inputs = vec![place.input("lib/a.tar"), place.input("other/a.tar")];
    let message = refused(&BatchRequest { inputs, ..place.request() });
    assert!(message.contains("would both be written to a.tar"), "{message}");
    place.write("folders/a.tar/9.bvh", &turning(9.0));
    let inputs = vec![place.input("lib/a.tar"), place.input("folders")];
    let message = refused(&BatchRequest { inputs, ..place.request() });
    assert!(message.contains("which is a tar of results"), "{message}");
}

#[test]
fn shards_take_whole_tars_and_merge_as_one() {
    let whole = library();
    done(&whole.request());
    let place = library();
    let sample = NonZeroUsize::new(100).unwrap();
    make_cards(&place.request(), sample, &AtomicBool::new(false)).unwrap();
    for number in 0..3 {
        let shard = Shard::new(number, 3).ok();
        let outcome = done(&BatchRequest { shard, ..place.request() });
        assert!([0, 1, 3, 4, 6, 7].contains(&outcome.lines.len()));
    }
    merge_shards(&place.path("out"), &AtomicBool::new(false)).unwrap();
    let text = |place: &Place, name: &str| {
        let bytes = tree(&place.path("out"))[name].clone();
        String::from_utf8(bytes).unwrap().replace(&place.path("").display().to_string(), "")
    };
    for name in ["a.tar", "sub/b.tar", "sub/1.bvh"] {
        assert_eq!(text(&place, name), text(&whole, name));
    }
    let lines = |place: &Place| {
        let text = text(place, "manifest.jsonl");
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect::<Vec<serde_json::Value>>()
    };
    assert_eq!(lines(&place), lines(&whole));
}

#[test]
fn a_sample_takes_clips_that_wait_for_a_card_first() {
    let place = library();
    let one = NonZeroUsize::new(1).unwrap();
    let stop = AtomicBool::new(false);
    make_cards(&place.request(), one, &stop).unwrap();
    let shard = || BatchRequest { shard: Shard::new(0, 1).ok(), ..place.request() };
    let waiting = |outcome: &BatchOutcome| {
        outcome.failed().filter(|line| line.status == JobStatus::NoCard).count()
    };
    let before = waiting(&done(&shard()));
    assert!(before > 0);
    let again = make_cards(&place.request(), one, &stop).unwrap();
    assert!(again.waiting > 0);
    assert_eq!(waiting(&done(&shard())), 0);
}

/// The run that is killed when its first tar has its name: a test that does nothing unless it is started by the next one.
#[test]
fn killed_run() {
    let Some(folder) = std::env::var_os(KILLED) else { return };
    let watch = &mut |event: Progress| {
        if matches!(event, Progress::Result { line, .. } if line.tar.is_some()) {
            std::process::abort();
        }
    };
    run(&Place::at(folder).request(), &AtomicBool::new(false), watch).unwrap();
}

#[test]
fn a_killed_run_goes_on_with_the_next_tar() {
    let place = library();
    let mut killed = Command::new(std::env::current_exe().unwrap());
    killed.args(["--exact", "tars::killed_run"]).env(KILLED, place.path(""));
    assert!(!killed.output().unwrap().status.success());
    assert!(place.path("out/a.tar").exists() && !place.path("out/sub/b.tar").exists());
    let outcome = done(&place.request());
    assert_eq!(made(&outcome).iter().filter(|name| name.starts_with("sub/b.tar")).count(), 3);
    assert_eq!(made(&outcome).len(), 3);
    let other = library();
    done(&other.request());
    assert_eq!(tree(&place.path("out")).len(), tree(&other.path("out")).len());
}

#[test]
fn a_stopped_run_leaves_whole_tars_alone() {
    let place = library();
    let stop = AtomicBool::new(false);
    let watch = &mut |event: Progress| {
        if matches!(event, Progress::Result { line, .. } if line.tar.is_none()) {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let inputs = vec![place.input("lib")];
    let outcome = run(&BatchRequest { inputs, ..place.request() }, &stop, watch).unwrap();
    assert!(outcome.interrupted && !place.path("out/a.tar").exists());
    assert!(!place.path("out/.rebone").exists());
    done(&BatchRequest { inputs: vec![Input::Files(place.path("lib/*.tar"))], ..place.request() });
    assert_eq!(files(&result(&place, "a.tar")).len(), 6);
}
