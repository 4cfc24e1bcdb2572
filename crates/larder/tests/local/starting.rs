//! Wrong settings of the channels are refused at the start, in a sentence.

use crate::it::support::{Server, StoreUnderTest, refused};

async fn refusal(variables: &[(&str, &str)]) -> String {
    let store = StoreUnderTest::fresh().await;
    let mut command = Server::command(&store);
    command.envs(variables.iter().copied());
    let (code, message) = refused(&mut command).await;
    assert_eq!(code, Some(2), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

#[tokio::test]
async fn channels_told_by_half_or_wrongly_are_refused_without_showing_secrets() {
    let smtp = ("LARDER_SMTP_URL", "smtps://anna:hunter2@mail.example");
    for (variables, part) in [
        (&[("LARDER_WEBHOOK_URL", "hooks.example/hunter2")][..], "the setting webhook_url is"),
        (&[("LARDER_WEBHOOK_SECRET", "hunter2")], "holds 7 bytes"),
        (&[("LARDER_SMTP_URL", "mail.example?hunter2")], "LARDER_SMTP_URL is not usable"),
        (&[smtp], "the setting mail_from is absent"),
        (&[("LARDER_MAIL_FROM", "larder@example.org")], "no mail server is"),
        (&[smtp, ("LARDER_MAIL_FROM", "larder")], "the setting mail_from is \"larder\""),
    ] {
        let message = refusal(variables).await;
        assert!(message.contains(part), "{part} is not in {message}");
        assert!(!message.contains("hunter2"), "{message}");
    }
}
