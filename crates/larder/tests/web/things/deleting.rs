//! Deleting things with all that is in them.

use serde_json::{Value, json};

use super::{all, house, make, page_of, shows};
use crate::it::support::{until, urn_of};

#[tokio::test]
async fn what_would_go_is_shown_and_exactly_that_goes() {
    let (_server, anna, reader) = house().await;
    let home = make(&anna, "Building", "Home", None).await;
    let attic = make(&anna, "Room", "Attic", Some(&home)).await;
    let chest = json!({ "resourceType": "Box", "parentUrn": attic, "attributes": { "name": "Chest" },
        "uniqueKeys": [{ "key": "serialNumber", "value": "C-1" }] });
    let chest = urn_of(&anna.make_with(chest).await).to_owned();
    let elsewhere = make(&anna, "Group", "Heirlooms", None).await;
    anna.add_member(&elsewhere, &chest, false).await.expect(201);
    let delete = format!("{}/delete", page_of(&attic));
    let page = reader.get(&delete).await.expect(200);
    shows(&page, "2 things would be deleted");
    shows(&page, "One number could be used again.");
    shows(&page, "One tie to a group");
    shows(&page, "Attic Room Chest Box · in Attic · C-1");
    let answer = reader.post(&delete, &[("parent", &*home)]).await;
    assert_eq!(answer.location(), format!("{}?notice=thing-deleted", page_of(&home)));
    let left: Vec<_> = all(&anna).await.iter().map(|thing| urn_of(thing).to_owned()).collect();
    assert_eq!(left, [home, elsewhere]);
    reader.get(&page_of(&chest)).await.expect(404);
}

#[tokio::test]
async fn a_large_tree_goes_as_a_job_that_tells_how_far_it_is() {
    let (_server, anna, reader) = house().await;
    let attic = make(&anna, "Room", "Attic", None).await;
    for _ in 0..120 {
        anna.make("Box", Some(&attic)).await;
    }
    let delete = format!("{}/delete", page_of(&attic));
    let page = reader.get(&delete).await.expect(200);
    shows(&page, "121 things would be deleted");
    assert_eq!(page.text.matches("<li id=\"doomed-").count(), 50);
    let next = page.between("delete?after=", "\"").unwrap();
    let page = reader.get(&format!("{delete}?after={next}")).await.expect(200);
    assert_eq!(page.text.matches("<li id=\"doomed-").count(), 50);
    let job = reader.post(&delete, &[]).await.location();
    assert!(job.starts_with("/things/jobs/"), "{job}");
    until("the deletion is done", async || {
        reader.get(&job).await.expect(200).says("Done: 121 things are deleted.")
    })
    .await;
    assert_eq!(all(&anna).await, Vec::<Value>::new());
    reader.get("/things/jobs/none").await.expect(404);
}
