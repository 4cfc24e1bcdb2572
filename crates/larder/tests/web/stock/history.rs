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
    for n in 0..44 {
        anna.adjust(id_of(&eggs), if n % 2 == 0 { 1 } else { -1 }).await.expect(200);
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
async fn many_taps_are_one_line_and_the_last_of_them_can_be_undone() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let eggs = anna.add("Eggs", 100, "個").await;
    for _ in 0..60 {
        ben.adjust(id_of(&eggs), -1).await.expect(200);
    }
    for n in 0..19 {
        anna.adjust(id_of(&eggs), if n % 2 == 0 { 2 } else { -1 }).await.expect(200);
    }
    let page = reader.get(&path_of(&eggs)).await.expect(200);
    assert_eq!(page.text.matches("id=\"change-").count(), 20);
    assert!(page.says("Took 60個 (60 times) → 40個 left ben"), "{}", page.visible());
    let before = page.between("?before=", "#").unwrap().to_owned();
    let older = format!("{}?before={before}", path_of(&eggs));
    let older = reader.get(&older).await.expect(200);
    assert_eq!(older.text.matches("id=\"change-").count(), 1);
    assert!(older.says("Added: 100 個"), "{}", older.visible());

    anna.adjust(id_of(&eggs), 1).await.expect(200);
    let page = reader.get(&path_of(&eggs)).await.expect(200);
    assert!(page.says("Added 3個 (2 times) → 52個 anna"), "{}", page.visible());
    assert!(page.says("Undo 51 → 52"), "{}", page.visible());
    let undo = format!("{}/undo", path_of(&eggs));
    let page = reader.submit(&undo, &[("version", undoable(&page).unwrap())]).await;
    assert!(page.says("Undone.") && page.says("Quantity: 52 個 → 51 個"), "{}", page.visible());
    assert_eq!(anna.item(id_of(&eggs)).await["quantity"], 51);
    // The API tells every change.
    let path = format!("/inventory/items/{}/history", id_of(&eggs));
    assert_eq!(anna.all_pages(&path, "").await.len(), 82);
}

#[tokio::test]
async fn what_was_opened_is_not_said_to_be_added() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let milk = json!({
        "name": "Milk",
        "quantity": 3,
        "unit": "L",
        "expirationDate": "2099-01-01",
        "openedShelfLifeDays": 4,
    });
    let milk = anna.add_item(milk).await;
    let page = reader.get(&path_of(&milk)).await.expect(200);
    assert!(page.says("Added: 3 L"), "{}", page.visible());
    let open = format!("/inventory/items/{}/open", id_of(&milk));
    let opened = ben.post(&open, json!({ "quantity": 1 })).await.expect(200);
    let page = reader.get(&path_of(&opened["opened"])).await.expect(200);
    assert!(page.says("Opened: 1 L ben"), "{}", page.visible());
    assert!(!page.says("Added"), "{}", page.visible());
    let page = reader.get("/today").await.expect(200);
    assert!(page.says("Milk opened: 1 L"), "{}", page.visible());
}

#[tokio::test]
async fn the_taps_of_somebody_else_are_one_line_on_the_first_page() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let rice = ben.add("Rice", 2, "kg").await;
    let eggs = ben.add("Eggs", 12, "個").await;
    for _ in 0..4 {
        ben.adjust(id_of(&eggs), -1).await.expect(200);
        ben.adjust(id_of(&rice), 1).await.expect(200);
    }
    anna.adjust(id_of(&eggs), -1).await.expect(200);
    let page = reader.get("/today").await.expect(200);
    let told = page.between("id=\"activity\"", "</section>").unwrap();
    assert_eq!(told.matches("<li>").count(), 5, "{told}");
    assert!(page.says("Rice: Added 4 kg (4 times) → 6 kg ben"), "{}", page.visible());
    assert!(page.says("Eggs: Took 4個 (4 times) → 8個 left ben"), "{}", page.visible());
    let japanese = Reader::speaking(&server, "ja");
    japanese.log_in(&anna).await;
    let japanese = japanese.get("/today").await.expect(200);
    assert!(japanese.says("Rice: 4 kg追加（4回）→ 6 kg"), "{}", japanese.visible());
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
