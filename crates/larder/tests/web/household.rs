//! The household: members, invitations and places.

use serde_json::{Value, json};

use super::support::Reader;
use crate::it::support::{Client, Server, decode_qr, id_of, names};

async fn household(person: &Client) -> Value {
    person.get("/households/current").await.expect(200)
}

/// A household of anna, its admin, and ben.
async fn anna_and_ben(server: &Server) -> (Client, Client) {
    let anna = server.with_household("anna").await;
    let ben = server.anonymous().register("ben").await;
    ben.join(&anna).await;
    (anna, ben)
}

/// The roles of members.
async fn roles(person: &Client) -> Vec<(String, String)> {
    let members = person.get("/households/current/members").await.expect(200);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let members = members.as_array().unwrap().iter();
    let mut roles: Vec<_> =
        members.map(|member| (text(&member["name"]), text(&member["role"]))).collect();
    roles.sort();
    roles
}

fn of(roles: &[(String, String)]) -> Vec<(&str, &str)> {
    roles.iter().map(|(name, role)| (&**name, &**role)).collect()
}

#[tokio::test]
async fn every_member_changes_name_zone_and_currency() {
    let server = Server::start().await;
    let (anna, ben) = anna_and_ben(&server).await;
    let reader = Reader::of(&server, &ben).await;
    let page = reader.get("/household").await.expect(200);
    assert!(page.says("anna") && page.says("anna@example.org"), "{}", page.visible());
    let fields = [("name", "Villa"), ("zone", "Europe/Berlin"), ("currency", "CHF")];
    let changed = reader.submit("/household", &fields).await;
    assert!(changed.text.contains("<option selected>CHF</option>"), "{}", changed.text);
    assert!(changed.text.contains("<option selected>Europe/Berlin</option>"), "{}", changed.text);
    let now = household(&anna).await;
    assert_eq!((&now["name"], &now["timeZone"]), (&json!("Villa"), &json!("Europe/Berlin")));
    assert_eq!(now["currency"], "CHF");
    for [name, zone, currency] in
        [["", "UTC", "EUR"], ["Hut", "Nowhere", "EUR"], ["Hut", "UTC", "eur"]]
    {
        let fields = [("name", name), ("zone", zone), ("currency", currency)];
        reader.post("/household", &fields).await.expect(400);
    }
    assert_eq!(household(&anna).await, now);
}

#[tokio::test]
async fn the_household_does_without_lists_that_grow_by_themselves_and_has_them_back() {
    let server = Server::start().await;
    let (anna, _) = anna_and_ben(&server).await;
    let reader = Reader::of(&server, &anna).await;
    let is_ticked = |page: &str| {
        let (_, rest) = page.split_once("name=\"auto_list\"").expect("the page has the switch");
        rest.split('>').next().unwrap_or_default().contains(" checked")
    };
    let page = reader.get("/household").await.expect(200);
    assert!(is_ticked(&page.text), "{}", page.text);
    let fields = vec![("name", "Villa"), ("zone", "UTC"), ("currency", "EUR")];
    let off = reader.submit("/household", &fields).await;
    assert!(!is_ticked(&off.text), "{}", off.text);
    assert_eq!(household(&anna).await["autoList"], false);
    let milk = json!({
        "name": "Milk", "quantity": 1, "unit": "L", "lowStockThreshold": 2, "desiredQuantity": 6,
    });
    anna.add_item(milk).await;
    let list = async || anna.all_pages("/shopping-list", "").await;
    assert_eq!(list().await, Vec::<Value>::new());
    let on = reader.submit("/household", &[fields, vec![("auto_list", "yes")]].concat()).await;
    assert!(is_ticked(&on.text), "{}", on.text);
    assert_eq!(household(&anna).await["autoList"], true);
    let list = list().await;
    assert_eq!(names(&list), ["Milk"]);
    assert_eq!(list[0]["quantity"], 5);
}

#[tokio::test]
async fn an_admin_gives_roles_and_sends_members_away() {
    let server = Server::start().await;
    let (anna, ben) = anna_and_ben(&server).await;
    let reader = Reader::of(&server, &anna).await;
    reader.get("/household").await.expect(200);
    let role = format!("/household/members/{}/role", ben.user_id);
    let page = reader.submit(&role, &[("role", "admin")]).await;
    assert!(page.says("The role is changed."), "{}", page.visible());
    assert_eq!(of(&roles(&anna).await), [("anna", "admin"), ("ben", "admin")]);
    reader.submit(&role, &[("role", "member")]).await;
    assert_eq!(of(&roles(&anna).await), [("anna", "admin"), ("ben", "member")]);
    reader.post(&role, &[("role", "king")]).await.expect(400);
    reader.submit(&format!("/household/members/{}/remove", ben.user_id), &[]).await;
    assert_eq!(of(&roles(&anna).await), [("anna", "admin")]);
    for nobody in [&*ben.user_id, "x"] {
        reader.post(&format!("/household/members/{nobody}/remove"), &[]).await.expect(404);
    }
}

