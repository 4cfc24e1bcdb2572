//! Mails sent by a server, and their links.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use larder_test_servers::SmtpServer;
use reqwest::header;
use serde_json::Value;

use super::{Client, PATIENCE, Server, ServerSettings, eventually};

/// Settings for sending mail.
pub(crate) fn with_mail(settings: ServerSettings, mail: &SmtpServer) -> ServerSettings {
    settings
        .with("LARDER_SMTP_URL", &format!("smtp://{}", mail.address()))
        .with("LARDER_MAIL_FROM", "larder@home.example")
}

/// Waits for so many mails to this address that contain this text, and returns them.
pub(crate) async fn mails_to(
    server: &SmtpServer,
    email: &str,
    holding: &str,
    count: usize,
) -> Vec<String> {
    let what = format!("{count} mails to {email} with {holding:?}");
    eventually(&what, async || {
        let mails = texts_to(server, email, holding);
        (mails.len() >= count).then_some(mails)
    })
    .await
}

/// The same for those that have arrived so far.
pub(crate) fn texts_to(server: &SmtpServer, email: &str, holding: &str) -> Vec<String> {
    let mails = server.mails();
    let mails = mails.iter().map(|mail| serde_json::from_str::<Value>(mail).unwrap());
    let texts = mails.filter(|mail| mail["to"][0] == email).map(|mail| text_of(&mail));
    texts.filter(|text| text.contains(holding)).collect()
}

/// Confirms the address of this person with the newest link that they were sent.
pub(crate) async fn confirm(server: &Server, mail: &SmtpServer, person: &Client) {
    let link = link_to(mail, &person.email).await;
    let (status, _) = open_and_confirm(server, &link).await;
    assert_eq!(status, 200);
}

/// The path of the newest link that this address was sent.
pub(crate) async fn link_to(mail: &SmtpServer, email: &str) -> String {
    let texts = mails_to(mail, email, "/confirm-email/", 1).await;
    path_in(texts.last().unwrap(), "/confirm-email/")
}

/// The path of the last link in a mail that begins so.
pub(crate) fn path_in(text: &str, beginning: &str) -> String {
    let (_, link) = text.rsplit_once(beginning).unwrap();
    let token: String =
        link.chars().take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect();
    format!("{beginning}{token}")
}

/// Opens the page of a link in an anonymous browser, and presses its button.
pub(crate) async fn open_and_confirm(server: &Server, link: &str) -> (u16, String) {
    let http = reqwest::Client::builder().no_proxy().timeout(PATIENCE).build().unwrap();
    let address = format!("http://{}{link}", server.address().get());
    let page = http.get(&address).header(header::ACCEPT, "text/html").send().await.unwrap();
    assert_eq!(page.status(), 200);
    let cookies = page.headers().get_all(header::SET_COOKIE).iter();
    let cookies = cookies.map(|cookie| cookie.to_str().unwrap().split(';').next().unwrap());
    let cookies = cookies.collect::<Vec<_>>().join("; ");
    let text = page.text().await.unwrap();
    let (_, csrf) = text.split_once("name=\"csrf\" value=\"").expect("the page has a form");
    let csrf = csrf.split('"').next().unwrap();
    let form = http
        .post(&address)
        .header(header::ACCEPT, "text/html")
        .header(header::COOKIE, cookies)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(format!("csrf={csrf}"));
    let answer = form.send().await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

/// Headers and body, the body as people read it.
fn text_of(mail: &Value) -> String {
    let raw = mail["text"].as_str().unwrap().replace("\r\n", "\n");
    let (headers, body) = raw.split_once("\n\n").unwrap();
    let body = if headers.contains("Content-Transfer-Encoding: base64") {
        let body: String = body.split_whitespace().collect();
        String::from_utf8(STANDARD.decode(body).unwrap()).unwrap()
    } else {
        // Soft line breaks of quoted-printable; its other escapes do not matter to the tests.
        body.replace("=\n", "")
    };
    format!("{headers}\n\n{body}")
}
