//! The protection of every page: sessions, tokens, headers.

use reqwest::Method;
use serde_json::json;

use super::support::Reader;
use crate::it::support::Server;

#[tokio::test]
async fn whoever_is_not_logged_in_is_asked_to_and_comes_back() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::new(&server);
    assert_eq!(
        reader.get("/stock?sort=name").await.location(),
        "/login?next=%2Fstock%3Fsort%3Dname"
    );
    reader.get("/login?next=%2Fstock%3Fsort%3Dname").await.expect(200);
    let fields =
        [("email", &*anna.email), ("password", &*anna.password), ("next", "/stock?sort=name")];
    assert_eq!(reader.post("/login", &fields).await.location(), "/stock?sort=name");
    reader.get("/stock?sort=name").await.expect(200);
}

#[tokio::test]
async fn nobody_is_sent_elsewhere_after_logging_in() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    for next in ["//evil.example", "https://evil.example", "/\\evil.example"] {
        let reader = Reader::new(&server);
        reader.get("/login").await.expect(200);
        let fields = [("email", &*anna.email), ("password", &*anna.password), ("next", next)];
        assert_eq!(reader.post("/login", &fields).await.location(), "/");
    }
}

#[tokio::test]
async fn a_wrong_password_says_so_and_keeps_the_email() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::new(&server);
    reader.get("/login").await.expect(200);
    for (email, password) in
        [(&*anna.email, "wrong password"), ("nobody@example.org", "wrong password"), ("x", "")]
    {
        let page =
            reader.post("/login", &[("email", email), ("password", password)]).await.expect(401);
        assert!(page.says("Email or password is wrong."), "{}", page.visible());
        assert!(page.text.contains(&format!("value=\"{email}\"")), "{}", page.text);
        assert_eq!(reader.cookie("larder_session"), None);
    }
}

#[tokio::test]
async fn a_form_without_the_token_of_this_browser_changes_nothing() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (reader, other) = (Reader::of(&server, &anna).await, Reader::of(&server, &anna).await);
    reader.get("/me").await;
    other.get("/me").await;
    let foreign = other.csrf();
    for token in [None, Some(""), Some("forged"), Some(&*foreign)] {
        let page = reader.post_with_token("/logout", &[], token).await.expect(403);
        assert!(page.says("nothing was changed"), "{}", page.visible());
    }
    let request = reader.request(Method::POST, "/logout").header("sec-fetch-site", "cross-site");
    reader.send(request.header("x-csrf-token", reader.csrf())).await.expect(403);
    reader.get("/stock").await.expect(200);
    reader.post("/logout", &[]).await.expect(303);
    assert_eq!(reader.get("/stock").await.location(), "/login?next=%2Fstock");
}

#[tokio::test]
async fn every_page_says_what_it_may_load_and_who_may_keep_it() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    for path in ["/login", "/stock", "/nowhere"] {
        let page = reader.get(path).await;
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{path}: {policy}");
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(page.header("cache-control"), "no-store", "{path}");
        assert_eq!(page.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(page.header("referrer-policy"), "same-origin", "{path}");
        assert!(!page.text.contains("<style") && !page.text.contains(" style="), "{path}");
    }
}

#[tokio::test]
async fn what_is_not_there_is_a_page_for_people_and_a_problem_for_programs() {
    let server = Server::start().await;
    let reader = Reader::speaking(&server, "ja");
    let page = reader.get("/nowhere").await.expect(404);
    assert!(page.says("ここには何もありません"), "{}", page.visible());
    assert!(page.text.contains("<html lang=\"ja\""), "{}", page.text);
    let api = reader.get("/api/v1/nowhere").await.expect(404);
    assert_eq!(api.header("content-type"), "application/problem+json");
    let answer = server.anonymous().get("/nowhere").await.expect(404);
    assert_eq!(answer["code"], json!("NOT_FOUND"));
}

#[tokio::test]
async fn what_pages_load_is_kept_for_good_under_an_address_that_changes_with_it() {
    let server = Server::start().await;
    let reader = Reader::new(&server);
    let page = reader.get("/login").await.expect(200);
    let address = page.between("rel=\"stylesheet\" href=\"", "\"").unwrap().to_owned();
    let style = reader.get(&address).await.expect(200);
    assert_eq!(style.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(style.header("content-type"), "text/css; charset=utf-8");
    let old = reader.get("/assets/0123456789abcdef/base.css").await.expect(200);
    assert_eq!(old.header("cache-control"), "no-cache");
    reader.get("/assets/0123456789abcdef/../../etc/passwd").await.expect(404);
}

#[tokio::test]
async fn an_address_that_is_no_text_is_a_problem_that_is_not_packed() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    let thing = "urn:pp:Home.Box::00000000-0000-7000-8000-000000000001";
    let purpose = format!("/things/{thing}/choose/nonsense");
    for path in ["/join/%FF", "/stock/%FF", &purpose] {
        let request = reader.request(Method::GET, path).header("Accept-Encoding", "gzip");
        let answer = reader.send(request).await.expect(400);
        assert_eq!(answer.header("content-type"), "application/problem+json", "{path}");
        assert!(!answer.headers.contains_key("content-encoding"), "{path}");
        let problem: serde_json::Value = serde_json::from_str(&answer.text).unwrap();
        assert_eq!(problem["code"], "BAD_REQUEST", "{path}");
    }
}
