//! Every route, tried with no token, a wrong token, and another household's token.
//!
//! The table in `routes` says what each route owes to each of them. A route that the server
//! documents and the table doesn't know fails the test, and so does a row without a route.

mod operator;
mod routes;
mod scopes;

use std::collections::BTreeSet;

use reqwest::{Method, RequestBuilder, header};
use serde_json::{Value, json};

use crate::it::support::{Answer, Client, Server, encode, id_of, now_ms, url_id, urn_of};
use routes::{Access, ROUTES, Route};

/// What the first household has, and a stranger must neither see nor change.
struct Household {
    admin: Client,
    ids: Vec<(&'static str, String)>,
}

impl Household {
    async fn furnish(server: &Server) -> Self {
        let admin = server.with_household("anna").await;
        let household = admin.get("/households/current").await.expect(200);
        let location = admin.post("/storage-locations", json!({ "name": "Cellar" })).await;
        let store = admin.post("/stores", json!({ "name": "Corner shop" })).await;
        let item = admin.add("Anna's rice", 2, "kg").await;
        let barcode = "4006381333931";
        let low = json!({
            "name": "Anna's tea", "quantity": 1, "unit": "g", "lowStockThreshold": 2,
            "barcode": barcode,
        });
        admin.add_item(low).await;
        let entry =
            admin.post("/shopping-list", json!({ "name": "Anna's cake" })).await.expect(201);
        let told = admin.get("/notifications").await.expect(200)["items"][0].clone();
        let tag = admin.add_tag(&item, json!({})).await;
        let key = admin.add_api_key(json!({ "description": "Anna's freezer" })).await;
        let raw_key = key["api_key"].as_str().unwrap();
        let device = server.device(raw_key, "A5:A5:A5:A5:A5:A5");
        device.register().await.expect(200);
        device.send(&[device.reading(now_ms(), "annas-reading")]).await.expect(200);
        let room = admin.make("Home.Room", None).await;
        let serial = json!([{ "key": "serial", "value": "Annas-1" }]);
        let name = json!({ "name": "Anna's tent" });
        let camping = json!({ "resourceType": "Home.Box", "parentUrn": room, "uniqueKeys": serial, "attributes": name });
        let camping = admin.make_with(camping).await;
        let grantee = "urn:pp:Service.Robot::01955556-3cd2-7df2-b839-693fa6fbd505";
        admin.grant(grantee, urn_of(&camping), &["read"]).await.expect(200);
        let token = json!({ "name": "Anna's script", "scopes": ["read", "admin"] });
        let token = admin.post("/me/tokens", token).await.expect(201);
        let session = admin.get("/me/sessions").await.expect(200)["items"][0].clone();
        let text = |record: &Value| id_of(record).to_owned();
        let ids = vec![
            ("household", text(&household)),
            ("invite", household["inviteCode"].as_str().unwrap().to_owned()),
            ("location", text(&location.expect(201))),
            ("store", text(&store.expect(201))),
            ("item", text(&item)),
            ("barcode", barcode.to_owned()),
            ("entry", entry["shoppingItemId"].as_str().unwrap().to_owned()),
            ("notification", told["notificationId"].as_str().unwrap().to_owned()),
            ("tag", url_id(&tag).to_owned()),
            ("member", admin.user_id.clone()),
            ("key", key["key_id"].as_str().unwrap().to_owned()),
            ("api key", raw_key.to_owned()),
            ("device", device.hardware_id),
            ("reading", "annas-reading".to_owned()),
            ("grantee", encode(grantee)),
            ("grantee urn", grantee.to_owned()),
            ("room", encode(&room)),
            ("box", encode(urn_of(&camping))),
            ("room urn", room),
            ("box urn", urn_of(&camping).to_owned()),
            ("session", text(&session)),
            ("token", text(&token)),
            ("script", "Anna's script".to_owned()),
            ("token's text", token["token"].as_str().unwrap().to_owned()),
            ("tent", "Anna's tent".to_owned()),
        ];
        Self { admin, ids }
    }

    /// Puts this household's ids where the table has `<item>`, `<store>` and so on.
    fn fill(&self, template: &str) -> String {
        self.ids
            .iter()
            .fold(template.to_owned(), |text, (name, id)| text.replace(&format!("<{name}>"), id))
    }

    fn request(&self, client: &Client, route: &Route) -> RequestBuilder {
        let method: Method = route.method.parse().unwrap();
        // What a PUT is based on never keeps a stranger from being told that there is nothing.
        let is_put = method == Method::PUT;
        let mut request = client.request_root(method, &self.fill(route.example));
        if is_put {
            request = request.header(header::IF_MATCH, "*");
        }
        if route.body.is_empty() {
            return request;
        }
        let body: Value = serde_json::from_str(&self.fill(route.body)).unwrap();
        request.json(&body)
    }

