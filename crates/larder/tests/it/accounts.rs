//! Registering, logging in, and the life of a refresh token.

use serde_json::{Value, json};

use crate::it::support::{Client, Server, without_request_id};

async fn log_in(client: &Client) -> Value {
    let body = json!({ "email": client.email, "password": client.password });
    client.post("/auth/login", body).await.expect(200)
}

async fn refresh(client: &Client, token: &Value) -> crate::it::support::Answer {
    client.post("/auth/refresh", json!({ "refreshToken": token })).await
}

#[tokio::test]
async fn registering_answers_the_user_and_a_session() {
    let server = Server::start().await;
    let body = json!({
        "email": "anna@example.org",
        "password": "correct horse battery staple",
        "name": "Anna",
    });
    let answer = server.anonymous().post("/auth/register", body).await;
    let session = answer.expect(201);
    assert_eq!(session["user"]["email"], "anna@example.org");
    assert_eq!(session["user"]["name"], "Anna");
    assert_eq!(session["user"]["householdId"], Value::Null);
    assert_eq!(session["expiresIn"], 900);
    assert_eq!(session["accessToken"].as_str().unwrap().split('.').count(), 3);
    assert!(session["refreshToken"].as_str().unwrap().len() >= 22, "128 bits or more");
    assert!(!answer.text.contains("assword"), "nothing of the password comes back");
}

#[tokio::test]
async fn an_email_registers_once_however_it_is_written() {
    let server = Server::start().await;
    server.register("anna").await;
    for email in ["anna@example.org", "Anna@Example.ORG"] {
        let body = json!({ "email": email, "password": "another long password", "name": "A" });
        let answer = server.anonymous().post("/auth/register", body).await;
        answer.expect_problem(409, "EMAIL_TAKEN");
    }
}

#[tokio::test]
async fn registration_names_every_bad_field_at_once() {
    let server = Server::start().await;
    let body = json!({ "email": "not-an-email", "password": "short", "name": "" });
    let answer = server.anonymous().post("/auth/register", body).await;
    let problem = answer.expect_problem(400, "INVALID_FIELDS");
    let mut fields: Vec<_> =
        problem["errors"].as_array().unwrap().iter().map(|e| e["field"].as_str()).collect();
    fields.sort_unstable();
    assert_eq!(fields, [Some("email"), Some("name"), Some("password")]);
}

#[tokio::test]
async fn an_easily_guessed_password_is_refused_with_the_reason() {
    let server = Server::start().await;
    for (password, reason) in [
        ("password1", "many people use it"),
        ("rosenbaum", "your name or email address"),
        ("abcabcabcabc", "repeats itself"),
    ] {
        let email = "mia.rosenbaum@example.org";
        let body = json!({ "email": email, "password": password, "name": "Mia Rosenbaum" });
        let answer = server.anonymous().post("/auth/register", body).await;
        answer.expect_invalid_field("password");
        assert!(answer.text.contains(reason), "{}", answer.text);
        assert!(!answer.text.contains(password), "nothing of the password comes back");
    }
    server.register("anna").await;
}

#[tokio::test]
async fn logging_in_answers_the_same_user() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let session = log_in(&anna).await;
    assert_eq!(session["user"]["id"], anna.user_id.as_str());
    let token = session["accessToken"].as_str().unwrap();
    let me = anna.with_token(token).get("/me").await.expect(200);
    assert_eq!(me["email"], "anna@example.org");
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_email_get_the_same_words() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let attempt = |email: String| {
        let client = server.anonymous();
        async move {
            let body = json!({ "email": email, "password": "not the password" });
            let answer = client.post("/auth/login", body).await;
            without_request_id(answer.expect_problem(401, "INVALID_CREDENTIALS"))
        }
    };
    let wrong_password = attempt(anna.email).await;
    let unknown_email = attempt("nobody@example.org".to_owned()).await;
    assert_eq!(wrong_password, unknown_email);
}

