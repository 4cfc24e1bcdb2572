//! Every route, tried with programs' tokens of each scope.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::routes::{Access, ROUTES, Route};
use super::{Household, send, without_parameter_names};
use crate::it::support::{Client, Server, ServerSettings};

const SCOPES: [&str; 6] = ["read", "stock", "shopping", "devices", "things", "admin"];

/// The scopes that open a route, as the document says, in its order; `None` if it is public.
type Documented = BTreeMap<(String, String), Option<Vec<String>>>;

async fn documented(server: &Server) -> Documented {
    let openapi = server.anonymous().get_root("/openapi.json").await.expect(200);
    let default = &openapi["security"];
    let mut scopes = Documented::new();
    for (path, operations) in openapi["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let security = operation.get("security").unwrap_or(default).as_array().unwrap();
            let names = |name: &str| security.iter().any(|it| it.get(name).is_some());
            let is_public = !names("bearer");
            assert_eq!(names("cookie"), !is_public, "{method} {path}");
            let scope = |it: &Value| Some(it.get("program")?[0].as_str()?.to_owned());
            let open: Option<Vec<_>> =
                (!is_public).then(|| security.iter().filter_map(scope).collect());
            if let Some(open) = &open {
                assert_is_explained(operation, open);
            }
            let route = (method.to_uppercase(), without_parameter_names(path));
            scopes.insert(route, open);
        }
    }
    scopes
}

/// The document says in words what it says in `security`.
fn assert_is_explained(operation: &Value, scopes: &[String]) {
    let description = operation["description"].as_str().unwrap();
    let refusal = operation["responses"]["403"]["description"].as_str().unwrap();
    if scopes.is_empty() {
        assert!(description.contains("No program's token"), "{description}");
        assert!(refusal.contains("LOGIN_REQUIRED"), "{refusal}");
    } else {
        let words = scopes.iter().map(|scope| format!("`{scope}`")).collect::<Vec<_>>();
        let words = format!("needs the scope {}", words.join(" or "));
        assert!(description.contains(&words), "{description}");
        assert!(refusal.contains("SCOPE_REQUIRED"), "{refusal}");
    }
    let kinds = operation["responses"]["403"]["content"].as_object().unwrap();
    assert!(kinds.contains_key("application/problem+json"), "{kinds:?}");
}

/// This person's program with a token of these scopes.
async fn program(person: &Client, scopes: &[&str]) -> Client {
    let body = json!({ "name": scopes.join(" and "), "scopes": scopes });
    let made = person.post("/me/tokens", body).await.expect(201);
    person.with_token(made["token"].as_str().unwrap())
}

/// Every route that is not public, with the scopes that open it.
fn protected(documented: &Documented) -> impl Iterator<Item = (&'static Route, &Vec<String>)> {
    ROUTES.iter().filter_map(|route| {
        let scopes = &documented[&(route.method.to_owned(), route.path.to_owned())];
        let is_protected = matches!(route.access, Access::Bearer { .. });
        assert_eq!(scopes.is_some(), is_protected, "{} {}", route.method, route.path);
        Some((route, scopes.as_ref()?))
    })
}

#[tokio::test]
async fn reading_takes_the_scope_for_reading_and_a_change_never_does() {
    let server = Server::start().await;
    let mut needs_login = Vec::new();
    let mut opens_tags = Vec::new();
    for ((method, path), scopes) in documented(&server).await {
        let Some(scopes) = scopes else { continue };
        let name = format!("{method} {path}");
        if scopes.is_empty() {
            needs_login.push(name);
        } else if method != "GET" {
            assert_eq!(scopes.len(), 1, "{name} is open to {scopes:?}");
            assert_ne!(scopes[0], "read", "{name}");
        } else if path.contains("nfc-urls") {
            opens_tags.push(scopes);
        } else {
            assert_eq!(scopes[0], "read", "{name}");
            assert!(scopes.len() <= 2, "{name} is open to {scopes:?}");
        }
    }
    // Whoever has the URL of a tag can change what it is of.
    assert_eq!(opens_tags, [["admin"], ["admin"], ["admin"]]);
    let expected = [
        "DELETE /api/v1/me",
        "DELETE /api/v1/me/sessions/{}",
        "DELETE /api/v1/me/tokens/{}",
        "GET /api/v1/me/sessions",
        "GET /api/v1/me/tokens",
        "POST /api/v1/me/password",
        "POST /api/v1/me/tokens",
    ];
    assert_eq!(needs_login, expected);
}

