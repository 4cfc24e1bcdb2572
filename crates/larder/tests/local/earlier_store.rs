//! A store that an earlier version wrote: `earlier_store.sql` is a dump of its file, and
//! `earlier_store.json` what that version answered when it was asked for what is in it.

use serde_json::{Map, Value, json};
use tokio::{process::Command, time::timeout};

use crate::it::support::{
    FreshStore, PATIENCE, Server, ServerSettings, StoreUnderTest, id_of, store::scratch_directory,
};

/// The store as the earlier version left it.
async fn earlier_store() -> StoreUnderTest {
    let scratch = scratch_directory();
    let directory = scratch.path().join("larder-data");
    std::fs::create_dir(&directory).unwrap();
    let dump = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/local/earlier_store.sql");
    let pragmas = "PRAGMA application_id = 1281454692; PRAGMA user_version = 3;";
    let load = Command::new("sqlite3")
        .arg(directory.join("larder.db"))
        .args(["PRAGMA page_size = 2048", "PRAGMA journal_mode = WAL"])
        .args([&format!(".read '{dump}'"), pragmas])
        .output();
    let loaded = timeout(PATIENCE, load).await.expect("the dump is loaded in time").unwrap();
    assert!(loaded.status.success(), "{}", String::from_utf8_lossy(&loaded.stderr));
    let setting = directory.display().to_string();
    StoreUnderTest::prepared(scratch, FreshStore { setting, environment: &[], _tables: None })
}

/// Where an answer lacks or contradicts an earlier one. It may have more fields.
fn differences(path: &str, earlier: &Value, now: &Value) -> Vec<String> {
    match (earlier, now) {
        (Value::Object(earlier), Value::Object(now)) => earlier
            .iter()
            // The host is that of the request.
            .filter(|(name, _)| *name != "url")
            .flat_map(|(name, value)| {
                differences(&format!("{path}.{name}"), value, now.get(name).unwrap_or(&Value::Null))
            })
            .collect(),
        (Value::Array(earlier), Value::Array(now)) if earlier.len() == now.len() => earlier
            .iter()
            .zip(now)
            .enumerate()
            .flat_map(|(n, (earlier, now))| differences(&format!("{path}[{n}]"), earlier, now))
            .collect(),
        _ if earlier == now => Vec::new(),
        _ => vec![format!("{path}: {earlier} became {now}")],
    }
}

#[tokio::test]
async fn a_store_of_an_earlier_version_answers_as_it_did_and_can_be_changed() {
    let answers: Map<String, Value> =
        serde_json::from_str(include_str!("earlier_store.json")).unwrap();
    let server = Server::start_on(earlier_store().await, ServerSettings::default()).await;
    let login = json!({ "email": "anna@example.org", "password": "correct horse battery" });
    let session = server.anonymous().post("/auth/login", login).await.expect(200);
    let anna = server.anonymous().with_token(session["accessToken"].as_str().unwrap());
    assert!(server.log().contains("store upgraded"), "{}", server.log());
    assert_eq!(answers.len(), 11);
    for (path, earlier) in &answers {
        let now = anna.get(path).await.expect(200);
        assert_eq!(differences(path, earlier, &now), [""; 0]);
    }

    let milk = &answers["/inventory/items?sort=name&limit=50"]["items"][0];
    assert_eq!((&milk["name"], &milk["quantity"]), (&json!("Milk"), &json!(1.75)));
    let added =
        json!({ "name": "MILK", "quantity": 250, "unit": "ml", "expirationDate": "2099-12-01" });
    let merged = anna.post("/inventory/items", added).await.expect(200);
    assert_eq!((&merged["item"]["quantity"], id_of(&merged["item"])), (&json!(2), id_of(milk)));
    // Every item has its product, which knows what the items said.
    let items = anna.all_pages("/inventory/items", "includeDepleted=true").await;
    for item in &items {
        let id = item["productId"].as_str().expect("it has got a product");
        let product = anna.get(&format!("/products/{id}")).await.expect(200);
        for field in ["name", "lowStockThreshold", "preferredStoreId"] {
            assert_eq!(product[field], item[field], "{field} of {item}");
        }
    }
}
