//! Photos of resources.

use reqwest::{
    Method,
    header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH},
};

use super::Home;
use crate::it::support::{Answer, Client, GreyPicture, resource_path};

/// A picture that differs from others by its shade.
fn picture(shade: u8) -> Vec<u8> {
    GreyPicture { width: 800, height: 600, pixels: vec![shade; 800 * 600] }.png()
}

fn photo_path(urn: &str) -> String {
    format!("{}/photo", resource_path(urn))
}

async fn put(client: &Client, urn: &str, bytes: Vec<u8>) -> Answer {
    let request = client.request(Method::PUT, &photo_path(urn)).header(CONTENT_TYPE, "image/png");
    client.send(request.body(bytes)).await
}

/// The URL of the photo that a resource is given.
async fn give(client: &Client, urn: &str, shade: u8) -> String {
    let given = put(client, urn, picture(shade)).await.expect(200);
    given["photoUrl"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_photo_is_given_replaced_and_removed_and_the_resource_stays_as_it_is() {
    let Home { server: _server, anna } = Home::open().await;
    let tent = anna.make("Home.Box", None).await;
    let before = anna.resource(&tent).await;
    let path = photo_path(&tent);
    anna.get(&path).await.expect_problem(404, "PHOTO_NOT_FOUND");
    anna.delete(&path).await.expect_problem(404, "PHOTO_NOT_FOUND");
    let url = give(&anna, &tent, 10).await;
    assert_eq!(give(&anna, &tent, 10).await, url, "it is the same");
    for (of, caching, most) in [
        (url.clone(), "private, max-age=31536000, immutable", 60_000),
        (url.replace("?v=", "/thumbnail?v="), "private, max-age=31536000, immutable", 6_000),
        (format!("/api/v1{path}"), "private, no-cache", 60_000),
    ] {
        let answer = anna.request_root(Method::GET, &of).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{of}");
        assert_eq!(answer.headers()[CONTENT_TYPE], "image/jpeg");
        assert_eq!(answer.headers()[CACHE_CONTROL], caching);
        let held = anna.request_root(Method::GET, &of);
        let held = held.header(IF_NONE_MATCH, answer.headers()[ETAG].clone());
        assert_eq!(held.send().await.unwrap().status(), 304);
        let jpeg = answer.bytes().await.unwrap();
        assert!(jpeg.starts_with(b"\xff\xd8") && jpeg.len() <= most, "{} bytes", jpeg.len());
    }
    let other = give(&anna, &tent, 200).await;
    assert_ne!(other, url);
    let gone = anna.request_root(Method::GET, &url).send().await.unwrap();
    assert_eq!(gone.status(), 404, "the one before is gone");
    anna.get(&format!("{path}?v=nonsense")).await.expect_problem(404, "PHOTO_NOT_FOUND");
    anna.get(&format!("{path}?w=1")).await.expect_field_error("UNKNOWN_FIELD", "w");
    put(&anna, &tent, b"<svg/>".to_vec()).await.expect_problem(422, "IMAGE_REFUSED");
    assert_eq!(anna.resource(&tent).await, before);
    anna.delete(&path).await.expect(204);
    anna.get(&path).await.expect_problem(404, "PHOTO_NOT_FOUND");
    // It goes with the resource.
    give(&anna, &tent, 10).await;
    anna.delete(&resource_path(&tent)).await.expect(204);
    anna.get(&path).await.expect_problem(404, "RESOURCE_NOT_FOUND");
    put(&anna, &tent, picture(1)).await.expect_problem(404, "RESOURCE_NOT_FOUND");
}

#[tokio::test]
async fn a_photo_is_seen_by_who_may_read_and_changed_by_who_may_write() {
    let Home { server, anna } = Home::open().await;
    let tent = anna.make("Home.Box", None).await;
    let path = photo_path(&tent);
    give(&anna, &tent, 10).await;
    let eve = server.with_household("eve").await;
    eve.get(&path).await.expect_problem(404, "RESOURCE_NOT_FOUND");
    // It is not even decoded.
    put(&eve, &tent, b"<svg/>".to_vec()).await.expect_problem(404, "RESOURCE_NOT_FOUND");
    anna.grant(&eve.principal(), &tent, &["read"]).await.expect(200);
    assert_eq!(eve.request(Method::GET, &path).send().await.unwrap().status(), 200);
    put(&eve, &tent, picture(1)).await.expect_problem(404, "RESOURCE_NOT_FOUND");
    eve.delete(&path).await.expect_problem(404, "RESOURCE_NOT_FOUND");
    anna.grant(&eve.principal(), &tent, &["write"]).await.expect(200);
    give(&eve, &tent, 1).await;
    eve.get(&path).await.expect_problem(404, "RESOURCE_NOT_FOUND");
    eve.delete(&path).await.expect(204);
    anna.get(&path).await.expect_problem(404, "PHOTO_NOT_FOUND");
}
