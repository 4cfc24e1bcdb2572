//! The pages for registration by invitation.

use super::support::Reader;
use crate::it::support::{Server, ServerSettings};

fn set_to(registration: &str) -> ServerSettings {
    ServerSettings::default().with("LARDER_REGISTRATION", registration)
}

const OFFER: &str = "Create an account";

#[tokio::test]
async fn the_first_account_is_offered_and_then_no_other() {
    let server = Server::start_with(set_to("invite")).await;
    let stranger = Reader::new(&server);
    for path in ["/", "/login"] {
        assert!(stranger.get(path).await.expect(200).says(OFFER), "{path}");
    }
    let page = stranger.get("/register").await.expect(200);
    assert!(page.text.contains("name=\"password\""), "{}", page.text);
    let anna = server.with_household("anna").await;
    for path in ["/", "/login"] {
        assert!(!stranger.get(path).await.expect(200).says(OFFER), "{path}");
    }
    let page = stranger.get("/register").await.expect(200);
    assert!(page.says("Ask an admin of your household"), "{}", page.visible());
    assert!(!page.text.contains("name=\"password\""), "{}", page.text);

    let fields = [("name", "Ben"), ("email", "ben@example.org"), ("password", "long enough")];
    let refused = stranger.post("/register", &fields).await.expect(403);
    assert!(refused.says("without a current invitation"), "{}", refused.visible());

    // The code is entered here, only once.
    let household = anna.get("/households/current").await.expect(200);
    let code = household["inviteCode"].as_str().unwrap();
    let page = stranger.get(&format!("/register?invite={code}")).await.expect(200);
    assert_eq!(page.between("name=\"invite\" value=\"", "\""), Some(code));
    let fields = [&fields[..], &[("invite", code)]].concat();
    assert_eq!(stranger.post("/register", &fields).await.location(), "/stock?notice=joined");
    let members = anna.get("/households/current/members").await.expect(200);
    assert_eq!(members.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn an_invitation_that_does_not_work_any_more_makes_no_account() {
    let server = Server::start_with(set_to("invite")).await;
    server.with_household("anna").await;
    let stranger = Reader::new(&server);
    stranger.get("/register?invite=AAAAAAAAAAAA").await.expect(200);
    let fields = [
        ("name", "Ben"),
        ("email", "ben@example.org"),
        ("password", "long enough"),
        ("invite", "AAAAAAAAAAAA"),
    ];
    let page = stranger.post("/register", &fields).await.expect(403);
    assert!(page.says("Ask an admin of your household for a new one"), "{}", page.visible());
    assert_eq!(stranger.cookie("larder_session"), None);
}

#[tokio::test]
async fn where_registration_is_closed_no_page_offers_it() {
    let server = Server::start_with(set_to("closed")).await;
    let stranger = Reader::new(&server);
    for path in ["/", "/login", "/login?next=/join/AAAAAAAAAAAA", "/join/AAAAAAAAAAAA"] {
        let page = stranger.get(path).await.expect(200);
        assert!(!page.says(OFFER), "{path}: {}", page.visible());
    }
    let page = stranger.get("/register?invite=AAAAAAAAAAAA").await.expect(200);
    assert!(page.says("No new accounts can be created"), "{}", page.visible());
    assert!(!page.text.contains("name=\"password\""), "{}", page.text);
}
