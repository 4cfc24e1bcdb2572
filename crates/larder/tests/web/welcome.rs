//! The first run: an account, a household, and invitations.

use serde_json::{Value, json};

use super::support::{Page, Reader};
use crate::it::support::{Client, Server, ServerSettings};

const PASSWORD: &str = "four words in a row";

/// The code that opens this person's household.
async fn invite_code(person: &Client) -> String {
    let household = person.get("/households/current").await.expect(200);
    household["inviteCode"].as_str().unwrap().to_owned()
}

/// Sends the form of a new account, and returns the resulting page.
async fn register(reader: &Reader, name: &str, invite: &str) -> Page {
    reader.get("/register").await.expect(200);
    let email = format!("{name}@example.org");
    let fields = [("name", name), ("email", &email), ("password", PASSWORD), ("invite", invite)];
    reader.post("/register", &fields).await
}

/// The names of the members of this person's household.
async fn members(person: &Client) -> Vec<String> {
    let members = person.get("/households/current/members").await.expect(200);
    let mut names: Vec<_> =
        members.as_array().unwrap().iter().map(|member| member["name"].to_string()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_stranger_reads_what_this_is_and_is_shown_both_ways_in() {
    let server = Server::start().await;
    let page = Reader::new(&server).get("/").await.expect(200);
    assert!(page.says("Know what is at home"), "{}", page.visible());
    assert!(page.text.contains("href=\"/register\"") && page.text.contains("href=\"/login\""));
    let page = Reader::speaking(&server, "ja").get("/").await.expect(200);
    assert!(page.says("家に何があるか、すぐわかる"), "{}", page.visible());
}

#[tokio::test]
async fn an_account_and_a_household_are_made_with_two_forms() {
    let server = Server::start().await;
    let reader = Reader::new(&server);
    assert_eq!(register(&reader, "anna", "").await.location(), "/welcome");
    assert_eq!(reader.get("/").await.location(), "/welcome");
    assert_eq!(reader.get("/shopping").await.location(), "/welcome");
    let page = reader.get("/welcome").await.expect(200);
    assert!(page.says("Welcome, anna!"), "{}", page.visible());
    assert!(!page.text.contains("move_items"), "there is nothing to take along");
    let fields = [("name", " Our home "), ("zone", "Asia/Tokyo")];
    let ready = reader.submit("/welcome/household", &fields).await;
    assert!(ready.says("Our home is ready"), "{}", ready.visible());

    let anna = log_in(&server, "anna").await;
    let household = anna.get("/households/current").await.expect(200);
    assert_eq!(household["name"], "Our home");
    assert_eq!(household["timeZone"], "Asia/Tokyo");
    let code = household["inviteCode"].as_str().unwrap();
    assert!(ready.says(code) && ready.says(&format!("/join/{code}")), "{}", ready.visible());
    assert_eq!(reader.get("/welcome").await.location(), "/welcome/ready");
    assert_eq!(reader.get("/").await.location(), "/today");
}

#[tokio::test]
async fn a_form_with_a_mistake_comes_back_filled_and_makes_no_account() {
    let server = Server::start().await;
    server.with_household("anna").await;
    let reader = Reader::new(&server);
    reader.get("/register").await.expect(200);
    let long = "x".repeat(101);
    for (name, email, password, status, says) in [
        ("", "ben@example.org", PASSWORD, 400, "“Your name”"),
        (&*long, "ben@example.org", PASSWORD, 400, "“Your name”"),
        ("Ben", "ben", PASSWORD, 400, "“Email”"),
        ("Ben", "ben@example.org", "1234567", 400, "“Password”"),
        ("Ben", "ben@example.org", "qwertyuiop", 400, "it is tried first"),
        ("Ben", "ANNA@example.org", PASSWORD, 409, "There is an account with this email already."),
    ] {
        let fields = [("name", name), ("email", email), ("password", password), ("invite", "X")];
        let page = reader.post("/register", &fields).await.expect(status);
        assert!(page.says(says), "{}", page.visible());
        assert!(page.text.contains(&format!("value=\"{email}\"")), "{}", page.text);
        assert!(page.text.contains("name=\"invite\" value=\"X\""), "{}", page.text);
        assert!(!page.text.contains(password), "a password never comes back");
        assert_eq!(reader.cookie("larder_session"), None);
    }
    let body = json!({ "email": "ben@example.org", "password": PASSWORD });
    server.anonymous().post("/auth/login", body).await.expect(401);
}

#[tokio::test]
async fn whoever_registers_with_an_invitation_is_in_the_household_at_once() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let code = invite_code(&anna).await;
    let reader = Reader::new(&server);
    let invitation = reader.get(&format!("/join/{code}")).await.expect(200);
    assert!(invitation.says("You are invited"), "{}", invitation.visible());
    let to_register = format!("/register?invite={code}");
    assert!(invitation.text.contains(&format!("href=\"{to_register}\"")), "{}", invitation.text);
    let page = reader.get(&to_register).await.expect(200);
    assert_eq!(page.between("name=\"invite\" value=\"", "\""), Some(&*code));
    assert_eq!(register(&reader, "ben", &code).await.location(), "/stock?notice=joined");
    assert_eq!(members(&anna).await, ["\"anna\"", "\"ben\""]);
}

#[tokio::test]
async fn an_account_with_a_dead_invitation_is_asked_for_another_code() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let dead = invite_code(&anna).await;
    anna.post("/households/current/invite-code", json!({})).await.expect(200);
    for (name, code) in [("ben", &*dead), ("cleo", "nonsense"), ("dora", "AAAAAAAAAAAA")] {
        let reader = Reader::new(&server);
        let next = register(&reader, name, code).await.location();
        assert_eq!(next, format!("/welcome?refused={code}"));
        let page = reader.get(&next).await.expect(200);
        assert!(page.says("No household has this invite code."), "{}", page.visible());
        assert!(page.text.contains(&format!("value=\"{code}\"")), "{}", page.text);
    }
    assert_eq!(members(&anna).await, ["\"anna\""]);
}

