//! Demo data in, and out again.

use serde_json::Value;

use crate::browser::support::Browser;
use crate::it::support::{Client, Server};

/// Everything that a household has, list by list.
async fn everything(person: &Client) -> Vec<Vec<Value>> {
    let mut lists = vec![person.all_pages("/inventory/items", "includeDepleted=true").await];
    for path in ["/stores", "/storage-locations", "/shopping-list", "/resources"] {
        lists.push(person.all_pages(path, "").await);
    }
    lists
}

#[tokio::test]
async fn one_press_brings_it_and_another_takes_exactly_it_away() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    anna.add("Saffron", 1, "g").await;
    anna.make("Home.Vase", None).await;
    let before = everything(&anna).await;
    let phone = Browser::signed_in(&server, &anna).await;
    phone.go("/household").await;
    phone.press("Add the demo data").await;
    phone.sees("The demo data is there. Look around!").await;
    assert_eq!(everything(&anna).await.iter().map(Vec::len).collect::<Vec<_>>(), [23, 3, 6, 7, 9]);

    phone.go("/household").await;
    phone.sees("This household has demo data").await;
    // Cancelling keeps it.
    phone.run("window.confirm = (question) => { window.asked = question; return false; }").await;
    phone.press("Remove the demo data").await;
    phone.wait_for("window.asked?.includes('What you have made yourself stays.')").await;
    assert_eq!(everything(&anna).await[0].len(), 23);
    phone.run("window.confirm = () => true").await;
    phone.press("Remove the demo data").await;
    phone.sees("The demo data is gone.").await;
    phone.sees("Try it with demo data").await;
    assert_eq!(everything(&anna).await, before);
}
