//! `larder resources upcast`.

use std::process::{Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::Command,
    time::timeout,
};

use super::{SECOND, file};
use crate::engine::scale;
use crate::it::support::{
    Client, PATIENCE, Server, ServerSettings, StoreUnderTest, binary, eventually_within,
};

/// The pause between two attempts to run the command: each is a process that opens the store.
const RETRIED_EVERY: Duration = Duration::from_secs(1);

/// Longer than any resource may become, so that a resource with a long text cannot be brought over.
const TOO_LONG: usize = 200 * 1024;

fn upcast(store: &StoreUnderTest) -> Command {
    let mut command = binary(store.environment(), store.scratch());
    command.args(["resources", "upcast", "--schemas", "schemas.toml", "--store", &store.setting()]);
    command
}

async fn output(mut command: Command) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } =
        timeout(4 * PATIENCE, command.output()).await.expect("it ends in time").unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

/// The number in front of a line of the report.
#[track_caller]
fn number(report: &str, line: &str) -> usize {
    let found = report.lines().find(|candidate| candidate.ends_with(line));
    let found = found.unwrap_or_else(|| panic!("no {line:?} in {report}"));
    found.trim_start().split_once(' ').unwrap().0.parse().unwrap()
}

async fn make_boxes(client: &Client, count: usize) {
    let mut makers = tokio::task::JoinSet::new();
    for maker in 0..8 {
        let client = client.clone();
        makers.spawn(async move {
            for number in (maker..count).step_by(8) {
                let attributes = json!({ "colour": format!("colour {number}") });
                let body = json!({ "resourceType": "Home.Box", "attributes": attributes });
                client.make_with(body).await;
            }
        });
    }
    makers.join_all().await;
}

/// All resources as stored, because this server has no newer schemas.
async fn as_written(store: impl Into<std::sync::Arc<StoreUnderTest>>, token: &str) -> Vec<Value> {
    let mut server = Server::start_on(store, ServerSettings::default()).await;
    let reader = server.anonymous().with_token(token);
    let found = reader.all_pages("/resources", "limit=200").await;
    assert!(server.terminate().await.success());
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_is_killed_midway_is_continued_by_the_next() {
    let mut server = Server::start().await;
    let anna = server.with_household("anna").await;
    make_boxes(&anna, scale().upcast_resources).await;
    let shelf = anna.make("Home.Shelf", None).await;
    assert!(server.terminate().await.success());
    let store = server.into_store();
    file(&store, SECOND);

    let mut first = upcast(&store).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(first.stderr.take().unwrap()).lines();
    let line = timeout(PATIENCE, lines.next_line()).await.expect("it tells how far it is");
    let line = line.unwrap().expect("a line before its end");
    first.start_kill().unwrap();
    let ended = timeout(PATIENCE, first.wait()).await.expect("it dies").unwrap();
    assert_eq!(ended.code(), None, "it was killed midway, after {line}");
    // So much is noted for sure; more may have been done since.
    let noted: usize = line.split_once(" looked at").unwrap().0.parse().unwrap();

    let all = scale().upcast_resources + 1;
    let half_done = as_written(store.clone(), anna.token()).await;
    let rewritten = half_done.iter().filter(|record| record["_schemaVersion"] == 2).count();
    assert_eq!(half_done.len(), all);
    assert!((noted - 1..scale().upcast_resources).contains(&rewritten), "{rewritten} after {line}");

    let (code, report, told) = run_patiently(&store).await;
    assert_eq!(code, Some(0), "{told}");
    assert!(report.starts_with("an earlier run was interrupted"), "{report}");
    let seen = number(&report, "looked at");
    // One of them is a shelf, without a newer schema.
    assert!((all - rewritten - 1..=all - noted).contains(&seen), "{report} after {rewritten}");
    let further = number(&report, "newest shape");
    assert_eq!(further, scale().upcast_resources - rewritten, "each is rewritten once");
    assert_eq!(number(&report, "left as they are"), 0, "{report}");

    let done = as_written(store.clone(), anna.token()).await;
    assert_eq!(done.len(), all);
    for (record, before) in done.iter().zip(&half_done) {
        if record["urn"] == shelf {
            assert_eq!(record, before);
            continue;
        }
        assert_eq!((&record["_schemaVersion"], &record["_version"]), (&json!(2), &json!(1)));
        assert_eq!(record["attributes"]["fragile"], false, "{record}");
        assert!(record["attributes"]["color"].is_string(), "{record}");
        assert_eq!(record["_updatedAt"], before["_updatedAt"]);
    }
    // After completion it starts over, and finds nothing to do.
    let (code, report, _) = output(upcast(&store)).await;
    assert_eq!(code, Some(0));
    assert_eq!((number(&report, "looked at"), number(&report, "newest shape")), (all, 0));
}

/// If the store can be shared, the lease of a killed process expires after half a minute.
async fn run_patiently(store: &StoreUnderTest) -> (Option<i32>, String, String) {
    eventually_within(4 * PATIENCE, "the lease expires", async || {
        let done = output(upcast(store)).await;
        if done.2.contains("another process does the same") {
            tokio::time::sleep(RETRIED_EVERY).await;
            return None;
        }
        Some(done)
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_brought_over_is_named_and_does_not_stop_the_rest() {
    let mut server = Server::start().await;
    let anna = server.with_household("anna").await;
    make_boxes(&anna, 5).await;
    let long = json!({ "colour": "red", "story": "x".repeat(TOO_LONG) });
    let long = anna.make_with(json!({ "resourceType": "Home.Box", "attributes": long })).await;
    assert!(server.terminate().await.success());
    let store = server.into_store();
    file(&store, &SECOND.replace("false", &format!("\"{}\"", "y".repeat(TOO_LONG))));

    let (code, report, told) = output(upcast(&store)).await;
    assert_eq!(code, Some(1), "{told}");
    assert_eq!((number(&report, "looked at"), number(&report, "newest shape")), (6, 5));
    assert_eq!(number(&report, "left as they are"), 1);
    let urn = long["urn"].as_str().unwrap();
    let line = format!(
        "{urn} stays as it is: Home.Box of version 1 cannot become version 2: must have at most 350 KB"
    );
    assert!(told.lines().any(|told| told == line), "{told}");
    let written = as_written(store.clone(), anna.token()).await;
    assert!(written.contains(&long), "it is as it was");
}

#[tokio::test]
async fn without_schemas_there_is_nothing_to_bring_over() {
    let mut server = Server::start().await;
    assert!(server.terminate().await.success());
    file(server.store(), "");
    let (code, _, told) = output(upcast(server.store())).await;
    assert_eq!(code, Some(2));
    assert!(told.contains("name a file that tells of one by --schemas"), "{told}");
}
