//! Durability: the process is killed during writes; afterwards every acknowledged write exists, and
//! none is half applied.

mod ledger;

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::engine::scale;
use crate::it::support::{Client, Random, Server, hundredths, id_of};
use ledger::Ledger;

const WRITERS: usize = 6;

/// Counts acknowledgements and signals the killer when there are enough.
struct Trigger {
    acknowledged: AtomicU64,
    kill_after: u64,
    pulled: Notify,
}

impl Trigger {
    fn count(&self) {
        if self.acknowledged.fetch_add(1, Ordering::Relaxed) + 1 == self.kill_after {
            self.pulled.notify_one();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kill_at_any_moment_loses_nothing_that_was_acknowledged() {
    let rounds = std::env::var("LARDER_TEST_ROUNDS")
        .map_or(scale().kill_rounds, |text| text.parse().expect("LARDER_TEST_ROUNDS is a number"));
    let mut random = Random::seeded("durability");
    let mut server = Server::start().await;
    let anna = server.with_household("anna").await;
    // Shared by all writers, so that the group commit has something to get wrong.
    let shared = anna.add("Shared", 1000, "個").await;
    let mut shared_total = hundredths(&shared["quantity"]);

    for round in 0..rounds {
        let trigger = Arc::new(Trigger {
            acknowledged: AtomicU64::new(0),
            kill_after: 1 + random.below(250),
            pulled: Notify::new(),
        });
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let ledger = Ledger::new(format!("{round}-{writer}"), id_of(&shared).to_owned());
                let (anna, trigger, random) = (anna.clone(), Arc::clone(&trigger), random.fork());
                tokio::spawn(write_until_the_end(anna, trigger, random, ledger))
            })
            .collect();

        trigger.pulled.notified().await;
        for _ in 0..random.below(2000) {
            tokio::task::yield_now().await;
        }
        server.kill_9().await;
        let mut ledgers = Vec::with_capacity(WRITERS);
        for writer in writers {
            ledgers.push(writer.await.unwrap());
        }
        server.restart().await;

        for ledger in &ledgers {
            ledger.assert_kept(&anna).await;
        }
        let found = hundredths(&anna.item(id_of(&shared)).await["quantity"]);
        let acknowledged: i64 = ledgers.iter().map(|l| l.shared_acknowledged).sum();
        let in_flight: i64 = ledgers.iter().map(|l| l.shared_in_flight).sum();
        let least = shared_total + acknowledged;
        assert!(
            (least..=least + in_flight).contains(&found),
            "round {round}: the shared item holds {found}, but {least} were acknowledged and \
             {in_flight} more were in flight"
        );
        shared_total = found;
    }
    assert_every_item_is_whole(&anna).await;
}

/// Creates, adjusts and deletes until the server no longer answers.
async fn write_until_the_end(
    client: Client,
    trigger: Arc<Trigger>,
    mut random: Random,
    mut ledger: Ledger,
) -> Ledger {
    loop {
        let written = match random.below(5) {
            0 => ledger.create(&client, 1 + random.below(9)).await,
            1 => ledger.adjust_shared(&client).await,
            2 => ledger.delete_oldest(&client).await,
            _ => ledger.adjust_newest(&client, 1 + random.below(9)).await,
        };
        if !written {
            return ledger;
        }
        trigger.count();
    }
}

/// Over all rounds: each item's history ends in the item as it is, and its name leads to it.
async fn assert_every_item_is_whole(client: &Client) {
    for item in client.all_pages("/inventory/items", "includeDepleted=true&limit=200").await {
        let id = id_of(&item);
        let history =
            client.all_pages(&format!("/inventory/items/{id}/history"), "limit=200").await;
        assert_eq!(history[0]["new"]["quantity"], item["quantity"], "{}", item["name"]);
        assert_eq!(item["version"], history.len(), "one entry for each version of {id}");
        assert_eq!(history.last().unwrap()["action"], "INSERT");

        let body = json!({ "name": item["name"], "quantity": 1, "unit": item["unit"] });
        let again = client.post("/inventory/items", body).await.expect(200);
        assert_eq!(again["merged"], Value::Bool(true));
        assert_eq!(id_of(&again["item"]), id, "the name {} leads to another item", item["name"]);
    }
}
