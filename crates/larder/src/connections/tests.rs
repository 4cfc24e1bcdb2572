use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use axum::routing::get;
use jiff::Timestamp;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::task::JoinHandle;

use super::*;

const HEADER: Duration = Duration::from_secs(10);
const IDLE: Duration = Duration::from_secs(75);
const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n";

/// A client's end of a connection, and the task that serves the other.
struct Client {
    stream: DuplexStream,
    server: JoinHandle<()>,
    metrics: Metrics,
    _stop: watch::Sender<bool>,
}

impl Client {
    fn connect(router: Router) -> Self {
        Self::connect_speaking(router, false)
    }

    fn connect_speaking(router: Router, http2: bool) -> Self {
        let metrics = Metrics::new(Timestamp::UNIX_EPOCH);
        let admission = Arc::new(Admission::new(1, 1, TrustedProxies::default()));
        let peer: SocketAddr = "192.0.2.1:1234".parse().unwrap();
        let admitted = admission.admit(peer.ip()).unwrap();
        let (stop, stopping) = watch::channel(false);
        let connection = Connection {
            peer,
            router,
            timeouts: Timeouts { header: HEADER, idle: IDLE },
            http2,
            metrics: ConnectionMetrics::shown_by(&metrics, &admission),
            stopping,
        };
        let (stream, theirs) = duplex(1024 * 1024);
        let server = tokio::spawn(connection.serve(theirs, admitted));
        Self { stream, server, metrics, _stop: stop }
    }

    async fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.unwrap();
    }

    /// Sends a whole request and reads its answer, which must be this.
    async fn ask(&mut self, answer: &str) {
        self.send(REQUEST).await;
        let mut read = String::new();
        while !read.ends_with(answer) {
            let mut buffer = [0; 1024];
            let count = self.stream.read(&mut buffer).await.unwrap();
            assert!(count > 0, "closed after {read}");
            read.push_str(std::str::from_utf8(&buffer[..count]).unwrap());
        }
    }

    /// How long the connection stays open if nothing more is sent, and the reason for closing.
    async fn closed_after(mut self) -> (Duration, &'static str) {
        let started = Instant::now();
        let mut rest = Vec::new();
        self.stream.read_to_end(&mut rest).await.unwrap();
        let open = started.elapsed();
        self.server.await.unwrap();
        let text = self.metrics.render().unwrap();
        assert!(text.contains("larder_connections_open 0"), "{text}");
        let waited_for = ["header", "idle"].into_iter().find(|phase| {
            text.contains(&format!("larder_connections_timed_out_total{{phase=\"{phase}\"}} 1"))
        });
        (open, waited_for.unwrap_or("something else"))
    }
}

fn quick() -> Router {
    Router::new().route("/", get(|| async { "done" })).with_state(())
}

#[tokio::test(start_paused = true)]
async fn a_silent_connection_is_closed() {
    let client = Client::connect(quick());
    assert_eq!(client.closed_after().await, (HEADER, "header"));
}

#[tokio::test(start_paused = true)]
async fn a_header_that_comes_in_drops_is_not_waited_for_any_longer() {
    let mut client = Client::connect(quick());
    for byte in &REQUEST[..8] {
        client.send(&[*byte]).await;
        sleep(Duration::from_secs(1)).await;
    }
    assert_eq!(client.closed_after().await, (Duration::from_secs(2), "header"));
}

#[tokio::test(start_paused = true)]
async fn an_idle_connection_is_kept_for_a_while() {
    let mut client = Client::connect(quick());
    for _ in 0..3 {
        client.ask("done").await;
        sleep(Duration::from_mins(1)).await;
    }
    client.ask("done").await;
    assert_eq!(client.closed_after().await, (IDLE, "idle"));
}

