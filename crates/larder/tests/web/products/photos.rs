//! The photo of a product, sent by a plain form.

use reqwest::{Method, header};
use serde_json::Value;

use super::{home, path_of, product};
use crate::it::support::{GreyPicture, Server};
use crate::web::support::{Page, Reader};

/// The form with this token and this file, sent as a browser does.
async fn send(reader: &Reader, item: &Value, token: &str, file: &[u8]) -> Page {
    let mut body = format!(
        "--edge\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n{token}\r\n\
         --edge\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.png\"\r\n\
         Content-Type: image/png\r\n\r\n"
    )
    .into_bytes();
    body.extend_from_slice(file);
    body.extend_from_slice(b"\r\n--edge--\r\n");
    let request = reader.request(Method::POST, &format!("{}/photo", path_of(item)));
    let request = request.header(header::CONTENT_TYPE, "multipart/form-data; boundary=edge");
    reader.send(request.body(body)).await
}

#[tokio::test]
async fn a_photo_is_sent_shown_and_removed_without_script() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let milk = anna.add("Milk", 1, "L").await;
    let page = reader.get(&path_of(&milk)).await.expect(200);
    assert!(page.text.contains("enctype=\"multipart/form-data\""), "{}", page.text);
    let picture = GreyPicture { width: 80, height: 60, pixels: vec![10; 80 * 60] }.png();
    let sent = send(&reader, &milk, &reader.csrf(), &picture).await;
    assert_eq!(sent.location(), format!("{}?notice=products-photo-set", path_of(&milk)));
    let url = product(&anna, &milk).await["photoUrl"].as_str().unwrap().to_owned();
    let page = reader.get(&path_of(&milk)).await.expect(200);
    assert!(page.text.contains(&format!("src=\"{url}\"")), "{url} is not in {}", page.text);
    assert!(page.says("Photo: — → added"), "{}", page.visible());
    let thumbnail = url.replace("/photo?", "/photo/thumbnail?");
    let list = reader.get("/products").await.expect(200);
    assert!(list.text.contains(&format!("src=\"{thumbnail}\"")), "{}", list.text);
    assert_eq!(reader.get(&thumbnail).await.status, 200, "with the cookie of the pages");
    let remove = format!("{}/photo/remove", path_of(&milk));
    reader.get(&path_of(&milk)).await.expect(200);
    reader.post(&remove, &[]).await.expect(303);
    assert_eq!(product(&anna, &milk).await["photoUrl"], Value::Null);
}

#[tokio::test]
async fn what_is_no_picture_or_has_no_token_is_refused() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let milk = anna.add("Milk", 1, "L").await;
    let token = reader.csrf();
    let page = send(&reader, &milk, &token, b"not a picture").await.expect(422);
    assert!(page.says("The picture was not accepted."), "{}", page.visible());
    send(&reader, &milk, &token, b"").await.expect(400);
    send(&reader, &milk, "forged", b"x").await.expect(403);
    let huge = vec![0; 13 << 20];
    send(&reader, &milk, &token, &huge).await.expect(413);
    assert_eq!(product(&anna, &milk).await["photoUrl"], Value::Null);
}
