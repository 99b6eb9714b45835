//! Listens on this computer alone, and bounds requests.

use super::limits::Limits;
use super::routes::Host;
use super::stream::{RequestStart, TimedStream};
use crate::exit_code::Failure;
use crate::interrupt::{self, SIGNAL_CHECK_INTERVAL};
use anyhow::Context;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::rc::Rc;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::LocalSet;

/// Listens at a port of 127.0.0.1; 0 is one that is free.
pub(crate) fn listen(port: u16) -> Result<std::net::TcpListener, Failure> {
    let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let listener = listener.with_context(|| format!("cannot listen at 127.0.0.1:{port}"))?;
    listener.set_nonblocking(true).context("cannot listen")?;
    Ok(listener)
}

/// Answers requests until a signal comes.
pub(crate) fn serve(listener: std::net::TcpListener, host: Host) -> Result<(), Failure> {
    let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build();
    let runtime = runtime.context("cannot serve the page")?;
    LocalSet::new().block_on(&runtime, accept(listener, Rc::new(host)))
}

async fn accept(listener: std::net::TcpListener, host: Rc<Host>) -> Result<(), Failure> {
    let listener = TcpListener::from_std(listener).context("cannot serve the page")?;
    let free = Arc::new(Semaphore::new(host.limits.connections));
    loop {
        interrupt::check()?;
        let Ok(accepted) = tokio::time::timeout(SIGNAL_CHECK_INTERVAL, listener.accept()).await
        else {
            continue;
        };
        // One that was closed already, or no more handles: the next may do.
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(SIGNAL_CHECK_INTERVAL).await;
            continue;
        };
        if let Ok(place) = Arc::clone(&free).try_acquire_owned() {
            tokio::task::spawn_local(converse(stream, Rc::clone(&host), place));
        }
    }
}

/// Answers the requests of a connection.
async fn converse(stream: TcpStream, host: Rc<Host>, place: OwnedSemaphorePermit) {
    let Limits { head_bytes, wait, .. } = host.limits;
    let start = RequestStart::default();
    let answer = service_fn(|request| {
        let (host, start) = (Rc::clone(&host), start.clone());
        async move {
            let answer = host.answer(request, wait.saturating_sub(start.elapsed())).await;
            start.end();
            Ok::<_, Infallible>(answer)
        }
    });
    let stream = TimedStream::new(stream, wait, start.clone());
    let mut connection = http1::Builder::new();
    connection.timer(TokioTimer::new()).header_read_timeout(wait).max_buf_size(head_bytes);
    // An error is the other side's: it broke the connection, or the rules.
    let _ = connection.serve_connection(TokioIo::new(stream), answer).await;
    drop(place);
}
