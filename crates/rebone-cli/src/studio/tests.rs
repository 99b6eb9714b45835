//! The file host over plain sockets.

use super::{Guard, Host, Limits, NamedFiles, Page, StudioFiles, listen, serve};
use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream, UdpSocket};
use std::ops::Deref;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

pub(super) const LIMITS: Limits = Limits {
    connections: 4,
    head_bytes: 8 << 10,
    wait: Duration::from_millis(300),
    result_bytes: 1000,
};

/// A host with a source, a target without a card, and a folder for results.
pub(super) struct Served {
    pub(super) folder: TempDir,
    client: Client,
}

/// A client of a host.
#[derive(Clone)]
pub(super) struct Client {
    pub(super) port: u16,
    pub(super) token: String,
}

/// An answer: status, head, body.
pub(super) struct Answered {
    pub(super) status: u16,
    head: String,
    pub(super) body: String,
}

impl Answered {
    /// Parts what was read until the end; status 0 where nothing came.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        Self { status, head: head.to_owned(), body: body.to_owned() }
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|own| own.1)
    }
}

/// Makes the files of a host in a folder.
pub(super) fn fill(folder: &Path) {
    fs::create_dir(folder.join("out")).unwrap();
    fs::write(folder.join("walk.bvh"), "a walk").unwrap();
    fs::write(folder.join("hero.glb"), "a hero").unwrap();
    fs::write(folder.join("walk.toml"), "up = \"+Y\"\n").unwrap();
}

/// A host of these files, the socket that it listens at, and a client of it.
pub(super) fn prepared(folder: &Path, limits: Limits) -> (std::net::TcpListener, Host, Client) {
    let [walk, hero, out] = ["walk.bvh", "hero.glb", "out"].map(|name| folder.join(name));
    let named = NamedFiles {
        motions: [Some(&walk), Some(&hero)],
        out: Some(&out),
        ..NamedFiles::default()
    };
    let files = StudioFiles::new(&named).unwrap();
    let listener = listen(0).unwrap();
    let port = listener.local_addr().unwrap().port();
    let guard = Guard::new(port).unwrap();
    let client = Client { port, token: guard.token().to_owned() };
    let page = Page {
        packed: b"packed",
        html: b"<html>page"[..].into(),
        policy: "default-src 'none'".to_owned(),
    };
    (listener, Host { page, guard, files, limits }, client)
}

pub(super) fn served() -> Served {
    served_with(LIMITS)
}

pub(super) fn served_with(limits: Limits) -> Served {
    let folder = TempDir::new().unwrap();
    fill(folder.path());
    let path = folder.path().to_owned();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let (listener, host, client) = prepared(&path, limits);
        sender.send(client).unwrap();
        serve(listener, host).unwrap();
    });
    Served { folder, client: receiver.recv().unwrap() }
}

impl Deref for Served {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Served {
    fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.folder.path().join(name)).ok()
    }
}

impl Client {
    pub(super) fn connect(&self) -> std::io::Result<TcpStream> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(20)))?;
        Ok(stream)
    }

    /// Sends a head as it is, then a body, and reads until the connection is closed; status 0 where the host is gone.
    fn raw(&self, head: &str, body: &[u8]) -> Answered {
        let mut bytes = Vec::new();
        if let Ok(mut stream) = self.connect() {
            // The host may close before all is sent.
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
            let _ = stream.read_to_end(&mut bytes);
        }
        Answered::of(&bytes)
    }

    /// The head of a request as the page asks, with more headers.
    pub(super) fn head(&self, line: &str, more: &[(&str, &str)], length: usize) -> String {
        let token = format!("Bearer {}", self.token);
        let length = length.to_string();
        let host = format!("127.0.0.1:{}", self.port);
        let mut headers = vec![("host", host.as_str()), ("authorization", token.as_str())];
        if length != "0" {
            headers.push(("content-length", &length));
        }
        for own in more {
            headers.retain(|(name, _)| name != &own.0);
            headers.extend((!own.1.is_empty()).then_some(*own));
        }
        let headers = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n"));
        format!("{line} HTTP/1.1\r\n{}connection: close\r\n\r\n", headers.collect::<String>())
    }

    /// Asks as the page does, with more headers.
    pub(super) fn ask(&self, line: &str, more: &[(&str, &str)], body: &[u8]) -> Answered {
        self.raw(&self.head(line, more, body.len()), body)
    }
}