#[tokio::test]
async fn a_member_is_shown_nothing_that_only_admins_may_do_and_is_refused() {
    let server = Server::start().await;
    let (anna, ben) = anna_and_ben(&server).await;
    let reader = Reader::of(&server, &ben).await;
    let page = reader.get("/household").await.expect(200);
    for forbidden in ["/role\"", "/remove\"", "/household/invite-code\"", "action=\"/demo\""] {
        assert!(!page.text.contains(forbidden), "{forbidden}");
    }
    let before = household(&anna).await;
    let code = before["inviteCode"].as_str().unwrap();
    for path in ["/household", "/welcome/ready"] {
        let page = reader.get(path).await.expect(200);
        assert!(!page.text.contains(code), "{path} shows the invite code");
    }
    for path in [
        &*format!("/household/members/{}/role", anna.user_id),
        &*format!("/household/members/{}/remove", anna.user_id),
        "/household/invite-code",
        "/demo",
        "/demo/remove",
    ] {
        let page = reader.post(path, &[("role", "member")]).await.expect(403);
        assert!(page.says("Only an admin of the household may do this."), "{}", page.visible());
    }
    assert_eq!(household(&anna).await, before);
    assert_eq!(of(&roles(&anna).await), [("anna", "admin"), ("ben", "member")]);
}

#[tokio::test]
async fn whoever_leaves_starts_over_and_the_only_admin_is_told_why_not() {
    let server = Server::start().await;
    let (anna, ben) = anna_and_ben(&server).await;
    let reader = Reader::of(&server, &anna).await;
    let page = reader.get("/household").await.expect(200);
    assert!(page.says("You are the only admin"), "{}", page.visible());
    assert!(!page.text.contains("/household/leave"), "{}", page.text);
    let refused = reader.post("/household/leave", &[]).await.expect(409);
    assert!(refused.says("Make somebody else admin first."), "{}", refused.visible());

    let reader = Reader::of(&server, &ben).await;
    reader.get("/household").await.expect(200);
    let page = reader.submit("/household/leave", &[]).await;
    assert!(page.says("You have left the household."), "{}", page.visible());
    assert_eq!(of(&roles(&anna).await), [("anna", "admin")]);
    assert_eq!(reader.get("/household").await.location(), "/welcome");
}

#[tokio::test]
async fn the_invitation_is_one_link_in_words_and_as_a_picture_and_a_new_one_ends_it() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    let page = reader.get("/household").await.expect(200);
    let link = page.between("id=\"invite-link\">", "<").unwrap().to_owned();
    let code = household(&anna).await["inviteCode"].as_str().unwrap().to_owned();
    assert!(link.ends_with(&format!("/join/{code}")), "{link}");
    assert_eq!(decode_qr(page.between("class=\"qr\"", "</div>").unwrap()), link);
    assert_eq!(page.between("id=\"invite-code\">", "<"), Some(&*code));

    let page = reader.submit("/household/invite-code", &[]).await;
    let fresh = household(&anna).await["inviteCode"].as_str().unwrap().to_owned();
    assert_ne!(fresh, code);
    assert_eq!(page.between("id=\"invite-code\">", "<"), Some(&*fresh));
    let ben = server.anonymous().register("ben").await;
    ben.post("/households/join", json!({ "inviteCode": code })).await.expect(404);
    ben.post("/households/join", json!({ "inviteCode": fresh })).await.expect(200);
}

#[tokio::test]
async fn the_page_begins_with_what_is_needed_most() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    anna.post("/stores", json!({ "name": "Market" })).await.expect(201);
    anna.post("/storage-locations", json!({ "name": "Cellar" })).await.expect(201);
    let page = Reader::of(&server, &anna).await.get("/household").await.expect(200);
    let at = |text: &str| page.text.find(text).unwrap_or_else(|| panic!("{text}: {}", page.text));
    let parts =
        ["id=\"settings\"", "id=\"member-", "id=\"places\"", "id=\"invite\"", "id=\"leaving\""];
    assert!(parts.map(at).is_sorted(), "{:?}", parts.map(at));
    assert!(page.says("Shops Market"), "{}", page.visible());
    assert!(page.says("Storage locations Cellar, Freezer, "), "{}", page.visible());
}

