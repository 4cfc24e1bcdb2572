//! Mail through a real mail server.

#![allow(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, and all of this is test code"
)]

#[path = "../src/samples.rs"]
#[allow(dead_code, reason = "each test takes what it needs")]
mod samples;

use larder_app::{Message, Notifier as _, SendError};
use larder_notify::{MailAddress, MailSender, SmtpUrl};
use larder_test_servers::SmtpServer;
use serde_json::Value;
use tokio::net::TcpListener;

fn sender_to(url: &str) -> MailSender {
    let from = MailAddress::parse("larder@home.example").unwrap();
    MailSender::new(&SmtpUrl::parse(url).unwrap(), &from).unwrap()
}

fn sender(server: &SmtpServer) -> MailSender {
    sender_to(&format!("smtp://{}", server.address()))
}

fn mails(server: &SmtpServer) -> Vec<Value> {
    server.mails().iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A message to members with these addresses.
fn message_to(addresses: &[&str]) -> Message {
    let members = (1..).zip(addresses);
    let recipients = members.map(|(number, email)| samples::member(number, "Somebody", email));
    Message { recipients: recipients.collect(), ..samples::low_stock() }
}

fn recipients(server: &SmtpServer) -> Vec<String> {
    mails(server).iter().map(|mail| mail["to"][0].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_member_gets_a_mail_of_their_own() {
    let server = SmtpServer::open();
    assert_eq!(sender(&server).send(&samples::low_stock()).await, Ok(()));

    let mails = mails(&server);
    assert_eq!(mails.len(), 2);
    for (mail, (own, other)) in mails.iter().zip([("anna", "ben"), ("ben", "anna")]) {
        assert_eq!(mail["from"], "larder@home.example");
        assert_eq!(mail["to"], serde_json::json!([format!("{own}@example.org")]));
        assert_eq!(mail["hello"], "home.example");
        let text = mail["text"].as_str().unwrap();
        assert!(text.contains(&format!("{own}@example.org")), "{text}");
        assert!(!text.contains(&format!("{other}@example.org")), "{text}");
        assert!(text.contains("\r\nMessage-ID: <a-delivery."), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_busy_mailbox_gets_it_later_and_the_others_not_again() {
    let server = SmtpServer::open();
    let sender = sender(&server);
    let message = message_to(&["anna@example.org", "busy@example.org", "ben@example.org"]);
    match sender.send(&message).await {
        Err(SendError::Temporary(reason)) => assert!(reason.contains("451"), "{reason}"),
        other => panic!("{other:?}"),
    }
    server.be_busy_no_more();
    assert_eq!(sender.send(&message).await, Ok(()));
    assert_eq!(recipients(&server), ["anna@example.org", "ben@example.org", "busy@example.org"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_mailbox_does_not_keep_the_others_from_theirs() {
    let server = SmtpServer::open();
    let message = message_to(&["unknown@example.org", "ben@example.org"]);
    assert_eq!(sender(&server).send(&message).await, Ok(()));
    assert_eq!(recipients(&server), ["ben@example.org"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn if_every_mailbox_is_refused_it_is_for_ever() {
    let server = SmtpServer::open();
    let message = message_to(&["unknown@example.org", "unknown-too@example.org"]);
    match sender(&server).send(&message).await {
        Err(SendError::Permanent(reason)) => {
            assert!(reason.contains("550") && reason.contains("no such mailbox"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(server.mails(), Vec::<String>::new());
}

/// The settings are at fault, not the mail, which must be kept until they are fixed. (A correct
/// login over TLS is in the tests of the binary, which trusts the certificate by `SSL_CERT_FILE`.)
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_that_nobody_vouches_for_is_refused_but_not_for_ever() {
    let server = SmtpServer::with_tls_and_login("anna", "hunter2");
    let port = server.address().port();
    let sender = sender_to(&format!("smtp://anna:hunter2@localhost:{port}?tls=required"));
    match sender.send(&samples::low_stock()).await {
        Err(SendError::Temporary(reason)) => {
            assert!(reason.contains("UnknownIssuer"), "{reason}");
            assert!(!reason.contains("hunter2"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(server.mails(), Vec::<String>::new());
}

#[tokio::test]
async fn nobody_there_is_temporary() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    match sender_to(&format!("smtp://{address}")).send(&samples::low_stock()).await {
        Err(SendError::Temporary(reason)) => assert!(reason.contains("refused"), "{reason}"),
        other => panic!("{other:?}"),
    }
}