    /// Everything a member of this household can read.
    async fn state(&self) -> Vec<String> {
        let mut state = Vec::new();
        for path in [
            "/households/current",
            "/households/current/members",
            "/inventory/items?includeDepleted=true",
            "/inventory/lots?includeDepleted=true",
            "/products",
            "/stores",
            "/storage-locations",
            "/nfc-urls",
            "/shopping-list",
            "/notifications?status=all",
            "/api-keys",
            "/devices",
            "/devices/<device>/readings",
            "/resources",
            "/resources/<room>/children",
            "/resources/<room>/members",
            "/grants",
            "/me",
            "/me/sessions",
        ] {
            state.push(self.admin.get(&self.fill(path)).await.text);
        }
        // A refused request is a use of its token, too.
        let tokens = self.admin.get("/me/tokens").await.expect(200);
        let tokens = tokens["items"].as_array().unwrap().iter();
        state.extend(tokens.map(|token| format!("{} {}", token["id"], token["scopes"])));
        state
    }

    #[track_caller]
    fn assert_nothing_leaks(&self, route: &Route, answer: &Answer) {
        for (name, id) in &self.ids {
            assert!(
                !answer.text.contains(id.as_str()),
                "{} {} shows the {name} to a stranger: {}",
                route.method,
                route.path,
                answer.text
            );
        }
    }
}

/// Sends a request whose answer may be an endless stream; only its head is read then.
async fn send(client: &Client, request: RequestBuilder, streams: bool) -> Answer {
    if !streams {
        return client.send(request).await;
    }
    let response = request.send().await.expect("the server answers");
    let status = response.status().as_u16();
    if status != 200 {
        return Answer::read(response).await;
    }
    Answer { status, headers: response.headers().clone(), text: String::new() }
}

fn documented(openapi: &Value) -> BTreeSet<(String, String)> {
    let mut routes = BTreeSet::new();
    for (path, operations) in openapi["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            if ["get", "put", "post", "patch", "delete", "head"].contains(&method.as_str()) {
                routes.insert((method.to_uppercase(), without_parameter_names(path)));
            }
        }
    }
    routes
}

/// `/items/{id}` and `/items/{itemId}` are the same route.
fn without_parameter_names(path: &str) -> String {
    let segments = path.split('/');
    let plain = segments.map(|part| if part.starts_with('{') { "{}" } else { part });
    plain.collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn every_documented_route_has_a_row_and_every_row_a_route() {
    let server = Server::start().await;
    let openapi = server.anonymous().get_root("/openapi.json").await.expect(200);
    let in_table: BTreeSet<_> =
        ROUTES.iter().map(|r| (r.method.to_owned(), r.path.to_owned())).collect();
    let documented = documented(&openapi);
    let untested: Vec<_> = documented.difference(&in_table).collect();
    assert!(untested.is_empty(), "routes without an isolation case: {untested:?}");
    let vanished: Vec<_> = in_table.difference(&documented).collect();
    assert!(vanished.is_empty(), "cases without a documented route: {vanished:?}");
}

#[tokio::test]
async fn no_token_and_a_wrong_token_open_nothing() {
    let server = Server::start().await;
    let household = Household::furnish(&server).await;
    let before = household.state().await;
    let nobody = server.anonymous();
    for route in ROUTES {
        for client in [&nobody, &nobody.with_token("wrong.token.here")] {
            let request = household.request(client, route);
            let answer = send(client, request, route.streams).await;
            match route.access {
                Access::Public { everyone } => {
                    assert_eq!(answer.status, everyone, "{} {}", route.method, route.path);
                }
                Access::Bearer { .. } => {
                    assert_eq!(answer.status, 401, "{} {}", route.method, route.path);
                    answer.expect_problem(401, "UNAUTHENTICATED");
                }
            }
            household.assert_nothing_leaks(route, &answer);
        }
    }
    assert_eq!(household.state().await, before);
}

#[tokio::test]
async fn another_households_token_sees_and_changes_nothing() {
    let server = Server::start().await;
    let household = Household::furnish(&server).await;
    let before = household.state().await;
    let stranger = server.with_household("stranger").await;
    for route in ROUTES {
        let request = household.request(&stranger, route);
        let answer = send(&stranger, request, route.streams).await;
        let (Access::Public { everyone: expected } | Access::Bearer { stranger: expected }) =
            route.access;
        assert_eq!(
            answer.status, expected,
            "{} {} for a stranger: {}",
            route.method, route.path, answer.text
        );
        household.assert_nothing_leaks(route, &answer);
    }
    assert_eq!(household.state().await, before);
}

#[tokio::test]
async fn a_person_without_a_household_sees_and_changes_nothing_either() {
    let server = Server::start().await;
    let household = Household::furnish(&server).await;
    let before = household.state().await;
    let loner = server.register("loner").await;
    // Joining is what an invite code is for; everything else stays closed.
    for route in ROUTES.iter().filter(|route| !route.path.ends_with("/join")) {
        let request = household.request(&loner, route);
        let answer = send(&loner, request, route.streams).await;
        household.assert_nothing_leaks(route, &answer);
    }
    assert_eq!(household.state().await, before);
}
