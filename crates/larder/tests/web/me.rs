//! The person who is logged in.

use serde_json::{Value, json};

use super::support::Reader;
use crate::it::support::{Server, until};

#[tokio::test]
async fn language_and_looks_stick_to_the_browser() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    assert!(reader.get("/me").await.text.contains("<html lang=\"en\" data-theme=\"auto\">"));
    let page = reader.submit("/me/choices", &[("language", "ja"), ("theme", "dark")]).await;
    assert!(page.text.contains("<html lang=\"ja\" data-theme=\"dark\">"), "{}", page.text);
    assert!(page.says("言語と表示"), "{}", page.visible());
    reader.get("/me").await;
    let page = reader.submit("/me/choices", &[("language", "tlh"), ("theme", "\"><script>")]).await;
    assert!(page.text.contains("<html lang=\"ja\" data-theme=\"auto\">"), "{}", page.text);
    // The language is the person's, too: another browser starts with it, and may have its own.
    assert_eq!(anna.get("/me").await.expect(200)["language"], json!("ja"));
    let other = Reader::of(&server, &anna).await;
    assert!(other.get("/me").await.text.contains("<html lang=\"ja\" data-theme=\"auto\">"));
    other.submit("/me/choices", &[("language", "en")]).await;
    assert!(reader.get("/me").await.text.contains("<html lang=\"ja\" data-theme=\"auto\">"));
    let page = other.submit("/me/name", &[("name", "Anna M.")]).await;
    assert!(page.says("Your name was changed."), "{}", page.visible());
}

#[tokio::test]
async fn a_name_is_changed_and_a_bad_one_is_not() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    reader.get("/me").await;
    let page = reader.submit("/me/name", &[("name", "Anna <b>M.</b>")]).await;
    assert!(page.says("Your name was changed."), "{}", page.visible());
    assert!(!page.text.contains("<b>M."), "{}", page.text);
    let page = reader.post("/me/name", &[("name", "  ")]).await.expect(400);
    assert!(page.says("Please check “Your name”"), "{}", page.visible());
    assert_eq!(anna.get("/me").await.expect(200)["name"], json!("Anna <b>M.</b>"));
}

#[tokio::test]
async fn a_new_password_ends_every_other_login() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let (reader, other) = (Reader::of(&server, &anna).await, Reader::of(&server, &anna).await);
    reader.get("/me").await;
    let wrong = [("current", "not the password"), ("new", "an even longer one")];
    let page = reader.post("/me/password", &wrong).await.expect(401);
    assert!(page.says("Email or password is wrong."), "{}", page.visible());
    other.get("/stock").await.expect(200);

    let right = [("current", &*anna.password), ("new", "an even longer one")];
    let page = reader.submit("/me/password", &right).await;
    assert!(page.says("The password was changed"), "{}", page.visible());
    assert_eq!(other.get("/stock").await.location(), "/login?next=%2Fstock&notice=login-ended");
    reader.get("/stock").await.expect(200);
    let again = Reader::new(&server);
    again.get("/login").await;
    again.post("/login", &[("email", &anna.email), ("password", &anna.password)]).await.expect(401);
    again
        .post("/login", &[("email", &anna.email), ("password", "an even longer one")])
        .await
        .expect(303);
}

#[tokio::test]
async fn another_browser_is_logged_out_at_its_next_page() {
    let server = Server::start().await;
    let (anna, ben) = (server.with_household("anna").await, server.with_household("ben").await);
    let (reader, other) = (Reader::of(&server, &anna).await, Reader::of(&server, &anna).await);
    let page = reader.get("/me").await.expect(200);
    let this = page.text.split("<li id=\"session-").skip(1).find(|row| row.contains("This device"));
    let this = this.unwrap().split('"').next().unwrap().to_owned();
    let rows = page.text.split("<li id=\"session-").skip(1);
    let others: Vec<_> =
        rows.map(|row| row.split('"').next().unwrap()).filter(|id| **id != this).collect();
    // The one of the API that registered her, and the other browser.
    assert_eq!(others.len(), 2, "{}", page.visible());
    assert!(page.says("This device In use now"), "{}", page.visible());
    assert!(!page.says("Program Program"), "{}", page.visible());

    let stranger = Reader::of(&server, &ben).await;
    stranger.get("/me").await;
    for id in &others {
        stranger.post(&format!("/me/sessions/{id}/end"), &[]).await.expect(404);
    }
    other.get("/stock").await.expect(200);
    for id in &others {
        reader.post(&format!("/me/sessions/{id}/end"), &[]).await.expect(303);
    }
    assert_eq!(other.get("/stock").await.location(), "/login?next=%2Fstock&notice=login-ended");
    let page = other.get("/login?next=%2Fstock&notice=login-ended").await.expect(200);
    assert!(page.says("You were logged out in the meantime."), "{}", page.visible());
    reader.get("/stock").await.expect(200);
}