#[test]
fn the_page_and_its_files_are_served() {
    let served = served();
    let page = served.ask("GET /", &[("authorization", "")], b"");
    assert_eq!((page.status, page.body.as_str()), (200, "<html>page"));
    assert_eq!(page.header("content-security-policy"), Some("default-src 'none'"));
    let packed = served.ask("GET /", &[("accept-encoding", "gzip, br")], b"");
    assert_eq!((packed.header("content-encoding"), packed.body.as_str()), (Some("gzip"), "packed"));
    let opened = served.ask("GET /api/opened", &[], b"");
    let opened: serde_json::Value = serde_json::from_str(&opened.body).unwrap();
    assert_eq!(opened["source"]["name"], "walk.bvh");
    assert_eq!(opened["writes_results"], true);
    for (key, body) in
        [("source", "a walk"), ("target", "a hero"), ("source_card", "up = \"+Y\"\n")]
    {
        let file = served.ask(&format!("GET /api/file/{}", opened[key]["number"]), &[], b"");
        assert_eq!((file.status, file.body.as_str()), (200, body), "{key}");
        assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
    }
    let card = served.ask(&format!("GET /api/file/{}", opened["target_card"]["number"]), &[], b"");
    assert_eq!(card.status, 204, "it is not there yet");
    assert_eq!(served.ask("GET /api/library", &[], b"").body, "[]");
    for path in
        ["/api/file/9", "/api/file/", "/api/file/+1", "/api/file/0/0", "/api", "/x", "/api/out"]
    {
        assert_eq!(served.ask(&format!("GET {path}"), &[], b"").status, 404, "{path}");
    }
}

#[test]
fn requests_without_the_token_are_refused() {
    let served = served();
    let cut = format!("Bearer {}", &served.token[..31]);
    for token in ["", "Bearer", "Bearer 0123456789abcdef0123456789abcdef", &cut, &served.token] {
        for line in ["GET /api/opened", "GET /api/file/0", "GET /api/nothing", "PUT /api/file/2"] {
            assert_eq!(
                served.ask(line, &[("authorization", token)], b"").status,
                401,
                "{token} {line}"
            );
        }
    }
}

#[test]
fn requests_from_other_places_are_refused() {
    let served = served();
    let own = format!("http://127.0.0.1:{}", served.port);
    for (name, value, status) in [
        ("host", "example.org", 403),
        ("host", "", 403),
        ("host", "127.0.0.1", 403),
        ("origin", "http://example.org", 403),
        ("origin", "null", 403),
        ("origin", &own, 200),
        ("sec-fetch-site", "cross-site", 403),
        ("sec-fetch-site", "same-site", 403),
        ("sec-fetch-site", "same-origin", 200),
    ] {
        for line in ["GET /", "GET /api/opened"] {
            assert_eq!(
                served.ask(line, &[(name, value)], b"").status,
                status,
                "{name} {value} {line}"
            );
        }
    }
    let own = format!("127.0.0.1:{}", served.port);
    let twice =
        format!("GET / HTTP/1.1\r\nhost: {own}\r\nhost: {own}\r\nconnection: close\r\n\r\n");
    assert!([400, 403].contains(&served.raw(&twice, b"").status));
    let absolute =
        format!("GET http://{own}/ HTTP/1.1\r\nhost: {own}\r\nconnection: close\r\n\r\n");
    assert_eq!(served.raw(&absolute, b"").status, 403);
    let options =
        served.ask("OPTIONS /api/file/2", &[("access-control-request-method", "PUT")], b"");
    assert_eq!(options.status, 405);
    assert!(!options.head.to_lowercase().contains("access-control"));
}

