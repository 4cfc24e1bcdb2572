//! The history of an item, and undo.

use serde_json::json;

use super::{borrowed, form_of, home, path_of};
use crate::it::support::{Server, id_of};
use crate::web::support::{Page, Reader};

/// The version that the change which the page offers to undo has left.
fn undoable(page: &Page) -> Option<&str> {
    let (_, form) = page.text.split_once("/undo\">")?;
    let (_, version) = form.split_once("name=\"version\" value=\"")?;
    version.split('"').next()
}

#[tokio::test]
async fn the_history_tells_who_did_what_newest_first() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let milk = anna.add("Milk", 3, "L").await;
    ben.adjust(id_of(&milk), -1).await.expect(200);
    let edit = json!({ "version": 2, "notes": "open", "name": "Oat milk" });
    anna.patch(&format!("/inventory/items/{}", id_of(&milk)), edit).await.expect(200);
    let page = reader.get(&path_of(&milk)).await.expect(200);
    let told = page.visible();
    let at = |text: &str| told.find(text).unwrap_or_else(|| panic!("{text} is not in {told}"));
    assert!(at("Name: Milk → Oat milk") < at("Quantity: 3 L → 2 L"));
    assert!(at("Notes: — → open") < at("Quantity: 3 L → 2 L"));
    assert!(at("Quantity: 3 L → 2 L") < at("ben · just now"));
    assert!(at("ben · just now") < at("Added: 3 L"));
    // Tags are the admins'.
    assert!(page.text.contains(&format!("/tags?item={}", id_of(&milk))), "{}", page.text);
    let bens = Reader::of(&server, &ben).await.get(&path_of(&milk)).await.expect(200);
    assert!(!bens.text.contains("/tags?item="), "{}", bens.text);
}

#[tokio::test]
async fn a_long_history_goes_on_on_further_pages() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let eggs = anna.add("Eggs", 0, "個").await;
    for _ in 0..44 {
        anna.adjust(id_of(&eggs), 1).await.expect(200);
    }
    let (mut path, mut found) = (path_of(&eggs), Vec::new());
    loop {
        let page = reader.get(&path).await.expect(200);
        assert_eq!(undoable(&page).is_some(), found.is_empty(), "only the newest can be undone");
        found.push(page.text.matches("id=\"change-").count());
        let Some(before) = page.between("?before=", "#") else { break };
        path = format!("{}?before={before}", path_of(&eggs));
    }
    assert_eq!(found, [20, 20, 5]);
}

#[tokio::test]
async fn the_last_change_is_taken_back_whatever_it_was() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let milk = anna.add("Milk", 3, "L").await;
    let undo = format!("{}/undo", path_of(&milk));
    let page = reader.get(&path_of(&milk)).await.expect(200);
    assert_eq!(undoable(&page), None, "adding is undone by deleting");
    anna.adjust(id_of(&milk), -2).await.expect(200);
    let page = reader.get(&path_of(&milk)).await.expect(200);
    let page = reader.submit(&undo, &[("version", undoable(&page).unwrap())]).await;
    assert!(page.says("Undone.") && page.says("Quantity: 1 L → 3 L"), "{}", page.visible());
    let now = anna.item(id_of(&milk)).await;
    assert_eq!(now["quantity"], 3);
    let edit = form_of(&now, &[("name", "Oat milk"), ("notes", "open"), ("quantity", "9")]);
    let page = reader.submit(&path_of(&milk), &borrowed(&edit)).await;
    reader.submit(&undo, &[("version", undoable(&page).unwrap())]).await;
    let now = anna.item(id_of(&milk)).await;
    assert_eq!((&now["name"], &now["notes"]), (&json!("Milk"), &json!(null)));
    assert_eq!(now["quantity"], 3);
}

#[tokio::test]
async fn what_was_changed_since_is_not_taken_back() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let milk = anna.add("Milk", 3, "L").await;
    anna.adjust(id_of(&milk), -2).await.expect(200);
    let page = reader.get(&path_of(&milk)).await.expect(200);
    let version = undoable(&page).unwrap().to_owned();
    anna.adjust(id_of(&milk), 5).await.expect(200);
    let undo = format!("{}/undo", path_of(&milk));
    let page = reader.post(&undo, &[("version", &version)]).await.expect(409);
    assert!(page.says("Somebody else has changed this"), "{}", page.visible());
    assert_eq!(anna.item(id_of(&milk)).await["quantity"], 6);
    reader.post(&undo, &[("version", "x")]).await.expect(400);
}

#[tokio::test]
async fn of_two_who_take_back_one_change_one_does() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let milk = anna.add("Milk", 3, "L").await;
    let undo = format!("{}/undo", path_of(&milk));
    for round in 0..10 {
        anna.adjust(id_of(&milk), -1).await.expect(200);
        let page = reader.get(&path_of(&milk)).await.expect(200);
        let version = [("version", undoable(&page).unwrap())];
        let (one, other) = tokio::join!(reader.post(&undo, &version), reader.post(&undo, &version));
        let mut answers = [one.status.as_u16(), other.status.as_u16()];
        answers.sort_unstable();
        assert_eq!(answers, [303, 409], "round {round}");
        assert_eq!(anna.item(id_of(&milk)).await["quantity"], 3, "round {round}");
    }
}
