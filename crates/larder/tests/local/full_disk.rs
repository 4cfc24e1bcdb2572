//! A full disk: writes fail, readiness reports it, and everything recovers when there is space
//! again.

use std::time::Duration;

use serde_json::json;
use tokio::{process::Command, time::timeout};

use super::limited;
use crate::it::support::{Client, PATIENCE, Server, StoreUnderTest};

/// Polls until readiness answers with `status`.
async fn until_readiness_is(nobody: &Client, status: u16) {
    let asking = async {
        while nobody.get_root("/readyz").await.status != status {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, asking).await.unwrap_or_else(|_| panic!("readiness never was {status}"));
}

#[tokio::test]
async fn a_full_disk_is_not_ready_until_there_is_room_again() {
    let store = StoreUnderTest::embedded().await;
    // No file may grow beyond 2 MiB, which a process sees as it sees a full disk: writes fail.
    let limits = "trap '' XFSZ; ulimit -S -f 4096";
    let server = Server::stand_in(limited(&Server::command(&store), limits, &[])).await;
    let nobody = server.anonymous();
    let anna = server.register("anna").await;
    let notes = "x".repeat(1000);
    let filling = async {
        for number in 0.. {
            let name = format!("Rice {number}");
            let item = json!({ "name": name, "quantity": 1, "unit": "kg", "notes": notes });
            let answer = anna.post("/inventory/items", item).await;
            // While the store's log can be merged into its file, it has space again.
            if answer.status == 503 && nobody.get_root("/readyz").await.status == 503 {
                return;
            }
        }
    };
    timeout(PATIENCE, filling).await.expect("the store is full some time");
    nobody.get_root("/readyz").await.expect_refusal(503);
    assert_eq!(anna.get("/inventory/items").await.status, 200, "what is there can be read");
    assert_eq!(nobody.get_root("/healthz").await.status, 200);

    let room = ["--fsize=unlimited", "--pid", &server.pid().to_string()];
    assert!(Command::new("prlimit").args(room).status().await.unwrap().success());
    until_readiness_is(&nobody, 200).await;
    anna.add("Salt", 1, "kg").await;
}
