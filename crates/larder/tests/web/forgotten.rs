//! The pages for a forgotten password.

use larder_test_servers::SmtpServer;
use tokio::task::block_in_place;

use super::support::Reader;
use crate::it::support::{
    Server, ServerSettings,
    mailbox::{mails_to, path_in, with_mail},
};

const NEW: &str = "a new and longer password";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_has_forgotten_their_password_chooses_another() {
    let mail = block_in_place(SmtpServer::open);
    let server = Server::start_with(with_mail(ServerSettings::default(), &mail)).await;
    let anna = server.with_household("anna").await;
    let reader = Reader::new(&server);
    assert!(reader.get("/login").await.expect(200).text.contains("href=\"/forgot\""));
    reader.get("/forgot").await.expect(200);
    let page = reader.post("/forgot", &[("email", "anna")]).await.expect(400);
    assert!(page.says("email address"), "{}", page.visible());
    for email in ["nobody@example.org", &anna.email] {
        let page = reader.post("/forgot", &[("email", email)]).await.expect(200);
        assert!(page.says(&format!("account with {email}, a mail")), "{}", page.visible());
    }
    let texts = mails_to(&mail, &anna.email, "/reset/", 1).await;
    let link = path_in(&texts[0], "/reset/");

    let page = reader.get(&link).await.expect(200);
    assert!(page.says("Choose a new password"), "{}", page.visible());
    for (password, says) in [("short", "At least 8 characters"), ("abcabcabc", "It repeats itself")]
    {
        let page = reader.post(&link, &[("password", password)]).await.expect(400);
        assert!(page.says(says) && !page.text.contains(password), "{}", page.visible());
    }
    let page = reader.submit(&link, &[("password", NEW)]).await;
    assert!(page.says("Log in with the new one"), "{}", page.visible());
    let login = [("email", &*anna.email), ("password", NEW)];
    reader.post("/login", &login).await.expect(303);
    reader.get("/stock").await.expect(200);
    let page = reader.get(&link).await.expect(410);
    assert!(page.says("This link does not work any more"), "{}", page.visible());
    let page = reader.post(&link, &[("password", NEW)]).await.expect(410);
    assert!(page.says("Forgot your password?"), "{}", page.visible());
}

#[tokio::test]
async fn a_server_without_mail_says_whom_to_ask() {
    let server = Server::start().await;
    let reader = Reader::new(&server);
    let page = reader.get("/forgot").await.expect(200);
    assert!(page.says("Ask whoever runs it"), "{}", page.visible());
}
