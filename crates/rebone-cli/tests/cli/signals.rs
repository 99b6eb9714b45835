//! Signals end each command within a second, threads that cannot be started are done without.

use crate::support::{Place, humanoid};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Sends a signal, and returns the exit code and the time until the end.
fn end(mut run: Child, signal: &str) -> (Option<i32>, Duration) {
    let begin = Instant::now();
    let sent = Command::new("kill").args([signal, &run.id().to_string()]).status().unwrap();
    assert!(sent.success());
    (run.wait().unwrap().code(), begin.elapsed())
}

/// Waits until a process sleeps in the system.
fn wait_until_blocked(run: &mut Child) {
    let stat = format!("/proc/{}/stat", run.id());
    let mut asleep = 0;
    while asleep < 20 {
        assert_eq!(run.try_wait().unwrap(), None, "it ended");
        let text = std::fs::read_to_string(&stat).unwrap();
        asleep = if text.contains(") S ") { asleep + 1 } else { 0 };
        std::thread::sleep(Duration::from_millis(10));
    }
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
            wait_until_blocked(&mut run);
            let (ended, time) = end(run, signal);
            assert_eq!(ended, Some(code), "{line}");
            assert!(time < Duration::from_secs(1), "{line}: {time:?}");
            assert_eq!(place.files(), before, "{line}");
        }
    }
}

#[test]
fn signals_end_work_without_temporary_files() {
    let place = Place::new();
    place.write("long.bvh", &humanoid("", 30_000));
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        for (line, pause) in [
            ("retarget long.bvh hero.bvh -o out.bvh", 100),
            ("retarget long.bvh hero.bvh -o out.bvh", 700),
            ("check long.bvh long.bvh --csv out.csv", 300),
        ] {
            let run = place.start(line);
            std::thread::sleep(Duration::from_millis(pause));
            let (ended, time) = end(run, signal);
            assert_eq!(ended, Some(code), "{line}");
            assert!(time < Duration::from_secs(1), "{line}: {time:?}");
            assert_eq!(place.files(), ["hero.bvh", "long.bvh", "walk.bvh"], "{line}");
        }
    }
}

/// 400 stacks of 8 MB do not fit into 1 GB of addresses.
#[test]
fn threads_that_cannot_be_started_are_done_without() {
    let place = Place::new();
    place.run("retarget walk.bvh hero.bvh -o out.bvh").succeeds();
    let expected = place.read("out.bvh");
    for (line, output) in [
        ("RAYON_NUM_THREADS=400 exec REBONE retarget walk.bvh hero.bvh -o few.bvh", "few.bvh"),
        ("exec REBONE batch walk.bvh -t hero.bvh -o few -j 400", "few/walk.bvh"),
    ] {
        let line = line.replace("REBONE ", &format!("{} ", env!("CARGO_BIN_EXE_rebone")));
        let run = format!("ulimit -v 1000000; {line}");
        let run =
            Command::new("sh").args(["-c", &run]).current_dir(place.path("")).output().unwrap();
        assert!(run.status.success(), "{line}: {}", String::from_utf8_lossy(&run.stderr));
        assert_eq!(place.read(output), expected);
    }
}
