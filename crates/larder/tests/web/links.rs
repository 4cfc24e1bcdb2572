//! The base of links for other devices: the host of the request, unless there is a public URL.

use reqwest::{Method, header};
use serde_json::json;

use super::support::{Page, Reader};
use crate::it::support::{Server, ServerSettings, decode_qr, url_id};

const WARNING: &str = "Phones cannot open this address";

/// A page, requested by another name of the server.
async fn by_host(reader: &Reader, host: &str, path: &str) -> Page {
    let request = reader.request(Method::GET, path).header(header::HOST, host);
    reader.send(request).await.expect(200)
}

#[tokio::test]
async fn invitations_tags_and_labels_name_the_host_that_the_page_was_asked_for_by() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let tag = anna.add_tag(&anna.add("Rice", 5, "kg").await, json!({})).await;
    let id = url_id(&tag);
    let reader = Reader::of(&server, &anna).await;
    let tag_page = format!("/tags/{}/{id}", tag["itemId"].as_str().unwrap());
    let sheet = format!("/tags/labels/sheet?tag={id}&format=roll-62");

    let host = "larder.lan:7070";
    for path in ["/household", "/welcome/ready"] {
        let page = by_host(&reader, host, path).await;
        let link = page.between("id=\"invite-link\">", "<").unwrap();
        assert!(link.starts_with("http://larder.lan:7070/join/"), "{link}");
        assert_eq!(decode_qr(&page.text), link);
        assert!(!page.says(WARNING), "{}", page.visible());
    }
    for path in [&tag_page, &sheet] {
        let page = by_host(&reader, host, path).await;
        assert_eq!(decode_qr(&page.text), format!("http://larder.lan:7070/t/{id}"));
        assert!(!page.says(WARNING), "{}", page.visible());
    }
}

#[tokio::test]
async fn an_address_that_no_phone_can_open_is_said_to_be_one() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let tag = anna.add_tag(&anna.add("Rice", 5, "kg").await, json!({})).await;
    let id = url_id(&tag);
    let tag_page = format!("/tags/{}/{id}", tag["itemId"].as_str().unwrap());
    let sheet = format!("/tags/labels/sheet?tag={id}&format=roll-62");
    let reader = Reader::of(&server, &anna).await;
    for path in ["/household", "/welcome/ready", &tag_page, &sheet] {
        for host in ["127.0.0.1:7070", "localhost:7070", "[::1]"] {
            let page = by_host(&reader, host, path).await;
            assert!(page.says(WARNING), "{host}{path}: {}", page.visible());
        }
        // An invalid host falls back to the listening address, which is loopback in tests.
        let page = by_host(&reader, "evil\"><script>", path).await;
        assert!(page.says(WARNING) && !page.text.contains("<script>"), "{}", page.text);
    }
}

#[tokio::test]
async fn a_public_url_wins_over_the_host() {
    let settings = ServerSettings::default().with("LARDER_PUBLIC_URL", "http://home.example");
    let server = Server::start_with(settings).await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    let page = by_host(&reader, "evil.example", "/household").await;
    let link = page.between("id=\"invite-link\">", "<").unwrap();
    assert!(link.starts_with("http://home.example/join/"), "{link}");
    assert!(!page.says(WARNING), "{}", page.visible());
}
