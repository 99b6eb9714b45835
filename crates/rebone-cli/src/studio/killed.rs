//! Hosts that are killed while they write: files are the old or the new ones, whole.
//!
//! `REBONE_STEPS` is the number of kills among many writes, 24 without it, and `REBONE_SEED` the seed of their moments.

#![cfg(unix)]

use super::tests::{Client, fill, names, prepared};
use super::{Limits, serve};
use random::{Random, variable};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};
use tempfile::TempDir;

#[path = "../../../rebone-batch/tests/all/common/random.rs"]
mod random;

/// Names the folder of a host to its process.
const FOLDER: &str = "REBONE_STUDIO_FOLDER";
/// Begins the line with port and token.
const ADDRESS: &str = "host at ";
/// Longest time between the first write and a kill.
const MAX_MICROSECONDS: u64 = 40_000;
/// Time after which a test gives up.
const HANGS: Duration = Duration::from_secs(60);

/// The process of a host: this test program again, with the test below alone.
struct Process {
    child: Child,
    client: Client,
}

#[test]
#[ignore = "the other tests start it"]
fn host_of_a_folder() {
    let Some(folder) = env::var_os(FOLDER) else { return };
    // Ends with the test that started it.
    thread::spawn(|| {
        let _ = io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    let (listener, host, client) = prepared(Path::new(&folder), Limits::PROGRAM);
    writeln!(io::stdout(), "\n{ADDRESS}{} {}", client.port, client.token).unwrap();
    serve(listener, host).unwrap();
}

impl Process {
    fn start(folder: &Path) -> Self {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "studio::killed::host_of_a_folder", "--ignored", "--nocapture"]);
        command.env(FOLDER, folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines
            .map_while(Result::ok)
            .find_map(|line| Some(line.strip_prefix(ADDRESS)?.to_owned()));
        let address = address.expect("the host says its address");
        let (port, token) = address.split_once(' ').unwrap();
        let client = Client { port: port.parse().unwrap(), token: token.to_owned() };
        Self { child, client }
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        assert_eq!(self.child.wait().unwrap().code(), None, "it ended by itself");
    }
}

/// Names of temporary files.
fn leftovers(folder: &Path) -> Vec<String> {
    names(folder).into_iter().filter(|name| name.starts_with('.')).collect()
}

#[test]
fn a_kill_in_the_middle_of_a_body_leaves_files_as_they_were() {
    let folder = TempDir::new().unwrap();
    fill(folder.path());
    let out = folder.path().join("out");
    let card = fs::read(folder.path().join("walk.toml")).unwrap();
    let next = "# a card\n".repeat(100);
    let result = [7; 300_000];
    let process = Process::start(folder.path());
    let client = process.client.clone();
    let tag = client.ask("GET /api/file/2", &[], b"").header("etag").unwrap().to_owned();
    let half = |line: &str, more: &[(&str, &str)], body: &[u8]| {
        let mut stream = client.connect().unwrap();
        stream.write_all(client.head(line, more, body.len()).as_bytes()).unwrap();
        stream.write_all(&body[..body.len() / 2]).unwrap();
        stream
    };
    let _open = [
        half("PUT /api/file/2", &[("if-match", &tag)], next.as_bytes()),
        half("PUT /api/file/3", &[("if-none-match", "*")], next.as_bytes()),
        half("PUT /api/out/walk.glb", &[], &result),
    ];
    let begin = Instant::now();
    while !leftovers(&out).iter().any(|name| fs::metadata(out.join(name)).unwrap().len() > 0) {
        assert!(begin.elapsed() < HANGS, "it hangs");
        thread::sleep(Duration::from_millis(1));
    }
    process.kill();
    assert_eq!(fs::read(folder.path().join("walk.toml")).unwrap(), card);
    assert_eq!(names(folder.path()), ["hero.glb", "out", "walk.bvh", "walk.toml"]);
    assert_eq!(names(&out), leftovers(&out), "a result that is not whole has no name");
    let process = Process::start(folder.path());
    assert_eq!(process.client.ask("PUT /api/out/walk.glb", &[], &result).status, 200);
    assert_eq!(names(&out), ["walk.glb"], "what the killed host left is gone");
    assert_eq!(fs::read(out.join("walk.glb")).unwrap(), result);
    process.kill();
}

/// The card of a number, some 100 KB.
fn card_of(number: usize) -> String {
    format!("# card {number}\n").repeat(8000)
}

/// The result of a number.
fn result_of(number: usize) -> Vec<u8> {
    format!("result {number}\n").repeat(8000).into_bytes()
}

/// Number of a text that is whole: all lines are of one number.
fn whole(text: &str, of: impl Fn(usize) -> String) -> usize {
    let first = text.lines().next().unwrap_or_default();
    let number = first.rsplit(' ').next().and_then(|number| number.parse().ok());
    let number = number.unwrap_or_else(|| panic!("{} bytes, begin {first:?}", text.len()));
    assert!(text == of(number), "{} bytes of {first:?}", text.len());
    number
}

/// Writes cards and results of the numbers from `first` on, until the host is gone. Tells the first write, and returns the
/// number that was under way.
fn write_until_it_ends(client: &Client, first: usize, begun: &mpsc::Sender<()>) -> usize {
    let tag = client.ask("GET /api/file/2", &[], b"").header("etag").map(str::to_owned);
    let mut tag = tag.expect("the host answers");
    for number in first.. {
        let written =
            client.ask("PUT /api/file/2", &[("if-match", &tag)], card_of(number).as_bytes());
        let Some(next) = written.header("etag").filter(|_| written.status == 200) else {
            // No answer, or one that is cut.
            assert!([0, 200].contains(&written.status), "{}", written.body);
            return number;
        };
        tag = next.to_owned();
        let path = format!("PUT /api/out/{number}.bvh");
        let written = client.ask(&path, &[], &result_of(number));
        let _ = begun.send(());
        match written.status {
            200 | 409 => {}
            status => {
                assert_eq!(status, 0, "{}", written.body);
                return number;
            }
        }
    }
    first
}

/// Reads the card all the time until `end`: it is whole, and no older than before. Returns its number.
fn read_until(path: &Path, end: Instant, mut number: usize) -> usize {
    loop {
        let next = whole(&fs::read_to_string(path).unwrap(), card_of);
        assert!(next >= number, "card {next} after {number}");
        number = next;
        if Instant::now() >= end {
            return number;
        }
    }
}

#[test]
fn kills_at_random_moments_leave_old_or_new_files_whole() {
    let folder = TempDir::new().unwrap();
    fill(folder.path());
    let (card, out) = (folder.path().join("walk.toml"), folder.path().join("out"));
    fs::write(&card, card_of(0)).unwrap();
    let mut random = Random(variable("REBONE_SEED", 0));
    let mut number = 0;
    for _ in 0..variable("REBONE_STEPS", 24) {
        let process = Process::start(folder.path());
        let client = process.client.clone();
        let (sender, begun) = mpsc::channel();
        let writer = thread::spawn(move || write_until_it_ends(&client, number + 1, &sender));
        begun.recv_timeout(HANGS).expect("the first files are written");
        let wait = Duration::from_micros(random.below(MAX_MICROSECONDS));
        let seen = read_until(&card, Instant::now() + wait, number);
        process.kill();
        let under_way = writer.join().unwrap();
        number = read_until(&card, Instant::now(), seen);
        assert!([under_way - 1, under_way].contains(&number), "{number}, {under_way} under way");
    }
    let process = Process::start(folder.path());
    let tag = process.client.ask("GET /api/file/2", &[], b"").header("etag").unwrap().to_owned();
    let next = card_of(number + 1);
    let written = process.client.ask("PUT /api/file/2", &[("if-match", &tag)], next.as_bytes());
    assert_eq!(written.status, 200);
    assert_eq!(leftovers(folder.path()), [""; 0], "what killed hosts left of the card is gone");
    for number in 1..=number {
        let written =
            process.client.ask(&format!("PUT /api/out/{number}.bvh"), &[], &result_of(number));
        assert!([200, 409].contains(&written.status), "{}", written.body);
    }
    assert_eq!(leftovers(&out), [""; 0], "what killed hosts left of results is gone");
    for name in names(&out) {
        let number = name.strip_suffix(".bvh").unwrap().parse().unwrap();
        assert!(fs::read(out.join(&name)).unwrap() == result_of(number), "{name}");
    }
    process.kill();
}