#[tokio::test]
async fn a_token_for_a_program_works_until_it_is_revoked() {
    let server = Server::start().await;
    let (anna, ben) = (server.with_household("anna").await, server.with_household("ben").await);
    let reader = Reader::of(&server, &anna).await;
    reader.get("/me").await;
    let (name, year) = (("label", "<b>kitchen</b> display"), ("expiry", "365"));
    for (form, wrong) in [
        (vec![("label", " "), ("scope", "read")], "Name"),
        (vec![name], "What may it do?"),
        (vec![name, ("scope", "read"), ("expiry", "7")], "How long is it good?"),
    ] {
        let page = reader.post("/me/tokens", &form).await.expect(400);
        assert!(page.says(wrong), "{}", page.visible());
    }
    let unknown = [name, ("scope", "everything"), year];
    reader.post("/me/tokens", &unknown).await.expect(400);
    assert!(!reader.get("/me").await.text.contains("id=\"token-"), "nothing was made");

    let form = [name, ("scope", "read"), ("scope", "stock"), year];
    let page = reader.post("/me/tokens", &form).await.expect(200);
    assert!(page.text.contains("&#60;b&#62;kitchen") && !page.text.contains("<b>kitchen"));
    let token = page.between("<code id=\"token\">", "<").unwrap();
    let program = server.anonymous().with_token(token);
    assert_eq!(program.get("/me").await.expect(200)["email"], json!(anna.email));
    program.post("/stores", json!({ "name": "Market" })).await.expect(403);

    let page = reader.get("/me").await.expect(200);
    assert!(!page.text.contains(token), "a token is shown once");
    assert!(page.says("read, stock"), "{}", page.visible());
    let id = page.between("<li id=\"token-", "\"").unwrap().to_owned();
    let revocation = format!("/me/tokens/{id}/revoke");
    let stranger = Reader::of(&server, &ben).await;
    assert!(!stranger.get("/me").await.text.contains(&id));
    stranger.post(&revocation, &[]).await.expect(404);
    program.get("/me").await.expect(200);
    let page = reader.submit(&revocation, &[]).await;
    assert!(page.says("The token does not work any more."), "{}", page.visible());
    assert!(!page.text.contains(&id));
    program.get("/me").await.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn a_token_for_ever_is_listed_as_one_and_its_use_is_seen() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let reader = Reader::of(&server, &anna).await;
    reader.get("/me").await;
    let form = [("label", "backup"), ("scope", "read"), ("expiry", "")];
    let page = reader.post("/me/tokens", &form).await.expect(200);
    let token = page.between("<code id=\"token\">", "<").unwrap().to_owned();
    let page = reader.get("/me").await.expect(200);
    assert!(page.says("Never used · until you revoke it"), "{}", page.visible());
    server.anonymous().with_token(&token).get("/me").await.expect(200);
    until("the use is listed", async || !reader.get("/me").await.expect(200).says("Never used"))
        .await;
}

/// Types and names of what is in the file.
async fn exported(reader: &Reader) -> Vec<(Value, Value)> {
    let file = reader.get("/me/export.jsonl").await.expect(200);
    assert!(file.header("content-disposition").starts_with("attachment; filename=\"larder-2"));
    let lines = file.text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.map(|line| (line["type"].clone(), line["name"].clone())).collect()
}

#[tokio::test]
async fn the_page_downloads_what_the_api_exports() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    anna.add("Rice", 3, "kg").await;
    let reader = Reader::of(&server, &anna).await;
    let rice = (json!("item"), json!("Rice"));
    assert_eq!(exported(&reader).await.last(), Some(&rice));
    let page = reader.get("/me").await.expect(200);
    assert!(page.text.contains("href=\"/me/export.jsonl\""), "{}", page.text);
    assert_eq!(
        Reader::new(&server).get("/me/export.jsonl").await.location(),
        "/login?next=%2Fme%2Fexport.jsonl"
    );
    let carl = server.with_household("carl").await;
    let others = exported(&Reader::of(&server, &carl).await).await;
    assert!(!others.contains(&rice), "{others:?}");
}
