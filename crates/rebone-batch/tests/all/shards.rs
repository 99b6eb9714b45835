//! Shards of a library: any number of them, in any order, killed and run again, give one result.

use crate::common::{Place, done, tree, try_run, turning, turning_bent};
use rebone_batch::manifest::{self, JobStatus};
use rebone_batch::{
    BatchError, BatchRequest, CardState, MergedShards, Progress, Shard, make_cards, merge_shards,
    run,
};
use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

/// Variables with the folder and the shard of a run that is killed after its first result.
const KILLED: [&str; 2] = ["REBONE_KILLED_SHARD_FOLDER", "REBONE_KILLED_SHARD"];

/// Twelve clips in two folders, of two rig classes.
fn library() -> Place {
    let place = Place::new();
    for k in 0..12 {
        let degrees = 2.0 + f64::from(k);
        let folder = if k % 3 == 0 { "lib/sub" } else { "lib" };
        let text = if k % 4 == 0 { turning_bent(degrees) } else { turning(degrees) };
        place.write(&format!("{folder}/{k}.bvh"), &text);
    }
    place.write("lib/notes.txt", "clips");
    place
}

fn of(place: &Place, shard: &str) -> BatchRequest {
    BatchRequest { shard: Some(shard.parse().unwrap()), ..place.request() }
}

fn cards(place: &Place, sample: usize) -> rebone_batch::CardsOutcome {
    let sample = NonZeroUsize::new(sample).unwrap();
    make_cards(&place.request(), sample, &AtomicBool::new(false)).unwrap()
}

fn merge(place: &Place) -> Result<MergedShards, BatchError> {
    merge_shards(&place.path("out"), &AtomicBool::new(false))
}

/// Shards that hold clips of [`library`].
fn holders(place: &Place, count: u32) -> Vec<Shard> {
    let names = walk(place);
    let all = (0..count).map(|number| Shard::new(number, count).unwrap());
    all.filter(|shard| names.iter().any(|name| shard.holds(name))).collect()
}

/// Paths of all clips below the input.
fn walk(place: &Place) -> Vec<String> {
    let names = tree(&place.path("lib")).into_keys();
    names.filter(|name| name.ends_with(".bvh")).collect()
}

/// All files as text but the manifests of shards, which differ by their number; the folder of the test is left out.
fn results(place: &Place) -> BTreeMap<String, String> {
    let mut files = tree(&place.path("out"));
    files.retain(|name, _| !name.starts_with("manifest/") && !name.starts_with(".rebone/"));
    let folder = place.path("").display().to_string();
    let text = |bytes| String::from_utf8(bytes).unwrap().replace(&folder, "");
    files.into_iter().map(|(name, bytes)| (name, text(bytes))).collect()
}

/// Names of files that differ.
fn differing<'a>(
    one: &'a BTreeMap<String, String>,
    other: &'a BTreeMap<String, String>,
) -> Vec<&'a String> {
    let names = one.keys().chain(other.keys());
    names.filter(|name| one.get(*name) != other.get(*name)).collect()
}

/// The run that is killed: a test that does nothing unless it is started by another.
#[test]
fn killed_shard() {
    let [Some(folder), Some(shard)] = KILLED.map(std::env::var_os) else { return };
    let request = of(&Place::at(folder), shard.to_str().unwrap());
    let mut watch = |event: Progress| {
        if matches!(event, Progress::Result { .. }) {
            std::process::abort();
        }
    };
    run(&request, &AtomicBool::new(false), &mut watch).unwrap();
}

/// Kills a run over a shard after its first result, where it has one.
fn kill(place: &Place, shard: Shard) {
    let mut run = Command::new(std::env::current_exe().unwrap());
    run.args(["--exact", "shards::killed_shard"]);
    run.env(KILLED[0], place.path("")).env(KILLED[1], shard.to_string());
    assert!(!run.output().unwrap().status.success(), "it was killed");
}

