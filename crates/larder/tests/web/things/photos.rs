//! The photo of a thing, sent by a plain form.

use super::{house, make, page_of};
use crate::it::support::{GreyPicture, resource_path};
use crate::web::support::Reader;

#[tokio::test]
async fn a_photo_of_a_thing_is_sent_shown_and_removed_without_script() {
    let (_server, anna, reader) = house().await;
    let tent = make(&anna, "Box", "Tent", None).await;
    let address = page_of(&tent);
    let page = reader.get(&address).await.expect(200);
    assert!(!page.text.contains("id=\"picture\""), "{}", page.text);
    reader.send_photo(&address, &reader.csrf(), b"").await.expect(400);
    reader.send_photo(&address, "forged", b"x").await.expect(403);
    let picture = GreyPicture { width: 80, height: 60, pixels: vec![10; 80 * 60] }.png();
    let sent = reader.send_photo(&address, &reader.csrf(), &picture).await;
    assert_eq!(sent.location(), format!("{address}?notice=products-photo-set"));
    let page = reader.get(&address).await.expect(200);
    let source = page.between("id=\"picture\" src=\"", "\"").unwrap();
    assert!(page.text.contains("alt=\"Photo of Tent\""), "{}", page.text);
    assert_eq!(reader.get(source).await.status, 200, "with the cookie of the pages");
    reader.get(&address).await.expect(200);
    let removed = reader.post(&format!("{address}/photo/remove"), &[]).await;
    assert_eq!(removed.location(), format!("{address}?notice=products-photo-removed"));
    let page = reader.get(&address).await.expect(200);
    assert!(!page.text.contains("id=\"picture\""), "{}", page.text);
}

#[tokio::test]
async fn a_guest_sees_the_photo_and_changes_it_only_if_they_may_write() {
    let (server, anna, reader) = house().await;
    let tent = make(&anna, "Box", "Tent", None).await;
    let address = page_of(&tent);
    let picture = GreyPicture { width: 80, height: 60, pixels: vec![10; 80 * 60] }.png();
    reader.send_photo(&address, &reader.csrf(), &picture).await.expect(303);
    let eve = server.with_household("eve").await;
    let guest = Reader::of(&server, &eve).await;
    for (actions, forms) in [(&["read"][..], 0), (&["read", "write"][..], 1)] {
        anna.grant(&eve.principal(), &tent, actions).await.expect(200);
        let page = guest.get(&address).await.expect(200);
        assert!(page.text.contains("id=\"picture\""), "{}", page.text);
        assert_eq!(page.text.matches("multipart/form-data").count(), forms);
        let expected = if forms == 0 { 404 } else { 303 };
        guest.send_photo(&address, &guest.csrf(), &picture).await.expect(expected);
    }
    anna.delete(&format!("{}/photo", resource_path(&tent))).await.expect(204);
}
