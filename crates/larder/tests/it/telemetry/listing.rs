//! The list of devices.

use serde_json::{Value, json};

use crate::it::support::{Server, encode, until};

fn addresses(devices: &[Value]) -> Vec<&str> {
    devices.iter().map(|device| device["hardware_id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn devices_are_listed_in_pages_each_once_in_the_order_of_their_activity() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let key = anna.api_key().await;
    for number in 0..7 {
        server.device(&key, &format!("AA:BB:CC:DD:EE:0{number}")).register().await.expect(200);
    }
    let whole = anna.get("/devices").await.expect(200)["items"].as_array().unwrap().clone();
    let place = |device: &Value| {
        let text = |name: &str| device[name].as_str().unwrap().to_owned();
        (text("last_seen_at"), text("hardware_id"))
    };
    assert!(whole.is_sorted_by(|one, next| place(one) > place(next)), "{whole:?}");
    assert_eq!(whole.len(), 7);
    for limit in [1, 2, 3, 7] {
        assert_eq!(anna.all_pages("/devices", &format!("limit={limit}")).await, whole, "{limit}");
    }
    for limit in ["0", "201", "x"] {
        anna.get(&format!("/devices?limit={limit}")).await.expect_invalid_field("limit");
    }
}

#[tokio::test]
async fn a_device_that_registers_again_comes_first() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let first = anna.add_device(&server, "AA:BB:CC:DD:EE:01").await;
    anna.add_device(&server, "AA:BB:CC:DD:EE:02").await;
    // Activity is in whole seconds: until the next one the two may be equal.
    until("it comes first", async || {
        first.register().await.expect(200);
        let devices = anna.all_pages("/devices", "").await;
        addresses(&devices) == ["AA:BB:CC:DD:EE:01", "AA:BB:CC:DD:EE:02"]
    })
    .await;
}

#[tokio::test]
async fn a_cursor_belongs_to_one_households_devices() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for number in 0..2 {
        anna.add_device(&server, &format!("AA:BB:CC:DD:EE:0{number}")).await;
    }
    let page = anna.get("/devices?limit=1").await.expect(200);
    let cursor = encode(page["next_cursor"].as_str().unwrap());
    let stranger = server.with_household("stranger").await;
    for (client, path) in [
        (&stranger, "/devices"),
        (&anna, "/api-keys"),
        (&anna, "/notifications"),
        (&anna, "/devices/AA:BB:CC:DD:EE:01/readings"),
    ] {
        let answer = client.get(&format!("{path}?limit=1&cursor={cursor}")).await;
        answer.expect_problem(400, "INVALID_CURSOR");
    }
    anna.get(&format!("/devices?limit=1&cursor={cursor}x"))
        .await
        .expect_problem(400, "INVALID_CURSOR");
    let answer = anna.get("/devices?page=2").await.expect_problem(400, "UNKNOWN_FIELD");
    assert_eq!(answer["errors"][0]["field"], json!("page"));
}
