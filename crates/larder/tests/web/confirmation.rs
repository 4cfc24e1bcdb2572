//! The pages for an unconfirmed address.

use larder_test_servers::SmtpServer;
use tokio::task::block_in_place;

use super::support::Reader;
use crate::it::support::{
    Server, ServerSettings,
    mailbox::{link_to, mails_to, with_mail},
};

const OFFER: &str = "Send me the mail";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_has_not_confirmed_their_address_is_told_and_can() {
    let mail = block_in_place(SmtpServer::open);
    let server = Server::start_with(with_mail(ServerSettings::default(), &mail)).await;
    let anna = server.with_household("anna").await;
    let first = mails_to(&mail, &anna.email, "/confirm-email/", 1).await;
    assert!(!first[0].contains("anna's home"), "{}", first[0]);
    let reader = Reader::of(&server, &anna).await;
    for path in ["/me", "/notifications"] {
        let page = reader.get(path).await.expect(200);
        assert!(page.says(OFFER) && page.says("anna@example.org is not yet"), "{}", page.visible());
    }
    // One was sent at registration, so four more are today's.
    for number in 2..=5 {
        let page = reader.submit("/me/confirm-email", &[("back", "/notifications")]).await;
        assert!(page.says("The mail is on its way"), "{number}: {}", page.visible());
    }
    let page = reader.submit("/me/confirm-email", &[]).await;
    assert!(page.says("Enough mails went to your address today"), "{}", page.visible());
    assert_eq!(mails_to(&mail, &anna.email, "/confirm-email/", 5).await.len(), 5);

    let link = link_to(&mail, &anna.email).await;
    let page = reader.get(&link).await.expect(200);
    assert!(page.says("Press the button"), "{}", page.visible());
    assert!(reader.get("/me").await.expect(200).says(OFFER), "looking changes nothing");
    let page = reader.post(&link, &[]).await.expect(200);
    assert!(page.says("Your address is confirmed"), "{}", page.visible());
    for path in ["/me", "/notifications"] {
        assert!(!reader.get(path).await.expect(200).says(OFFER), "{path}");
    }
    let page = reader.submit("/me/confirm-email", &[]).await;
    assert!(page.says("Your address is confirmed already"), "{}", page.visible());
    let page = reader.post("/confirm-email/abc", &[]).await.expect(410);
    assert!(page.says("This link does not work any more"), "{}", page.visible());
}

#[tokio::test]
async fn without_mail_nobody_is_asked_to_confirm_anything() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    for path in ["/me", "/notifications"] {
        assert!(!reader.get(path).await.expect(200).says(OFFER), "{path}");
    }
    reader.post("/me/confirm-email", &[]).await.expect(503);
}
