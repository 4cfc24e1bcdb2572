//! Ports that stay reserved for an engine, even while it is down.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicU32, Ordering};

/// Below Linux's ephemeral ports (32768 and up). A client that keeps reconnecting to an engine that
/// is down could otherwise get that engine's port as its own end, and the engine could not restart.
const FIRST: u32 = 15_000;
const COUNT: u32 = 17_000;

/// How far the first candidates of two processes with neighbouring ids lie apart.
const STRIDE: u32 = 101;

/// A free local address.
pub(crate) fn free_address() -> SocketAddr {
    static TRIED: AtomicU32 = AtomicU32::new(0);
    let mut candidates = std::iter::repeat_with(|| {
        let tried = TRIED.fetch_add(1, Ordering::Relaxed);
        let offset = std::process::id().wrapping_mul(STRIDE).wrapping_add(tried) % COUNT;
        let port = u16::try_from(FIRST + offset).expect("the range ends below 65536");
        SocketAddr::from((Ipv4Addr::LOCALHOST, port))
    });
    candidates
        .by_ref()
        .take(COUNT as usize)
        .find(|candidate| TcpListener::bind(candidate).is_ok())
        .expect("not every port between 15000 and 32000 is taken")
}
