use serde_json::json;

use crate::it::support::{Client, Server, ServerSettings, decode_qr, id_of, url_id};

fn qr_of(tag: &serde_json::Value) -> String {
    format!("/nfc-urls/{}/qr.svg", url_id(tag))
}

#[tokio::test]
async fn the_code_carries_the_public_address() {
    for public in [None, Some("https://a-rather-long-name.household.example.org/behind/a/proxy")] {
        let settings = ServerSettings::default();
        let settings = match public {
            Some(url) => settings.with("LARDER_PUBLIC_URL", url),
            None => settings,
        };
        let server = Server::start_with(settings).await;
        let anna = server.with_household("anna").await;
        let tag = anna.add_tag(&anna.add("Rice", 5, "kg").await, json!({})).await;
        let answer = anna.get(&qr_of(&tag)).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert_eq!(answer.header("content-type"), "image/svg+xml");
        assert_eq!(answer.header("cache-control"), "private, no-store");
        assert_eq!(decode_qr(&answer.text), tag["url"].as_str().unwrap());
    }
}

#[tokio::test]
async fn only_a_tag_of_ours_that_works_is_printed() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (rice, milk) = (anna.add("Rice", 5, "kg").await, anna.add("Milk", 2, "L").await);
    let (tag, of_milk) =
        (anna.add_tag(&rice, json!({})).await, anna.add_tag(&milk, json!({})).await);
    let refused = async |client: &Client, path: &str, status, code| {
        client.get(path).await.expect_problem(status, code);
    };
    refused(&server.anonymous(), &qr_of(&tag), 401, "UNAUTHENTICATED").await;
    let stranger = server.with_household("stranger").await;
    refused(&stranger, &qr_of(&tag), 404, "TAG_NOT_FOUND").await;
    refused(&anna, "/nfc-urls/0000000000000000000000/qr.svg", 404, "TAG_NOT_FOUND").await;
    refused(&anna, "/nfc-urls/short/qr.svg", 404, "TAG_NOT_FOUND").await;
    anna.rotate(&tag).await.expect(200);
    refused(&anna, &qr_of(&tag), 410, "TAG_ROTATED").await;
    anna.delete(&format!("/inventory/items/{}", id_of(&milk))).await.expect(204);
    refused(&anna, &qr_of(&of_milk), 410, "ITEM_DELETED").await;
}
