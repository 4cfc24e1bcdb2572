//! Who may register.

use std::{sync::Arc, time::Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::sync::Barrier;

use crate::it::support::{Answer, Client, PATIENCE, Server, ServerSettings};

fn settings(registration: &str) -> ServerSettings {
    ServerSettings::default().with("LARDER_REGISTRATION", registration)
}

/// With the default settings.
async fn by_invitation() -> Server {
    Server::start_with(ServerSettings::default().without("LARDER_REGISTRATION")).await
}

async fn register(client: &Client, name: &str, code: Option<&str>) -> Answer {
    let mut body = json!({
        "email": format!("{name}@example.org"),
        "password": "correct horse battery staple",
        "name": name,
    });
    if let Some(code) = code {
        body["inviteCode"] = json!(code);
    }
    client.post("/auth/register", body).await
}

async fn invite_code(admin: &Client) -> String {
    let household = admin.get("/households/current").await.expect(200);
    household["inviteCode"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn after_the_first_account_only_the_invited_get_one() {
    let server = by_invitation().await;
    let anna = server.with_household("anna").await;
    let nobody = server.anonymous();
    let refusals = [None, Some("ABCDEFGHJKLM"), Some("short"), Some("")];
    for code in refusals {
        register(&nobody, "ben", code).await.expect_problem(403, "REGISTRATION_CLOSED");
        // A stranger does not learn who has an account.
        register(&nobody, "anna", code).await.expect_problem(403, "REGISTRATION_CLOSED");
    }
    let code = invite_code(&anna).await;
    let session = register(&nobody, "ben", Some(&code.to_lowercase())).await.expect(201);
    let home = anna.get("/me").await.expect(200)["householdId"].clone();
    assert_eq!(session["user"]["householdId"], home);
    let mut ben = nobody.clone();
    ben.adopt(&session);
    let me = ben.get("/me").await.expect(200);
    assert_eq!((&me["householdId"], &me["role"]), (&home, &json!("member")));
    let members = anna.get("/households/current/members").await.expect(200);
    assert_eq!(members.as_array().unwrap().len(), 2);
    register(&nobody, "ben", Some(&code)).await.expect_problem(409, "EMAIL_TAKEN");
    assert_eq!(anna.get("/households/current/members").await.expect(200), members);

    // Removing a member replaces the code, for strangers as well.
    let path = format!("/households/current/members/{}", me["id"].as_str().unwrap());
    anna.delete(&path).await.expect(204);
    register(&nobody, "cleo", Some(&code)).await.expect_problem(403, "REGISTRATION_CLOSED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_sixty_four_who_want_the_first_account_exactly_one_gets_it() {
    let server = by_invitation().await;
    let start = Arc::new(Barrier::new(64));
    let tasks: Vec<_> = (0..64)
        .map(|number| {
            let (start, client) = (Arc::clone(&start), server.anonymous());
            tokio::spawn(async move {
                start.wait().await;
                let begun = Instant::now();
                loop {
                    let answer = register(&client, &format!("person{number}"), None).await;
                    // A client that is refused temporarily retries, like an app.
                    if answer.status != 503 || begun.elapsed() > PATIENCE {
                        return answer;
                    }
                }
            })
        })
        .collect();
    let mut created = 0;
    for task in tasks {
        let answer = task.await.unwrap();
        if answer.status == 201 {
            created += 1;
        } else {
            answer.expect_problem(403, "REGISTRATION_CLOSED");
        }
    }
    assert_eq!(created, 1);
}

#[tokio::test]
async fn accounts_from_while_registration_was_open_are_not_followed_by_a_free_one() {
    let server = Server::start_with(settings("open")).await;
    server.register("anna").await;
    let mut server = server;
    server.terminate().await;
    let server = Server::start_on(server.into_store(), settings("invite")).await;
    let answer = register(&server.anonymous(), "ben", None).await;
    answer.expect_problem(403, "REGISTRATION_CLOSED");
}

#[tokio::test]
async fn where_registration_is_closed_nobody_gets_an_account() {
    let mut server = Server::start_with(settings("closed")).await;
    let answer = register(&server.anonymous(), "anna", None).await;
    answer.expect_problem(403, "REGISTRATION_CLOSED");
    server.terminate().await;
    let mut server = Server::start_on(server.into_store(), settings("invite")).await;
    let anna = server.with_household("anna").await;
    let code = invite_code(&anna).await;
    server.terminate().await;
    let server = Server::start_on(server.into_store(), settings("closed")).await;
    for code in [None, Some(&*code)] {
        let answer = register(&server.anonymous(), "ben", code).await;
        answer.expect_problem(403, "REGISTRATION_CLOSED");
    }
}

#[tokio::test]
async fn where_registration_is_open_a_code_still_has_to_be_a_good_one() {
    let server = Server::start_with(settings("open")).await;
    let anna = server.with_household("anna").await;
    let nobody = server.anonymous();
    for code in ["ABCDEFGHJKLM", "short"] {
        register(&nobody, "ben", Some(code)).await.expect_problem(404, "INVITE_NOT_FOUND");
    }
    let code = invite_code(&anna).await;
    let session = register(&nobody, "ben", Some(&code)).await.expect(201);
    assert_ne!(session["user"]["householdId"], Value::Null);
}

#[tokio::test]
async fn guessing_codes_by_registering_is_slowed_down_as_by_joining() {
    let limited =
        ServerSettings::default().without("LARDER_REGISTRATION").with("LARDER_RATE_LIMITS", "on");
    let server = Server::start_with(limited).await;
    server.register("anna").await;
    let nobody = server.anonymous();
    // 120 a minute, and twice as many at once.
    let guesses = (0..240).map(|_| register(&nobody, "ben", Some("ABCDEFGHJKLM")));
    let (limited, judged): (Vec<_>, Vec<_>) =
        join_all(guesses).await.into_iter().partition(|answer| answer.status == 429);
    assert!(judged.len() >= 100, "a typing mistake is no attack: {}", judged.len());
    assert!(!limited.is_empty(), "240 guesses were all let through");
    limited[0].expect_problem(429, "RATE_LIMITED");
    judged[0].expect_problem(403, "REGISTRATION_CLOSED");
}
