//! Logging in with an identity provider, up to its pages. What happens there and afterwards takes a
//! browser.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use axum::{
    Router,
    http::StatusCode,
    routing::{get, post},
};
use reqwest::{Method, Url};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::support::{Page, Reader};
use crate::it::support::{Server, ServerSettings, until};

/// Published once; nobody has the private key.
fn keys() -> Value {
    json!({ "keys": [{
        "kty": "EC", "crv": "P-256", "kid": "test", "alg": "ES256", "use": "sig",
        "x": "AUjLmlJ0Ey2_Te1THZPdc_RjkIs7HgmiM9aKPt35VKo",
        "y": "Ltve1o1Oc0hv2vls4_J8tgagHkimnols79qVgxUfEyk",
    }] })
}

/// An issuer that knows itself, and exchanges no code.
async fn issuer() -> String {
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let configuration = json!({
        "issuer": address,
        "authorization_endpoint": format!("{address}/authorize"),
        "token_endpoint": format!("{address}/token"),
        "jwks_uri": format!("{address}/jwks"),
    });
    let refused = (StatusCode::BAD_REQUEST, r#"{"error":"invalid_grant"}"#);
    let routes = Router::new()
        .route("/.well-known/openid-configuration", get(async move || configuration.to_string()))
        .route("/jwks", get(async || keys().to_string()))
        .route("/token", post(async move || refused));
    tokio::spawn(async { axum::serve(listener, routes).await });
    address
}

fn settings(issuer: &str) -> ServerSettings {
    ServerSettings::default()
        .with("LARDER_OIDC_ISSUER", issuer)
        .with("LARDER_OIDC_CLIENT_ID", "larder")
}

/// What the provider is asked, by name.
fn asked(page: &Page) -> BTreeMap<String, String> {
    Url::parse(&page.location()).unwrap().query_pairs().into_owned().collect()
}

#[tokio::test]
async fn the_button_leads_to_the_provider_and_is_there_only_if_there_is_one() {
    let plain = Server::start().await;
    assert!(!Reader::new(&plain).get("/login").await.text.contains("/login/provider"));

    let issuer = issuer().await;
    let settings = settings(&issuer).with("LARDER_PUBLIC_URL", "http://larder.example:8443");
    let server = Server::start_with(settings).await;
    let reader = Reader::new(&server);
    let page = reader.get("/login?next=%2Fstock%3Fsort%3Dname").await.expect(200);
    assert!(page.says("Continue with 127.0.0.1"), "{}", page.visible());
    let to_provider = "/login/provider?next=%2Fstock%3Fsort%3Dname";
    assert!(page.text.contains(to_provider), "{}", page.text);
    let page = reader.get(to_provider).await;
    assert!(page.location().starts_with(&format!("{issuer}/authorize?")), "{}", page.location());
    let asked = asked(&page);
    assert_eq!(asked["redirect_uri"], "http://larder.example:8443/login/callback");
    assert_eq!(asked["client_id"], "larder");
    assert_eq!(asked["state"].len(), 43);
    let cookies: Vec<_> = page.headers.get_all("set-cookie").iter().collect();
    let cookie = cookies.iter().map(|cookie| cookie.to_str().unwrap());
    let cookie = cookie.filter(|cookie| cookie.starts_with("larder_sign_on=")).collect::<String>();
    assert!(cookie.contains("; HttpOnly; SameSite=Lax; Path=/; Expires="), "{cookie}");
    assert_eq!(page.header("cache-control"), "no-store");
    assert!(Reader::speaking(&server, "ja").get("/login").await.says("127.0.0.1で続ける"));
}

#[tokio::test]
async fn what_was_not_asked_for_is_refused() {
    let server = Server::start_with(settings(&issuer().await)).await;
    let reader = Reader::new(&server);
    let outdated = "That took too long, or was begun a second time.";
    let page = reader.get("/login/callback?state=a&code=b").await.expect(400);
    assert!(page.says(outdated), "{}", page.visible());
    let state = asked(&reader.get("/login/provider").await)["state"].clone();
    let page = reader.get("/login/callback?state=other&code=b").await.expect(400);
    assert!(page.says(outdated), "{}", page.visible());
    assert_eq!(reader.cookie("larder_sign_on"), None, "an attempt ends with its first answer");
    let page = reader.get(&format!("/login/callback?state={state}&code=b")).await.expect(400);
    assert!(page.says(outdated), "{}", page.visible());

    let state = asked(&reader.get("/login/provider").await)["state"].clone();
    let page = reader.get(&format!("/login/callback?state={state}&code=b")).await.expect(403);
    assert!(page.says("cannot be used"), "{}", page.visible());
    let code = "code exchange, status 400, error invalid_grant";
    until("the log says why", async || server.log().contains(code)).await;

    let state = asked(&reader.get("/login/provider?next=//evil.example").await)["state"].clone();
    let denied = format!("/login/callback?state={state}&error=access_denied");
    let page = reader.get(&denied).await.expect(403);
    assert!(page.says("The login was cancelled."), "{}", page.visible());
    assert!(!page.text.contains("evil.example"), "{}", page.text);
}

#[tokio::test]
async fn the_account_page_offers_to_connect_and_needs_the_form_for_it() {
    let server = Server::start_with(settings(&issuer().await)).await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    let page = reader.get("/me").await.expect(200);
    assert!(page.says("Connect 127.0.0.1"), "{}", page.visible());
    let asked = asked(&reader.get("/me/identity/connect").await);
    assert_eq!(asked.get("prompt"), None);
    let denied = format!("/login/callback?state={}&error=access_denied", asked["state"]);
    assert_eq!(reader.get(&denied).await.location(), "/me?notice=sign-on-denied");
    let outdated = "/me?notice=sign-on-outdated";
    let page = reader.get("/me?notice=sign-on-denied").await;
    assert!(page.says("The login was cancelled."), "{}", page.visible());
    assert_eq!(reader.get("/me/identity/confirm").await.location(), outdated);
    assert_eq!(reader.post("/me/identity/connect", &[]).await.location(), outdated);
    // The way there is not the way back.
    reader.get("/me/identity/connect").await;
    assert!(reader.cookie("larder_sign_on").is_some());
    assert_eq!(reader.get("/me/identity/confirm").await.location(), outdated);
    assert_eq!(reader.post("/me/identity/connect", &[]).await.location(), outdated);
    let disconnected = reader.post("/me/identity/disconnect", &[]).await;
    assert_eq!(disconnected.location(), "/me?notice=identity-needed");
    // She has a password, which the page asks for.
    let page = reader.get("/me/delete").await;
    assert!(page.text.contains("name=\"password\""), "{}", page.text);

    let stranger = Reader::new(&server);
    for path in ["/me/identity/connect", "/me/delete/sign-on"] {
        assert_eq!(stranger.get(path).await.location(), "/login?next=%2Fme");
    }
}

#[tokio::test]
async fn an_issuer_that_is_down_or_another_one_keeps_nobody_out() {
    // Nobody listens there, and no server of a test gets that port.
    let nobody = "http://127.0.0.1:1".to_owned();
    let other = issuer().await.replace("127.0.0.1", "localhost");
    for issuer in [nobody, other] {
        let server = Server::start_with(settings(&issuer)).await;
        until("the log says so", async || {
            server.log().contains("identity provider not reached, will retry")
        })
        .await;
        let reader = Reader::new(&server);
        let page = reader.get("/login").await.expect(200);
        assert!(page.says("does not answer at the moment"), "{}", page.visible());
        let page = reader.get("/login/provider").await.expect(503);
        assert!(page.says("does not answer at the moment"), "{}", page.visible());
        reader.log_in(&server.register("anna").await).await;
    }
}

/// The servers share a secret, as those of one store do.
#[tokio::test]
async fn another_server_takes_the_answer_in_the_readers_language() {
    let issuer = issuer().await;
    let server = Server::start_with(settings(&issuer)).await;
    let reader = Reader::speaking(&server, "ja");
    let state = asked(&reader.get("/login/provider").await)["state"].clone();
    let attempt = reader.cookie("larder_sign_on").unwrap();
    let other = Server::start_with(settings(&issuer)).await;
    let elsewhere = Reader::speaking(&other, "ja");
    let denied = format!("/login/callback?state={state}&error=access_denied");
    let answer = elsewhere.request(Method::GET, &denied);
    let answer = answer.header("cookie", format!("larder_sign_on={attempt}"));
    let page = elsewhere.send(answer).await.expect(403);
    assert!(page.says("ログインがキャンセルされました。"), "{}", page.visible());
}
