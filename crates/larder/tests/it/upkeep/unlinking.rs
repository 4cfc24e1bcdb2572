//! An item is deleted that many entries of the shopping list refer to, and the process dies meanwhile.

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::it::support::{Client, PATIENCE, Server, eventually, id_of};

const ENTRIES: usize = 150;

/// Sequentially: each increments the same record, on engines with a counter.
async fn put_on_the_list(client: &Client, item: &str) {
    for number in 0..ENTRIES {
        let body = json!({ "name": format!("Rice {number}"), "itemId": item, "force": true });
        client.post("/shopping-list", body).await.expect(201);
    }
}

async fn entries(client: &Client) -> Vec<Value> {
    client.all_pages("/shopping-list", "status=all&limit=100").await
}

fn linked(entries: &[Value]) -> usize {
    entries.iter().filter(|entry| !entry["itemId"].is_null()).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_entries_become_free_text_although_the_process_is_killed_midway() {
    let mut server = Server::start().await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 1, "kg").await;
    put_on_the_list(&anna, id_of(&rice)).await;
    assert_eq!(linked(&entries(&anna).await), ENTRIES);

    let path = format!("/inventory/items/{}", id_of(&rice));
    let deletion = {
        let (anna, path) = (anna.clone(), path.clone());
        let delete = anna.request(reqwest::Method::DELETE, &path);
        tokio::spawn(async move { anna.try_send(delete).await.map(|answer| answer.status) })
    };
    // The item is deleted first, and then its entries are unlinked one after the other. Polled
    // without a pause, to find it midway.
    let gone = timeout(PATIENCE, async { while anna.get(&path).await.status != 404 {} });
    gone.await.expect("the item goes in time");
    server.kill_9().await;
    let answered = deletion.await.unwrap();
    server.restart().await;

    let mut left_over = None;
    let entries = eventually("the work is finished", async || {
        let entries = entries(&anna).await;
        let linked = linked(&entries);
        left_over.get_or_insert(linked);
        (linked == 0).then_some(entries)
    })
    .await;
    eprintln!("deletion answered {answered:?}; linked after the restart: {left_over:?}");
    let mut names: Vec<_> = entries.iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    let mut expected: Vec<_> = (0..ENTRIES).map(|number| format!("Rice {number}")).collect();
    expected.sort_unstable();
    assert_eq!(names, expected);
}
