//! A neighbour with a grant.

use reqwest::Method;
use serde_json::{Value, json};

use crate::it::support::{Answer, Client, Server, resource_path, urn_of};

/// Anna's box in her cellar with a thing in it, and Eve next door.
struct Neighbours {
    anna: Client,
    eve: Client,
    cellar: String,
    r#box: String,
    thing: String,
}

impl Neighbours {
    async fn meet(server: &Server) -> Self {
        let (anna, eve) = (server.with_household("anna").await, server.with_household("eve").await);
        let cellar = anna.make_box(None).await;
        let r#box = anna.make_box(Some(&cellar)).await;
        let thing = anna.make_box(Some(&r#box)).await;
        Self { anna, eve, cellar, r#box, thing }
    }

    async fn let_in(&self, actions: &[&str]) {
        self.anna.grant(&self.eve.principal(), &self.r#box, actions).await.expect(200);
    }

    async fn children(&self, of: &str) -> Answer {
        self.eve.get(&format!("{}/children", resource_path(of))).await
    }

    async fn sees(&self, urn: &str) -> bool {
        let answer = self.eve.look_at(urn).await;
        if answer.status != 200 {
            answer.expect_problem(404, "RESOURCE_NOT_FOUND");
        }
        answer.status == 200
    }
}

fn urns(page: &Value) -> Vec<String> {
    page["items"].as_array().unwrap().iter().map(|record| urn_of(record).to_owned()).collect()
}

#[tokio::test]
async fn a_neighbour_reads_the_box_and_what_is_in_it_and_nothing_above() {
    let server = Server::start().await;
    let home = Neighbours::meet(&server).await;
    let everything = [&home.cellar, &home.r#box, &home.thing];
    for urn in everything {
        assert!(!home.sees(urn).await);
        home.children(urn).await.expect_problem(404, "RESOURCE_NOT_FOUND");
    }
    home.let_in(&["read"]).await;
    assert!(!home.sees(&home.cellar).await);
    assert!(home.sees(&home.r#box).await && home.sees(&home.thing).await);
    assert_eq!(urns(&home.children(&home.r#box).await.expect(200)), [home.thing.as_str()]);
    assert_eq!(urns(&home.children(&home.thing).await.expect(200)), [""; 0]);
    home.children(&home.cellar).await.expect_problem(404, "RESOURCE_NOT_FOUND");
    // The box's parent and everything else stay hidden.
    for way in ["parent", "ancestors", "collections", "members"] {
        let path = format!("{}/{way}", resource_path(&home.r#box));
        assert_eq!(home.eve.get(&path).await.status, 404, "{way}");
    }
    let shown = home.eve.look_at(&home.r#box).await;
    assert!(!shown.text.contains(&home.cellar), "{}", shown.text);
    assert_eq!(home.eve.all_pages("/resources", "").await, [Value::Null; 0]);

    // Things put into the box later are readable, too, until they are taken out.
    let later = home.anna.make_box(None).await;
    assert!(!home.sees(&later).await);
    home.anna.attach(&later, &home.thing).await.expect(200);
    assert!(home.sees(&later).await);
    home.anna.attach(&later, &home.cellar).await.expect(200);
    assert!(!home.sees(&later).await);

    home.anna.revoke(&home.eve.principal(), &home.r#box).await.expect(204);
    for urn in everything {
        assert!(!home.sees(urn).await, "it was taken back");
    }
}

#[tokio::test]
async fn a_neighbour_does_what_the_grant_says_and_nothing_else() {
    let server = Server::start().await;
    let home = Neighbours::meet(&server).await;
    let Neighbours { eve, thing, r#box, cellar, .. } = &home;
    let change = async |urn: &str| {
        let request = eve.request(Method::PUT, &resource_path(urn)).header("If-Match", "*");
        eve.send(request.json(&json!({ "attributes": { "name": "Changed" } }))).await
    };
    let put_into = async |urn: &str| {
        let body = json!({ "resourceType": "Home.Box", "parentUrn": urn, "attributes": {} });
        eve.post("/resources", body).await
    };
    home.let_in(&["read"]).await;
    change(thing).await.expect_problem(404, "RESOURCE_NOT_FOUND");
    put_into(thing).await.expect_problem(404, "PARENT_NOT_FOUND");
    eve.delete(&resource_path(thing)).await.expect_problem(404, "RESOURCE_NOT_FOUND");
    let preview = format!("{}?dryRun=true", resource_path(thing));
    eve.delete(&preview).await.expect_problem(404, "RESOURCE_NOT_FOUND");

    home.let_in(&["read", "write"]).await;
    let changed = change(thing).await.expect(200);
    assert_eq!(changed["attributes"], json!({ "name": "Changed" }));
    let added = put_into(thing).await.expect(201);
    assert_eq!(added["_accountUrn"], home.anna.account().await, "it is the household's");
    change(cellar).await.expect_problem(404, "RESOURCE_NOT_FOUND");
    put_into(cellar).await.expect_problem(404, "PARENT_NOT_FOUND");
    eve.delete(&resource_path(thing)).await.expect_problem(404, "RESOURCE_NOT_FOUND");

    home.let_in(&["delete"]).await;
    assert!(!home.sees(r#box).await, "who may delete need not see");
    let doomed = eve.delete(&format!("{}?dryRun=true", resource_path(r#box))).await;
    assert!(!doomed.text.contains(cellar.as_str()), "{}", doomed.text);
    assert_eq!(doomed.expect(200)["summary"]["resources"], 3);
    eve.delete(&resource_path(thing)).await.expect(204);
    home.anna.look_at(thing).await.expect_problem(404, "RESOURCE_NOT_FOUND");
    home.anna.look_at(urn_of(&added)).await.expect_problem(404, "RESOURCE_NOT_FOUND");
    home.anna.look_at(r#box).await.expect(200);
    eve.delete(&resource_path(cellar)).await.expect_problem(404, "RESOURCE_NOT_FOUND");
}

#[tokio::test]
async fn a_collection_conveys_as_long_as_it_is_said_to() {
    let server = Server::start().await;
    let home = Neighbours::meet(&server).await;
    let lent = home.anna.make_box(None).await;
    home.anna.grant(&home.eve.principal(), &lent, &["read"]).await.expect(200);
    assert!(home.sees(&lent).await && !home.sees(&home.thing).await);

    home.anna.add_member(&lent, &home.r#box, false).await.expect(201);
    assert!(!home.sees(&home.r#box).await, "being in it is not enough");
    home.anna.add_member(&lent, &home.r#box, true).await.expect(200);
    assert!(home.sees(&home.r#box).await && home.sees(&home.thing).await);
    assert!(!home.sees(&home.cellar).await);
    home.anna.add_member(&lent, &home.r#box, false).await.expect(200);
    assert!(!home.sees(&home.r#box).await && !home.sees(&home.thing).await);

    home.anna.add_member(&lent, &home.r#box, true).await.expect(200);
    assert!(home.sees(&home.thing).await);
    home.anna.delete(&resource_path(&lent)).await.expect(204);
    assert!(!home.sees(&home.thing).await, "the collection is gone, and its grant with it");
    home.anna.look_at(&home.r#box).await.expect(200);
    assert_eq!(home.anna.grants().await, [Value::Null; 0]);
}
