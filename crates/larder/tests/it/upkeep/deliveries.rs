//! Low stock reaches people who are not using Larder at the moment.

use larder_test_servers::SmtpServer;
use serde_json::Value;
use tokio::task::block_in_place;

use super::{add_too_little, notified, posting_to};
use crate::it::support::{
    Receiver, Server, id_of,
    mailbox::{confirm, mails_to, with_mail},
    until,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn low_stock_reaches_the_webhook_and_every_members_mailbox() {
    let mut receiver = Receiver::answering(&[]).await;
    let mail = block_in_place(SmtpServer::open);
    let server = Server::start_with(with_mail(posting_to(&receiver), &mail)).await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    for person in [&anna, &ben] {
        confirm(&server, &mail, person).await;
    }
    let rice = add_too_little(&anna, "Rice").await;

    let call = receiver.next().await;
    let notification = notified(&anna).await.remove(0);
    assert_eq!(call["notification"], notification, "as the API shows it");
    assert_eq!(call["notification"]["itemId"], id_of(&rice));
    assert_eq!(call["household"]["name"], "anna's home");
    assert_eq!(call["event"], "notification.opened");

    for person in [&anna, &ben] {
        let mails = mails_to(&mail, &person.email, "Rice", 1).await;
        assert_eq!(mails.len(), 1);
    }

    for channel in ["webhook", "mail"] {
        let line = format!("larder_deliveries_total{{channel=\"{channel}\",outcome=\"sent\"}} 1");
        // The server counts recorded deliveries, a little after they were received.
        let client = server.anonymous();
        until(&line, async || client.get_root("/metrics").await.text.contains(&line)).await;
    }
    let log = server.log();
    assert!(!log.contains("hunter2"), "the address of the webhook is a secret:\n{log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_was_busy_gets_it_later() {
    let mut receiver = Receiver::answering(&[503]).await;
    let server = Server::start_with(posting_to(&receiver)).await;
    let anna = server.with_household("anna").await;
    add_too_little(&anna, "Rice").await;
    let refused = receiver.next().await;
    // After ten seconds and a little.
    let taken = receiver.next().await;
    assert_eq!(taken["deliveryId"], refused["deliveryId"]);
    assert_eq!(taken["notification"], refused["notification"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_sent_and_nothing_kept_where_no_channel_is_set() {
    let mut receiver = Receiver::answering(&[]).await;
    let mut server = Server::start().await;
    let anna = server.with_household("anna").await;
    add_too_little(&anna, "Rice").await;
    assert_eq!(notified(&anna).await.len(), 1);
    assert!(server.terminate().await.success());

    // From now on there is a receiver, but earlier notifications are not sent again.
    let server = Server::start_on(server.into_store(), posting_to(&receiver)).await;
    let anna = server.anonymous().with_token(anna.token());
    add_too_little(&anna, "Salt").await;
    assert_eq!(receiver.next().await["notification"]["itemName"], "Salt");
    assert_eq!(receiver.waiting(), Vec::<Value>::new());
}
