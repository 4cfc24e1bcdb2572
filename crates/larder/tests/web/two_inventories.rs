//! One's own stock in the pages: without a household, and beside that of one.

use super::support::{Page, Reader};
use crate::it::support::{Client, Server};

fn listed(page: &Page) -> Vec<String> {
    let titles = page.text.split("<span class=\"title\">").skip(1);
    let mut names: Vec<_> = titles.map(|rest| rest.split('<').next().unwrap().to_owned()).collect();
    // Two of the same millisecond are in no particular order.
    names.sort();
    names
}

async fn stock(reader: &Reader) -> Page {
    reader.get("/stock").await.expect(200)
}

async fn switch(reader: &Reader, whose: &str) {
    let fields = [("whose", whose), ("back", "/stock")];
    assert_eq!(reader.post("/inventory", &fields).await.expect(303).location(), "/stock");
}

async fn members(server: &Server) -> (Client, Client) {
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    (anna, ben)
}

#[tokio::test]
async fn every_page_of_the_stock_is_there_without_a_household() {
    let server = Server::start().await;
    let mia = server.register("mia").await;
    let reader = Reader::of(&server, &mia).await;
    let page = reader.get("/welcome").await.expect(200);
    assert!(page.says("Continue on my own"), "{}", page.visible());
    let begun = reader.post("/welcome/alone", &[("zone", "Pacific/Kiritimati")]).await;
    assert_eq!(begun.expect(303).location(), "/stock");
    assert_eq!(reader.get("/").await.location(), "/today");
    assert_eq!(mia.get("/me").await.expect(200)["timeZone"], "Pacific/Kiritimati");
    assert!(
        reader.get("/me").await.text.contains("<option selected>Kiritimati</option>")
            || reader
                .get("/me")
                .await
                .text
                .contains("<option selected>Pacific/Kiritimati</option>")
    );

    let tea = mia.add("Tea", 1, "box").await;
    let (id, product) = (tea["id"].as_str().unwrap(), tea["productId"].as_str().unwrap());
    assert_eq!(listed(&stock(&reader).await), ["Tea"]);
    for address in [
        "/today",
        "/stock?select=1",
        "/stock/copy",
        "/stock/suggestions?name=te",
        &format!("/stock/{id}"),
        &format!("/stock/{id}?edit=1"),
        "/products",
        &format!("/products/{product}"),
        "/scan",
        "/search?q=tea",
        "/shortcuts",
        "/me",
        "/me/export.jsonl",
    ] {
        let page = reader.get(address).await.expect(200);
        assert!(!page.text.contains("/move\""), "{address}: there is nowhere to move to");
        assert!(!page.text.contains("/shopping\""), "{address}: there is no list");
    }
    let more = reader.submit(&format!("/stock/{id}/adjust"), &[("delta", "2")]).await;
    assert!(more.says("3 box"), "{}", more.visible());
    // What only a household has leads to one.
    for address in ["/shopping", "/tags", "/sensors", "/things", "/household", "/notifications"] {
        assert_eq!(reader.get(address).await.location(), "/welcome", "{address}");
    }
}

