//! Deleting the household, the account or a device in the pages.

use super::support::{Page, Reader};
use crate::it::support::{Server, encode, until};

const DEVICE: &str = "AA:BB:CC:DD:EE:01";

/// Follows the progress of a deletion to its end.
async fn finished(reader: &Reader, begun: &Page) -> Page {
    let address = begun.location();
    assert!(address.starts_with("/me/deletions/"), "{address}");
    until("it is done", async || reader.get(&address).await.says("Done:")).await;
    reader.get(&address).await
}

#[tokio::test]
async fn the_household_goes_when_its_name_is_typed() {
    let server = Server::start().await;
    let (anna, ben) = (server.with_household("anna").await, server.register("ben").await);
    ben.join(&anna).await;
    let (admin, member) = (Reader::of(&server, &anna).await, Reader::of(&server, &ben).await);
    member.get("/household/delete").await.expect(403);
    assert!(!member.get("/household").await.text.contains("/household/delete"));
    assert!(admin.get("/household").await.text.contains("/household/delete"));
    let page = admin.get("/household/delete").await.expect(200);
    assert!(page.says("One other member loses it, too."), "{}", page.visible());
    assert!(page.text.contains("/me/export.jsonl"), "{}", page.text);
    let page = admin.post("/household/delete", &[("name", "Somebody's")]).await.expect(400);
    assert!(page.says("That is not the name of the household."), "{}", page.visible());
    admin.get("/stock").await.expect(200);

    let name = anna.get("/households/current").await.expect(200)["name"].clone();
    let begun = admin.post("/household/delete", &[("name", name.as_str().unwrap())]).await;
    let begun = begun.expect(303);
    assert_eq!(member.get("/shopping").await.location(), "/welcome");
    let page = finished(&admin, &begun).await;
    assert!(page.says("The household is deleted"), "{}", page.visible());
    assert!(page.text.contains("href=\"/welcome\""), "{}", page.text);
    member.get(&begun.location()).await.expect(404);
}

#[tokio::test]
async fn whoever_is_alone_is_told_that_leaving_is_deleting() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    let page = reader.get("/household").await;
    assert!(page.says("You are the only member."), "{}", page.visible());
    let page = reader.get("/me/delete").await.expect(200);
    assert!(page.says("You are the only member of your household"), "{}", page.visible());
    reader.post("/me/delete", &[("password", "not the password")]).await.expect(401);
    reader.get("/stock").await.expect(200);

    let gone = reader.post("/me/delete", &[("password", &anna.password)]).await.expect(303);
    assert_eq!(gone.location(), "/login?notice=account-erased");
    assert_eq!(gone.header("clear-site-data"), "\"cache\", \"storage\"");
    let page = reader.get("/login?notice=account-erased").await;
    assert!(page.says("Your account is deleted."), "{}", page.visible());
    assert!(reader.get("/me").await.location().starts_with("/login"));
    let login = [("email", &*anna.email), ("password", &*anna.password)];
    reader.post("/login", &login).await.expect(401);
}

#[tokio::test]
async fn a_released_device_is_gone_from_the_sensors_and_from_its_place() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    anna.add_device(&server, DEVICE).await;
    let reader = Reader::of(&server, &anna).await;
    let page = format!("/sensors/{}", encode(DEVICE));
    reader.get(&page).await.expect(200);
    reader.submit(&format!("{page}/place"), &[("new_place", "Cellar")]).await;
    let begun = reader.post(&format!("{page}/release"), &[]).await.expect(303);
    reader.get(&page).await.expect(404);
    finished(&reader, &begun).await;
    let places = anna.get("/storage-locations").await.expect(200).to_string();
    assert!(places.contains("Cellar") && !places.contains(DEVICE), "{places}");
}
