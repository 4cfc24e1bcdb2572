use larder_app::LinkPurpose;

use super::*;
use crate::samples;

fn sender() -> MailSender {
    let url = SmtpUrl::parse("smtp://127.0.0.1:1").unwrap();
    MailSender::new(&url, &MailAddress::parse("larder@example.org").unwrap()).unwrap()
}

fn headers(mail: &lettre::Message) -> String {
    let text = String::from_utf8(mail.formatted()).unwrap();
    text.split_once("\r\n\r\n").unwrap().0.to_owned()
}

#[tokio::test]
async fn a_mail_names_its_one_reader_and_can_be_recognised() {
    let message = samples::low_stock();
    let mail = sender().mail(&message.recipients[1], &message).unwrap();
    let headers = headers(&mail);
    let member = message.recipients[1].user;
    for line in [
        "From: Larder <larder@example.org>".to_owned(),
        "Date: Sun, 01 Mar 2026 09:30:00 +0000".to_owned(),
        format!("Message-ID: <a-delivery.{member}@example.org>"),
        "Auto-Submitted: auto-generated".to_owned(),
    ] {
        assert!(headers.lines().any(|given| given == line), "{line} is not in\n{headers}");
    }
    let recipients: Vec<_> = mail.envelope().to().iter().map(ToString::to_string).collect();
    assert_eq!(recipients, ["ben@example.org"]);
    assert!(!headers.contains("anna"), "{headers}");
}

/// Names cannot contain line breaks; if one did, it would still be one header.
#[tokio::test]
async fn a_name_cannot_write_headers() {
    let evil = "Eve\r\nBcc: eve@example.org\r\n\r\nbody";
    let mailbox = Mailbox::new(Some(text::one_line(evil)), "a@example.org".parse().unwrap());
    let mail = lettre::Message::builder()
        .from(sender().from)
        .to(mailbox)
        .subject(text::one_line(evil))
        .date(SystemTime::UNIX_EPOCH)
        .body(String::new())
        .unwrap();
    let names: Vec<_> = headers(&mail)
        .lines()
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_once(':').map(|(name, _)| name.to_owned()))
        .collect();
    assert_eq!(names, ["From", "To", "Subject", "Date", "Content-Transfer-Encoding"]);
}

#[tokio::test]
async fn who_has_the_mail_is_remembered_until_all_have_it() {
    let sender = sender();
    let (anna, ben) = (UserId::fixed(1), UserId::fixed(2));
    sender.remember("one", HashSet::from([anna]));
    assert!(sender.has_served("one", anna));
    assert!(!sender.has_served("one", ben) && !sender.has_served("two", anna));
    sender.remember("one", HashSet::new());
    assert!(!sender.has_served("one", anna));
}

#[tokio::test]
async fn what_is_remembered_has_a_bound() {
    let sender = sender();
    for number in 0..REMEMBERED + 10 {
        sender.remember(&number.to_string(), HashSet::from([UserId::fixed(1)]));
    }
    assert_eq!(sender.served.lock().unwrap().len(), REMEMBERED);
}

#[tokio::test]
async fn a_mail_with_a_link_holds_nothing_that_others_chose() {
    for (purpose, subject) in [
        (LinkPurpose::ConfirmAddress, "Confirm your email address"),
        (LinkPurpose::ResetPassword, "Choose a new password"),
    ] {
        let mail = LinkMail {
            purpose,
            id: "an-id".to_owned(),
            to: larder_domain::Email::parse("victim@corp.example").unwrap(),
            link: "https://larder.example/a-link/abc".to_owned(),
            sent_at: "2026-03-01T09:30:00Z".parse().unwrap(),
        };
        let written = sender().link(&mail).unwrap();
        let headers = headers(&written);
        for line in [
            "To: victim@corp.example",
            "Message-ID: <link.an-id@example.org>",
            "Auto-Submitted: auto-generated",
        ] {
            assert!(headers.lines().any(|given| given == line), "{line} is not in\n{headers}");
        }
        assert!(text::link_subject(purpose).starts_with(subject));
        let body = text::link(purpose, &mail.link);
        assert!(body.contains("\nhttps://larder.example/a-link/abc\n"), "{body}");
    }
}
