//! The routes of the file host.

use super::files::{Expected, FileFault, MAX_TEXT_BYTES, StudioFiles};
use super::guard::Guard;
use super::limits::Limits;
use super::page::Page;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use serde::Serialize;
use std::io::{ErrorKind, Write};
use std::time::Duration;
use tokio::time::timeout;

/// Headers of each answer, but for the policy.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
];

/// Everything that requests are answered from.
pub(crate) struct Host {
    pub(crate) page: Page,
    pub(crate) guard: Guard,
    pub(crate) files: StudioFiles,
    pub(crate) limits: Limits,
}

type Answer = Response<Full<Bytes>>;

/// Reason why a request is not answered: status and message.
struct Refusal(StatusCode, String);

impl From<StatusCode> for Refusal {
    fn from(status: StatusCode) -> Self {
        Self(status, status.canonical_reason().unwrap_or_default().to_owned())
    }
}

impl From<FileFault> for Refusal {
    fn from(fault: FileFault) -> Self {
        match fault {
            FileFault::Unknown => StatusCode::NOT_FOUND.into(),
            FileFault::ReadOnly => StatusCode::METHOD_NOT_ALLOWED.into(),
            FileFault::Changed => StatusCode::PRECONDITION_FAILED.into(),
            FileFault::Name => {
                Self(StatusCode::BAD_REQUEST, "the name is none of a result".to_owned())
            }
            FileFault::Exists => StatusCode::CONFLICT.into(),
            FileFault::Wrong(text) => Self(StatusCode::UNPROCESSABLE_ENTITY, text),
            FileFault::Failed(text) => Self(StatusCode::INTERNAL_SERVER_ERROR, text),
        }
    }
}

impl Host {
    /// Answers a request, the rest of which has to come within `wait`.
    pub(crate) async fn answer(&self, request: Request<Incoming>, wait: Duration) -> Answer {
        let routed = timeout(wait, self.routed(request)).await;
        let routed = routed.unwrap_or_else(|_| Err(StatusCode::REQUEST_TIMEOUT.into()));
        let answer = routed.unwrap_or_else(|Refusal(status, text)| {
            let mut answer = Response::new(Full::new(Bytes::from(text)));
            *answer.status_mut() = status;
            let plain = HeaderValue::from_static("text/plain; charset=utf-8");
            answer.headers_mut().insert(header::CONTENT_TYPE, plain);
            answer
        });
        self.with_headers(answer)
    }