#[test]
fn cards_are_written_as_long_as_they_are_what_was_read() {
    let served = served();
    let put = |number: usize, header: (&str, &str), text: &str| {
        served.ask(&format!("PUT /api/file/{number}"), &[header], text.as_bytes())
    };
    let tag = served.ask("GET /api/file/2", &[], b"").header("etag").unwrap().to_owned();
    assert_eq!(put(0, ("if-match", &tag), "another walk").status, 405);
    assert_eq!(put(2, ("x-none", "1"), "up = \"+Z\"\n").status, 428);
    assert_eq!(put(2, ("if-none-match", "*"), "up = \"+Z\"\n").status, 412);
    let wrong = put(2, ("if-match", &tag), "up = 3\n");
    assert_eq!(wrong.status, 422);
    assert!(wrong.body.contains("line 1"), "{}", wrong.body);
    assert_eq!(served.read("walk.toml").unwrap(), "up = \"+Y\"\n");
    let written = put(2, ("if-match", &tag), "up = \"+Z\"\n");
    assert_eq!(
        (written.status, served.read("walk.toml").unwrap().as_str()),
        (200, "up = \"+Z\"\n")
    );
    assert_eq!(put(2, ("if-match", &tag), "up = \"+X\"\n").status, 412);
    assert_eq!(served.read("walk.toml").unwrap(), "up = \"+Z\"\n");
    let next = written.header("etag").unwrap();
    assert_eq!(put(2, ("if-match", next), "up = \"+X\"\n").status, 200);
    assert_eq!(put(3, ("if-none-match", "*"), "facing = \"+Z\"\n").status, 200);
    assert_eq!(served.read("hero.toml").unwrap(), "facing = \"+Z\"\n");
    let long = " ".repeat(super::files::MAX_TEXT_BYTES + 1);
    assert_eq!(put(2, ("if-match", next), &long).status, 413);
}

#[test]
fn results_are_new_files_of_the_folder() {
    let served = served();
    let put = |name: &str, body: &[u8]| served.ask(&format!("PUT /api/out/{name}"), &[], body);
    assert_eq!(put("walk-on-hero.glb", b"result").status, 200);
    assert_eq!(served.read("out/walk-on-hero.glb").unwrap(), "result");
    assert_eq!(put("walk-on-hero.glb", b"other").status, 409);
    for name in
        ["../a.glb", "%2e%2e%2fa.glb", "..", ".a.glb", "a/b.glb", "con.glb", "a.exe", "a%00.glb"]
    {
        assert_eq!(put(name, b"x").status, 400, "{name}");
    }
    assert_eq!(put(&format!("{}.glb", "a".repeat(300)), b"x").status, 400);
    assert_eq!(put("long.glb", &[0; 1001]).status, 413);
    #[cfg(unix)]
    {
        let link = served.folder.path().join("out/link.glb");
        std::os::unix::fs::symlink(served.folder.path().join("elsewhere"), link).unwrap();
        assert_eq!(put("link.glb", b"x").status, 409);
        assert_eq!(served.read("elsewhere"), None);
    }
    assert_eq!(names(&served.folder.path().join("out")), ["link.glb", "walk-on-hero.glb"]);
    assert_eq!(served.read("walk.bvh").unwrap(), "a walk");
}

pub(super) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn requests_that_are_too_long_too_slow_or_too_many_are_cut() {
    let served = served();
    let host = format!("127.0.0.1:{}", served.port);
    let long = format!("GET / HTTP/1.1\r\nhost: {host}\r\nx: {}\r\n\r\n", "a".repeat(20_000));
    assert_eq!(served.raw(&long, b"").status, 431);
    // A head and a body that do not come to their end.
    assert!(
        [0, 408].contains(&served.raw(&format!("GET / HTTP/1.1\r\nhost: {host}\r\n"), b"").status)
    );
    let token = &served.token;
    let slow = format!(
        "PUT /api/out/slow.glb HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\ncontent-length: 9\r\n\r\n"
    );
    assert_eq!(served.raw(&slow, b"half").status, 408);
    assert!(names(&served.folder.path().join("out")).is_empty());
    // Connections that say nothing fill all places for a while; one more is closed without an answer.
    let mut silent: Vec<TcpStream> =
        (0..LIMITS.connections + 1).map(|_| served.connect().unwrap()).collect();
    let mut last = Vec::new();
    let _ = silent.last_mut().unwrap().read_to_end(&mut last);
    assert!(last.is_empty());
    drop(silent);
    let comes_again = (0..100).any(|_| {
        thread::sleep(Duration::from_millis(50));
        served.ask("GET /api/opened", &[], b"").status == 200
    });
    assert!(comes_again);
}

#[test]
fn it_listens_on_this_computer_alone() {
    let served = served();
    // The address that packets to other computers would leave from; no packet is sent.
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).unwrap();
    let Ok(()) = socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)) else { return };
    let own = socket.local_addr().unwrap().ip();
    let reached =
        TcpStream::connect_timeout(&SocketAddr::new(own, served.port), Duration::from_secs(1));
    assert!(own.is_loopback() || reached.is_err());
}
