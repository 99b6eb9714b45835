//! Checks of requests: who asks, from where, with which token.

use hyper::header::{AUTHORIZATION, HOST, HeaderMap, HeaderValue, ORIGIN};
use hyper::{Method, Request, StatusCode};

/// Length of a token in bytes; in text twice as long.
const TOKEN_BYTES: usize = 16;

/// The names and the token that requests must have.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// Names of the server, with its port.
    hosts: [String; 2],
    token: String,
}

impl Guard {
    /// A guard with a random token, for a server at a port.
    pub(crate) fn new(port: u16) -> Result<Self, getrandom::Error> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes)?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
        Ok(Self { hosts, token })
    }

    /// The address of the page. The token is in its fragment, which no browser sends and no log sees.
    pub(crate) fn address(&self) -> String {
        format!("http://{}/#{}", self.hosts[0], self.token)
    }

    /// The token.
    #[cfg(test)]
    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// Checks that a request was made for this server, by its own page or by a person who opens the page.
    pub(crate) fn check_place<B>(&self, request: &Request<B>) -> Result<(), StatusCode> {
        let headers = request.headers();
        let mut hosts = headers.get_all(HOST).iter();
        let (host, more) = (hosts.next(), hosts.next());
        let is_named = more.is_none() && host.is_some_and(|host| self.is_own(host.as_bytes(), ""));
        let has_authority = request.uri().authority().is_some();
        let is_own = |origin: &HeaderValue| self.is_own(origin.as_bytes(), "http://");
        if !is_named || has_authority || !headers.get_all(ORIGIN).iter().all(is_own) {
            return Err(StatusCode::FORBIDDEN);
        }
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        let is_same_site = site.is_none_or(|site| site == b"same-origin" || site == b"none");
        match is_same_site || opens_page(request) {
            true => Ok(()),
            false => Err(StatusCode::FORBIDDEN),
        }
    }

    fn is_own(&self, name: &[u8], scheme: &str) -> bool {
        self.hosts.iter().any(|own| name.strip_prefix(scheme.as_bytes()) == Some(own.as_bytes()))
    }

    /// Checks the token.
    pub(crate) fn check_token(&self, headers: &HeaderMap) -> Result<(), StatusCode> {
        let mut all = headers.get_all(AUTHORIZATION).iter();
        let (own, more) = (all.next(), all.next());
        let given = own.and_then(|own| own.as_bytes().strip_prefix(b"Bearer "));
        let is_own = given.is_some_and(|given| is_equal(given, self.token.as_bytes()));
        match is_own && more.is_none() {
            true => Ok(()),
            false => Err(StatusCode::UNAUTHORIZED),
        }
    }
}

/// Returns whether a browser opens the page as a whole: also from the file that leads there, which is another site. The page holds
/// nothing of anybody's, and no other page can look into it.
fn opens_page<B>(request: &Request<B>) -> bool {
    let is = |name: &str, value: &[u8]| {
        request.headers().get(name).is_some_and(|own| own.as_bytes() == value)
    };
    request.method() == Method::GET
        && request.uri().path() == "/"
        && is("sec-fetch-mode", b"navigate")
        && is("sec-fetch-dest", b"document")
}

/// Compares in a time that does not depend on the place of a difference.
fn is_equal(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |different, (a, b)| different | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard() -> Guard {
        Guard {
            hosts: ["127.0.0.1:80".to_owned(), "localhost:80".to_owned()],
            token: "abc".to_owned(),
        }
    }

    fn request(headers: &[(&str, &str)]) -> Request<()> {
        let request = Request::builder().uri("/");
        headers
            .iter()
            .fold(request, |own, (name, value)| own.header(*name, *value))
            .body(())
            .unwrap()
    }

    #[test]
    fn places_are_those_of_the_server() {
        let here = ("host", "127.0.0.1:80");
        for (headers, fits) in [
            (vec![here], true),
            (vec![("host", "localhost:80")], true),
            (vec![], false),
            (vec![here, here], false),
            (vec![("host", "example.org")], false),
            (vec![("host", "127.0.0.1:80.example.org")], false),
            (vec![here, ("origin", "http://127.0.0.1:80")], true),
            (vec![here, ("origin", "http://127.0.0.1:81")], false),
            (vec![here, ("origin", "null")], false),
            (vec![here, ("sec-fetch-site", "none")], true),
            (vec![here, ("sec-fetch-site", "cross-site")], false),
            (vec![here, ("sec-fetch-site", "same-site")], false),
            (
                vec![
                    here,
                    ("sec-fetch-site", "cross-site"),
                    ("sec-fetch-mode", "navigate"),
                    ("sec-fetch-dest", "document"),
                ],
                true,
            ),
            (
                vec![
                    here,
                    ("sec-fetch-site", "cross-site"),
                    ("sec-fetch-mode", "navigate"),
                    ("sec-fetch-dest", "iframe"),
                ],
                false,
            ),
        ] {
            assert_eq!(guard().check_place(&request(&headers)).is_ok(), fits, "{headers:?}");
        }
    }

    #[test]
    fn tokens_are_compared_as_a_whole() {
        for (value, fits) in [
            ("Bearer abc", true),
            ("Bearer ab", false),
            ("Bearer abcd", false),
            ("Bearer abd", false),
            ("Bearer ", false),
            ("abc", false),
            ("bearer abc", false),
        ] {
            let own = request(&[("authorization", value)]);
            assert_eq!(guard().check_token(own.headers()).is_ok(), fits, "{value}");
        }
        let twice = request(&[("authorization", "Bearer abc"), ("authorization", "Bearer abc")]);
        assert!(guard().check_token(twice.headers()).is_err());
        assert!(guard().check_token(&HeaderMap::new()).is_err());
        assert_ne!(Guard::new(1).unwrap().token, Guard::new(1).unwrap().token);
    }
}