    fn with_headers(&self, mut answer: Answer) -> Answer {
        let headers = answer.headers_mut();
        for (name, value) in HEADERS {
            headers.insert(name, HeaderValue::from_static(value));
        }
        if let Ok(policy) = HeaderValue::from_str(&self.page.policy) {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        answer
    }

    async fn routed(&self, request: Request<Incoming>) -> Result<Answer, Refusal> {
        self.guard.check_place(&request)?;
        let path = request.uri().path().to_owned();
        if path == "/" {
            return self.page(&request);
        }
        self.guard.check_token(request.headers())?;
        let parts: Vec<&str> = path.splitn(4, '/').skip(1).collect();
        match (request.method().as_str(), &parts[..]) {
            ("GET", ["api", "opened"]) => json(&self.files.opened),
            ("GET", ["api", "library"]) => json(&self.files.rows),
            ("GET", ["api", "file", name]) => self.read(number(name)?),
            ("PUT", ["api", "file", name]) => self.write(number(name)?, request).await,
            ("PUT", ["api", "out", name]) => self.write_result(name, request).await,
            (_, ["api", "opened" | "library"] | ["api", "file" | "out", _]) => {
                Err(StatusCode::METHOD_NOT_ALLOWED.into())
            }
            _ => Err(StatusCode::NOT_FOUND.into()),
        }
    }

    fn page(&self, request: &Request<Incoming>) -> Result<Answer, Refusal> {
        if request.method() != Method::GET {
            return Err(StatusCode::METHOD_NOT_ALLOWED.into());
        }
        let accepted = request.headers().get(header::ACCEPT_ENCODING);
        let takes_gzip =
            accepted.is_some_and(|own| own.to_str().is_ok_and(|own| own.contains("gzip")));
        let bytes = match takes_gzip {
            true => Bytes::from_static(self.page.packed),
            false => self.page.html.clone(),
        };
        let mut answer = Response::new(Full::new(bytes));
        let headers = answer.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        if takes_gzip {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        Ok(answer)
    }

    fn read(&self, number: usize) -> Result<Answer, Refusal> {
        let Some((bytes, tag)) = self.files.read(number)? else {
            let mut answer = Response::new(Full::default());
            *answer.status_mut() = StatusCode::NO_CONTENT;
            return Ok(answer);
        };
        let mut answer = Response::new(Full::new(Bytes::from(bytes)));
        let bytes = HeaderValue::from_static("application/octet-stream");
        answer.headers_mut().insert(header::CONTENT_TYPE, bytes);
        with_tag(answer, &tag)
    }

    async fn write(&self, number: usize, request: Request<Incoming>) -> Result<Answer, Refusal> {
        let expected = expected(request.headers())?;
        let mut bytes = Vec::new();
        take(request, MAX_TEXT_BYTES, |part| bytes.write_all(part)).await?;
        let tag = self.files.write(number, &bytes, &expected)?;
        with_tag(json(&serde_json::json!({}))?, &tag)
    }

    async fn write_result(
        &self,
        name: &str,
        request: Request<Incoming>,
    ) -> Result<Answer, Refusal> {
        let mut file = self.files.new_result(name)?;
        take(request, self.limits.result_bytes, |part| file.write_all(part)).await?;
        match file.commit_new() {
            Ok(()) => json(&serde_json::json!({ "name": name })),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(FileFault::Exists.into()),
            Err(error) => Err(FileFault::Failed(error.to_string()).into()),
        }
    }
}

/// Takes the body of a request, part by part.
async fn take(
    request: Request<Incoming>,
    most: usize,
    mut each: impl FnMut(&[u8]) -> std::io::Result<()>,
) -> Result<(), Refusal> {
    let body = Limited::new(request.into_body(), most);
    let mut body = std::pin::pin!(body);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| match error.is::<LengthLimitError>() {
            true => StatusCode::PAYLOAD_TOO_LARGE,
            false => StatusCode::BAD_REQUEST,
        })?;
        let Ok(part) = frame.into_data() else { continue };
        each(&part).map_err(|error| FileFault::Failed(error.to_string()))?;
    }
    Ok(())
}

/// Reads the number of a file.
fn number(name: &str) -> Result<usize, Refusal> {
    let is_number = !name.is_empty() && name.bytes().all(|letter| letter.is_ascii_digit());
    let number = name.parse().ok().filter(|_| is_number);
    number.ok_or_else(|| StatusCode::NOT_FOUND.into())
}

/// The state that a file must have: one of `If-Match` and `If-None-Match: *`.
fn expected(headers: &HeaderMap) -> Result<Expected, Refusal> {
    let text = |name| headers.get(name).map(HeaderValue::to_str);
    match (text(header::IF_MATCH), text(header::IF_NONE_MATCH)) {
        (Some(Ok(tag)), None) => Ok(Expected::Tag(tag.to_owned())),
        (None, Some(Ok("*"))) => Ok(Expected::Absent),
        _ => Err(StatusCode::PRECONDITION_REQUIRED.into()),
    }
}

fn json(value: &impl Serialize) -> Result<Answer, Refusal> {
    let bytes = serde_json::to_vec(value).map_err(|error| FileFault::Failed(error.to_string()))?;
    let mut answer = Response::new(Full::new(Bytes::from(bytes)));
    let json = HeaderValue::from_static("application/json");
    answer.headers_mut().insert(header::CONTENT_TYPE, json);
    Ok(answer)
}

fn with_tag(mut answer: Answer, tag: &str) -> Result<Answer, Refusal> {
    let tag = HeaderValue::from_str(tag).map_err(|error| FileFault::Failed(error.to_string()))?;
    answer.headers_mut().insert(header::ETAG, tag);
    Ok(answer)
}
