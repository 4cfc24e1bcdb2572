//! The phase and deadline of a connection.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

/// How long a connection without a request in flight stays open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timeouts {
    /// From the first byte of a request, or from the connection's beginning, to the end of its header.
    pub(super) header: Duration,
    /// From the end of one answer to the first byte of the next request.
    pub(super) idle: Duration,
}

/// What an idle connection is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The rest of a header, or the first one.
    Header,
    /// Another request.
    Idle,
}

/// The state of one connection.
#[derive(Debug)]
pub(super) struct Activity(Mutex<State>);

#[derive(Debug)]
struct State {
    in_flight: usize,
    phase: Phase,
    since: Instant,
    /// HTTP/2: bytes between requests need not belong to one.
    is_multiplexed: bool,
}

impl Activity {
    /// A connection that was accepted now, and of which a header is expected.
    pub(super) fn starting(now: Instant) -> Self {
        Self(Mutex::new(State {
            in_flight: 0,
            phase: Phase::Header,
            since: now,
            is_multiplexed: false,
        }))
    }

    /// When the connection is closed, and in which phase; `None` while a request is in flight.
    pub(super) fn deadline(&self, timeouts: Timeouts) -> Option<(Phase, Instant)> {
        let state = self.state();
        let time = match state.phase {
            Phase::Header => timeouts.header,
            Phase::Idle => timeouts.idle,
        };
        (state.in_flight == 0).then(|| (state.phase, state.since + time))
    }

    /// Counts a request as in flight until the guard is dropped: until its whole answer was handed
    /// over.
    pub(super) fn begin(self: &Arc<Self>, is_multiplexed: bool) -> InFlight {
        let mut state = self.state();
        state.in_flight += 1;
        state.is_multiplexed |= is_multiplexed;
        InFlight(Arc::clone(self))
    }

    fn received(&self) {
        let mut state = self.state();
        if state.in_flight == 0 && state.phase == Phase::Idle && !state.is_multiplexed {
            state.phase = Phase::Header;
            state.since = Instant::now();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no holder of this lock panics")
    }
}

/// A request in flight.
#[derive(Debug)]
pub(super) struct InFlight(Arc<Activity>);

impl Drop for InFlight {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.in_flight -= 1;
        if state.in_flight == 0 {
            state.phase = Phase::Idle;
            state.since = Instant::now();
        }
    }
}

/// A stream that reports when bytes arrive.
#[derive(Debug)]
pub(super) struct Watched<S> {
    stream: S,
    activity: Arc<Activity>,
}

impl<S> Watched<S> {
    pub(super) fn new(stream: S, activity: Arc<Activity>) -> Self {
        Self { stream, activity }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        if buffer.filled().len() > before {
            self.activity.received();
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
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
