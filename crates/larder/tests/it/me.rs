//! What people see and change of their own account.

use serde_json::{Value, json};

use crate::it::support::{Client, Server, id_of};

async fn sessions(client: &Client) -> Vec<Value> {
    client.all_pages("/me/sessions", "limit=2").await
}

async fn log_in(client: &Client, password: &str) -> Value {
    let body = json!({ "email": client.email, "password": password });
    client.post("/auth/login", body).await.expect(200)
}

fn change(current: &str, new: &str) -> Value {
    json!({ "current": current, "new": new })
}

#[tokio::test]
async fn a_new_name_is_seen_by_the_household_too() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let me = anna.get("/me").await.expect(200);
    let renamed = anna.patch("/me", json!({ "name": "Anna M." })).await.expect(200);
    assert_eq!(renamed["name"], "Anna M.");
    assert_eq!((&renamed["id"], &renamed["role"]), (&me["id"], &json!("admin")));
    assert_eq!(anna.get("/me").await.expect(200), renamed);
    let members = anna.get("/households/current/members").await.expect(200);
    assert_eq!(members[0]["name"], "Anna M.");
    assert_eq!(anna.patch("/me", json!({})).await.expect(200), renamed);
    for wrong in [json!(""), json!(null), json!("x".repeat(201))] {
        anna.patch("/me", json!({ "name": wrong })).await.expect_invalid_field("name");
    }
    anna.patch("/me", json!({ "email": "b@example.org" }))
        .await
        .expect_field_error("UNKNOWN_FIELD", "email");
    assert_eq!(anna.get("/me").await.expect(200), renamed);
}

#[tokio::test]
async fn time_zone_and_language_are_set_kept_and_cleared() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let me = anna.get("/me").await.expect(200);
    assert_eq!((&me["timeZone"], &me["language"]), (&Value::Null, &Value::Null));
    let both = json!({ "timeZone": "asia/tokyo", "language": "ja" });
    let changed = anna.patch("/me", both).await.expect(200);
    assert_eq!((&changed["timeZone"], &changed["language"]), (&json!("Asia/Tokyo"), &json!("ja")));
    assert_eq!(changed["name"], me["name"]);
    assert_eq!(anna.get("/me").await.expect(200), changed);
    assert_eq!(log_in(&anna, &anna.password).await["user"], changed);
    for (field, wrong) in [
        ("timeZone", json!("Asia/Atlantis")),
        ("timeZone", json!("")),
        ("timeZone", json!(9)),
        ("language", json!("fr")),
        ("language", json!("ja-JP")),
        ("language", json!("")),
    ] {
        anna.patch("/me", json!({ field: wrong })).await.expect_invalid_field(field);
    }
    anna.patch("/me", json!({ "timezone": "UTC" }))
        .await
        .expect_field_error("UNKNOWN_FIELD", "timezone");
    assert_eq!(anna.get("/me").await.expect(200), changed);
    let cleared = anna.patch("/me", json!({ "timeZone": null })).await.expect(200);
    assert_eq!((&cleared["timeZone"], &cleared["language"]), (&Value::Null, &json!("ja")));
    assert_eq!(anna.patch("/me", json!({ "language": null })).await.expect(200), me);
    assert_eq!(anna.get("/me").await.expect(200), me);
}

#[tokio::test]
async fn a_new_password_ends_every_session_and_may_be_sent_again() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let (old, new) = (anna.password.clone(), "a new and longer password");
    let body = change(&old, new);
    assert_eq!(anna.post("/me/password", body.clone()).await.expect(204), Value::Null);
    let refresh = json!({ "refreshToken": anna.refresh_token });
    anna.post("/auth/refresh", refresh).await.expect(401);
    let outdated = json!({ "email": anna.email, "password": old });
    anna.post("/auth/login", outdated).await.expect_problem(401, "INVALID_CREDENTIALS");
    anna.get("/me").await.expect_problem(401, "UNAUTHENTICATED");
    let again = log_in(&anna, new).await;
    // The answer was lost, and the client tries again.
    let again = anna.with_token(again["accessToken"].as_str().unwrap());
    again.post_once("/me/password", "password-1", &body).await.expect(204);
    log_in(&anna, new).await;
}

#[tokio::test]
async fn without_the_current_password_nothing_changes() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    for current in ["", "not the password"] {
        let answer = anna.post("/me/password", change(current, "a new and longer password")).await;
        answer.expect_problem(401, "INVALID_CREDENTIALS");
    }
    let short = anna.post("/me/password", change(&anna.password, "short")).await;
    short.expect_invalid_field("new");
    let own = anna.post("/me/password", change(&anna.password, &anna.email)).await;
    own.expect_invalid_field("new");
    log_in(&anna, &anna.password).await;
    let refresh = json!({ "refreshToken": anna.refresh_token });
    anna.post("/auth/refresh", refresh).await.expect(200);
}

#[tokio::test]
async fn sessions_are_listed_newest_first_and_can_be_ended() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let mut second = anna.clone();
    second.adopt(&log_in(&anna, &anna.password).await);
    log_in(&anna, &anna.password).await;
    let all = sessions(&anna).await;
    assert_eq!(all.len(), 3);
    for session in &all {
        assert_eq!((&session["kind"], &session["isCurrent"]), (&json!("program"), &json!(false)));
        assert_eq!(session.as_object().unwrap().len(), 7, "{session}");
    }
    let began = |at: usize| all[at]["beganAt"].as_str().unwrap();
    assert!(began(0) >= began(1) && began(1) >= began(2));
    let path = format!("/me/sessions/{}", id_of(&all[1]));
    let stranger = server.register("ben").await;
    stranger.delete(&path).await.expect_problem(404, "SESSION_NOT_FOUND");
    anna.delete(&path).await.expect(204);
    anna.delete(&path).await.expect_problem(404, "SESSION_NOT_FOUND");
    anna.delete("/me/sessions/mine").await.expect_problem(404, "SESSION_NOT_FOUND");
    let left = sessions(&anna).await;
    assert_eq!(left, [all[0].clone(), all[2].clone()]);
    let ended = json!({ "refreshToken": second.refresh_token });
    anna.post("/auth/refresh", ended).await.expect(401);
    second.get("/me").await.expect_problem(401, "UNAUTHENTICATED");
}
