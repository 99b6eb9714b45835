//! Clients that are slow to send a request, or to read the answer.

use super::Limits;
use super::tests::{Answered, LIMITS, Served, names, served_with};
use std::fs::File;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::ops::Range;
use std::thread;
use std::time::Duration;

/// Time between two bytes of a slow client; its host waits for ten.
const DRIP: Duration = Duration::from_millis(100);
/// Bytes that no two sockets hold in their buffers: the host waits until the client reads.
const LARGE_BYTES: u64 = 32 << 20;

impl Served {
    /// A host with a source of many bytes.
    fn large(limits: Limits) -> Self {
        let served = served_with(limits);
        let file = File::create(served.folder.path().join("walk.bvh")).unwrap();
        file.set_len(LARGE_BYTES).unwrap();
        served
    }

    /// Asks for the source, and reads nothing of it.
    fn begin_download(&self) -> TcpStream {
        let mut stream = self.connect().unwrap();
        stream.write_all(self.head("GET /api/file/0", &[], 0).as_bytes()).unwrap();
        stream
    }
}

fn answer_of(mut stream: TcpStream) -> Answered {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    Answered::of(&bytes)
}

/// Status of an upload whose bytes in `slow`, given the length of the head, are sent one by one.
fn status_of(served: &Served, slow: fn(usize) -> Range<usize>) -> u16 {
    let body = [b'x'; 50];
    let head = served.head("PUT /api/out/slow.glb", &[], body.len());
    let slow = slow(head.len());
    let bytes = [head.as_bytes(), &body].concat();
    let mut stream = served.connect().unwrap();
    stream.write_all(&bytes[..slow.start]).unwrap();
    // The host may close before all is sent.
    let is_sent = bytes[slow.clone()].iter().all(|byte| {
        thread::sleep(DRIP);
        stream.write_all(&[*byte]).is_ok()
    });
    if is_sent {
        let _ = stream.write_all(&bytes[slow.end..]);
    }
    answer_of(stream).status
}

#[test]
fn requests_have_one_limit_for_head_and_body() {
    let served = served_with(Limits { wait: DRIP * 10, ..LIMITS });
    assert_eq!(status_of(&served, |head| head..head), 200);
    std::fs::remove_file(served.folder.path().join("out/slow.glb")).unwrap();
    // The head; the body; both, each within the limit.
    let slow: [fn(usize) -> Range<usize>; 3] =
        [|head| 0..head, |head| head..head + 50, |head| head - 8..head + 8];
    for slow in slow {
        let status = status_of(&served, slow);
        assert!([0, 408].contains(&status), "{:?} behind 100: {status}", slow(100));
    }
    assert!(names(&served.folder.path().join("out")).is_empty());
}

#[test]
fn clients_that_do_not_read_their_answer_are_dropped() {
    let served = Served::large(LIMITS);
    let silent: Vec<TcpStream> = (0..LIMITS.connections).map(|_| served.begin_download()).collect();
    let comes_again = (0..200).any(|_| {
        thread::sleep(Duration::from_millis(50));
        served.ask("GET /api/opened", &[], b"").status == 200
    });
    assert!(comes_again, "they have all places");
    let is_cut =
        |answer: Answered| answer.status == 200 && (answer.body.len() as u64) < LARGE_BYTES;
    assert!(silent.into_iter().map(answer_of).any(is_cut));
}

#[test]
fn a_download_that_goes_on_may_take_longer_than_the_limit() {
    let wait = Duration::from_secs(2);
    let served = Served::large(Limits { wait, ..LIMITS });
    let stream = served.begin_download();
    let mut bytes = Vec::new();
    loop {
        thread::sleep(wait / 32);
        let read = (&stream).take(LARGE_BYTES / 64).read_to_end(&mut bytes).unwrap();
        if read == 0 {
            break;
        }
    }
    assert_eq!(Answered::of(&bytes).body.len() as u64, LARGE_BYTES);
}
