//! Metrics at an address of their own.

use serde_json::Value;

use crate::it::support::{Server, ServerSettings, eventually};

#[tokio::test]
async fn metrics_with_an_address_of_their_own_are_nowhere_else_and_nothing_else_is_there() {
    let settings = ServerSettings::default().with("LARDER_METRICS_LISTEN", "127.0.0.1:0");
    let mut server = Server::embedded(settings).await;
    let there = eventually("the log names the address", async || {
        let log = server.log();
        let line = log.lines().find(|line| line.contains("metrics listening"))?;
        let line: Value = serde_json::from_str(line).unwrap();
        Some(line["address"].as_str().unwrap().to_owned())
    })
    .await;
    let nobody = server.anonymous();
    nobody.get_root("/metrics").await.expect_problem(404, "NOT_FOUND");
    assert_eq!(nobody.get_root("/healthz").await.status, 200);

    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let get = async |path: &str| {
        let answer = client.get(format!("http://{there}{path}")).send().await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    let (status, text) = get("/metrics").await;
    assert_eq!(status, 200);
    assert!(text.contains("larder_connections_open") && text.ends_with("# EOF\n"), "{text}");
    for path in ["/", "/healthz", "/api/v1/me", "/login"] {
        assert_eq!(get(path).await.0, 404, "{path}");
    }
    assert!(server.terminate().await.success());
}

#[tokio::test]
async fn without_an_address_of_their_own_metrics_are_with_everything_else() {
    let server = Server::embedded(ServerSettings::default()).await;
    let answer = server.anonymous().get_root("/metrics").await;
    assert_eq!(answer.status, 200);
    assert!(answer.text.contains("larder_connections_open"), "{}", answer.text);
}
