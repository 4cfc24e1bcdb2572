//! Requests that are refused before their bodies are read, one after the other on one connection.

use crate::it::support::{RawConnection, Server, ServerSettings};

const REQUESTS: usize = 300;

/// Sends the head and, a moment later, the body. Returns the answer, if there is one.
async fn ask(connection: &mut RawConnection, head: &str, body: &str) -> Option<String> {
    let head = format!(
        "{head}\r\nHost: larder\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    connection.send(head.as_bytes()).await;
    tokio::task::yield_now().await;
    connection.send(body.as_bytes()).await;
    connection.read_answer().await
}

#[tokio::test]
async fn a_refusal_costs_no_later_request_its_connection() {
    let server = Server::embedded(ServerSettings::default()).await;
    let readings = r#"{"hardwareId":"aa:bb","readings":[]}"#;
    let large = format!("{{\"name\":\"{}\"}}", "x".repeat(200_000));
    let cases = [
        ("POST /device/data HTTP/1.1\r\nX-API-Key: nobodys", readings, 401),
        ("POST /api/v1/inventory/items HTTP/1.1\r\nAuthorization: Bearer nobodys", "{}", 401),
        ("POST /api/v1/inventory/items HTTP/1.1\r\nAuthorization: Bearer nobodys", &large, 401),
        ("POST /api/v1/nothing HTTP/1.1", "{}", 404),
        ("DELETE /healthz HTTP/1.1", "{}", 405),
        ("GET /healthz HTTP/1.1", "{}", 200),
        ("POST /stock HTTP/1.1\r\nAccept: text/html", "{}", 403),
    ];
    for (head, body, status) in cases {
        let mut connection = RawConnection::open(&server.address()).await;
        for turn in 0..REQUESTS {
            let answer = ask(&mut connection, head, body).await;
            let answer = answer.unwrap_or_else(|| panic!("{head}: no answer to request {turn}"));
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{head}: {answer}");
            assert!(!answer.to_lowercase().contains("\r\nconnection: close"), "{head}: {answer}");
        }
    }
}

#[tokio::test]
async fn a_body_that_is_too_long_to_read_ends_the_connection_and_the_answer_says_so() {
    let server = Server::embedded(ServerSettings::default()).await;
    for (head, status) in [
        ("POST /api/v1/auth/login HTTP/1.1\r\nContent-Length: 999999999", 413),
        ("POST /api/v1/nothing HTTP/1.1\r\nContent-Length: 999999999", 404),
        // This client waits for 100 Continue, which it does not get.
        ("POST /api/v1/nothing HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue", 404),
        // This one never does.
        ("POST /api/v1/nothing HTTP/1.1\r\nContent-Length: 2", 404),
    ] {
        let mut connection = RawConnection::open(&server.address()).await;
        let head = format!("{head}\r\nHost: larder\r\nContent-Type: application/json\r\n\r\n");
        connection.send(head.as_bytes()).await;
        let answer = connection.read_to_end().await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{head}: {answer}");
        assert!(answer.to_lowercase().contains("\r\nconnection: close"), "{head}: {answer}");
    }
}
