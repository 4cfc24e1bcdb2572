//! Kinds of things in the family's own words.

use serde_json::json;

use super::{all, hides, house, make, page_of, shows};
use crate::it::support::urn_of;
use crate::web::support::{Page, Reader};

/// The kinds that the form for a new thing offers.
fn offered(page: &Page) -> Vec<String> {
    let list = page.between("<datalist id=\"kinds\">", "</datalist>").unwrap();
    let values = list.split("value=\"").skip(1);
    values.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_kind_is_named_in_any_letters_and_edited_as_such() {
    let (server, anna, reader) = house().await;
    let page = reader.submit("/things", &[("name", "Blue one"), ("kind", " テント ")]).await;
    shows(&page, "Blue one テント");
    let thing = all(&anna).await.remove(0);
    let urn = urn_of(&thing).to_owned();
    // The API has it as what it is: a resource with an attribute.
    assert_eq!(thing["_resourceType"], "Thing");
    assert_eq!(thing["attributes"], json!({ "name": "Blue one", "kind": "テント" }));

    let page = reader.get(&page_of(&urn)).await.expect(200);
    shows(&page, "Blue one テント");
    assert!(!page.text.contains("<th scope=\"row\">"), "its kind is no detail: {}", page.text);
    let edit = format!("{}/edit", page_of(&urn));
    let page = reader.get(&edit).await.expect(200);
    assert!(
        page.text
            .contains("name=\"kind\" list=\"kinds\" required maxlength=\"60\" value=\"テント\"")
    );
    assert!(!page.text.contains("name=\"attribute\" value=\"kind\""), "{}", page.text);
    let form = |kind: &'static str| {
        [("version", "1"), ("schema", "1"), ("name", "Blue one"), ("kind", kind)]
    };
    let refused = reader.post(&edit, &form(" ")).await.expect(400);
    shows(&refused, "Please check “Kind”");
    shows(&reader.submit(&edit, &form("Zelt")).await, "Blue one Zelt");
    let edited = json!({ "name": "Blue one", "kind": "Zelt" });
    assert_eq!(all(&anna).await[0]["attributes"], edited);
    // Without a name it is called by its kind.
    let unnamed = json!({ "resourceType": "Thing", "attributes": { "kind": "はしご" } });
    let unnamed = urn_of(&anna.make_with(unnamed).await).to_owned();
    shows(
        &reader.get(&page_of(&unnamed)).await,
        &format!("はしご {}", &unnamed[unnamed.len() - 6..]),
    );
    // A known word is said in the reader's language.
    reader
        .submit(&edit, &[("version", "2"), ("schema", "1"), ("name", "Blue one"), ("kind", "box")])
        .await;
    let japanese = Reader::speaking(&server, "ja");
    japanese.log_in(&anna).await;
    shows(&japanese.get(&page_of(&urn)).await, "Blue one 箱");
}

#[tokio::test]
async fn the_kinds_to_choose_from_are_the_familys_each_once_and_find_all_of_them() {
    let (_server, anna, reader) = house().await;
    for (kind, name) in [("Home.Box", "Letters"), ("Box", "Toys"), ("Camping.Tent", "Red tent")] {
        make(&anna, kind, name, None).await;
    }
    for (name, kind) in
        [("Blue tent", "tent"), ("Ladder", "はしご"), ("Steps", "はしご"), ("Chest", "BOX")]
    {
        reader.submit("/things", &[("name", name), ("kind", kind)]).await;
    }
    let page = reader.get("/things").await.expect(200);
    let offered = offered(&page);
    assert_eq!(offered[..3], ["Box", "Tent", "はしご"], "the family's come first");
    assert_eq!(offered.iter().filter(|kind| *kind == "Box").count(), 1, "{offered:?}");
    assert!(offered.iter().all(|kind| !kind.contains('.')), "{offered:?}");
    let chips = page.between("aria-label=\"Kinds of things\"", "</nav>").unwrap();
    assert_eq!(chips.matches("href=\"/things?kind=").count(), 3, "{chips}");
    hides(&page, "Home.Box");

    for (query, found, count) in [
        ("kind=Box", "Letters Box", 3),
        ("kind=Home.Box", "Toys Box", 3),
        ("kind=Tent", "Blue tent Tent", 2),
        ("kind=%E3%81%AF%E3%81%97%E3%81%94", "Ladder はしご", 2),
        ("kind=%E3%81%AF%E3%81%97%E3%81%94&q=st", "Steps はしご", 1),
        ("kind=Lamp", "Nothing is called that", 0),
    ] {
        let page = reader.get(&format!("/things?{query}")).await.expect(200);
        shows(&page, found);
        assert_eq!(page.text.matches("<li id=\"thing-").count(), count, "{query}");
    }
    let page = reader.get("/search?q=ladder").await.expect(200);
    shows(&page, "Ladder はしご");
}
