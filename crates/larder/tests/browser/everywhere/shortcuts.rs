//! Keys that lead to search and adding from every page.

use crate::browser::support::{Browser, Options};
use crate::it::support::Server;

async fn focused(laptop: &Browser) -> serde_json::Value {
    laptop.run("return document.activeElement.id").await
}

#[tokio::test]
async fn keys_lead_to_search_adding_and_their_own_page() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    anna.add("Rice", 1, "kg").await;
    let laptop = Browser::signed_in_with(&server, &anna, Options::default().laptop()).await;
    laptop.go("/stock").await;
    laptop.type_text("n").await;
    assert_eq!(focused(&laptop).await, "add-name");
    // Whoever types, types.
    laptop.type_text("/?n").await;
    let typed = "return document.activeElement.value";
    assert_eq!(laptop.run(typed).await, "/?n");
    laptop.run("document.activeElement.blur()").await;
    laptop.type_text("/").await;
    assert_eq!(focused(&laptop).await, "search");
    assert_eq!(laptop.path().await, "/stock");

    laptop.go("/household").await;
    laptop.type_text("/").await;
    laptop.wait_for("location.pathname === '/search'").await;
    laptop.type_text("ri\n").await;
    laptop.sees("Rice").await;
    laptop.go("/household").await;
    laptop.type_text("n").await;
    laptop.wait_for("document.activeElement.id === 'add-name'").await;
    assert_eq!(laptop.path().await, "/stock");
    laptop.run("document.activeElement.blur()").await;
    laptop.type_text("?").await;
    laptop.sees("Keyboard shortcuts").await;
}