#[tokio::test]
async fn a_member_switches_and_moves_what_is_theirs() {
    let server = Server::start().await;
    let (anna, ben) = members(&server).await;
    let milk = anna.add("Milk", 1, "L").await;
    let reader = Reader::of(&server, &ben).await;
    assert_eq!(listed(&stock(&reader).await), ["Milk"]);
    switch(&reader, "personal").await;
    assert_eq!(listed(&stock(&reader).await), [""; 0]);
    reader.submit("/stock/add", &[("name", "Tea"), ("back", "/stock")]).await;
    let page = stock(&reader).await;
    assert_eq!(listed(&page), ["Tea"]);
    assert!(page.text.contains("data-query=\"?inventory=personal\""), "{}", page.text);
    // What others are shown, and what the household has, is as it was.
    let other = Reader::of(&server, &anna).await;
    assert_eq!(listed(&stock(&other).await), ["Milk"]);
    reader.get("/shopping").await.expect(200);

    let own = ben.items("inventory=personal").await[0].clone();
    let id = own["id"].as_str().unwrap();
    assert!(reader.get(&format!("/stock/{id}")).await.says("Give it to the household"));
    let moved = reader.submit(&format!("/stock/{id}/move"), &[]).await;
    assert!(moved.says("It belongs to the household now."), "{}", moved.visible());
    switch(&reader, "household").await;
    assert_eq!(listed(&stock(&reader).await), ["Milk", "Tea"]);
    let id = milk["id"].as_str().unwrap();
    assert!(reader.get(&format!("/stock/{id}")).await.says("Make it my own"));
    let moved = reader.submit(&format!("/stock/{id}/move"), &[]).await;
    assert!(moved.says("It is yours alone now"), "{}", moved.visible());
    assert_eq!(listed(&stock(&other).await), ["Tea"]);
}

#[tokio::test]
async fn a_form_is_for_the_inventory_of_its_page_whatever_another_tab_shows() {
    let server = Server::start().await;
    let (anna, ben) = members(&server).await;
    let reader = Reader::of(&server, &ben).await;
    let token =
        |page: &Page| page.between("name=\"csrf-token\" content=\"", "\"").unwrap().to_owned();
    let households = token(&stock(&reader).await);
    switch(&reader, "personal").await;
    let own = token(&stock(&reader).await);
    let add = async |name: &str, token: &str| {
        reader.post_with_token("/stock/add", &[("name", name)], Some(token)).await.expect(303);
    };
    add("For all", &households).await;
    add("Mine", &own).await;
    switch(&reader, "household").await;
    add("Mine too", &own).await;
    let names = async |query: &str| {
        let mut names: Vec<_> = ben
            .items(query)
            .await
            .iter()
            .map(|it| it["name"].as_str().unwrap().to_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names("inventory=household").await, ["For all"]);
    assert_eq!(names("inventory=personal").await, ["Mine", "Mine too"]);
    assert_eq!(anna.items("").await.len(), 1);
    // Whoever logs in next in this browser begins with the household.
    switch(&reader, "personal").await;
    let login = [("email", &*anna.email), ("password", &*anna.password)];
    reader.get("/login").await;
    reader.post("/login", &login).await.expect(303);
    assert_eq!(listed(&stock(&reader).await), ["For all"]);
}

#[tokio::test]
async fn what_could_not_move_is_told_and_within_reach() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    anna.add("Eggs", 6, "個").await;
    let ben = server.register("ben").await;
    ben.add("eggs", 1, "kg").await;
    ben.add("Tea", 1, "box").await;
    let reader = Reader::of(&server, &ben).await;
    let code = anna.get("/households/current").await.expect(200)["inviteCode"].clone();
    let fields = [("code", code.as_str().unwrap()), ("move_items", "true")];
    reader.get("/welcome").await.expect(200);
    let joined = reader.submit("/join", &fields).await;
    assert!(joined.says("Some of your items are still yours alone"), "{}", joined.visible());
    assert_eq!(listed(&joined), ["Eggs", "Tea"]);
    switch(&reader, "personal").await;
    assert_eq!(listed(&stock(&reader).await), ["eggs"]);
}

#[tokio::test]
async fn the_stock_stays_when_the_only_member_deletes_the_household() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    anna.add("Milk", 1, "L").await;
    let reader = Reader::of(&server, &anna).await;
    let page = reader.get("/household/delete").await.expect(200);
    assert!(page.says("Keep the stock as my own"), "{}", page.visible());
    let name = anna.get("/households/current").await.expect(200)["name"].clone();
    let fields = [("name", name.as_str().unwrap()), ("move_items", "true")];
    reader.post("/household/delete", &fields).await.expect(303);
    assert_eq!(listed(&stock(&reader).await), ["Milk"]);
}
