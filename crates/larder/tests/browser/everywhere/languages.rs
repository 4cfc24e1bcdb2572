//! Both languages, everywhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use super::{Home, visit};
use crate::browser::support::{Browser, Options};

/// Everything on a page that is read, or read aloud.
const READ: &str = r#"
const spoken = ["aria-label", "alt", "title", "placeholder", "data-offline", "data-failed"];
const attributes = [...document.querySelectorAll("*")].flatMap((element) =>
    spoken.map((name) => element.getAttribute(name)).filter(Boolean));
return [document.title, document.body.textContent, ...attributes].join("\n");
"#;

/// The names of all messages. Those of one word could be words of a text.
fn keys() -> BTreeSet<String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/i18n/en");
    let files = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let texts = files.map(|file| fs::read_to_string(file).unwrap());
    let lines: Vec<String> =
        texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    let names = lines.iter().filter_map(|line| line.split_once(" =").map(|(name, _)| name));
    names.filter(|name| name.contains('-') && !name.contains(' ')).map(str::to_owned).collect()
}

/// The names of messages that a page shows instead of their text.
async fn raw_keys(browser: &Browser, keys: &BTreeSet<String>) -> Vec<String> {
    let read = browser.text_of(READ).await;
    let words = read.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-'));
    words.filter(|word| keys.contains(*word)).map(str::to_owned).collect()
}

#[tokio::test]
async fn no_page_shows_the_name_of_a_message_in_place_of_its_text() {
    let home = Home::ordinary().await;
    let keys = keys();
    assert!(keys.contains("nav-stock"), "{keys:?}");
    let found = Mutex::new(Vec::new());
    for (options, language) in [(Options::default(), "en"), (Options::default().japanese(), "ja")] {
        visit(&home, options, async |page, browser| {
            let address = page.address(&home);
            let lang = browser.attribute("html", "lang").await;
            assert_eq!(lang.as_deref(), Some(language), "{address}");
            let raw = raw_keys(browser, &keys).await;
            found.lock().unwrap().extend(raw.into_iter().map(|key| (address.clone(), key)));
        })
        .await;
    }
    assert_eq!(found.into_inner().unwrap(), []);
}

#[tokio::test]
async fn japanese_pages_are_titled_and_headed_in_japanese() {
    let home = Home::ordinary().await;
    let is_japanese =
        |text: &str| text.chars().any(|letter| ('\u{3040}'..='\u{9fff}').contains(&letter));
    let found = Mutex::new(Vec::new());
    visit(&home, Options::default().japanese(), async |page, browser| {
        // Including texts for screen readers: a page named by a user has that name as its heading.
        let read = browser.text_of("return document.querySelector('main').textContent").await;
        if !is_japanese(&read) {
            found.lock().unwrap().push(page.address(&home));
        }
    })
    .await;
    assert_eq!(found.into_inner().unwrap(), Vec::<String>::new());
}
