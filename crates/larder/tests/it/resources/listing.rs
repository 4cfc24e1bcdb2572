//! All resources of a household.

use serde_json::json;

use super::Home;
use crate::it::support::{encode, resource_path, urns};

#[tokio::test]
async fn a_household_lists_its_own_in_the_order_of_urns() {
    let home = Home::open().await;
    let ben = home.server.with_household("ben").await;
    let mut made = Vec::new();
    for kind in ["Home.Room", "Home.Box", "Home.Box", "Car", "Home.Boxes", "Home.Box", "Home"] {
        let parent = made.first().map(String::as_str);
        let urn = home.anna.make(kind, parent).await;
        made.push(urn);
        ben.make(kind, None).await;
    }
    made.sort_unstable();
    for limit in [1, 3, 7, 200] {
        let listed = home.anna.all_pages("/resources", &format!("limit={limit}")).await;
        assert_eq!(urns(&listed), made, "{limit} at a time");
    }
    for (kind, count) in [("Home.Box", 3), ("Home", 1), ("Car", 1), ("Bike", 0), ("System.User", 0)]
    {
        let of_kind: Vec<_> =
            made.iter().filter(|urn| urn.starts_with(&format!("urn:pp:{kind}::"))).collect();
        let query = format!("resourceType={kind}&limit=2");
        let listed = home.anna.all_pages("/resources", &query).await;
        assert_eq!((urns(&listed).iter().collect::<Vec<_>>().len(), listed.len()), (count, count));
        assert!(urns(&listed).iter().eq(of_kind), "{kind}");
    }
}

#[tokio::test]
async fn the_list_shows_what_reading_one_shows() {
    let home = Home::open().await;
    let body = json!({ "resourceType": "Home.Box", "attributes": { "name": "Tent" } });
    let made = home.anna.make_with(body).await;
    assert_eq!(home.state().await, [made]);
}

#[tokio::test]
async fn a_bad_question_is_refused() {
    let home = Home::open().await;
    for (query, code) in [
        ("resourceType=box", "INVALID_RESOURCE_TYPE"),
        ("resourceType=", "INVALID_RESOURCE_TYPE"),
        ("limit=0", "INVALID_FIELDS"),
        ("limit=201", "INVALID_FIELDS"),
        ("type=Box", "UNKNOWN_FIELD"),
        ("cursor=AAAA", "INVALID_CURSOR"),
    ] {
        home.anna.get(&format!("/resources?{query}")).await.expect_problem(400, code);
    }
}

#[tokio::test]
async fn a_cursor_is_good_for_its_own_list_alone() {
    let home = Home::open().await;
    let room = home.anna.make("Home.Room", None).await;
    for _ in 0..3 {
        home.anna.make("Home.Box", Some(&room)).await;
    }
    let page = home.anna.get("/resources?limit=1").await.expect(200);
    let cursor = encode(page["nextCursor"].as_str().unwrap());
    let ben = home.server.with_household("ben").await;
    let of_ben = ben.get(&format!("/resources?cursor={cursor}")).await;
    of_ben.expect_problem(400, "INVALID_CURSOR");
    for list in [
        format!("/resources?resourceType=Home.Box&cursor={cursor}"),
        format!("{}/children?cursor={cursor}", resource_path(&room)),
        format!("{}/members?cursor={cursor}", resource_path(&room)),
    ] {
        home.anna.get(&list).await.expect_problem(400, "INVALID_CURSOR");
    }
    home.anna.get(&format!("/resources?limit=1&cursor={cursor}")).await.expect(200);
}
