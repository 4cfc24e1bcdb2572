//! A large tree is deleted while the process is killed again and again.

use serde_json::{Value, json};

use super::trees::{Outside, Tree, begin_deletion, everything, follow};
use crate::engine::scale;
use crate::it::support::{Server, resource_path};

const KILLS: u64 = 5;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_tree_is_gone_although_the_process_is_killed_again_and_again() {
    let mut server = Server::start().await;
    let anna = server.with_household("anna").await;
    let outside = Outside::make(&anna, 20).await;
    let before = outside.state(&anna).await;
    let tree = Tree::grow(&anna, scale().deleted_tree).await;
    assert_eq!(tree.urns.len(), scale().deleted_tree);
    assert_eq!(tree.unique_values, (scale().deleted_tree - 1) / 5);
    tree.mingle(&anna, &outside, scale().deleted_memberships).await;
    assert_ne!(outside.state(&anna).await, before);
    anna.grant(&anna.principal(), &tree.urns[1], &["read"]).await.expect(200);

    let job = begin_deletion(&anna, &tree.root).await;
    let size = scale().deleted_tree as u64;
    let mut seen = Vec::new();
    for kill in 1..=KILLS {
        let state = follow(&anna, &job, size * kill / (KILLS + 1)).await;
        server.kill_9().await;
        seen.push(state["removed"].as_u64().unwrap());
        server.restart().await;
        // The rest is a smaller tree: every resource has its parent.
        let left = everything(&anna).await;
        let parents = left.values().filter_map(|record| record["_parentUrn"].as_str());
        for parent in parents {
            assert!(left.contains_key(parent), "{parent} is gone before its children");
        }
    }
    eprintln!("removed when the process was killed: {seen:?} of {size}");
    assert!(seen[0] < size, "it was killed midway");
    let done = follow(&anna, &job, u64::MAX).await;
    assert_eq!(done["status"], "done", "{done}");
    assert_eq!((&done["removed"], &done["total"]), (&json!(size), &json!(size)));

    tree.assert_gone(&anna).await;
    assert_eq!(outside.state(&anna).await, before, "everything outside is as it was");
    assert_eq!(anna.grants().await, [Value::Null; 0]);
    anna.delete(&resource_path(&tree.root)).await.expect_problem(404, "RESOURCE_NOT_FOUND");
    server.with_household("eve").await.get(&job).await.expect_problem(404, "JOB_NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_asked_to_stop_stops_in_time_and_the_next_goes_on() {
    let mut server = Server::start().await;
    let anna = server.with_household("anna").await;
    let tree = Tree::grow(&anna, scale().deleted_tree / 2).await;
    let job = begin_deletion(&anna, &tree.root).await;
    follow(&anna, &job, 1).await;
    assert!(server.terminate().await.success());
    server.restart().await;
    let done = follow(&anna, &job, u64::MAX).await;
    assert_eq!((&done["status"], &done["removed"]), (&json!("done"), &json!(tree.urns.len())));
    tree.assert_gone(&anna).await;
}
