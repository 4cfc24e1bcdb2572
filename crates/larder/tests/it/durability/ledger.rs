//! The acknowledged writes of one client, and its pending one when the server died.

use reqwest::Method;
use serde_json::{Value, json};

use crate::it::support::{Answer, Client, encode, hundredths, id_of};

/// One item as the writer last heard of it, in hundredths.
struct Entry {
    name: String,
    id: String,
    quantity: i64,
    /// The delta of an adjustment that was sent and not answered.
    in_flight: Option<i64>,
    /// Whether a deletion was sent: `Some(false)` without an answer, `Some(true)` acknowledged.
    deleted: Option<bool>,
}

/// The books of one writer in one round. A writer has one request in flight at a time.
pub(super) struct Ledger {
    writer: String,
    shared_id: String,
    entries: Vec<Entry>,
    /// A creation that was sent and not answered: name and quantity.
    creating: Option<(String, i64)>,
    created: usize,
    pub(super) shared_acknowledged: i64,
    pub(super) shared_in_flight: i64,
}

impl Ledger {
    pub(super) fn new(writer: String, shared_id: String) -> Self {
        Self {
            writer,
            shared_id,
            entries: Vec::new(),
            creating: None,
            created: 0,
            shared_acknowledged: 0,
            shared_in_flight: 0,
        }
    }

    /// Adds an item of this writer's own. Like the others, answers whether it was acknowledged.
    pub(super) async fn create(&mut self, client: &Client, quantity: u64) -> bool {
        let name = format!("Item {}-{}", self.writer, self.created);
        self.created += 1;
        let body = json!({ "name": name, "quantity": quantity, "unit": "個" });
        self.creating = Some((name.clone(), hundredths(&body["quantity"])));
        let Some(answer) = post(client, "/inventory/items", &body).await else { return false };
        let item = answer.expect(201)["item"].clone();
        self.creating = None;
        self.entries.push(Entry {
            name,
            id: id_of(&item).to_owned(),
            quantity: hundredths(&item["quantity"]),
            in_flight: None,
            deleted: None,
        });
        true
    }

    /// Adds to the newest existing item; creates one if there is none.
    pub(super) async fn adjust_newest(&mut self, client: &Client, delta: u64) -> bool {
        let Some(entry) = self.entries.iter_mut().rfind(|entry| entry.deleted.is_none()) else {
            return self.create(client, delta).await;
        };
        let body = json!({ "delta": delta });
        entry.in_flight = Some(hundredths(&body["delta"]));
        let path = format!("/inventory/items/{}/adjust", entry.id);
        let Some(answer) = post(client, &path, &body).await else { return false };
        let answer = answer.expect(200);
        entry.quantity += hundredths(&answer["applied"]);
        entry.in_flight = None;
        assert_eq!(hundredths(&answer["item"]["quantity"]), entry.quantity);
        true
    }

    /// Adds one to the item that all writers share.
    pub(super) async fn adjust_shared(&mut self, client: &Client) -> bool {
        self.shared_in_flight = 100;
        let path = format!("/inventory/items/{}/adjust", self.shared_id);
        let Some(answer) = post(client, &path, &json!({ "delta": 1 })).await else { return false };
        self.shared_acknowledged += hundredths(&answer.expect(200)["applied"]);
        self.shared_in_flight = 0;
        true
    }

    /// Deletes the oldest item, but keeps a few, so that there is something to find.
    pub(super) async fn delete_oldest(&mut self, client: &Client) -> bool {
        let present = self.entries.iter().filter(|entry| entry.deleted.is_none()).count();
        if present < 4 {
            return self.create(client, 1).await;
        }
        let entry = self.entries.iter_mut().find(|entry| entry.deleted.is_none());
        let entry = entry.expect("four are present");
        entry.deleted = Some(false);
        let request = client.request(Method::DELETE, &format!("/inventory/items/{}", entry.id));
        let Ok(answer) = client.try_send(request).await else { return false };
        answer.expect(204);
        entry.deleted = Some(true);
        true
    }

    /// Compares the ledger with the restarted server.
    pub(super) async fn assert_kept(&self, client: &Client) {
        for entry in &self.entries {
            let answer = client.get(&format!("/inventory/items/{}", entry.id)).await;
            match (entry.deleted, answer.status) {
                (Some(true), 404) | (Some(false), 404 | 200) | (None, 200) => {}
                (_, status) => panic!("{}: {status} although {:?}", entry.name, entry.deleted),
            }
            if answer.status == 200 {
                entry.assert_quantity(&answer.json());
            }
        }
        if let Some((name, quantity)) = &self.creating {
            let found = client.items(&format!("search={}", encode(name))).await;
            let exact: Vec<_> = found.iter().filter(|item| item["name"] == name.as_str()).collect();
            match exact.as_slice() {
                [] => {}
                [item] => assert_eq!(hundredths(&item["quantity"]), *quantity, "{name}"),
                more => panic!("one creation of {name} left {} items", more.len()),
            }
        }
    }
}

impl Entry {
    fn assert_quantity(&self, item: &Value) {
        let found = hundredths(&item["quantity"]);
        let with_unanswered = self.in_flight.map(|delta| self.quantity + delta);
        assert!(
            found == self.quantity || Some(found) == with_unanswered,
            "{} holds {found}; acknowledged were {}, in flight {:?}",
            self.name,
            self.quantity,
            self.in_flight
        );
    }
}

/// `None` if the server is down.
async fn post(client: &Client, path: &str, body: &Value) -> Option<Answer> {
    client.try_send(client.request(Method::POST, path).json(body)).await.ok()
}
