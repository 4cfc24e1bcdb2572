//! User input stays text, on every page.

use std::collections::BTreeSet;
use std::sync::Mutex;

use serde_json::json;

use super::home::{BREAKING_OUT, BREAKING_OUT_SHORT, Wording};
use super::{Home, visit};
use crate::browser::support::Options;

/// All user input on a page: its text, the values of its fields, and accessible names.
const SHOWN: &str = r#"
const fields = [...document.querySelectorAll("input, textarea, option")].map((field) => field.value);
const spoken = [...document.querySelectorAll("[aria-label], [title]")].flatMap((element) =>
    [element.getAttribute("aria-label"), element.getAttribute("title")]);
return [document.title, document.body.textContent, ...fields, ...spoken].join("\n");
"#;

/// Elements that would not exist if all texts were escaped.
const BROKEN_OUT: &str = r#"
return {
    ran: window.pwned ?? null,
    elements: document.querySelectorAll("x-pwned").length,
    scripts: [...document.scripts].filter((script) => !script.src.startsWith(location.origin)).length,
    handlers: [...document.querySelectorAll("*")].flatMap((element) =>
        [...element.attributes].filter(({ name }) => name.startsWith("on") || name === "style")).length,
};
"#;

#[tokio::test]
async fn a_script_in_any_text_of_any_page_stays_text() {
    let home = Home::furnished(Wording::Hostile).await;
    let shown = Mutex::new(BTreeSet::new());
    let texts: Vec<_> = home.texts.iter().map(String::as_str).chain([BREAKING_OUT_SHORT]).collect();
    visit(&home, Options::default(), async |page, browser| {
        let nothing = json!({ "ran": null, "elements": 0, "scripts": 0, "handlers": 0 });
        assert_eq!(browser.run(BROKEN_OUT).await, nothing, "{}", page.address(&home));
        let read = browser.text_of(SHOWN).await;
        shown.lock().unwrap().extend(texts.iter().filter(|text| read.contains(**text)).copied());
    })
    .await;
    let shown = shown.into_inner().unwrap();
    let unseen: Vec<_> = texts.iter().filter(|text| !shown.contains(*text)).collect();
    assert_eq!(unseen, Vec::<&&str>::new(), "each is shown somewhere, and so was tried");
    assert!(texts.len() > 15 && texts[0].starts_with(BREAKING_OUT));
}
