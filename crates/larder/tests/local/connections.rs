//! Connections that are silent, send too much, or are too many.

use tokio::net::TcpStream;

use super::limited;
use crate::it::support::{
    RawConnection, Server, ServerSettings, StoreUnderTest, eventually, until,
};

/// Half a request.
const HALF: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: lar";

async fn is_answered(connection: &mut RawConnection) -> bool {
    connection.send(b"GET /healthz HTTP/1.1\r\nHost: larder\r\n\r\n").await;
    connection.read_until("\r\n\r\nok").await.starts_with("HTTP/1.1 200")
}

/// The value of a metric, 0 before the first count.
async fn metric(server: &Server, series: &str) -> u64 {
    let text = server.anonymous().get_root("/metrics").await.text;
    let line = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.map_or(0, |value| value.trim_end_matches(".0").parse().unwrap())
}

#[tokio::test]
async fn silent_half_sent_and_idle_connections_are_closed_and_streams_stay() {
    let settings = ServerSettings::default()
        .with("LARDER_HEADER_TIMEOUT_SECONDS", "1")
        .with("LARDER_IDLE_TIMEOUT_SECONDS", "2");
    let server = Server::embedded(settings).await;
    let anna = server.with_household("anna").await;
    let mut stream = anna.events(None).await;
    let mut silent = RawConnection::open(&server.address()).await;
    let mut half = RawConnection::open(&server.address()).await;
    half.send(HALF).await;
    let mut idle = RawConnection::open(&server.address()).await;
    assert!(is_answered(&mut idle).await);

    assert_eq!(silent.read_to_end().await, "");
    assert_eq!(half.read_to_end().await, "");
    assert_eq!(idle.read_to_end().await, "");
    for (phase, least) in [("header", 2), ("idle", 1)] {
        let series = format!("larder_connections_timed_out_total{{phase=\"{phase}\"}}");
        assert!(metric(&server, &series).await >= least, "{phase}");
    }
    // Older than all of them, and silent most of the time too.
    let rice = anna.add("Rice", 1, "kg").await;
    let event = stream.next().await;
    assert!(event.data.to_string().contains(rice["id"].as_str().unwrap()), "{event:?}");
}

#[tokio::test]
async fn more_connections_than_an_address_may_have_are_refused_until_one_closes() {
    let settings = ServerSettings::default().with("LARDER_MAX_CONNECTIONS_PER_ADDRESS", "3");
    let server = Server::embedded(settings).await;
    // One by one, because the connection of the harness's readiness check may take a moment to close.
    let admitted = async || {
        let mut connection = RawConnection::open(&server.address()).await;
        connection.send(b"GET /healthz HTTP/1.1\r\nHost: larder\r\n\r\n").await;
        let answer = connection.read_until("\r\n\r\n").await;
        assert!(
            answer.starts_with("HTTP/1.1 200") || answer.starts_with("HTTP/1.1 503"),
            "{answer}"
        );
        answer.starts_with("HTTP/1.1 200").then_some(connection)
    };
    let one_more = async || eventually("a connection is admitted", &admitted).await;
    let (_first, _second, third) = (one_more().await, one_more().await, one_more().await);
    // Each is told why, although its request is never read.
    for _ in 0..200 {
        assert!(admitted().await.is_none(), "a fourth was let in");
    }
    drop(third);
    let mut again = one_more().await;
    again.send(b"GET /metrics HTTP/1.1\r\nHost: larder\r\n\r\n").await;
    let text = again.read_until("# EOF").await;
    assert!(
        text.contains("larder_connections_refused_total{reason=\"max_connections_per_address\"}"),
        "{text}"
    );
    assert!(text.contains("larder_connections_open 3"), "{text}");
    let logged = || server.log().matches("connection refused").count();
    until("the log tells of it", async || logged() > 0).await;
    assert_eq!(logged(), 1, "{}", server.log());
}

#[tokio::test]
async fn a_trusted_proxy_may_have_as_many_as_there_are() {
    let settings = ServerSettings::default()
        .with("LARDER_MAX_CONNECTIONS_PER_ADDRESS", "1")
        .with("LARDER_TRUSTED_PROXY", "127.0.0.1");
    let server = Server::embedded(settings).await;
    let mut all = Vec::new();
    for _ in 0..20 {
        all.push(RawConnection::open(&server.address()).await);
    }
    for connection in &mut all {
        assert!(is_answered(connection).await);
    }
}

#[tokio::test]
async fn a_server_without_file_descriptors_says_so_once_and_goes_on_when_it_has_some() {
    let store = StoreUnderTest::embedded().await;
    // Fewer file descriptors than the configured connections.
    let many = ["--max-connections", "1000"];
    let server = Server::stand_in(limited(&Server::command(&store), "ulimit -n 64", &many)).await;
    let address = server.address().get();
    // The system accepts these for the server, which cannot take them all.
    let mut held = Vec::new();
    for _ in 0..100 {
        held.push(TcpStream::connect(address).await.unwrap());
    }
    let logged = || server.log().matches("connections not accepted, will retry").count();
    until("the log tells of it", async || logged() > 0).await;
    drop(held);
    assert_eq!(server.anonymous().get_root("/healthz").await.status, 200);
    assert!(metric(&server, "larder_connections_refused_total{reason=\"system\"}").await > 0);
    assert_eq!(logged(), 1);
}
