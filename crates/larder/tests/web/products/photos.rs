//! The photo of a product, sent by a plain form.

use serde_json::Value;

use super::{home, path_of, product};
use crate::it::support::{GreyPicture, Server};

#[tokio::test]
async fn a_photo_is_sent_shown_and_removed_without_script() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let milk = anna.add("Milk", 1, "L").await;
    let page = reader.get(&path_of(&milk)).await.expect(200);
    assert!(page.text.contains("enctype=\"multipart/form-data\""), "{}", page.text);
    let picture = GreyPicture { width: 80, height: 60, pixels: vec![10; 80 * 60] }.png();
    let sent = reader.send_photo(&path_of(&milk), &reader.csrf(), &picture).await;
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
    let page = reader.send_photo(&path_of(&milk), &token, b"not a picture").await.expect(422);
    assert!(page.says("The picture was not accepted."), "{}", page.visible());
    reader.send_photo(&path_of(&milk), &token, b"").await.expect(400);
    reader.send_photo(&path_of(&milk), "forged", b"x").await.expect(403);
    let huge = vec![0; 13 << 20];
    reader.send_photo(&path_of(&milk), &token, &huge).await.expect(413);
    assert_eq!(product(&anna, &milk).await["photoUrl"], Value::Null);
}
