//! A TCP proxy that fails on demand.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

use crate::port::free_address;

/// A fault between a client and its engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// None: bytes pass.
    None,
    /// New connections are refused; existing ones continue.
    Refuse,
    /// Every connection is closed, and new ones are refused.
    Drop,
    /// Connections are accepted, but no bytes pass. They are delivered afterwards.
    Blackhole,
    /// Every piece passes this much later, in both directions.
    Delay(Duration),
    /// A connection is closed when this many bytes of answers have passed on it.
    TruncateAfter(usize),
}

impl Fault {
    fn refuses(&self) -> bool {
        matches!(self, Self::Refuse | Self::Drop)
    }
}

/// How many bytes have passed.
#[derive(Debug, Default)]
struct Passed {
    requests: AtomicU64,
    answers: AtomicU64,
}

/// A proxy on this machine in front of an engine. Ends when it is dropped.
pub struct FaultProxy {
    address: SocketAddr,
    fault: watch::Sender<Fault>,
    /// The fault that the accepting task has acted on.
    in_effect: watch::Receiver<Fault>,
    passed: Arc<Passed>,
    task: JoinHandle<()>,
}

impl FaultProxy {
    /// A proxy in front of `upstream` without a fault. It runs on the current runtime.
    pub async fn in_front_of(upstream: SocketAddr) -> Self {
        let address = free_address();
        let listener = listen(address).await;
        let (fault, faults) = watch::channel(Fault::None);
        let (acted_on, in_effect) = watch::channel(Fault::None);
        let passed = Arc::new(Passed::default());
        let ends = Ends { address, upstream, passed: Arc::clone(&passed) };
        let task = tokio::spawn(accept(listener, ends, faults, acted_on));
        Self { address, fault, in_effect, passed, task }
    }

    /// The address for clients.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many bytes of requests and of answers have passed so far, on all connections.
    pub fn passed(&self) -> (u64, u64) {
        let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
        (count(&self.passed.requests), count(&self.passed.answers))
    }

    /// Fails this way from now on. When it returns, the listening socket is open or closed as the
    /// fault has it, and [`Fault::Drop`] has closed every connection.
    pub async fn set(&self, fault: Fault) {
        self.fault.send_replace(fault);
        let mut in_effect = self.in_effect.clone();
        in_effect.wait_for(|acted_on| *acted_on == fault).await.expect("the proxy still runs");
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn listen(address: SocketAddr) -> TcpListener {
    let listener = TcpListener::bind(address).await;
    listener.unwrap_or_else(|error| panic!("the proxy cannot listen on {address}: {error}"))
}

/// What connections lead to, and where their bytes are counted.
#[derive(Clone)]
struct Ends {
    address: SocketAddr,
    upstream: SocketAddr,
    passed: Arc<Passed>,
}

/// Owns every connection, so that they end with it.
async fn accept(
    listener: TcpListener,
    ends: Ends,
    mut faults: watch::Receiver<Fault>,
    acted_on: watch::Sender<Fault>,
) {
    let mut listener = Some(listener);
    let mut connections = JoinSet::new();
    loop {
        let fault = *faults.borrow_and_update();
        if fault.refuses() {
            listener = None;
        } else if listener.is_none() {
            listener = Some(listen(ends.address).await);
        }
        if fault == Fault::Drop {
            connections.shutdown().await;
        }
        acted_on.send_replace(fault);
        loop {
            tokio::select! {
                changed = faults.changed() => match changed {
                    Ok(()) => break,
                    Err(_) => return,
                },
                Some(client) = next(listener.as_ref()) => {
                    connections.spawn(connect(client, ends.clone(), faults.clone()));
                }
                // Reaped as they end; errors are expected here.
                Some(_) = connections.join_next() => {}
            }
        }
    }
}

async fn next(listener: Option<&TcpListener>) -> Option<TcpStream> {
    match listener {
        Some(listener) => listener.accept().await.ok().map(|(client, _)| client),
        None => std::future::pending().await,
    }
}

async fn connect(client: TcpStream, ends: Ends, faults: watch::Receiver<Fault>) -> io::Result<()> {
    let server = TcpStream::connect(ends.upstream).await?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    // The first error closes both directions; a proper end of one leaves the other open.
    tokio::try_join!(
        pass(from_client, to_server, faults.clone(), Direction::Request, &ends.passed.requests),
        pass(from_server, to_client, faults, Direction::Answer, &ends.passed.answers),
    )?;
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Request,
    Answer,
}

async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut faults: watch::Receiver<Fault>,
    direction: Direction,
    count: &AtomicU64,
) -> io::Result<()> {
    let mut buffer = vec![0; 16 * 1024];
    let mut passed = 0;
    loop {
        let length = from.read(&mut buffer).await?;
        if length == 0 {
            return to.shutdown().await;
        }
        let held = faults.wait_for(|fault| *fault != Fault::Blackhole).await;
        let fault = held.map_or(Fault::None, |fault| *fault);
        let mut piece = &buffer[..length];
        match fault {
            Fault::Delay(delay) => tokio::time::sleep(delay).await,
            Fault::TruncateAfter(limit) if direction == Direction::Answer => {
                piece = &piece[..length.min(limit.saturating_sub(passed))];
                passed += piece.len();
            }
            _ => {}
        }
        to.write_all(piece).await?;
        count.fetch_add(piece.len() as u64, Ordering::Relaxed);
        if piece.len() < length {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
    }
}