#[tokio::test]
async fn shops_are_added_changed_and_deleted() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    let page = reader.get("/household/places").await.expect(200);
    assert!(page.says("Name the shops where you buy"), "{}", page.visible());
    let fields = [("name", " Market "), ("address", "")];
    assert!(reader.submit("/household/stores", &fields).await.says("Market"));
    let stores = async || anna.all_pages("/stores", "").await;
    let id = stores().await[0]["id"].as_str().unwrap().to_owned();
    let path = format!("/household/stores/{id}");
    let fields = [("name", "Market hall"), ("address", "Harbour 1")];
    let page = reader.submit(&path, &fields).await;
    assert!(page.says("Market hall Harbour 1"), "{}", page.visible());
    let changed = stores().await;
    assert_eq!(changed[0]["name"], "Market hall");
    assert_eq!(changed[0]["address"], "Harbour 1");
    // The address is cleared again, and a taken name changes nothing.
    reader.submit(&path, &[("name", "Market hall"), ("address", " ")]).await;
    assert_eq!(stores().await[0]["address"], Value::Null);
    let page = reader.post("/household/stores", &[("name", "market HALL")]).await.expect(409);
    assert!(page.says("Another one has this name."), "{}", page.visible());
    let long = "x".repeat(501);
    reader.post("/household/stores", &[("name", "  ")]).await.expect(400);
    reader.post("/household/stores", &[("name", "Y"), ("address", &long)]).await.expect(400);
    assert_eq!(names(&stores().await), ["Market hall"]);
    reader.submit(&format!("{path}/delete"), &[]).await;
    assert_eq!(stores().await, Vec::<Value>::new());
    reader.post(&path, &[("name", "Ghost")]).await.expect(404);
}

#[tokio::test]
async fn shops_are_put_in_order_one_place_at_a_time() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    reader.get("/household/places").await.expect(200);
    let mut ids = Vec::new();
    for name in ["Market", "Bakery", "Zoo"] {
        let shop = anna.post("/stores", json!({ "name": name })).await.expect(201);
        ids.push(id_of(&shop).to_owned());
    }
    let [market, bakery, zoo] = ids.as_slice() else { panic!("there are three") };
    let names = async || names(&anna.all_pages("/stores", "").await).join(", ");
    assert_eq!(names().await, "Bakery, Market, Zoo");
    for (id, to, expected) in [
        (zoo, "up", "Bakery, Zoo, Market"),
        (zoo, "up", "Zoo, Bakery, Market"),
        (zoo, "up", "Zoo, Bakery, Market"),
        (bakery, "down", "Zoo, Market, Bakery"),
        (bakery, "down", "Zoo, Market, Bakery"),
    ] {
        let page = reader.submit(&format!("/household/stores/{id}/shift"), &[("to", to)]).await;
        assert_eq!(names().await, expected);
        let shown = page.text.split("<li id=\"store-").skip(1);
        let shown: Vec<_> = shown.map(|row| &row[..zoo.len()]).collect();
        let of = |name: &str| match name {
            "Market" => market.as_str(),
            "Bakery" => bakery.as_str(),
            _ => zoo.as_str(),
        };
        assert_eq!(shown, expected.split(", ").map(of).collect::<Vec<_>>());
    }
    // A new shop comes after those that have a place.
    anna.post("/stores", json!({ "name": "Ale house" })).await.expect(201);
    assert_eq!(names().await, "Zoo, Market, Bakery, Ale house");
    let path = format!("/household/stores/{zoo}");
    reader.post(&format!("{path}/shift"), &[("to", "left")]).await.expect(400);
    reader.submit(&format!("{path}/delete"), &[]).await;
    reader.post(&format!("{path}/shift"), &[("to", "up")]).await.expect(404);
}

#[tokio::test]
async fn own_storage_locations_stand_beside_those_that_everybody_has() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    let page = reader.get("/household/places").await.expect(200);
    assert!(page.says("🧊 Refrigerator") && page.says("❄️ Freezer"), "{}", page.visible());
    reader.submit("/household/locations", &[("name", "Cellar")]).await;
    let own = async || {
        let all = anna.all_pages("/storage-locations", "").await;
        all.into_iter().filter(|one| one["isOwn"] == true).collect::<Vec<_>>()
    };
    let made = own().await;
    assert_eq!(names(&made), ["Cellar"]);
    let path = format!("/household/locations/{}", id_of(&made[0]));
    assert!(reader.submit(&path, &[("name", "Deep cellar")]).await.says("Deep cellar"));
    assert_eq!(names(&own().await), ["Deep cellar"]);
    let long = "x".repeat(51);
    reader.post(&path, &[("name", &long)]).await.expect(400);
    reader.post("/household/locations", &[("name", "deep CELLAR")]).await.expect(409);
    reader.submit(&format!("{path}/delete"), &[]).await;
    assert_eq!(own().await, Vec::<Value>::new());
}