#[tokio::test]
async fn an_invitation_leads_whoever_has_an_account_through_the_login() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.anonymous().register("ben").await;
    let path = format!("/join/{}", invite_code(&anna).await);
    let reader = Reader::new(&server);
    let invitation = reader.get(&path).await.expect(200);
    let login = format!("/login?next={}", path.replace('/', "%2F"));
    assert!(invitation.text.contains(&format!("href=\"{login}\"")), "{}", invitation.text);
    reader.get(&login).await.expect(200);
    let fields = [("email", &*ben.email), ("password", &*ben.password), ("next", &*path)];
    assert_eq!(reader.post("/login", &fields).await.location(), path);
    let page = reader.get(&path).await.expect(200);
    assert!(page.says("Join the household"), "{}", page.visible());
    let code = page.between("name=\"code\" value=\"", "\"").unwrap().to_owned();
    let joined = reader.post("/join", &[("code", &code)]).await;
    assert_eq!(joined.location(), "/stock?notice=joined");
    assert_eq!(members(&anna).await, ["\"anna\"", "\"ben\""]);
}

#[tokio::test]
async fn whoever_lives_elsewhere_is_told_so_and_stays_there() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.with_household("ben").await;
    let code = invite_code(&anna).await;
    let reader = Reader::of(&server, &ben).await;
    let page = reader.get(&format!("/join/{code}")).await.expect(200);
    assert!(page.says("You belong to a household already"), "{}", page.visible());
    let refused = reader.post("/join", &[("code", &code)]).await.expect(409);
    assert!(refused.says("You belong to a household already."), "{}", refused.visible());
    assert_eq!(members(&anna).await, ["\"anna\""]);
    assert_eq!(members(&ben).await, ["\"ben\""]);
}

