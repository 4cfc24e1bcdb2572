//! Graceful shutdown: requests in flight are finished, and nothing is lost.

use crate::it::support::{RawConnection, Server, id_of, names};

#[tokio::test]
async fn a_request_in_flight_is_finished_and_streams_are_ended() {
    let mut server = Server::start().await;
    let anna = server.with_household("anna").await;
    let mut stream = anna.events(None).await;

    let body = r#"{"name":"Last minute","quantity":1,"unit":"kg"}"#;
    let head = format!(
        "POST /api/v1/inventory/items HTTP/1.1\r\nHost: larder\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        anna.token(),
        body.len()
    );
    let mut slow = RawConnection::open(&server.address()).await;
    slow.send(head.as_bytes()).await;
    // The server asks for the body only from inside the handler: the request is in flight now.
    slow.read_until("HTTP/1.1 100").await;
    server.ask_to_stop().await;
    // The end of the stream means that the server has begun to stop.
    stream.until_end().await;
    slow.send(body.as_bytes()).await;
    let answer = slow.read_to_end().await;
    assert!(answer.contains("HTTP/1.1 201"), "{answer}");
    assert!(server.wait_for_exit().await.success());

    server.restart().await;
    assert_eq!(names(&anna.items("").await), ["Last minute"]);
}

#[tokio::test]
async fn a_stopped_server_starts_again_with_everything() {
    let mut server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 2.5, "kg").await;
    assert!(server.terminate().await.success());
    server.restart().await;
    assert_eq!(anna.item(id_of(&rice)).await, rice);
    let history = anna.get(&format!("/inventory/items/{}/history", id_of(&rice))).await.expect(200);
    assert_eq!(history["items"].as_array().unwrap().len(), 1);
}
