//! Forgotten passwords: a mailed link replaces them.

use larder_test_servers::SmtpServer;
use serde_json::{Value, json};
use tokio::task::block_in_place;

use crate::it::support::{
    Client, Server, ServerSettings,
    mailbox::{confirm, mails_to, path_in, texts_to, with_mail},
    until,
};

const NEW: &str = "a new and longer password";
const LINK: &str = "/reset/";

async fn open() -> (SmtpServer, Server) {
    let mail = block_in_place(SmtpServer::open);
    let server = Server::start_with(with_mail(ServerSettings::default(), &mail)).await;
    (mail, server)
}

async fn ask(server: &Server, email: &str) {
    let answer = server.anonymous().post("/auth/forgot", json!({ "email": email })).await;
    assert_eq!((answer.status, answer.text.as_str()), (202, ""));
}

/// The token of the link that is in this many mails to someone.
async fn token(mail: &SmtpServer, person: &Client, mails: usize) -> String {
    let texts = mails_to(mail, &person.email, LINK, mails).await;
    path_in(texts.last().unwrap(), LINK).strip_prefix(LINK).unwrap().to_owned()
}

fn reset(token: &str, password: &str) -> Value {
    json!({ "token": token, "password": password })
}

async fn log_in(client: &Client, password: &str) -> u16 {
    let body = json!({ "email": client.email, "password": password });
    client.post("/auth/login", body).await.status
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mailed_link_replaces_a_forgotten_password_once_and_ends_all_sessions() {
    let (mail, server) = open().await;
    let anna = server.register("anna").await;
    ask(&server, &anna.email.to_uppercase()).await;
    let link = token(&mail, &anna, 1).await;
    let nobody = server.anonymous();

    // What is refused changes nothing, and does not use up the link.
    let easy = nobody.post("/auth/reset", reset(&link, &anna.email)).await;
    easy.expect_invalid_field("password");
    let cut = nobody.post("/auth/reset", reset(&link[1..], NEW)).await;
    cut.expect_problem(410, "RESET_LINK_EXPIRED");
    assert_eq!(anna.get("/me").await.status, 200);
    assert_eq!(log_in(&anna, &anna.password).await, 200);

    nobody.post("/auth/reset", reset(&link, NEW)).await.expect(204);
    assert_eq!(anna.get("/me").await.status, 401, "sessions have ended");
    assert_eq!(log_in(&anna, &anna.password).await, 401);
    assert_eq!(log_in(&anna, NEW).await, 200);
    let again = nobody.post("/auth/reset", reset(&link, "yet another long one")).await;
    again.expect_problem(410, "RESET_LINK_EXPIRED");
    assert_eq!(log_in(&anna, NEW).await, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_is_of_one_person_and_void_once_the_password_is_another() {
    let (mail, server) = open().await;
    let (anna, ben) = (server.register("anna").await, server.register("ben").await);
    confirm(&server, &mail, &anna).await;
    ask(&server, &anna.email).await;
    ask(&server, &ben.email).await;
    let (of_anna, of_ben) = (token(&mail, &anna, 1).await, token(&mail, &ben, 1).await);
    let nobody = server.anonymous();
    // The first 21 characters name the person.
    let forged = format!("{}{}", &of_ben[..21], &of_anna[21..]);
    let refused = nobody.post("/auth/reset", reset(&forged, NEW)).await;
    refused.expect_problem(410, "RESET_LINK_EXPIRED");
    let change = json!({ "current": anna.password, "new": "remembered after all" });
    anna.post("/me/password", change).await.expect(204);
    let refused = nobody.post("/auth/reset", reset(&of_anna, NEW)).await;
    refused.expect_problem(410, "RESET_LINK_EXPIRED");
    nobody.post("/auth/reset", reset(&of_ben, NEW)).await.expect(204);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_learns_who_has_an_account_and_an_address_is_asked_for_rarely() {
    let mail = block_in_place(SmtpServer::open);
    let settings = with_mail(ServerSettings::default(), &mail).with("LARDER_RATE_LIMITS", "on");
    let server = Server::start_with(settings).await;
    let anna = server.register("anna").await;
    for email in [anna.email.as_str(), "nobody@example.org"] {
        ask(&server, email).await;
        ask(&server, email).await;
        let body = json!({ "email": email });
        let refused = server.anonymous().post("/auth/forgot", body).await;
        refused.expect_problem(429, "RATE_LIMITED");
    }
    mails_to(&mail, &anna.email, LINK, 2).await;
    assert_eq!(texts_to(&mail, "nobody@example.org", ""), Vec::<String>::new());
    let log = server.log();
    assert!(!log.contains("nobody@example.org") && !log.contains(&anna.email), "{log}");
}

/// How often the log says that no more links are sent today.
fn refusals(server: &Server) -> usize {
    server.log().matches("too many mails today").count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_that_is_not_confirmed_gets_five_mails_a_day() {
    let (mail, server) = open().await;
    let anna = server.register("anna").await;
    // The first of the five asks for confirmation.
    mails_to(&mail, &anna.email, "/confirm-email/", 1).await;
    for _ in 0..10 {
        ask(&server, &anna.email).await;
    }
    until("the others are refused", async || refusals(&server) == 6).await;
    mails_to(&mail, &anna.email, LINK, 4).await;
    assert_eq!(texts_to(&mail, &anna.email, "").len(), 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_mails_keep_nobody_from_replacing_their_password() {
    let mail = block_in_place(SmtpServer::open);
    let settings = with_mail(ServerSettings::default(), &mail).with("LARDER_MAIL_PER_DAY", "1");
    let server = Server::start_with(settings).await;
    let anna = server.register("anna").await;
    // This mail is the only one of the day.
    confirm(&server, &mail, &anna).await;
    ask(&server, &anna.email).await;
    token(&mail, &anna, 1).await;
    assert_eq!(refusals(&server), 0);
}