#[tokio::test]
async fn all_wrong_codes_get_the_same_answer() {
    let server = Server::start().await;
    let ben = server.anonymous().register("ben").await;
    let reader = Reader::of(&server, &ben).await;
    reader.get("/welcome").await.expect(200);
    let mut answers = Vec::new();
    for code in ["AAAAAAAAAAAA", "short", "", "/join/", "<script>"] {
        let page = reader.post("/join", &[("code", code)]).await.expect(404);
        assert!(page.says("No household has this invite code."), "{}", page.visible());
        answers.push(page.visible());
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
}

#[tokio::test]
async fn a_code_is_taken_as_it_was_passed_on() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let code = invite_code(&anna).await;
    let (head, tail) = code.split_at(6);
    for (name, written) in [
        ("ben", format!("{} {}", head.to_lowercase(), tail)),
        ("cleo", format!("https://larder.example/join/{code}")),
    ] {
        let person = server.anonymous().register(name).await;
        let reader = Reader::of(&server, &person).await;
        reader.get("/welcome").await.expect(200);
        assert_eq!(
            reader.post("/join", &[("code", &written)]).await.location(),
            "/stock?notice=joined"
        );
    }
    assert_eq!(members(&anna).await, ["\"anna\"", "\"ben\"", "\"cleo\""]);
}

#[tokio::test]
async fn own_items_move_along_if_they_are_to() {
    let server = Server::start().await;
    for (name, fields, moved) in [
        ("anna", &[("name", "Home"), ("zone", "UTC"), ("move_items", "true")][..], 1),
        ("ben", &[("name", "Home"), ("zone", "UTC")][..], 0),
    ] {
        let person = server.anonymous().register(name).await;
        person.add("Tea", 1, "bag").await;
        let reader = Reader::of(&server, &person).await;
        let page = reader.get("/welcome").await.expect(200);
        assert!(page.says("Take along the items that I made on my own"), "{}", page.visible());
        reader.post("/welcome/household", fields).await.expect(303);
        assert_eq!(person.items("").await.len(), moved, "{name}");
    }
}

#[tokio::test]
async fn a_household_without_a_name_or_in_no_zone_is_not_founded() {
    let server = Server::start().await;
    let anna = server.anonymous().register("anna").await;
    let reader = Reader::of(&server, &anna).await;
    reader.get("/welcome").await.expect(200);
    let long = "x".repeat(101);
    for (name, zone, field) in [
        (" ", "UTC", "“Name of the household”"),
        (&*long, "UTC", "“Name of the household”"),
        ("Home", "Atlantis/Capital", "“Time zone”"),
        ("Home", "", "“Time zone”"),
    ] {
        let fields = [("name", name), ("zone", zone)];
        let page = reader.post("/welcome/household", &fields).await.expect(400);
        assert!(page.says(field), "{}", page.visible());
    }
    anna.get("/households/current").await.expect(404);
}

#[tokio::test]
async fn codes_cannot_be_tried_faster_than_through_the_api() {
    let settings = ServerSettings::default().with("LARDER_RATE_LIMITS", "on");
    let server = Server::start_with(settings).await;
    let ben = server.anonymous().register("ben").await;
    let reader = Reader::of(&server, &ben).await;
    reader.get("/welcome").await.expect(200);
    let mut statuses = Vec::new();
    for _ in 0..11 {
        statuses.push(reader.post("/join", &[("code", "AAAAAAAAAAAA")]).await.status.as_u16());
    }
    assert_eq!(statuses[..10], [404; 10]);
    assert_eq!(statuses[10], 429);
    // All ways share the same limit of ten.
    let body = json!({ "inviteCode": "AAAAAAAAAAAA" });
    ben.post("/households/join", body).await.expect(429);
}

/// An API client for a user who registered with a form.
async fn log_in(server: &Server, name: &str) -> Client {
    let mut client = server.anonymous();
    let body = json!({ "email": format!("{name}@example.org"), "password": PASSWORD });
    let session: Value = client.post("/auth/login", body).await.expect(200);
    client.adopt(&session);
    client
}
