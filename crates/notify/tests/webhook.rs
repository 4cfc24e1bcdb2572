//! The webhook against a real receiver that verifies the calls.

#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, and all of this is test code"
)]

#[path = "../src/samples.rs"]
#[allow(dead_code, reason = "each test takes what it needs")]
mod samples;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::{Router, body::Bytes, extract::State, http::HeaderMap, http::StatusCode};
use larder_app::{Notifier as _, SendError};
use larder_notify::{Webhook, signature};
use larder_outbound::OutboundUrl;
use serde_json::Value;
use tokio::net::TcpListener;

const SECRET: &[u8] = b"a secret of at least thirty-two bytes";

/// One received call.
struct Call {
    headers: HeaderMap,
    body: Bytes,
}

impl Call {
    fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }
}

/// A receiver that gives these answers in turn, and then repeats the last one.
struct Receiver {
    address: SocketAddr,
    calls: Arc<Mutex<Vec<Call>>>,
}

type Script = (Arc<Mutex<Vec<Call>>>, &'static [u16]);

async fn receive(
    State((calls, answers)): State<Script>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let mut calls = calls.lock().unwrap();
    let status = answers[calls.len().min(answers.len() - 1)];
    calls.push(Call { headers, body });
    let elsewhere = [("location", "/elsewhere")];
    (StatusCode::from_u16(status).unwrap(), elsewhere, "x".repeat(100_000))
}

type Answer = (StatusCode, [(&'static str, &'static str); 1], String);

impl Receiver {
    async fn answering(answers: &'static [u16]) -> Self {
        let calls = Arc::default();
        let router = Router::new().fallback(receive).with_state((Arc::clone(&calls), answers));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, calls }
    }

    fn sender(&self) -> Webhook {
        sender_to(&format!("http://{}/hook?key=1", self.address))
    }

    fn calls(&self) -> Vec<Call> {
        std::mem::take(&mut self.calls.lock().unwrap())
    }
}

fn sender_to(url: &str) -> Webhook {
    Webhook::new(OutboundUrl::parse(url).unwrap(), SECRET.to_vec()).unwrap()
}

#[tokio::test]
async fn a_call_carries_the_notification_and_a_signature_that_fits() {
    let receiver = Receiver::answering(&[204]).await;
    let message = samples::low_stock();
    assert_eq!(receiver.sender().send(&message).await, Ok(()));

    let [call] = &receiver.calls()[..] else { panic!("not one call") };
    assert_eq!(call.header("larder-event"), "notification.opened");
    assert_eq!(call.header("larder-delivery"), "a-delivery");
    assert_eq!(call.header("content-type"), "application/json");
    assert!(call.header("user-agent").starts_with("larder/"));
    let expected = signature::sign(SECRET, message.sent_at.as_second(), &call.body);
    assert_eq!(call.header("larder-signature"), expected);
    assert!(expected.starts_with("t=1772357400,v1="), "{expected}");

    let body: Value = serde_json::from_slice(&call.body).unwrap();
    assert_eq!(body["event"], "notification.opened");
    assert_eq!(body["deliveryId"], "a-delivery");
    assert_eq!(body["notification"]["itemName"], "りんご");
    assert_eq!(body["household"]["id"], samples::HOUSEHOLD);
}

#[tokio::test]
async fn a_busy_receiver_may_take_the_same_delivery_later() {
    let receiver = Receiver::answering(&[503, 429, 200]).await;
    let (sender, message) = (receiver.sender(), samples::low_stock());
    for status in [503, 429] {
        let sentence = format!("the receiver answered {status}");
        assert_eq!(sender.send(&message).await, Err(SendError::Temporary(sentence)));
    }
    assert_eq!(sender.send(&message).await, Ok(()));
    let calls = receiver.calls();
    assert_eq!(calls.len(), 3);
    assert!(calls.iter().all(|call| call.header("larder-delivery") == "a-delivery"));
}

#[tokio::test]
async fn a_refusal_is_for_ever_and_a_redirect_is_one() {
    for (answers, status) in [(&[400][..], 400), (&[410], 410), (&[302], 302), (&[307], 307)] {
        let receiver = Receiver::answering(answers).await;
        let result = receiver.sender().send(&samples::expired()).await;
        let sentence = format!("the receiver answered {status}");
        assert_eq!(result, Err(SendError::Permanent(sentence)));
        assert_eq!(receiver.calls().len(), 1, "{status} was followed");
    }
}

#[tokio::test]
async fn nobody_there_is_temporary_and_says_so_without_the_address() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let sender = sender_to(&format!("http://{address}/hook/hunter2"));
    match sender.send(&samples::low_stock()).await {
        Err(SendError::Temporary(reason)) => {
            assert!(reason.contains("refused"), "{reason}");
            assert!(!reason.contains("hunter2"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_receiver_that_never_answers_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let sender = sender_to(&format!("http://{}", listener.local_addr().unwrap()));
    let result = sender.send(&samples::low_stock()).await;
    let reason = "no answer within 10 seconds".to_owned();
    assert_eq!(result, Err(SendError::Temporary(reason)));
}