#[tokio::test]
async fn a_scope_opens_its_routes_as_a_login_does() {
    let server = Server::start().await;
    let documented = documented(&server).await;
    let household = Household::furnish(&server).await;
    let before = household.state().await;
    let stranger = server.with_household("stranger").await;
    let mut opened = BTreeMap::from(SCOPES.map(|scope| (scope, 0)));
    for scope in SCOPES {
        let program = program(&stranger, &[scope]).await;
        for (route, open) in protected(&documented) {
            if !open.iter().any(|it| it == scope) {
                continue;
            }
            let Access::Bearer { stranger: expected } = route.access else { continue };
            let request = household.request(&program, route);
            let answer = send(&program, request, route.streams).await;
            let (method, path) = (route.method, route.path);
            assert_eq!(answer.status, expected, "{scope}: {method} {path}: {}", answer.text);
            household.assert_nothing_leaks(route, &answer);
            *opened.get_mut(scope).unwrap() += 1;
        }
    }
    assert_eq!(household.state().await, before);
    assert!(opened.values().all(|count| *count >= 8), "{opened:?}");
}

#[tokio::test]
async fn a_token_without_the_scope_is_refused_and_changes_nothing() {
    let server = Server::start().await;
    let documented = documented(&server).await;
    let household = Household::furnish(&server).await;
    let mut programs = Vec::new();
    for scope in SCOPES {
        programs.push((vec![scope], program(&household.admin, &[scope]).await));
        let others: Vec<_> = SCOPES.into_iter().filter(|other| *other != scope).collect();
        let program = program(&household.admin, &others).await;
        programs.push((others, program));
    }
    programs.push((SCOPES.to_vec(), program(&household.admin, &SCOPES).await));
    let before = household.state().await;
    let mut refused = 0;
    for (route, open) in protected(&documented) {
        for (scopes, program) in &programs {
            if scopes.iter().any(|scope| open.iter().any(|it| it == scope)) {
                continue;
            }
            let answer = send(program, household.request(program, route), route.streams).await;
            match open.first() {
                Some(lacking) => {
                    let problem = answer.expect_problem(403, "SCOPE_REQUIRED");
                    assert_eq!(problem["scope"], lacking.as_str(), "{}", route.path);
                    let detail = problem["detail"].as_str().unwrap();
                    assert!(detail.contains(&format!("`{lacking}`")), "{detail}");
                    let challenge = answer.header("www-authenticate");
                    assert!(challenge.contains("insufficient_scope"), "{challenge}");
                }
                None => {
                    answer.expect_problem(403, "LOGIN_REQUIRED");
                }
            }
            household.assert_nothing_leaks(route, &answer);
            refused += 1;
        }
    }
    assert!(refused > 500, "{refused} requests were refused");
    assert_eq!(household.state().await, before);
}

#[tokio::test]
async fn public_routes_take_no_notice_of_a_token() {
    let settings = ServerSettings::default()
        .with("LARDER_OPERATOR_TOKEN", "larder_operator-token-0123456789abcdefgh");
    let server = Server::start_with(settings).await;
    let household = Household::furnish(&server).await;
    let program = program(&household.admin, &SCOPES).await;
    let before = household.state().await;
    for route in ROUTES {
        let Access::Public { everyone } = route.access else { continue };
        let answer = send(&program, household.request(&program, route), route.streams).await;
        assert_eq!(answer.status, everyone, "{} {}", route.method, route.path);
        household.assert_nothing_leaks(route, &answer);
    }
    assert_eq!(household.state().await, before);
    // The operator's own token is none of a program's, whatever it looks like.
    let operator = server.anonymous().with_token("larder_operator-token-0123456789abcdefgh");
    assert_eq!(operator.get("/devices").await.expect(200)["items"][0]["family_id"], {
        household.admin.get("/households/current").await.expect(200)["id"].clone()
    });
    let devices = program.get("/devices").await.expect(200);
    assert_eq!(devices["items"][0].get("family_id"), None, "the operator sees whose they are");
}
