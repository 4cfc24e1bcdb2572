//! Tags: made, shown, replaced and printed by admins, through plain forms.

mod changing;
mod tapping;

use serde_json::{Value, json};

use super::support::Reader;
use crate::it::support::{
    Client, Server, ServerSettings, decode_qr, encode, id_of, page_of, url_id,
};

/// The page of a tag.
fn page_path(tag: &Value) -> String {
    format!("/tags/{}/{}", tag["itemId"].as_str().unwrap(), url_id(tag))
}

/// A household with rice and milk.
async fn household(server: &Server) -> (Client, Value, Value) {
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 5, "kg").await;
    let milk = anna.add("Milk", 2, "L").await;
    (anna, rice, milk)
}

#[tokio::test]
async fn a_tag_is_made_for_an_item_that_was_searched_for() {
    let server = Server::start().await;
    let (anna, rice, _) = household(&server).await;
    let reader = Reader::of(&server, &anna).await;
    let empty = reader.get("/tags").await.expect(200);
    assert!(empty.says("No tags yet") && empty.says("Make the first tag"), "{}", empty.visible());
    let found = reader.get("/tags/new?search=ri").await.expect(200);
    assert!(found.says("Rice 5 kg") && !found.says("Milk"), "{}", found.visible());
    let form = reader.get(&format!("/tags/new?item={}", id_of(&rice))).await.expect(200);
    assert!(form.says("New tag for Rice"), "{}", form.visible());
    let fields = [("item", id_of(&rice)), ("label", " Fridge door "), ("step", "0.25")];
    let made = reader.submit("/tags", &fields).await;
    let tags = anna.tags().await;
    assert_eq!(tags.len(), 1);
    assert_eq!((&tags[0]["label"], &tags[0]["step"]), (&json!("Fridge door"), &json!(0.25)));
    for text in ["The tag is made.", "Rice · Fridge door", "One tap takes 0.25 kg", "Never opened"]
    {
        assert!(made.says(text), "{text}: {}", made.visible());
    }
    let address = tags[0]["url"].as_str().unwrap();
    assert_eq!(made.between("id=\"address\" class=\"address\">", "<"), Some(address));
    assert_eq!(decode_qr(&made.text), address);
    assert!(
        made.says(
            "Whoever has the address of a tag can take or put back its item without logging in"
        )
    );
}

#[tokio::test]
async fn nothing_but_an_item_of_ours_with_a_good_label_and_step_makes_a_tag() {
    let server = Server::start().await;
    let (anna, rice, _) = household(&server).await;
    let theirs = server.with_household("ben").await.add("Rice", 1, "kg").await;
    let reader = Reader::of(&server, &anna).await;
    reader.get("/tags/new").await.expect(200);
    let long = "x".repeat(51);
    for (item, label, step, status, says) in [
        (id_of(&rice), &*long, "1", 400, "Please check “Label"),
        (id_of(&rice), "", "0", 400, "Please check “How much one tap takes”"),
        (id_of(&rice), "", "1000.01", 400, "Please check “How much one tap takes”"),
        (id_of(&rice), "", "0.001", 400, "Please check “How much one tap takes”"),
        (id_of(&theirs), "", "1", 404, "There is nothing here."),
        ("rice", "", "1", 404, "There is nothing here."),
    ] {
        let fields = [("item", item), ("label", label), ("step", step)];
        let page = reader.post("/tags", &fields).await.expect(status);
        assert!(page.says(says), "{item} {label} {step}: {}", page.visible());
    }
    reader.post("/tags", &[("label", "no item")]).await.expect(400);
    assert_eq!(anna.tags().await, [] as [Value; 0]);
}

#[tokio::test]
async fn the_list_shows_what_each_tag_takes_and_how_often_it_was_used() {
    let server = Server::start().await;
    let (anna, rice, milk) = household(&server).await;
    let first = anna.add_tag(&rice, json!({ "label": "Shelf", "step": 0.5 })).await;
    anna.add_tag(&milk, json!({})).await;
    for _ in 0..2 {
        assert_eq!(server.anonymous().get_root(&page_of(&first)).await.status, 200);
    }
    let reader = Reader::of(&server, &anna).await;
    let all = reader.get("/tags").await.expect(200);
    let shown =
        "Milk 1 L per tap Never opened Rice · Shelf 0.5 kg per tap Opened 2 times, just now";
    assert!(all.says(shown), "{}", all.visible());
    let of_rice = reader.get(&format!("/tags?item={}", id_of(&rice))).await.expect(200);
    assert!(of_rice.says("Tags of Rice") && of_rice.says("Rice · Shelf"), "{}", of_rice.visible());
    assert!(!of_rice.says("Milk"), "{}", of_rice.visible());
    for path in ["/tags?item=x", "/tags?item=6f9619ff-8b86-4d01-b42d-00cf4fc964ff"] {
        reader.get(path).await.expect(404);
    }
    reader.get("/tags?cursor=forged").await.expect(400);
}