#[test]
fn any_number_of_shards_in_any_order_killed_and_run_again_gives_one_result() {
    let mut expected = None;
    for count in [1, 7, 64] {
        let place = library();
        cards(&place, 100);
        // Neither from first to last nor back.
        let mut order: Vec<u32> = (0..count).collect();
        order.sort_by_key(|number| number.wrapping_mul(2_654_435_761) % 1_000_003);
        for pair in order.chunks(2) {
            let shards: Vec<_> = pair.iter().map(|&k| Shard::new(k, count).unwrap()).collect();
            let own: Vec<Shard> = holders(&place, count);
            shards
                .iter()
                .filter(|shard| own.contains(shard))
                .for_each(|shard| kill(&place, *shard));
            let at_work = merge(&place);
            assert!(at_work.map_or(true, |merged| !merged.is_complete()), "{pair:?} were killed");
            std::thread::scope(|scope| {
                for shard in &shards {
                    scope.spawn(|| done(&of(&place, &shard.to_string())));
                }
            });
            for shard in shards {
                let manifest =
                    place.path(&format!("out/manifest/{}-of-{count}.jsonl", shard.number()));
                let before = fs::read(&manifest).unwrap();
                assert!(done(&of(&place, &shard.to_string())).lines.is_empty(), "{shard}");
                assert_eq!(fs::read(&manifest).unwrap(), before);
            }
        }
        let merged = merge(&place).unwrap();
        assert!(merged.is_complete());
        assert_eq!(merged.counts, [12, 0, 0, 1]);
        let results = results(&place);
        assert_eq!(results.keys().filter(|name| name.ends_with(".bvh")).count(), 12 + 3);
        let expected = expected.get_or_insert_with(|| results.clone());
        assert_eq!(differing(expected, &results), [""; 0], "{count} shards");
        let lines = manifest::read_lines(&merged.manifest).unwrap();
        assert_eq!((lines.0.len(), lines.1), (12, 0));
    }
}

#[test]
fn the_results_are_those_of_a_batch_without_shards() {
    let place = library();
    done(&place.request());
    let whole = results(&place);
    fs::rename(place.path("out"), place.path("whole")).unwrap();
    cards(&place, 100);
    (0..3).for_each(|k| drop(done(&of(&place, &format!("{k}/3")))));
    merge(&place).unwrap();
    assert_eq!(differing(&results(&place), &whole), [""; 0]);
}

#[test]
fn two_workers_on_one_shard_write_the_same_or_one_is_refused() {
    let place = library();
    cards(&place, 100);
    let request = of(&place, "0/2");
    let outcomes: Vec<_> = std::thread::scope(|scope| {
        let run = || scope.spawn(|| try_run(&request, &AtomicBool::new(false)));
        [run(), run()].into_iter().map(|own| own.join().unwrap()).collect()
    });
    assert!(outcomes.iter().any(Result::is_ok));
    for error in outcomes.into_iter().filter_map(Result::err) {
        let message = error.to_string();
        assert!(message.starts_with("another run is at work on shard 0/2 of "), "{message}");
    }
    done(&of(&place, "1/2"));
    assert_eq!(merge(&place).unwrap().counts, [12, 0, 0, 1]);
    // The hidden folder is gone with the last of them.
    assert!(!place.path("out/.rebone").exists());
}

