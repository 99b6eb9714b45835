//! Sockets of clients that are slow to send or to read.

use std::cell::Cell;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// Time at which the first byte of a request came; none between two requests.
#[derive(Clone, Debug, Default)]
pub(super) struct RequestStart(Rc<Cell<Option<Instant>>>);

impl RequestStart {
    fn begin(&self) {
        self.0.set(self.0.get().or_else(|| Some(Instant::now())));
    }

    /// Time since the first byte.
    pub(super) fn elapsed(&self) -> Duration {
        self.0.get().map_or(Duration::ZERO, |start| start.elapsed())
    }

    /// Ends the request: the next byte begins another one.
    pub(super) fn end(&self) {
        self.0.set(None);
    }
}

/// Socket that notes when a request begins. Writes fail after `wait` in which the client reads nothing of its answer.
#[derive(Debug)]
pub(super) struct TimedStream {
    stream: TcpStream,
    wait: Duration,
    start: RequestStart,
    /// Runs while the client reads nothing.
    stall: Option<Pin<Box<Sleep>>>,
}

impl TimedStream {
    pub(super) fn new(stream: TcpStream, wait: Duration, start: RequestStart) -> Self {
        Self { stream, wait, start, stall: None }
    }

    /// Passes on the result of a write, or an error where none was possible for too long.
    fn in_time(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.stall = None;
            return written;
        }
        let stall = self.stall.get_or_insert_with(|| Box::pin(sleep(self.wait)));
        stall.as_mut().poll(context).map(|()| Err(ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.start.begin();
        }
        read
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.in_time(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