#[tokio::test]
async fn a_long_list_goes_on_on_the_next_page_and_comes_back() {
    let server = Server::start().await;
    let (anna, rice, _) = household(&server).await;
    for number in 0..52 {
        anna.add_tag(&rice, json!({ "label": format!("Number {number:02}") })).await;
    }
    let reader = Reader::of(&server, &anna).await;
    for start in ["/tags".to_owned(), format!("/tags?item={}", id_of(&rice))] {
        let first = reader.get(&start).await.expect(200);
        assert_eq!(first.text.matches("<li id=\"tag-").count(), 50, "{start}");
        assert!(first.says("Number 51") && !first.says("Number 01"), "{}", first.visible());
        let more =
            first.text.split("<a class=\"button\" href=\"").find(|rest| rest.contains("cursor="));
        let more = more.unwrap().split('"').next().unwrap().replace("&#38;", "&");
        let second = reader.get(&more).await.expect(200);
        assert_eq!(second.text.matches("<li id=\"tag-").count(), 2, "{more}");
        assert!(second.says("Number 01") && second.says("Number 00"), "{}", second.visible());
        assert!(second.says("To the newest") && !second.says("Show more"), "{}", second.visible());
    }
}

#[tokio::test]
async fn a_replaced_tag_is_marked_and_its_address_never_shown_again() {
    let server = Server::start().await;
    let (anna, rice, _) = household(&server).await;
    let old = anna.add_tag(&rice, json!({ "label": "Shelf" })).await;
    let reader = Reader::of(&server, &anna).await;
    let page = reader.get(&page_path(&old)).await.expect(200);
    assert!(page.says("stops working at once and for good"), "{}", page.visible());
    let new = reader.submit(&format!("{}/replace", page_path(&old)), &[]).await;
    assert!(new.says("The old address has stopped working."), "{}", new.visible());
    let tags = anna.tags().await;
    let address = tags[0]["url"].as_str().unwrap();
    assert_ne!(address, old["url"].as_str().unwrap());
    assert_eq!(decode_qr(&new.text), address);
    assert_eq!(server.anonymous().get_root(&page_of(&old)).await.status, 410);
    let list = reader.get("/tags").await.expect(200);
    assert_eq!(list.visible().matches("Replaced").count(), 1, "{}", list.visible());
    let gone = reader.get(&page_path(&old)).await.expect(200);
    assert!(gone.says("Its address does not work any more."), "{}", gone.visible());
    assert!(!gone.text.contains("/t/") && !gone.text.contains("crispEdges"), "{}", gone.text);
    let again = reader.post(&format!("{}/replace", page_path(&old)), &[]).await.expect(410);
    assert!(again.says("This tag was replaced"), "{}", again.visible());
    assert_eq!(anna.tags().await.len(), 2);
}

#[tokio::test]
async fn tags_are_shown_to_admins_of_the_household_alone() {
    let server = Server::start().await;
    let (anna, rice, _) = household(&server).await;
    let tag = anna.add_tag(&rice, json!({})).await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let member = Reader::of(&server, &ben).await;
    let page = member.get("/tags").await.expect(200);
    assert!(page.says("Admins look after the tags"), "{}", page.visible());
    assert!(!page.text.contains(url_id(&tag)), "{}", page.text);
    let sheet = format!("/tags/labels/sheet?format=a4-24&tag={}", url_id(&tag));
    for path in [&page_path(&tag), "/tags/new", "/tags/labels", &sheet] {
        let page = member.get(path).await.expect(403);
        assert!(page.says("Only an admin"), "{path}: {}", page.visible());
    }
    member.post("/tags", &[("item", id_of(&rice)), ("step", "1")]).await.expect(403);
    member.post(&format!("{}/replace", page_path(&tag)), &[]).await.expect(403);
    member.post(&format!("{}/delete", page_path(&tag)), &[]).await.expect(403);
    member.post(&page_path(&tag), &[("label", "Mine"), ("step", "1")]).await.expect(403);

    let stranger = Reader::of(&server, &server.with_household("eve").await).await;
    for path in [&page_path(&tag), &sheet] {
        stranger.get(path).await.expect(404);
    }
    stranger.post(&format!("{}/replace", page_path(&tag)), &[]).await.expect(404);
    stranger.post(&format!("{}/delete", page_path(&tag)), &[]).await.expect(404);
    stranger.post(&page_path(&tag), &[("label", "Mine"), ("step", "1")]).await.expect(404);
    assert_eq!(anna.tags().await, [tag]);
}

