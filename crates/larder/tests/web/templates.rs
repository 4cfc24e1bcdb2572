//! What all templates have in common.

use std::fs;
use std::path::{Path, PathBuf};

/// The pages that no other is above, and those around all others.
const WITHOUT_A_WAY_UP: &[&str] = &[
    "failure.html",
    "household/notifications.html",
    "household/overview.html",
    "me/confirmation.html",
    "me/overview.html",
    "search/results.html",
    "sensors/list.html",
    "shopping/list.html",
    "shopping/offline.html",
    "stock/copy.html",
    "stock/list.html",
    "tags/members.html",
    "things/list.html",
    "things/refused.html",
    "today/page.html",
    "welcome/home.html",
    "welcome/join.html",
    "welcome/login.html",
    "welcome/ready.html",
    "welcome/register.html",
    "welcome/start.html",
];

/// The templates, messages and styles with these endings, by their path below a folder of the pages.
fn files(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web").join(folder);
    let mut unread: Vec<PathBuf> = vec![root.clone()];
    let mut files = Vec::new();
    while let Some(path) = unread.pop() {
        if path.is_dir() {
            unread.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if let Ok(text) = fs::read_to_string(&path) {
            files.push((path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned(), text));
        }
    }
    files
}

/// Whether a character is a picture. An arrow and a minus are signs of running text, and a tick is
/// what is in a ticked box.
fn is_picture(character: char) -> bool {
    !matches!(character, '→' | '−' | '✓')
        && matches!(u32::from(character), 0x2190..=0x2bff | 0xfe0f | 0x1_f000..=0x1_faff)
}

#[test]
fn pages_have_icons_and_no_characters_that_are_pictures() {
    let mut found = Vec::new();
    for folder in ["templates", "i18n", "assets"] {
        let all = files(folder);
        assert!(all.len() > 20, "{folder}");
        for (path, text) in &all {
            found.extend(text.chars().filter(|c| is_picture(*c)).map(|c| format!("{path}: {c}")));
        }
    }
    assert_eq!(found, Vec::<String>::new());
    assert!("✎🖨️🛒📡▸✕".chars().all(is_picture) && !"‹ 2 → 1, −1 × 3".contains(is_picture));
}

/// A form that destroys something is behind a button of the same look, and nothing follows it but
/// what belongs to it.
#[test]
fn deleting_is_at_the_end_of_a_page_and_looks_the_same_everywhere() {
    let mut pages: Vec<_> = files("templates")
        .into_iter()
        .filter_map(|(path, text)| {
            let (_, rest) = text.split_once("<details class=\"act danger\" id=\"delete\">")?;
            let after = rest.split("</details>").nth(1)?.replace("{% endif %}", "");
            assert_eq!(after.trim(), "{% endblock %}", "{path}");
            Some(path)
        })
        .collect();
    pages.sort_unstable();
    let expected = ["products/product", "stock/item", "tags/gone", "tags/replaced", "tags/tag"];
    assert_eq!(pages, expected.map(|page| format!("{page}.html")));
}

#[test]
fn every_page_below_another_leads_up_in_the_same_way() {
    let pages =
        files("templates").into_iter().filter(|(_, text)| text.contains("\"base.html\" %}"));
    let (up, others): (Vec<_>, Vec<_>) = pages
        .partition(|(_, text)| text.contains("{% block back %}") && text.contains("\"back.html\""));
    assert!(up.len() > 15, "{}", up.len());
    let mut others: Vec<_> = others.iter().map(|(path, _)| path.as_str()).collect();
    others.sort_unstable();
    assert_eq!(others, WITHOUT_A_WAY_UP);
}