#[test]
fn a_clip_without_a_card_fails_nothing_else_and_is_surveyed_first() {
    let place = library();
    // One of twelve clips is surveyed: a class of the two has a card.
    let first = cards(&place, 1);
    assert_eq!((first.files, first.waiting), (1, 0));
    let made = |own: &rebone_batch::CardsOutcome| {
        own.classes.iter().filter(|class| class.card == CardState::New).count()
    };
    assert_eq!(made(&first), 2, "the card of the clip and that of the rig");
    (0..2).for_each(|k| drop(done(&of(&place, &format!("{k}/2")))));
    let merged = merge(&place).unwrap();
    let [done_count, failed, waiting, _] = merged.counts;
    assert_eq!((done_count + waiting, failed), (12, 0));
    assert!(waiting > 0 && done_count > 0, "{merged:?}");
    let (lines, _) = manifest::read_lines(&merged.manifest).unwrap();
    let line = lines.iter().find(|line| line.status == JobStatus::NoCard).unwrap();
    assert!(line.error.as_ref().unwrap().message.contains("--cards-only"));
    assert!(place.read("out/manifest.jsonl").contains(r#""status":"no-card""#));
    let second = cards(&place, 1);
    assert_eq!((second.files, second.waiting, made(&second)), (1, 1, 1));
    (0..2).for_each(|k| drop(done(&of(&place, &format!("{k}/2")))));
    assert_eq!(merge(&place).unwrap().counts, [12, 0, 0, 1]);
}

#[test]
fn a_shard_without_the_card_of_a_rig_says_what_to_do() {
    let place = library();
    let error = try_run(&of(&place, "0/2"), &AtomicBool::new(false)).unwrap_err().to_string();
    assert!(error.contains("hero.bvh: no card in cards"), "{error}");
    assert!(error.contains("--cards-only"), "{error}");
    // It did not begin: any number of shards can be chosen.
    cards(&place, 100);
    done(&of(&place, "0/5"));
}

/// Times of reading tell which files were opened. Where the file system does not keep them there is nothing to see.
#[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
#[test]
fn a_shard_reads_no_file_of_another() {
    let place = library();
    cards(&place, 100);
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let names = walk(&place);
    let shard = holders(&place, 3)[0];
    for name in &names {
        let file =
            fs::File::options().append(true).open(place.path(&format!("lib/{name}"))).unwrap();
        file.set_times(fs::FileTimes::new().set_accessed(long_ago)).unwrap();
    }
    done(&of(&place, &shard.to_string()));
    let was_read = |name: &&String| {
        let found = fs::metadata(place.path(&format!("lib/{name}"))).unwrap();
        found.accessed().unwrap() > long_ago
    };
    let read: Vec<&String> = names.iter().filter(was_read).collect();
    if read.is_empty() {
        eprintln!("skipped: the file system keeps no times of reading");
        return;
    }
    let own: Vec<&String> = names.iter().filter(|name| shard.holds(name)).collect();
    assert_eq!(read, own, "of {} files", names.len());
    assert!(own.len() < names.len());
}

#[test]
fn what_a_shard_cannot_do_is_refused() {
    let place = library();
    cards(&place, 100);
    done(&of(&place, "1/3"));
    let refused = |request: &BatchRequest, part: &str| {
        let error = try_run(request, &AtomicBool::new(false)).unwrap_err();
        assert!(matches!(error, BatchError::Request(_)), "{error}");
        assert!(error.to_string().contains(part), "{error}");
    };
    refused(&BatchRequest { targets: Vec::new(), ..of(&place, "0/3") }, "found no targets");
    refused(&BatchRequest { inputs: Vec::new(), ..place.request() }, "found no inputs");
    refused(&of(&place, "1/4"), "has 3 shards: give --shard K/3");
    refused(&place.request(), "has 3 shards: give --shard K/3, or merge them first");
    refused(&BatchRequest { one_file: true, ..of(&place, "0/3") }, "--one-file");
    refused(&BatchRequest { relearn: true, ..of(&place, "0/3") }, "--relearn");
    let inputs = vec![place.input("lib"), place.input("lib/sub")];
    refused(&BatchRequest { inputs, ..of(&place, "0/3") }, "is inside");
    let inputs = vec![place.input("out/cards")];
    refused(&BatchRequest { inputs, ..of(&place, "0/3") }, "is in the output folder");
    let sample = NonZeroUsize::MIN;
    let error = make_cards(&of(&place, "0/3"), sample, &AtomicBool::new(false)).unwrap_err();
    assert!(error.to_string().contains("for all shards"), "{error}");
    let whole = BatchRequest { output: place.path("whole"), ..place.request() };
    done(&whole);
    refused(&BatchRequest { shard: "0/3".parse().ok(), ..whole }, "a batch without shards");
}

#[test]
fn missing_and_unfinished_shards_are_listed() {
    let place = library();
    cards(&place, 100);
    assert!(merge(&place).unwrap_err().to_string().contains("has no shards"));
    let shards = holders(&place, 5);
    kill(&place, shards[0]);
    assert!(merge(&place).unwrap_err().to_string().contains("no shard of "));
    done(&of(&place, &shards[1].to_string()));
    let merged = merge(&place).unwrap();
    assert_eq!(merged.unfinished, [shards[0].number()]);
    let missing = (0..5).filter(|k| shards[..2].iter().all(|shard| shard.number() != *k));
    assert_eq!(merged.missing, missing.collect::<Vec<_>>());
    // A run that is stopped is not finished either.
    let stop = AtomicBool::new(false);
    let request = of(&place, &shards[2].to_string());
    let mut watch = |_: Progress| stop.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(run(&request, &stop, &mut watch).map_or(true, |outcome| outcome.interrupted));
    assert!(!merge(&place).unwrap().is_complete());
}

#[test]
fn a_merged_library_goes_on_without_shards() {
    let place = library();
    cards(&place, 100);
    (0..2).for_each(|k| drop(done(&of(&place, &format!("{k}/2")))));
    merge(&place).unwrap();
    // What was made since the merge is not lost.
    place.write("lib/new.bvh", &turning(33.0));
    (0..2).for_each(|k| drop(done(&of(&place, &format!("{k}/2")))));
    let before = results(&place);
    assert!(done(&place.request()).lines.is_empty());
    assert!(!place.path("out/manifest").exists());
    let mut after = results(&place);
    assert!(after.remove("manifest.jsonl").unwrap().len() > before["manifest.jsonl"].len());
    assert!(after.iter().all(|(name, bytes)| before[name] == *bytes));
}

/// Two made-up shards: lines of the first in the second, with another status or other hashes.
#[test]
fn one_clip_in_two_shards_is_there_once_or_an_error() {
    let place = library();
    cards(&place, 100);
    (0..2).for_each(|k| drop(done(&of(&place, &format!("{k}/2")))));
    let [one, other] = [0, 1].map(|k| place.read(&format!("out/manifest/{k}-of-2.jsonl")));
    let sorted = |text: String| {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort();
        lines.join("\n") + "\n"
    };
    place.write("out/manifest/1-of-2.jsonl", &sorted(other.clone() + &one + &one));
    assert_eq!(merge(&place).unwrap().counts, [12, 0, 0, 1]);
    let merged = place.read("out/manifest.jsonl");
    let (at, _) = one.match_indices("\"file\":\"").next().unwrap();
    let mut changed = one.clone();
    changed.replace_range(at + 8..at + 12, "0000");
    place.write("out/manifest/1-of-2.jsonl", &sorted(other.clone() + &changed));
    let error = rebone::error_line(&merge(&place).unwrap_err());
    assert!(error.contains("the shards 0/2 and 1/2 made different results"), "{error}");
    assert_eq!(place.read("out/manifest.jsonl"), merged, "the merged manifest stays");
    let reversed = other.lines().rev().fold(String::new(), |all, line| all + line + "\n");
    for (text, part) in [
        (other.clone() + "{\"input\":", "its last line is not complete"),
        (other.clone() + "nothing\n", "no line of a manifest"),
        (reversed, "expected lines sorted"),
    ] {
        place.write("out/manifest/1-of-2.jsonl", &text);
        let error = rebone::error_line(&merge(&place).unwrap_err());
        assert!(error.contains(part) && error.contains("make --shard 1/2 again"), "{error}");
    }
    assert_eq!(place.read("out/manifest.jsonl"), merged);
}
