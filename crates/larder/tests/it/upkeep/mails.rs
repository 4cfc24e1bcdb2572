//! Recipients of mail: confirmed addresses only, within a daily limit.

use larder_test_servers::SmtpServer;
use tokio::task::block_in_place;

use super::add_too_little;
use crate::it::support::{
    Server, ServerSettings,
    mailbox::{confirm, link_to, mails_to, open_and_confirm, texts_to, with_mail},
    until,
};

const LINK: &str = "/confirm-email/";

/// Waits until the server has counted so many deliveries by mail with this outcome.
async fn counted(server: &Server, outcome: &str, count: usize) {
    let line = format!("larder_deliveries_total{{channel=\"mail\",outcome=\"{outcome}\"}} {count}");
    let client = server.anonymous();
    until(&line, async || client.get_root("/metrics").await.text.contains(&line)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_gets_nothing_but_a_link_until_it_is_confirmed() {
    let mail = block_in_place(SmtpServer::open);
    let server = Server::start_with(with_mail(ServerSettings::default(), &mail)).await;
    let anna = server.with_household("anna").await;
    let link = link_to(&mail, &anna.email).await;
    add_too_little(&anna, "Viagra cheap").await;
    counted(&server, "dropped", 1).await;
    // User input must not reach an unconfirmed address.
    for chosen in ["Viagra", "anna's home"] {
        assert_eq!(texts_to(&mail, &anna.email, chosen), Vec::<String>::new());
    }

    // Merely opening the link confirms nothing.
    assert_eq!(server.anonymous().get_root(&link).await.status, 200);
    add_too_little(&anna, "Salt").await;
    counted(&server, "dropped", 2).await;

    let (status, _) = open_and_confirm(&server, &link).await;
    assert_eq!(status, 200);
    add_too_little(&anna, "Rice").await;
    mails_to(&mail, &anna.email, "Rice", 1).await;
    assert_eq!(texts_to(&mail, &anna.email, "Salt"), Vec::<String>::new());
    assert_eq!(texts_to(&mail, &anna.email, LINK).len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_members_with_confirmed_addresses_get_mail() {
    let mail = block_in_place(SmtpServer::open);
    let server = Server::start_with(with_mail(ServerSettings::default(), &mail)).await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    confirm(&server, &mail, &ben).await;
    add_too_little(&anna, "Rice").await;
    mails_to(&mail, &ben.email, "Rice", 1).await;
    counted(&server, "sent", 1).await;
    assert_eq!(texts_to(&mail, &anna.email, "Rice"), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_that_was_changed_confirms_nothing() {
    let mail = block_in_place(SmtpServer::open);
    let server = Server::start_with(with_mail(ServerSettings::default(), &mail)).await;
    let anna = server.register("anna").await;
    let ben = server.register("ben").await;
    let (of_anna, of_ben) = (link_to(&mail, &anna.email).await, link_to(&mail, &ben.email).await);
    // The first 21 characters name the person.
    let forged = format!("{}{}", &of_ben[..LINK.len() + 21], &of_anna[LINK.len() + 21..]);
    for link in [&*forged, "/confirm-email/abc"] {
        let (status, text) = open_and_confirm(&server, link).await;
        assert_eq!(status, 410, "{text}");
    }
    // A good one may be opened twice: people press twice.
    for _ in 0..2 {
        let (status, text) = open_and_confirm(&server, &of_anna).await;
        assert_eq!(status, 200, "{text}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_gets_only_so_many_mails_on_one_day() {
    let mail = block_in_place(SmtpServer::open);
    let settings = with_mail(ServerSettings::default(), &mail).with("LARDER_MAIL_PER_DAY", "4");
    let server = Server::start_with(settings).await;
    let anna = server.with_household("anna").await;
    confirm(&server, &mail, &anna).await;
    for number in 0..10 {
        add_too_little(&anna, &format!("Rice {number}")).await;
    }
    // The mail with the link counts too.
    counted(&server, "capped", 7).await;
    counted(&server, "sent", 3).await;
    assert_eq!(texts_to(&mail, &anna.email, "").len(), 4);
}