#[tokio::test]
async fn labels_are_chosen_and_laid_out_page_by_page() {
    let server = Server::start().await;
    let (anna, rice, milk) = household(&server).await;
    let shelf = anna.add_tag(&rice, json!({ "label": "Shelf", "step": 0.25 })).await;
    let door = anna.add_tag(&milk, json!({ "label": "Door" })).await;
    let gone = anna.add_tag(&milk, json!({ "label": "Old" })).await;
    anna.rotate(&gone).await.expect(200);
    let reader = Reader::of(&server, &anna).await;
    let chooser = reader.get(&format!("/tags/labels?tag={}", url_id(&shelf))).await.expect(200);
    assert_eq!(chooser.text.matches("type=\"checkbox\"").count(), 3, "without the replaced one");
    assert_eq!(chooser.text.matches(" checked>").count(), 1);
    let all = reader.get("/tags/labels?all=yes").await.expect(200);
    assert_eq!(all.text.matches(" checked>").count(), 3);

    let chosen = format!("tag={}&tag={}", url_id(&shelf), url_id(&door));
    let sheet = reader.get(&format!("/tags/labels/sheet?{chosen}&format=a4-24&used=23")).await;
    let sheet = sheet.expect(200);
    assert_eq!(sheet.text.matches("<ul class=\"paper a4-24\">").count(), 2);
    assert_eq!(sheet.text.matches("<li class=\"label blank\"").count(), 23);
    assert!(
        sheet.says("Rice Shelf −0.25 kg") && sheet.says("Milk Door −1 L"),
        "{}",
        sheet.visible()
    );
    let single =
        reader.get(&format!("/tags/labels/sheet?{chosen}&format=small-50")).await.expect(200);
    assert_eq!(single.text.matches("<ul class=\"paper small-50\">").count(), 2);
    let codes: Vec<_> = single.text.split("role=\"img\"").skip(1).map(decode_qr).collect();
    assert_eq!(codes, [shelf["url"].as_str().unwrap(), door["url"].as_str().unwrap()]);

    let none = reader.get("/tags/labels/sheet?format=a4-24").await.expect(400);
    assert!(none.says("Choose at least one tag."), "{}", none.visible());
    for query in ["format=a3", "format=a4-24&used=24", "format=a4-24&used=-1", "used=1"] {
        reader.get(&format!("/tags/labels/sheet?{chosen}&{query}")).await.expect(400);
    }
}

#[tokio::test]
async fn the_address_is_the_public_one_and_is_in_no_log() {
    let settings = ServerSettings::default()
        .with("LARDER_LOG_LEVEL", "trace")
        .with("LARDER_PUBLIC_URL", "http://larder.example:8080");
    let mut server = Server::start_with(settings).await;
    let (anna, rice, _) = household(&server).await;
    let tag = anna.add_tag(&rice, json!({})).await;
    let reader = Reader::of(&server, &anna).await;
    let page = reader.get(&page_path(&tag)).await.expect(200);
    assert_eq!(decode_qr(&page.text), format!("http://larder.example:8080/t/{}", url_id(&tag)));
    reader.get("/tags").await.expect(200);
    reader.get(&format!("/tags/labels/sheet?format=a4-14&tag={}", url_id(&tag))).await.expect(200);
    assert!(server.terminate().await.success());
    let log = server.log();
    assert!(log.lines().count() > 3, "the log is there at all: {log}");
    assert!(!log.contains(url_id(&tag)), "{log}");
}

#[tokio::test]
async fn the_pages_speak_japanese() {
    let server = Server::start().await;
    let (anna, rice, _) = household(&server).await;
    let tag = anna.add_tag(&rice, json!({ "step": 0.5 })).await;
    let reader = Reader::speaking(&server, "ja");
    reader.log_in(&anna).await;
    let list = reader.get("/tags").await.expect(200);
    assert!(list.says("1回に0.5 kg 使用なし"), "{}", list.visible());
    let page = reader.get(&page_path(&tag)).await.expect(200);
    assert!(page.says("1回に使う量 0.5 kg"), "{}", page.visible());
    let search = format!("/tags/new?search={}", encode("米"));
    let none = reader.get(&search).await.expect(200);
    assert!(none.says("この文字で始まる語を含む品物はありません。"), "{}", none.visible());
}

#[tokio::test]
async fn what_people_write_stays_text() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let hostile = "<script>alert(1)</script>\"'>";
    let item = anna.add(hostile, 5, "kg").await;
    let tag = anna.add_tag(&item, json!({ "label": hostile })).await;
    let reader = Reader::of(&server, &anna).await;
    let sheet = format!("/tags/labels/sheet?format=a4-24&tag={}", url_id(&tag));
    let search = format!("/tags/new?search={}", encode(hostile));
    let make = format!("/tags/new?item={}", id_of(&item));
    for path in ["/tags", &page_path(&tag), "/tags/labels", &sheet, "/tags/new", &make, &search] {
        let page = reader.get(path).await.expect(200);
        assert!(page.says(hostile) || path == search, "{path}: {}", page.visible());
        assert!(!page.text.contains("<script>alert"), "{path}");
    }
}
