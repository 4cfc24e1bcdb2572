//! Files that are written piece by piece, as browsers ask for them: compressed.

use std::io::Read as _;

use flate2::read::GzDecoder;
use reqwest::{Method, header};

use super::support::Reader;
use crate::it::support::{Server, now_ms};

/// The file as it is sent to a browser that takes gzip, unpacked.
async fn unpacked(reader: &Reader, path: &str) -> String {
    let request = reader.request(Method::GET, path).header(header::ACCEPT_ENCODING, "gzip");
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()[header::CONTENT_ENCODING], "gzip");
    let packed = answer.bytes().await.unwrap();
    let mut text = String::new();
    GzDecoder::new(&*packed).read_to_string(&mut text).unwrap();
    text
}

#[tokio::test]
async fn an_export_is_the_same_compressed() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for number in 0..40 {
        anna.add(&format!("Item {number}"), 1.25, "kg").await;
    }
    let reader = Reader::of(&server, &anna).await;
    // Of two exports each has a time of its own.
    let without_time = |text: &str| {
        let (head, rows) = text.split_once('\n').unwrap();
        assert!(head.contains("exportedAt"), "{head}");
        rows.to_owned()
    };
    let moved = reader.get("/me/export.json").await.expect(308);
    assert_eq!(moved.header("location"), "/me/export.jsonl");
    let plain = reader.get("/me/export.jsonl").await.expect(200);
    let compressed = unpacked(&reader, "/me/export.jsonl").await;
    assert_eq!(without_time(&plain.text), without_time(&compressed));
    assert!(plain.text.lines().count() > 40, "{}", plain.text);
    assert!(!server.log().contains("panicked"), "{}", server.log());
}

#[tokio::test]
async fn readings_are_the_same_compressed() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let device = anna.add_device(&server, "AA:BB:CC:DD:EE:FF").await;
    let now = now_ms();
    let readings: Vec<_> =
        (0..50).map(|n| device.reading(now - n * 1000, &format!("batch-{n}"))).collect();
    device.send(&readings).await.expect(200);
    let reader = Reader::of(&server, &anna).await;
    let path = "/me/readings/AA%3ABB%3ACC%3ADD%3AEE%3AFF.csv";
    let plain = reader.get(path).await.expect(200);
    assert!(plain.text.lines().count() > 50, "{}", plain.text);
    assert_eq!(unpacked(&reader, path).await, plain.text);
    assert!(!server.log().contains("panicked"), "{}", server.log());
}