#[tokio::test]
async fn a_refresh_token_is_replaced_at_each_use() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let mut current = Value::from(anna.refresh_token.as_str());
    for _ in 0..3 {
        let session = refresh(&anna, &current).await.expect(200);
        assert_ne!(session["refreshToken"], current);
        let token = session["accessToken"].as_str().unwrap();
        anna.with_token(token).get("/me").await.expect(200);
        current = session["refreshToken"].clone();
    }
}

#[tokio::test]
async fn using_a_replaced_refresh_token_revokes_the_whole_family() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let other_device = log_in(&anna).await;

    let stolen = Value::from(anna.refresh_token.as_str());
    let newest = refresh(&anna, &stolen).await.expect(200)["refreshToken"].clone();
    refresh(&anna, &stolen).await.expect_problem(401, "UNAUTHENTICATED");
    refresh(&anna, &newest).await.expect_problem(401, "UNAUTHENTICATED");

    refresh(&anna, &other_device["refreshToken"]).await.expect(200);
}

#[tokio::test]
async fn two_uses_of_one_refresh_token_at_once_never_both_win() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let token = Value::from(anna.refresh_token.as_str());
    let (first, second) = tokio::join!(refresh(&anna, &token), refresh(&anna, &token));
    let wins = [&first, &second].iter().filter(|answer| answer.status == 200).count();
    assert!(wins <= 1, "both uses were accepted");
}

#[tokio::test]
async fn logging_out_ends_the_refresh_token() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let body = json!({ "refreshToken": anna.refresh_token });
    let answer = anna.post("/auth/logout", body.clone()).await;
    assert_eq!((answer.status, answer.text.as_str()), (204, ""));
    anna.post("/auth/refresh", body).await.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn an_access_token_dies_with_its_session_and_no_other_does() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let session = log_in(&anna).await;
    let other = anna.with_token(session["accessToken"].as_str().unwrap());
    other.get("/me").await.expect(200);
    anna.post("/auth/logout", json!({ "refreshToken": anna.refresh_token })).await.expect(204);
    anna.get("/me").await.expect_problem(401, "UNAUTHENTICATED");
    other.get("/me").await.expect(200);

    // A copied refresh token: the access tokens of the thief and of the owner die.
    let next = refresh(&other, &session["refreshToken"]).await.expect(200);
    let next = other.with_token(next["accessToken"].as_str().unwrap());
    other.get("/me").await.expect(200);
    next.get("/me").await.expect(200);
    refresh(&other, &session["refreshToken"]).await.expect_problem(401, "UNAUTHENTICATED");
    other.get("/me").await.expect_problem(401, "UNAUTHENTICATED");
    next.get("/me").await.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn only_a_token_of_the_session_ends_its_access_tokens() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let ben = server.register("ben").await;
    let forged = format!("{}{}", &anna.refresh_token[..43], &ben.refresh_token[43..]);
    for foreign in [ben.refresh_token.as_str(), forged.as_str(), "garbage"] {
        anna.post("/auth/logout", json!({ "refreshToken": foreign })).await.expect(204);
    }
    anna.get("/me").await.expect(200);
}

#[tokio::test]
async fn an_unknown_refresh_token_is_refused() {
    let server = Server::start().await;
    let answer = refresh(&server.anonymous(), &json!("never-issued-never-issued")).await;
    answer.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn me_follows_the_person_into_a_household() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let before = anna.get("/me").await.expect(200);
    assert_eq!(before["id"], anna.user_id.as_str());
    assert_eq!(before["name"], "anna");
    assert_eq!((&before["householdId"], &before["role"]), (&Value::Null, &Value::Null));

    let household = anna.create_household("Home").await;
    let after = anna.get("/me").await.expect(200);
    assert_eq!(after["householdId"], household["id"]);
    assert_eq!(after["role"], "admin");
}
