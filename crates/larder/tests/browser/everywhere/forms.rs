//! Forms of other sites are refused.

use std::collections::BTreeMap;
use std::sync::Mutex;

use serde_json::Value;

use super::{Home, visit};
use crate::browser::support::Options;
use crate::web::support::Reader;

/// The mutating forms of a page, with the fields that they would send.
const FORMS: &str = r#"
// Not `form.method` and `form.action`: a field of that name would be found instead.
const isPost = (form) => form.getAttribute("method")?.toLowerCase() === "post";
return [...document.querySelectorAll("form")].filter(isPost).map((form) => ({
    action: new URL(form.getAttribute("action") ?? "", location).pathname,
    fields: [...new FormData(form)].filter(([, value]) => typeof value === "string"),
}));
"#;

/// The mutable state of the household.
const STATE: [&str; 13] = [
    "/me",
    "/households/current",
    "/households/current/members",
    "/inventory/items?limit=100",
    "/products",
    "/storage-locations",
    "/stores",
    "/shopping-list",
    "/notifications",
    "/nfc-urls",
    "/api-keys",
    "/devices",
    "/resources",
];

type Fields = Vec<(String, String)>;

#[tokio::test]
async fn every_form_has_a_token_and_does_nothing_without_it() {
    let home = Home::ordinary().await;
    let forms = Mutex::new(BTreeMap::<String, Fields>::new());
    visit(&home, Options::default().without_script(), async |page, browser| {
        for form in browser.run(FORMS).await.as_array().unwrap() {
            let action = form["action"].as_str().unwrap().to_owned();
            let fields: Fields = serde_json::from_value(form["fields"].clone()).unwrap();
            let tokens = fields.iter().filter(|(name, value)| name == "csrf" && !value.is_empty());
            assert_eq!(tokens.count(), 1, "a form of {} to {action}", page.address(&home));
            forms.lock().unwrap().insert(action, fields);
        }
    })
    .await;
    let forms = forms.into_inner().unwrap();
    assert!(forms.len() > 20, "there are more forms than {}", forms.len());

    let before = state(&home).await;
    let reader = Reader::of(&home.server, &home.anna).await;
    reader.get("/household").await.expect(200);
    let token = reader.csrf();
    let somebody_else = Reader::of(&home.server, &home.newcomer).await;
    somebody_else.get("/welcome").await.expect(200);
    let (garbled, of_somebody_else) = (token.replace(|_| true, "A"), somebody_else.csrf());
    for (action, fields) in &forms {
        let fields: Vec<_> = fields
            .iter()
            .filter(|(name, _)| name != "csrf")
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        for wrong in [None, Some(""), Some(&*garbled), Some(&*of_somebody_else)] {
            let answer = reader.post_with_token(action, &fields, wrong).await;
            assert_eq!(answer.status.as_u16(), 403, "{action} with the token {wrong:?}");
        }
        let elsewhere = reader.request(reqwest::Method::POST, action);
        let elsewhere =
            elsewhere.header("Sec-Fetch-Site", "cross-site").header("X-CSRF-Token", &token);
        let answer = reader.send(elsewhere).await;
        assert_eq!(answer.status.as_u16(), 403, "{action} from another site");
    }
    assert_eq!(state(&home).await, before);
}

async fn state(home: &Home) -> Vec<Value> {
    let mut state = Vec::new();
    for path in STATE {
        let mut answer = home.anna.get(path).await.expect(200);
        if let Some(items) = answer.get_mut("items").and_then(Value::as_array_mut) {
            // The server itself opens notifications of expired items, at any time.
            items.retain(|item| item["kind"] != "expired");
        }
        state.push(answer);
    }
    state
}
