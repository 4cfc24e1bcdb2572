//! What members of the household see on the page that a tag opens.

use serde_json::json;

use super::{household, page_path};
use crate::it::support::{Server, id_of, page_of};
use crate::web::support::Reader;

#[tokio::test]
async fn members_who_tap_see_label_and_date_and_the_way_to_the_item() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice =
        json!({ "name": "Rice", "quantity": 5, "unit": "kg", "expirationDate": "2031-01-05" });
    let rice = anna.add_item(rice).await;
    let tag = anna.add_tag(&rice, json!({ "label": "Cellar" })).await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let link = |up: &str| format!("<a href=\"{up}stock/{}\">Open in Larder</a>", id_of(&rice));
    for person in [&anna, &ben] {
        let member = Reader::of(&server, person).await;
        let page = member.get(&page_of(&tag)).await.expect(200);
        assert!(page.says("Cellar Good until 5 Jan 2031"), "{}", page.visible());
        assert!(page.text.contains(&link("../")), "{}", page.text);
        assert!(page.text.len() < 10_000, "{} bytes", page.text.len());
        let request = member.request(reqwest::Method::POST, &format!("{}/adjust", page_of(&tag)));
        let request = request.header("Content-Type", "application/x-www-form-urlencoded");
        let tapped = member.send(request.body("delta=-1&nonce=nonce-of-a-form")).await.expect(200);
        assert!(tapped.says("Cellar Good until 5 Jan 2031"), "{}", tapped.visible());
        assert!(tapped.text.contains(&link("../../")), "{}", tapped.text);
    }
    let strangers = [
        Reader::new(&server),
        Reader::of(&server, &server.with_household("eve").await).await,
        Reader::of(&server, &server.register("fay").await).await,
    ];
    for stranger in strangers {
        let page = stranger.get(&page_of(&tag)).await.expect(200);
        assert!(page.says("Rice") && !page.says("Cellar") && !page.says("2031"), "{}", page.text);
        assert!(!page.text.contains("href="), "{}", page.text);
    }
    let japanese = Reader::speaking(&server, "ja");
    japanese.log_in(&anna).await;
    let page = japanese.get(&page_of(&tag)).await.expect(200);
    assert!(page.says("期限 2031年1月5日") && page.says("Larderで開く"), "{}", page.visible());
}

#[tokio::test]
async fn a_dead_tag_leads_members_to_where_something_can_be_done() {
    let server = Server::start().await;
    let (anna, rice, milk) = household(&server).await;
    let (replaced, orphan) =
        (anna.add_tag(&milk, json!({})).await, anna.add_tag(&rice, json!({})).await);
    anna.rotate(&replaced).await.expect(200);
    anna.delete(&format!("/inventory/items/{}", id_of(&rice))).await.expect(204);
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let [admin, member] = [Reader::of(&server, &anna).await, Reader::of(&server, &ben).await];
    let stranger = Reader::of(&server, &server.with_household("eve").await).await;
    for tag in [&replaced, &orphan] {
        let page = admin.get(&page_of(tag)).await.expect(410);
        let link = format!("<a href=\"..{}\">Open in Larder</a>", page_path(tag));
        assert!(page.text.contains(&link), "{}", page.text);
        admin.get(&page_path(tag)).await.expect(200);
        let page = member.get(&page_of(tag)).await.expect(410);
        assert!(page.text.contains("<a href=\"../stock\">Open in Larder</a>"), "{}", page.text);
        for reader in [&stranger, &Reader::new(&server)] {
            let page = reader.get(&page_of(tag)).await.expect(410);
            assert!(!page.text.contains("href="), "{}", page.text);
        }
    }
    let page = stranger.get(&page_of(&orphan)).await.expect(410);
    assert!(page.says("Take it off, or tell an admin of the household."), "{}", page.visible());
}
