//! The proxy in front of an echo server.

#![expect(clippy::unwrap_used, reason = "a test's helpers fail by panicking, as the test does")]

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;

use larder_test_servers::{Fault, FaultProxy};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, timeout};

/// Long enough that nothing arrives late by chance, short enough to wait for.
const A_WHILE: Duration = Duration::from_millis(200);

async fn echo_server() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut connection, _)) = listener.accept().await {
            tokio::spawn(async move {
                let (mut from, mut to) = connection.split();
                tokio::io::copy(&mut from, &mut to).await
            });
        }
    });
    address
}

async fn proxy() -> FaultProxy {
    FaultProxy::in_front_of(echo_server().await).await
}

async fn connect(proxy: &FaultProxy) -> TcpStream {
    TcpStream::connect(proxy.address()).await.unwrap()
}

async fn say(connection: &mut TcpStream, text: &[u8]) -> Vec<u8> {
    connection.write_all(text).await.unwrap();
    let mut heard = vec![0; text.len()];
    connection.read_exact(&mut heard).await.unwrap();
    heard
}

#[tokio::test]
async fn without_a_fault_bytes_pass_both_ways_until_an_end_closes() {
    let proxy = proxy().await;
    let mut connection = connect(&proxy).await;
    assert_eq!(say(&mut connection, b"hello").await, b"hello");
    connection.write_all(b"last words").await.unwrap();
    connection.shutdown().await.unwrap();
    let mut rest = Vec::new();
    connection.read_to_end(&mut rest).await.unwrap();
    assert_eq!(rest, b"last words");
}

#[tokio::test]
async fn bytes_are_counted_in_each_direction() {
    let proxy = proxy().await;
    assert_eq!(proxy.passed(), (0, 0));
    let (mut one, mut other) = (connect(&proxy).await, connect(&proxy).await);
    say(&mut one, b"hello").await;
    say(&mut other, b"good morning").await;
    // The last answer is counted after it was written.
    while proxy.passed() != (17, 17) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn refusing_leaves_the_connections_there_are() {
    let proxy = proxy().await;
    let mut early = connect(&proxy).await;
    assert_eq!(say(&mut early, b"before").await, b"before");
    proxy.set(Fault::Refuse).await;
    let refused = TcpStream::connect(proxy.address()).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
    assert_eq!(say(&mut early, b"after").await, b"after");
    proxy.set(Fault::None).await;
    assert_eq!(say(&mut connect(&proxy).await, b"again").await, b"again");
}

#[tokio::test]
async fn dropping_closes_the_connections_there_are() {
    let proxy = proxy().await;
    let mut early = connect(&proxy).await;
    assert_eq!(say(&mut early, b"before").await, b"before");
    proxy.set(Fault::Drop).await;
    assert_eq!(early.read(&mut [0]).await.unwrap_or(0), 0);
    let refused = TcpStream::connect(proxy.address()).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
    proxy.set(Fault::None).await;
    assert_eq!(say(&mut connect(&proxy).await, b"again").await, b"again");
}

#[tokio::test]
async fn a_black_hole_accepts_and_answers_nothing_until_it_is_gone() {
    let proxy = proxy().await;
    proxy.set(Fault::Blackhole).await;
    let mut connection = connect(&proxy).await;
    connection.write_all(b"?").await.unwrap();
    timeout(A_WHILE, connection.read(&mut [0])).await.unwrap_err();
    proxy.set(Fault::None).await;
    let mut heard = [0];
    connection.read_exact(&mut heard).await.unwrap();
    assert_eq!(&heard, b"?");
}

#[tokio::test]
async fn a_delay_holds_up_each_direction() {
    let proxy = proxy().await;
    let mut connection = connect(&proxy).await;
    proxy.set(Fault::Delay(A_WHILE)).await;
    let started = Instant::now();
    assert_eq!(say(&mut connection, b"slowly").await, b"slowly");
    assert!(started.elapsed() >= A_WHILE * 2, "{:?}", started.elapsed());
}

#[tokio::test]
async fn truncating_cuts_answers_and_closes() {
    let proxy = proxy().await;
    proxy.set(Fault::TruncateAfter(10)).await;
    let mut connection = connect(&proxy).await;
    assert_eq!(say(&mut connection, b"whole").await, b"whole");
    connection.write_all(b"only half of it").await.unwrap();
    let mut rest = Vec::new();
    // The kernel decides between an end and a reset.
    let _ = connection.read_to_end(&mut rest).await;
    assert_eq!(rest, b"only ");
}
