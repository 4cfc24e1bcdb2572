//! Taking from a product.

use super::{add_dated, home, path_of};
use crate::it::support::{Server, id_of};

#[tokio::test]
async fn what_expires_first_is_taken_first() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let later = add_dated(&anna, "Milk", 2, "L", "2031-03-05").await;
    let first = add_dated(&anna, "Milk", 1, "L", "2031-03-01").await;
    let path = format!("{}/use", path_of(&first));
    let page = reader.submit(&path, &[("quantity", "1,5")]).await;
    assert!(page.says("Used.") && page.says("In stock 1.5 L"), "{}", page.visible());
    assert_eq!(anna.item(id_of(&first)).await["quantity"], 0);
    assert_eq!(anna.item(id_of(&later)).await["quantity"], 1.5);
    let page = reader.submit(&path, &[("quantity", "2")]).await;
    assert!(page.says("There was less than that"), "{}", page.visible());
    let page = reader.submit(&path, &[("quantity", "2")]).await;
    assert!(page.says("There was nothing to use."), "{}", page.visible());
}

#[tokio::test]
async fn what_cannot_be_taken_says_why_and_changes_nothing() {
    let server = Server::start().await;
    let (anna, reader) = home(&server).await;
    let flour = anna.add("Flour", 500, "g").await;
    add_dated(&anna, "Flour", 1, "kg", "2020-03-01").await;
    let path = format!("{}/use", path_of(&flour));
    for (quantity, why) in [
        ("0", "Please write a number other than 0."),
        ("", "Please fill this in."),
        ("-1", "Please write a number that is not below 0."),
    ] {
        let page = reader.post(&path, &[("quantity", quantity)]).await.expect(400);
        assert!(page.says(why), "{quantity}: {}", page.visible());
    }
    let page = reader.post(&path, &[("quantity", "5")]).await.expect(409);
    assert!(page.says("Please take a rounder amount."), "{}", page.visible());
    assert_eq!(anna.item(id_of(&flour)).await["quantity"], 500);
}
