//! Trees that are too large for one transaction, and their surroundings.

use std::collections::BTreeMap;

use futures_util::{StreamExt as _, stream};
use serde_json::{Value, json};

use crate::it::support::{Answer, Client, PATIENCE, eventually_within, resource_path, urn_of};

/// How many clients build a tree.
const BUILDERS: usize = 16;
/// How many resources are in one: the root, so many below it, and so many below each of these.
const FAN_OUT: usize = 10;

/// A tree of resources, some with a unique value, some in collections inside and outside of it.
pub(crate) struct Tree {
    pub(crate) root: String,
    /// All resources, the root first.
    pub(crate) urns: Vec<String>,
    pub(crate) unique_values: usize,
}

/// Outside the tree: collections and resources that remain.
pub(crate) struct Outside {
    pub(crate) urns: Vec<String>,
}

impl Tree {
    /// Builds a tree of so many resources, a fifth of them with a unique value.
    pub(crate) async fn grow(client: &Client, size: usize) -> Self {
        let root = client.make_box(None).await;
        let mut tree = Self { root: root.clone(), urns: vec![root], unique_values: 0 };
        // Level by level, because a child needs its parent.
        let mut parents = tree.urns.clone();
        while tree.urns.len() < size {
            let missing = size - tree.urns.len();
            let first = tree.urns.len();
            // Concurrently created ones are in different parents, if there are several.
            let children = parents.iter().cycle().take(missing.min(parents.len() * FAN_OUT));
            let bodies = children.enumerate().map(|(at, parent)| (first + at, parent.clone()));
            parents = all(bodies.collect(), async |(number, parent): (usize, String)| {
                make(client, number, &parent).await
            })
            .await;
            tree.urns.extend(parents.iter().cloned());
        }
        tree.unique_values = (1..size).filter(|number| has_key(*number)).count();
        tree
    }

    /// Puts resources of the tree into collections: some of the tree's own, some outside; and some from outside into
    /// the tree's own.
    pub(crate) async fn mingle(&self, client: &Client, outside: &Outside, memberships: usize) {
        let pairs: Vec<_> = (0..memberships).map(|number| self.pair(outside, number)).collect();
        all(pairs, async |(collection, member): (String, String)| {
            eventually_within(4 * PATIENCE, "there is room", async || {
                let added = client.add_member(&collection, &member, false).await;
                (added.status != 503).then_some(())
            })
            .await;
        })
        .await;
    }

    fn pair(&self, outside: &Outside, number: usize) -> (String, String) {
        let (inside, round) = (&self.urns[1..], number / 3);
        let one = inside[round % inside.len()].clone();
        let other = match number % 3 {
            0 => inside[(round + 1 + round / inside.len()) % inside.len()].clone(),
            _ => outside.urns[round % outside.urns.len()].clone(),
        };
        if number % 3 == 1 { (other, one) } else { (one, other) }
    }

    /// Asserts that nothing of it is left. Reads the whole list instead of each resource.
    pub(crate) async fn assert_gone(&self, client: &Client) {
        let left = everything(client).await;
        let left: Vec<_> = self.urns.iter().filter(|urn| left.contains_key(*urn)).collect();
        assert!(left.is_empty(), "{} resources are left, such as {:?}", left.len(), left.first());
        let keys: Vec<_> = (1..self.urns.len()).filter(|number| has_key(*number)).collect();
        let held = all(keys, async |number| {
            client.get(&format!("/unique-keys/Home.Thing/code/Code-{number}")).await.status
        });
        assert!(held.await.iter().all(|status| *status == 404), "a unique value is still held");
    }
}

/// Creates one of the tree. A crowd may be refused temporarily.
async fn make(client: &Client, number: usize, parent: &str) -> String {
    let (key, body) = (format!("tree-{number}"), body(number, parent));
    let made = eventually_within(4 * PATIENCE, "there is room", async || {
        let answer = client.post_once("/resources", &key, &body).await;
        (answer.status != 503).then_some(answer)
    });
    urn_of(&made.await.expect(201)).to_owned()
}

fn has_key(number: usize) -> bool {
    number.is_multiple_of(5)
}

fn body(number: usize, parent: &str) -> Value {
    let mut body = json!({
        "resourceType": "Home.Thing", "parentUrn": parent, "attributes": { "number": number },
    });
    if has_key(number) {
        body["uniqueKeys"] = json!([{ "key": "code", "value": format!("Code-{number}") }]);
    }
    body
}

impl Outside {
    pub(crate) async fn make(client: &Client, count: usize) -> Self {
        let urns = all((0..count).collect(), async |_| client.make_box(None).await);
        Self { urns: urns.await }
    }

    /// The state of each, with members and collections.
    pub(crate) async fn state(&self, client: &Client) -> Vec<Value> {
        all(self.urns.clone(), async |urn| {
            let path = resource_path(&urn);
            let record = client.get(&path).await.expect(200);
            let members = client.all_pages(&format!("{path}/members"), "limit=200").await;
            let collections = client.all_pages(&format!("{path}/collections"), "limit=200").await;
            json!([record, members, collections])
        })
        .await
    }
}

/// Does the same with all of these, several at a time, and answers in their order.
pub(crate) async fn all<T, R>(each: Vec<T>, work: impl AsyncFn(T) -> R) -> Vec<R> {
    stream::iter(each).map(|item| work(item)).buffered(BUILDERS).collect().await
}

/// All resources of the household by their URNs.
pub(crate) async fn everything(client: &Client) -> BTreeMap<String, Value> {
    let all = client.all_pages("/resources", "limit=200").await;
    all.into_iter().map(|record| (urn_of(&record).to_owned(), record)).collect()
}

/// Begins to delete a tree that is too large for one transaction; the path of the job.
pub(crate) async fn begin_deletion(client: &Client, root: &str) -> String {
    job_of(&client.delete(&resource_path(root)).await, root)
}

#[track_caller]
fn job_of(answer: &Answer, root: &str) -> String {
    let job = answer.expect(202);
    assert_eq!((&job["kind"], &job["urn"]), (&json!("delete"), &json!(root)));
    let path = format!("/jobs/{}", job["id"].as_str().unwrap());
    assert_eq!(answer.header("location"), format!("/api/v1{path}"));
    path
}

/// Follows a job until it is done, or until so many resources are removed.
pub(crate) async fn follow(client: &Client, job: &str, until: u64) -> Value {
    let mut last = 0;
    eventually_within(8 * PATIENCE, "the deletion goes on", async || {
        let state = client.get(job).await.expect(200);
        let removed = state["removed"].as_u64().unwrap();
        assert!(removed >= last, "what is removed never comes back: {state}");
        last = removed;
        assert_eq!(state["status"] == "done", !state["finishedAt"].is_null(), "{state}");
        (state["status"] == "done" || removed >= until).then_some(state)
    })
    .await
}
