//! Photos of products.

use reqwest::{
    Method,
    header::{
        CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderMap, IF_NONE_MATCH,
        X_CONTENT_TYPE_OPTIONS,
    },
};
use serde_json::{Value, json};

use crate::it::support::{Answer, Client, GreyPicture, Server, id_of};

/// A picture that differs from others by its shade.
fn picture(shade: u8) -> Vec<u8> {
    GreyPicture { width: 800, height: 600, pixels: vec![shade; 800 * 600] }.png()
}

fn photo_path(item: &Value) -> String {
    format!("/products/{}/photo", item["productId"].as_str().expect("every item has a product"))
}

async fn put(client: &Client, path: &str, media_type: &str, bytes: Vec<u8>) -> Answer {
    let request = client.request(Method::PUT, path).header(CONTENT_TYPE, media_type);
    client.send(request.body(bytes)).await
}

/// The photo at a path of the whole server: its headers and its bytes.
async fn download(client: &Client, path: &str) -> (HeaderMap, Vec<u8>) {
    let answer = client.request_root(Method::GET, path).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{path}");
    let headers = answer.headers().clone();
    (headers, answer.bytes().await.unwrap().to_vec())
}

#[tokio::test]
async fn a_photo_is_shown_by_its_product_and_all_lots() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 1, "L").await;
    let path = photo_path(&milk);
    assert_eq!(milk["photoUrl"], Value::Null);
    anna.get(&path).await.expect_problem(404, "PHOTO_NOT_FOUND");
    let product = put(&anna, &path, "image/png", picture(10)).await.expect(200);
    let url = product["photoUrl"].as_str().unwrap().to_owned();
    assert!(url.starts_with(&format!("/api/v1{path}?v=")), "{url}");
    assert_eq!(anna.item(id_of(&milk)).await["photoUrl"], url);
    let later =
        json!({ "name": "milk", "quantity": 1, "unit": "L", "expirationDate": "2031-01-01" });
    assert_eq!(anna.add_item(later).await["photoUrl"], url);

    let (headers, full) = download(&anna, &url).await;
    assert_eq!(headers[CONTENT_TYPE], "image/jpeg");
    assert_eq!(headers[CACHE_CONTROL], "private, max-age=31536000, immutable");
    assert_eq!(headers[X_CONTENT_TYPE_OPTIONS], "nosniff");
    let policy = "default-src 'none'; frame-ancestors 'none'; sandbox";
    assert_eq!(headers[CONTENT_SECURITY_POLICY], policy);
    assert!(full.starts_with(b"\xff\xd8") && full.len() <= 60_000);
    let (current, same) = download(&anna, &format!("/api/v1{path}")).await;
    assert_eq!((&current[CACHE_CONTROL], &same), (&"private, no-cache".parse().unwrap(), &full));
    assert_eq!(current[ETAG], headers[ETAG]);
    let (small_headers, small) = download(&anna, &url.replace("?v=", "/thumbnail?v=")).await;
    assert!(small.starts_with(b"\xff\xd8") && small.len() <= 6_000);
    assert_ne!(small_headers[ETAG], headers[ETAG]);
    let held = anna.request(Method::GET, &path).header(IF_NONE_MATCH, headers[ETAG].clone());
    assert_eq!(held.send().await.unwrap().status(), 304);
    anna.get(&format!("{path}?v=nonsense")).await.expect_problem(404, "PHOTO_NOT_FOUND");
    anna.get(&format!("{path}?w=1")).await.expect_field_error("UNKNOWN_FIELD", "w");
}

#[tokio::test]
async fn a_replaced_or_removed_photo_is_brought_back_by_undoing() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 1, "L").await;
    let path = photo_path(&milk);
    let first = put(&anna, &path, "image/png", picture(10)).await.expect(200)["photoUrl"].clone();
    let again = put(&anna, &path, "image/png", picture(10)).await.expect(200);
    assert_eq!((&again["photoUrl"], &again["version"]), (&first, &json!(2)), "it is the same");
    let second = put(&anna, &path, "image/png", picture(200)).await.expect(200)["photoUrl"].clone();
    assert_ne!(second, first);
    assert_eq!(download(&anna, first.as_str().unwrap()).await.0[CONTENT_TYPE], "image/jpeg");
    let item = anna.item(id_of(&milk)).await;
    let undo = format!("/inventory/items/{}/undo", id_of(&milk));
    let undone = anna.post(&undo, json!({ "version": item["version"] })).await.expect(200);
    assert_eq!(undone["item"]["photoUrl"], first);
    let product = format!("/products/{}", milk["productId"].as_str().unwrap());
    assert_eq!(anna.get(&product).await.expect(200)["photoUrl"], first);
    anna.delete(&path).await.expect(204);
    assert_eq!(anna.get(&product).await.expect(200)["photoUrl"], Value::Null);
    anna.get(&path).await.expect_problem(404, "PHOTO_NOT_FOUND");
    anna.delete(&path).await.expect_problem(404, "PHOTO_NOT_FOUND");
    let history = anna.get(&format!("{product}/history")).await.expect(200);
    assert_eq!(history["items"][0]["old"]["photoUrl"], first);
}

#[tokio::test]
async fn what_is_no_picture_is_refused() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let path = photo_path(&anna.add("Milk", 1, "L").await);
    for media_type in ["image/svg+xml", "application/json", "text/html", "image/gif"] {
        let refused = put(&anna, &path, media_type, picture(1)).await;
        refused.expect_problem(415, "UNSUPPORTED_MEDIA_TYPE");
    }
    for bytes in [b"<svg/>".to_vec(), Vec::new(), picture(1)[..300].to_vec()] {
        put(&anna, &path, "image/png", bytes).await.expect_problem(422, "IMAGE_REFUSED");
    }
    // Larger than other bodies may be, and still refused for what it is.
    let large = vec![b'x'; 12 << 20];
    put(&anna, &path, "image/jpeg", large).await.expect_problem(422, "IMAGE_REFUSED");
    let too_large = vec![b'x'; (12 << 20) + 1];
    put(&anna, &path, "image/jpeg", too_large).await.expect_problem(413, "BODY_TOO_LARGE");
    anna.get(&path).await.expect_problem(404, "PHOTO_NOT_FOUND");
}

#[tokio::test]
async fn photos_of_another_household_do_not_exist() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.with_household("ben").await;
    let milk = anna.add("Milk", 1, "L").await;
    let path = photo_path(&milk);
    let product = put(&anna, &path, "image/png", picture(10)).await.expect(200);
    let address = product["photoUrl"].as_str().unwrap().strip_prefix("/api/v1").unwrap().to_owned();
    for path in [path.clone(), address.clone(), format!("{path}/thumbnail")] {
        ben.get(&path).await.expect_problem(404, "PRODUCT_NOT_FOUND");
    }
    put(&ben, &path, "image/png", picture(1)).await.expect_problem(404, "PRODUCT_NOT_FOUND");
    ben.delete(&path).await.expect_problem(404, "PRODUCT_NOT_FOUND");
    // Nor through a product of their own.
    let own = photo_path(&ben.add("Milk", 1, "L").await);
    let (_, version) = address.split_once('?').unwrap();
    ben.get(&format!("{own}?{version}")).await.expect_problem(404, "PHOTO_NOT_FOUND");
    assert_eq!(anna.get(&photo_path(&milk)).await.status, 200);
}
