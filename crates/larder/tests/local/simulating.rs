//! `larder simulate` against a real server.

use serde_json::Value;
use tempfile::TempDir;

use crate::it::support::{Server, ServerSettings, binary, refused};

/// The number in front of a word of the summary.
fn told(summary: &str, what: &str) -> u64 {
    let line = summary.lines().find_map(|line| line.strip_prefix(what)).expect(summary);
    line.split_whitespace().next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn simulated_devices_register_and_everything_they_measure_is_kept_once() {
    let server = Server::embedded(ServerSettings::default()).await;
    let anna = server.with_household("anna").await;
    let directory = TempDir::new().unwrap();
    let key = [("LARDER_SIMULATE_API_KEY", anna.api_key().await)];
    let environment = key.each_ref().map(|(name, key)| (*name, key.as_str()));
    let url = format!("http://{}", server.address().get());
    let mut command = binary(&environment, directory.path());
    command.args(["simulate", "--url", &url, "--devices", "40", "--rate", "1000"]);
    command.args(["--seconds", "3", "--batch", "5", "--seed", "11"]);
    let output = command.output().await.unwrap();
    let summary = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{summary}{}", String::from_utf8_lossy(&output.stderr));

    let acknowledged = told(&summary, "acknowledged");
    assert!(acknowledged >= 1000, "{summary}");
    assert!(told(&summary, "duplicate") > 0, "some answers are lost on the way: {summary}");
    assert_eq!(told(&summary, "failed"), 0, "{summary}");
    let devices = anna.all_pages("/devices", "").await;
    assert_eq!(devices.len(), 40);
    let mut kept = 0;
    for device in devices {
        let id = device["hardware_id"].as_str().unwrap();
        let path = format!("/devices/{id}/series?sensor=ds18b20_temp_c&buckets=1&from=0");
        let series = anna.get(&path).await.expect(200);
        kept += series["buckets"][0]["count"].as_u64().unwrap();
        let all = anna.all_pages(&format!("/devices/{id}/readings"), "limit=1000").await;
        let broken = |reading: &&Value| reading["sensor_status"]["ds18b20"] == "error";
        kept += u64::try_from(all.iter().filter(broken).count()).unwrap();
    }
    assert_eq!(kept, acknowledged, "{summary}");
}

#[tokio::test]
async fn a_simulation_without_a_key_or_a_server_says_so() {
    let directory = TempDir::new().unwrap();
    let (code, message) = refused(binary(&[], directory.path()).arg("simulate")).await;
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("LARDER_SIMULATE_API_KEY"), "{message}");

    let server = Server::embedded(ServerSettings::default()).await;
    let url = format!("http://{}", server.address().get());
    let wrong = [("LARDER_SIMULATE_API_KEY", "not a key that anybody made")];
    let mut command = binary(&wrong, directory.path());
    let (code, message) = refused(command.args(["simulate", "--url", &url])).await;
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains("INVALID_API_KEY"), "{message}");
    assert!(!message.contains("not a key"), "{message}");
}