#[tokio::test(start_paused = true)]
async fn half_a_header_after_an_answer_is_given_up_as_the_first_is() {
    let mut client = Client::connect(quick());
    client.ask("done").await;
    sleep(Duration::from_secs(30)).await;
    client.send(&REQUEST[..20]).await;
    assert_eq!(client.closed_after().await, (HEADER, "header"));
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_takes_long_and_one_that_goes_on_for_long_are_not_cut_off() {
    let slow = || async {
        sleep(Duration::from_secs(200)).await;
        let pieces = futures_util::stream::unfold(0, |count| async move {
            sleep(Duration::from_secs(100)).await;
            let piece = if count == 3 { "end" } else { "more" };
            (count < 4).then_some((Ok::<_, io::Error>(Bytes::from(piece)), count + 1))
        });
        Body::from_stream(pieces)
    };
    let mut client = Client::connect(Router::new().route("/", get(slow)).with_state(()));
    let started = Instant::now();
    client.ask("end\r\n0\r\n\r\n").await;
    assert_eq!(started.elapsed(), Duration::from_secs(700));
    assert_eq!(client.closed_after().await, (IDLE, "idle"));
}

#[tokio::test(start_paused = true)]
async fn the_handler_learns_who_asks() {
    let told = |ConnectInfo(peer): ConnectInfo<SocketAddr>| async move { peer.to_string() };
    let mut client = Client::connect(Router::new().route("/", get(told)).with_state(()));
    client.ask("192.0.2.1:1234").await;
}

#[tokio::test(start_paused = true)]
async fn a_header_larger_than_any_of_ours_is_refused() {
    let mut client = Client::connect(quick());
    let cookie = format!("GET / HTTP/1.1\r\nhost: x\r\ncookie: {}", "x".repeat(MAX_HEADER_BYTES));
    client.send(cookie.as_bytes()).await;
    let mut answer = String::new();
    client.stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_header_may_have_16_kib() {
    let request = |cookie: usize| {
        format!("GET / HTTP/1.1\r\nhost: x\r\ncookie: {}\r\n\r\n", "x".repeat(cookie))
    };
    let mut client = Client::connect(quick());
    client.send(request(15 * 1024).as_bytes()).await;
    client.ask("done").await;
    client.send(request(17 * 1024).as_bytes()).await;
    let mut answer = String::new();
    client.stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.contains("HTTP/1.1 431 "), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn http_2_in_plain_text_is_spoken_only_if_a_setting_says_so() {
    const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    for http2 in [false, true] {
        let mut client = Client::connect_speaking(quick(), http2);
        client.send(PREFACE).await;
        let mut answer = Vec::new();
        client.stream.read_to_end(&mut answer).await.unwrap();
        // The server begins with a frame of settings: its type and no flags.
        assert_eq!(answer.get(3..5) == Some(&[4, 0]), http2, "{answer:?}");
        let mut client = Client::connect_speaking(quick(), http2);
        client.ask("done").await;
    }
}

#[test]
fn connections_are_counted_in_all_and_by_address_but_not_those_of_a_proxy() {
    let proxies = TrustedProxies::parse("192.0.2.9").unwrap();
    let admission = Arc::new(Admission::new(4, 2, proxies));
    let admit = |address: &str| admission.admit(address.parse().unwrap());
    let first = admit("192.0.2.1").unwrap();
    let second = admit("::ffff:192.0.2.1").unwrap();
    assert_eq!(admit("192.0.2.1").unwrap_err(), Refused::EnoughOfAddress);
    let through_one = [admit("192.0.2.9").unwrap(), admit("192.0.2.9").unwrap()];
    assert_eq!(admit("192.0.2.2").unwrap_err(), Refused::Enough);
    assert_eq!(admit("192.0.2.9").unwrap_err(), Refused::Enough);
    drop(second);
    let again = admit("192.0.2.1").unwrap();
    drop((first, again, through_one));
    assert_eq!(admission.open(), 0);
    let many: Vec<_> = (1..=4).map(|last| admit(&format!("192.0.3.{last}")).unwrap()).collect();
    assert_eq!(admission.open(), many.len());
}

#[test]
fn the_refusal_is_a_whole_answer() {
    let text = std::str::from_utf8(REFUSAL).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    assert!(head.contains(&format!("content-length: {}", body.len())), "{} bytes", body.len());
    assert_eq!(serde_json::from_str::<serde_json::Value>(body).unwrap()["status"], 503);
}

#[tokio::test(start_paused = true)]
async fn what_is_told_often_is_logged_once_a_minute() {
    let (mut told, mut count) = (LogThrottle::default(), 0);
    for _ in 0..150 {
        told.tell(|| count += 1);
        sleep(Duration::from_secs(1)).await;
    }
    assert_eq!(count, 3);
}
