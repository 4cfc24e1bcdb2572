//! Editing what is known of a product: conflicts by field, other names, joining and deleting.

use serde_json::{Value, json};

use super::{add_dated, delete_item, home, patch, path_of, product, product_id};
use crate::it::support::{Client, Server, id_of};
use crate::web::support::{Page, Reader};

/// The fields of the form, as the page shows them.
const FIELDS: [&str; 9] = [
    "version",
    "base",
    "name",
    "unit",
    "shelf_life",
    "opened_life",
    "threshold",
    "desired",
    "step",
];

/// The edit form of a page, with these changes, sent. A box that is ticked stays so.
async fn save(reader: &Reader, page: &Page, item: &Value, changes: &[(&str, &str)]) -> Page {
    let form = page.between("id=\"edit-form\"", "</form>").unwrap().to_owned();
    let form = Page { status: page.status, headers: page.headers.clone(), text: form };
    let value = |name: &str| {
        let quoted = format!("name=\"{name}\"");
        let (_, rest) = form.text.split_once(&quoted).unwrap_or_else(|| panic!("no {name}"));
        let tag = &rest[..rest.find('>').unwrap()];
        let value = tag.split_once("value=\"").map_or("", |(_, rest)| rest);
        unescaped(value.split('"').next().unwrap_or_default())
    };
    let mut sent: Vec<(&str, String)> = FIELDS.map(|name| (name, value(name))).to_vec();
    let category = form.text.split_once("name=\"category\"").unwrap().1;
    let (category, _) = category.split_once("\" selected").unwrap();
    sent.push(("category", category.rsplit('"').next().unwrap().to_owned()));
    let barcodes = form.text.split_once("aria-describedby=\"barcodes-hint\">").unwrap().1;
    sent.push(("barcodes", barcodes.split("</textarea>").next().unwrap().to_owned()));
    if form.text.contains("value=\"yes\" checked") {
        sent.push(("auto_list", "yes".to_owned()));
    }
    for (name, value) in changes {
        sent.retain(|(other, _)| other != name);
        sent.push((name, (*value).to_owned()));
    }
    let sent: Vec<_> = sent.iter().map(|(name, value)| (*name, value.as_str())).collect();
    reader.post(&path_of(item), &sent).await
}

fn unescaped(text: &str) -> String {
    text.replace("&#34;", "\"").replace("&quot;", "\"").replace("&#38;", "&").replace("&amp;", "&")
}

async fn milk_at_home(server: &Server) -> (Client, Reader, Value, Page) {
    let (anna, reader) = home(server).await;
    let milk = anna.add("Milk", 4, "L").await;
    let page = reader.get(&path_of(&milk)).await.expect(200);
    (anna, reader, milk, page)
}

#[tokio::test]
async fn what_is_typed_is_known_and_all_lots_have_the_new_name() {
    let server = Server::start().await;
    let (anna, reader, milk, page) = milk_at_home(&server).await;
    let other = add_dated(&anna, "Milk", 1, "L", "2031-03-01").await;
    let typed = [
        ("name", "Whole milk"),
        ("shelf_life", "７"),
        ("opened_life", "3"),
        ("threshold", "1,5"),
        ("desired", "4"),
        ("step", "0.25"),
        ("notes", "The blue\r\none"),
        ("auto_list", ""),
    ];
    let answer = save(&reader, &page, &milk, &typed).await;
    assert_eq!(answer.location(), format!("{}?notice=stock-saved", path_of(&milk)));
    let now = product(&anna, &milk).await;
    let told = json!({
        "name": now["name"], "shelf": now["shelfLifeDays"], "opened": now["openedShelfLifeDays"],
        "low": now["lowStockThreshold"], "desired": now["desiredQuantity"], "step": now["step"],
        "notes": now["notes"], "listed": now["autoList"],
    });
    let expected = json!({
        "name": "Whole milk", "shelf": 7, "opened": 3, "low": 1.5, "desired": 4, "step": 0.25,
        "notes": "The blue\none", "listed": false,
    });
    assert_eq!(told, expected);
    assert_eq!(anna.item(id_of(&other)).await["name"], "Whole milk");
}

#[tokio::test]
async fn a_field_that_breaks_its_rule_is_named_and_nothing_changes() {
    let server = Server::start().await;
    let (anna, reader, milk, page) = milk_at_home(&server).await;
    let refused = save(&reader, &page, &milk, &[("shelf_life", "soon"), ("name", "Cow milk")]);
    let refused = refused.await.expect(400);
    assert!(refused.says("Please check “Keeps for”."), "{}", refused.visible());
    assert!(refused.text.contains("name=\"shelf_life\""), "it can be corrected there");
    assert_eq!(product(&anna, &milk).await["name"], "Milk");
}

