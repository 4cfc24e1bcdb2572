//! Compressed bodies, and bodies that are too large.

use std::io::Write as _;

use flate2::{Compression, write::GzEncoder};
use serde_json::json;

use super::garden::Garden;
use crate::it::support::Answer;

const MEBIBYTE: usize = 1024 * 1024;

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

async fn post(garden: &Garden, encoding: &str, body: Vec<u8>) -> Answer {
    let request = garden.device.request("/device/data");
    let request = request.header("Content-Type", "application/json");
    let request = request.header("Content-Encoding", encoding);
    garden.server.anonymous().send(request.body(body)).await
}

#[tokio::test]
async fn a_device_may_compress_what_it_sends() {
    let garden = Garden::plant().await;
    let body = json!({ "readings": garden.readings(100) }).to_string();
    let packed_body = packed(body.as_bytes());
    assert!(packed_body.len() < body.len() / 8, "{} bytes", packed_body.len());
    let told = post(&garden, "gzip", packed_body).await.expect(200);
    assert_eq!(told["acknowledged_batch_ids"].as_array().unwrap().len(), 100);
    assert_eq!(told["duplicate_batch_ids"], json!([]));

    let registration = packed(garden.device.registration().to_string().as_bytes());
    let request = garden.device.request("/device/register").header("Content-Encoding", "gzip");
    let request = request.header("Content-Type", "application/json").body(registration);
    garden.server.anonymous().send(request).await.expect(200);
}

#[tokio::test]
async fn a_bomb_is_413_and_other_bad_packing_has_its_own_answer() {
    let garden = Garden::plant().await;
    let bomb = packed(&vec![b' '; 64 * MEBIBYTE]);
    assert!(bomb.len() < MEBIBYTE / 8, "a small request of {} bytes", bomb.len());
    post(&garden, "gzip", bomb).await.expect_problem(413, "BODY_TOO_LARGE");

    let good = packed(json!({ "readings": garden.readings(1) }).to_string().as_bytes());
    let cut_off = good[..good.len() - 4].to_vec();
    post(&garden, "gzip", cut_off).await.expect_problem(400, "MALFORMED_GZIP");
    post(&garden, "gzip", b"{}".to_vec()).await.expect_problem(400, "MALFORMED_GZIP");
    post(&garden, "br", good.clone()).await.expect_problem(415, "UNSUPPORTED_ENCODING");
    garden.post(good).await.expect_problem(400, "INVALID_UTF8");
    garden.assert_nothing_is_kept().await;
}

#[tokio::test]
async fn a_mebibyte_is_the_limit_packed_or_not() {
    let garden = Garden::plant().await;
    let mut body = json!({ "readings": garden.readings(1) }).to_string().into_bytes();
    body.resize(MEBIBYTE + 1, b' ');
    garden.post(body.clone()).await.expect_problem(413, "BODY_TOO_LARGE");
    post(&garden, "gzip", packed(&body)).await.expect_problem(413, "BODY_TOO_LARGE");
    garden.assert_nothing_is_kept().await;
    body.truncate(MEBIBYTE);
    post(&garden, "gzip", packed(&body)).await.expect(200);
    let again = garden.post(body).await.expect(200);
    assert_eq!(again["duplicate_batch_ids"].as_array().unwrap().len(), 1);
}
