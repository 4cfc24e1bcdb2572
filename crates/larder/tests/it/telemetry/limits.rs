//! Rate limits of devices.

use crate::it::support::{Answer, Server, ServerSettings};

/// More unknown keys than the burst limit, with room for those that are earned meanwhile.
const ATTEMPTS: usize = 5000;

fn assert_limited(answer: &Answer) {
    answer.expect_problem(429, "RATE_LIMITED");
    let seconds: u64 = answer.header("retry-after").parse().unwrap();
    assert!((1..=3600).contains(&seconds), "{seconds}");
}

#[tokio::test]
async fn a_key_is_good_for_so_many_requests_a_minute_and_others_are_not_touched() {
    let settings = ServerSettings::default()
        .with("LARDER_RATE_LIMITS", "on")
        .with("LARDER_DEVICE_REQUESTS_PER_MINUTE", "3");
    let server = Server::start_with(settings).await;
    let anna = server.with_household("anna").await;
    let device = server.device(&anna.api_key().await, "AA:BB:CC:DD:EE:01");
    for _ in 0..3 {
        device.register().await.expect(200);
    }
    assert_limited(&device.register().await);
    anna.add_device(&server, "AA:BB:CC:DD:EE:02").await;
}

#[tokio::test]
async fn a_flood_of_unknown_keys_is_cut_off_and_a_known_key_still_works() {
    let settings = ServerSettings::default().with("LARDER_RATE_LIMITS", "on");
    let server = Server::start_with(settings).await;
    let anna = server.with_household("anna").await;
    let known = anna.add_device(&server, "AA:BB:CC:DD:EE:01").await;
    let mut limited = None;
    for attempt in 0..ATTEMPTS {
        let unknown = server.device(&format!("{attempt:064x}"), "AA:BB:CC:DD:EE:02");
        let answer = unknown.register().await;
        if answer.status == 429 {
            limited = Some((attempt, answer));
            break;
        }
        answer.expect_problem(401, "INVALID_API_KEY");
    }
    let (let_through, answer) = limited.expect("the flood is cut off");
    assert!(let_through >= 600, "a forgotten device is no attack: {let_through} let through");
    assert_limited(&answer);
    known.register().await.expect(200);
}