#[tokio::test]
async fn barcodes_are_typed_one_on_each_line_and_belong_to_one_product() {
    let server = Server::start().await;
    let (anna, reader, milk, page) = milk_at_home(&server).await;
    let typed = "4 901234 567894\r\n\r\n９６３８５０７４";
    save(&reader, &page, &milk, &[("barcodes", typed)]).await.expect(303);
    let codes = json!(["4901234567894", "96385074"]);
    assert_eq!(product(&anna, &milk).await["barcodes"], codes);
    let page = reader.get(&path_of(&milk)).await.expect(200);
    assert!(page.says("Barcodes 4901234567894 96385074"), "{}", page.visible());
    assert!(page.text.contains(">4901234567894\n96385074</textarea>"), "{}", page.text);
    let mistyped = save(&reader, &page, &milk, &[("barcodes", "4901234567895")]).await.expect(400);
    assert!(mistyped.says("its last digit does not fit"), "{}", mistyped.visible());
    let oats = anna.add("Oats", 1, "kg").await;
    let other = reader.get(&path_of(&oats)).await.expect(200);
    let taken = save(&reader, &other, &oats, &[("barcodes", "96385074")]).await.expect(409);
    assert!(taken.says("Something else has this barcode already."), "{}", taken.visible());
    assert_eq!(product(&anna, &milk).await["barcodes"], codes);
}

#[tokio::test]
async fn only_what_both_changed_is_asked() {
    let server = Server::start().await;
    let (anna, reader, milk, page) = milk_at_home(&server).await;
    patch(&anna, &milk, json!({ "notes": "in the door", "shelfLifeDays": 7 })).await;
    let answer = save(&reader, &page, &milk, &[("threshold", "2")]).await;
    assert_eq!(answer.location(), format!("{}?notice=stock-saved", path_of(&milk)));
    let now = product(&anna, &milk).await;
    assert_eq!((&now["shelfLifeDays"], &now["lowStockThreshold"]), (&json!(7), &json!(2)));
    // The first page is even older now.
    let mine = [("shelf_life", "9"), ("desired", "4")];
    let asked = save(&reader, &page, &milk, &mine).await.expect(409);
    assert!(asked.says("Changed while you were editing"), "{}", asked.visible());
    assert!(asked.says("Keeps for 9 days 7 days"), "{}", asked.visible());
    assert!(!asked.says("Quantity to have 4 L —"), "{}", asked.visible());
    assert_eq!(product(&anna, &milk).await["shelfLifeDays"], 7, "nothing has changed yet");
    let names = ["version", "base", "name", "unit", "category", "shelf_life", "desired", "notes"];
    let held: Vec<_> = names.iter().map(|name| (*name, asked.hidden(name))).collect();
    let held: Vec<_> = held.iter().map(|(name, value)| (*name, value.as_str())).collect();
    reader.submit(&path_of(&milk), &held).await;
    let now = product(&anna, &milk).await;
    assert_eq!(
        (&now["shelfLifeDays"], &now["desiredQuantity"], &now["notes"]),
        (&json!(9), &json!(4), &json!("in the door"))
    );
}

#[tokio::test]
async fn a_name_that_is_taken_asks_whether_to_join_and_joins() {
    let server = Server::start().await;
    let (anna, reader, milk, page) = milk_at_home(&server).await;
    let other = add_dated(&anna, "Cow's milk", 2, "L", "2031-03-01").await;
    let asked = save(&reader, &page, &milk, &[("name", "cow's MILK")]).await.expect(409);
    let question = "There is already Cow's milk (2 L). Join the two, with all lots of both?";
    assert!(asked.says(question), "{}", asked.visible());
    assert_eq!(product(&anna, &milk).await["name"], "Milk", "nothing has changed yet");
    let names = ["version", "base", "name", "unit", "category", "auto_list"];
    let held: Vec<_> = names.iter().map(|name| (*name, asked.hidden(name))).collect();
    let mut held: Vec<_> = held.iter().map(|(name, value)| (*name, value.as_str())).collect();
    held.push(("merge", "yes"));
    let joined = reader.post(&path_of(&milk), &held).await;
    assert_eq!(joined.location(), format!("{}?notice=products-joined", path_of(&other)));
    let page = reader.get(&path_of(&other)).await.expect(200);
    assert!(page.says("In stock 6 L"), "{}", page.visible());
    reader.get(&path_of(&milk)).await.expect(404);
}

#[tokio::test]
async fn a_product_without_lots_is_deleted_and_no_other() {
    let server = Server::start().await;
    let (anna, reader, milk, page) = milk_at_home(&server).await;
    let delete = format!("{}/delete", path_of(&milk));
    assert!(!page.text.contains(&delete), "{}", page.text);
    reader.post(&delete, &[]).await.expect(409);
    anna.adjust(id_of(&milk), -4).await.expect(200);
    let page = reader.get(&path_of(&milk)).await.expect(200);
    assert!(page.says("It can be deleted when its used-up lots are deleted."));
    delete_item(&anna, &milk).await;
    let page = reader.get(&path_of(&milk)).await.expect(200);
    assert!(page.text.contains(&delete) && page.says("This cannot be undone."));
    let answer = reader.post(&delete, &[]).await;
    assert_eq!(answer.location(), "/products?notice=stock-deleted");
    anna.get(&format!("/products/{}", product_id(&milk))).await.expect(404);
}
