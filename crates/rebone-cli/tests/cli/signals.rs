//! Signals end each command, threads that cannot be started are done without.

use crate::support::{Place, humanoid};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Time after which a test gives up: no step takes a thousandth of it.
const HANGS: Duration = Duration::from_secs(100);

/// Sends a signal, and returns the exit code.
fn end(mut run: Child, signal: &str) -> Option<i32> {
    let sent = Command::new("kill").args([signal, &run.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let mut code = None;
    wait(|| {
        code = run.try_wait().unwrap().map(|status| status.code());
        code.is_some()
    });
    code.unwrap()
}

/// Waits until something holds.
fn wait(mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < HANGS, "it hangs");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Waits until something holds of a process that does not end.
fn wait_while_at_work(run: &mut Child, holds: impl Fn(u32) -> bool) {
    wait(|| {
        assert_eq!(run.try_wait().unwrap(), None, "it ended");
        holds(run.id())
    });
}

/// Returns whether a thread of a process waits for the other end of a pipe.
fn is_blocked_in_pipe(process: u32) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).unwrap();
    let waits = threads
        .filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("wchan")).ok());
    waits.into_iter().any(|name| name == "wait_for_partner")
}

/// Returns whether a process has computed for some hundredths of a second.
fn has_computed(process: u32, ticks: u64) -> bool {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields = text.rsplit_once(") ").unwrap().1.split(' ').skip(11).take(2);
    fields.map(|own| own.parse::<u64>().unwrap()).sum::<u64>() >= ticks
}

fn make_pipe(place: &Place, name: &str) {
    assert!(Command::new("mkfifo").arg(place.path(name)).status().unwrap().success());
}

#[test]
fn signals_end_what_is_blocked_in_a_pipe() {
    let place = Place::new();
    make_pipe(&place, "pipe.bvh");
    let before = place.files();
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        for line in [
            "inspect pipe.bvh",
            "retarget pipe.bvh hero.bvh -o out.bvh",
            "retarget walk.bvh hero.bvh -o pipe.bvh",
            "card pipe.bvh -o out.toml",
            "check walk.bvh pipe.bvh",
            "doctor pipe.bvh",
            "preview pipe.bvh -o out.png",
        ] {
            let mut run = place.start(line);
            wait_while_at_work(&mut run, is_blocked_in_pipe);
            assert_eq!(end(run, signal), Some(code), "{line}");
            assert_eq!(place.files(), before, "{line}");
        }
    }
}

#[test]
fn signals_end_work_without_temporary_files() {
    let place = Place::new();
    place.write("long.bvh", &humanoid("", 30_000));
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        for (line, ticks) in [
            ("retarget long.bvh hero.bvh -o out.bvh", 5),
            ("retarget long.bvh hero.bvh -o out.bvh", 80),
            ("check long.bvh long.bvh --csv out.csv", 30),
        ] {
            let mut run = place.start(line);
            wait_while_at_work(&mut run, |process| has_computed(process, ticks));
            assert_eq!(end(run, signal), Some(code), "{line}");
            assert_eq!(place.files(), ["hero.bvh", "long.bvh", "walk.bvh"], "{line}");
        }
    }
}

/// 400 stacks of 8 MB do not fit into 1 GB of addresses: four threads for each processor do.
#[test]
fn threads_beyond_four_for_each_processor_are_not_started() {
    let place = Place::new();
    place.run("retarget walk.bvh hero.bvh -o out.bvh").succeeds();
    let expected = place.read("out.bvh");
    for (line, output) in [
        ("RAYON_NUM_THREADS=400 exec REBONE retarget walk.bvh hero.bvh -o few.bvh", "few.bvh"),
        ("exec REBONE batch walk.bvh -t hero.bvh -o few -j 400", "few/walk.bvh"),
    ] {
        let line = line.replace("REBONE ", &format!("{} ", env!("CARGO_BIN_EXE_rebone")));
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let run = format!("ulimit -v {}; {line}", 1_000_000.max(100_000 * processors));
        let run =
            Command::new("sh").args(["-c", &run]).current_dir(place.path("")).output().unwrap();
        assert!(run.status.success(), "{line}: {}", String::from_utf8_lossy(&run.stderr));
        assert_eq!(place.read(output), expected);
    }
}
