//! Appearance and accessibility of the pages, in each language.

use serde_json::json;

use super::{house, page_of, row_of, unfolded};
use crate::browser::support::{Browser, Options};
use crate::it::support::{Client, Server};

/// Every page of things, with something on it.
async fn pages(client: &Client) -> Vec<String> {
    let [home, attic, cellar, chest] = house(client).await;
    let group = super::make(client, "Group", "Camping", None).await;
    client.add_member(&group, &chest, true).await.expect(201);
    let guest = "urn:pp:System.User::00000000-0000-4000-8000-000000000001";
    client.grant(guest, &chest, &["read", "write"]).await.expect(200);
    let body = json!({
        "attributes": { "name": "Chest", "colour": "dark green", "heirloom": true, "width": 80.5,
            "inside": { "lining": ["red", "silk"] }, "story": "Grandmother's.\nBrought over the sea." },
        "uniqueKeys": [{ "key": "serialNumber", "value": "C-1886" }],
    });
    client.put_if(&crate::it::support::resource_path(&chest), "*", body).await.expect(200);
    let chest_page = page_of(&chest);
    vec![
        unfolded(&[&home, &attic, &cellar]),
        "/things?kind=Room".to_owned(),
        page_of(&home),
        chest_page.clone(),
        format!("{chest_page}/edit"),
        format!("{chest_page}/choose/move"),
        format!("{chest_page}/choose/group"),
        format!("{}/delete", page_of(&attic)),
    ]
}

/// What is smaller than a thumb, in `main`.
const SMALL: &str = "
    const pressable = 'main a, main button, main summary, main input:not([type=hidden], [type=checkbox]), main select';
    return [...document.querySelectorAll(pressable)]
        .filter((one) => one.checkVisibility() && Math.min(one.offsetHeight, one.offsetWidth) < 44)
        .map((one) => one.outerHTML)";

#[tokio::test]
async fn everybody_can_use_every_page_in_light_and_dark() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let empty = Browser::signed_in(&server, &anna).await;
    empty.go("/things").await;
    assert_eq!(empty.axe().await, []);
    let pages = pages(&anna).await;
    let mut problems = Vec::new();
    for (look, options) in [
        ("light", Options::default()),
        ("dark", Options::default().dark()),
        ("narrow", Options::default().screen(320, 568).japanese()),
        ("laptop", Options::default().laptop()),
    ] {
        let browser = Browser::signed_in_with(&server, &anna, options).await;
        for page in &pages {
            browser.go(page).await;
            browser.run("document.getElementById('more')?.setAttribute('open', '')").await;
            let findings = browser.axe().await;
            let small = browser.run(SMALL).await;
            let width = "const { scrollWidth, clientWidth } = document.documentElement;
                return scrollWidth - clientWidth";
            let wider = browser.run(width).await;
            if !findings.is_empty() || small != json!([]) || wider != 0 {
                problems.push(format!("{look} {page}: {findings:?} {small} {wider}"));
            }
        }
    }
    assert_eq!(problems, Vec::<String>::new());
}

#[tokio::test]
async fn things_unfold_in_place_and_stay_so() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let [home, attic, _, chest] = house(&anna).await;
    let phone = Browser::signed_in(&server, &anna).await;
    phone.go("/things").await;
    phone.press("What is inside Home").await;
    phone.press("What is inside Attic").await;
    phone.wait_for(&format!("document.querySelector('{}')", row_of(&chest))).await;
    assert_eq!(phone.path().await, unfolded(&[&home, &attic]));
    let loads = phone.requests().await.into_iter().filter(|request| request.kind == "Document");
    assert_eq!(loads.count(), 1);
    super::make(&anna, "Book", "Diary", Some(&attic)).await;
    phone.sees("Diary").await;
    phone.press("What is inside Attic").await;
    phone.sees_no("Chest").await;
    phone.sees("Attic").await;
}

#[tokio::test]
async fn the_pages_speak_japanese_and_understand_it() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let phone = Browser::signed_in_with(&server, &anna, Options::default().japanese()).await;
    phone.go("/things").await;
    phone.sees("どこに何がある？").await;
    phone.fill("#new-name", "物置").await;
    phone.fill("#new-kind", "部屋").await;
    phone.press("追加").await;
    phone.sees("追加しました。").await;
    assert_eq!(phone.texts("#tree .title > *").await, ["物置", "部屋"]);
    let things = anna.all_pages("/resources", "").await;
    assert_eq!(things[0]["_resourceType"], "Room");
}
