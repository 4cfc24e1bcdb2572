//! Resources, relationships, and unique values.

use larder_domain::{
    AttributeValue, Attributes, CollectionMemberRelationship, DeletionId, ParentChildRelationship,
    PropertyName, Resource, SchemaVersion, UniqueKey, UniqueKeys, UniqueValue, Urn,
};
use larder_storage::{
    AccountScope, AddMember, AttachResource, CreateResource, DeleteResource, ReplaceResource,
    Resources,
};

use crate::family::{Family, HOME, MIA};

const FIRST: u128 = 0x0195_5556_3cd2_7df2_b839_0000_0000_0000;

pub(super) fn scope() -> AccountScope {
    AccountScope::assume_authorized(Urn::of_household(HOME), MIA)
}

pub(super) fn urn(number: u128) -> Urn {
    let id = DeletionId::fixed(FIRST + number);
    format!("urn:pp:Home.Box::{id}").parse().unwrap()
}

/// An ordinary resource: half a kilobyte as a record, and a kilobyte with a unique value.
pub(super) fn resource(family: &Family, number: u128, parent: Option<&Resource>) -> Resource {
    let title = AttributeValue::Text(format!("Box {number:04}"));
    let attributes = Attributes::new([("title".to_owned(), title)].into()).unwrap();
    let at = family.write().at;
    Resource {
        urn: urn(number),
        account: Urn::of_household(HOME),
        parent: parent.map(|parent| parent.urn.clone()),
        schema_version: SchemaVersion::FIRST,
        version: 1,
        unique_keys: UniqueKeys::default(),
        attributes,
        created_at: at,
        updated_at: at,
    }
}

fn labelled(resource: Resource, label: &str) -> Resource {
    let property = PropertyName::parse("label").unwrap();
    let value = UniqueValue::parse(label).unwrap();
    let key = UniqueKey { property, value, case_insensitive: true };
    Resource { unique_keys: UniqueKeys::new(vec![key]).unwrap(), ..resource }
}

/// A resource that is stored without being measured.
pub(super) async fn made(family: &Family, number: u128, parent: Option<&Resource>) -> Resource {
    let resource = resource(family, number, parent);
    let made = family.store.create_resource(&scope(), &resource, family.write()).await.unwrap();
    assert_eq!(made, CreateResource::Created);
    resource
}

pub(crate) async fn measure(family: &Family) {
    let room = make(family).await;
    change(family, &room).await;
    relate(family, &room).await;
    go_through(family, &room).await;
    delete(family).await;
}

async fn make(family: &Family) -> Resource {
    let scope = scope();
    let room = resource(family, 1, None);
    let made = family
        .measure("make a resource", "create_resource", async |store| {
            store.create_resource(&scope, &room, family.write()).await
        })
        .await;
    assert_eq!(made, CreateResource::Created);
    let (tin, claim) = (labelled(resource(family, 2, Some(&room)), "Tin"), family.claim("tin"));
    let made = family
        .measure(
            "make one with a parent and a unique value, once",
            "create_resource",
            async |store| store.create_resource(&scope, &tin, family.claimed(&claim)).await,
        )
        .await;
    assert_eq!(made, CreateResource::Created);
    let rival = labelled(resource(family, 3, None), "TIN");
    let taken = family
        .measure("make one with a taken value", "create_resource", async |store| {
            store.create_resource(&scope, &rival, family.write()).await
        })
        .await;
    assert!(matches!(taken, CreateResource::UniqueKeyTaken(_)), "{taken:?}");
    let key = &tin.unique_keys.iter().next().unwrap();
    let kind = tin.urn.kind();
    for (operation, value) in
        [("find it by its value", "tin"), ("find it by it in another case", "Tin")]
    {
        let value = UniqueValue::parse(value).unwrap();
        let found = family
            .measure(operation, "find_by_unique_key", async |store| {
                store.find_by_unique_key(&scope, &kind, &key.property, &value).await
            })
            .await;
        assert_eq!(found.map(|found| found.urn), Some(tin.urn.clone()));
    }
    room
}

async fn change(family: &Family, room: &Resource) {
    let scope = scope();
    let tin = family
        .measure("find a resource", "find_resource", async |store| {
            store.find_resource(&scope, &urn(2)).await
        })
        .await
        .expect("it was made");
    let replaced = family
        .measure("replace a resource", "replace_resource", async |store| {
            store.replace_resource(&scope, &tin, Some(1), family.write()).await
        })
        .await;
    assert!(matches!(replaced, ReplaceResource::Replaced(_)), "{replaced:?}");
    let tin = labelled(tin, "Jar");
    let replaced = family
        .measure("replace one with its unique value", "replace_resource", async |store| {
            store.replace_resource(&scope, &tin, Some(2), family.write()).await
        })
        .await;
    assert!(matches!(replaced, ReplaceResource::Replaced(_)), "{replaced:?}");
    let shelf = made(family, 4, Some(room)).await;
    let link = ParentChildRelationship::new(shelf.urn.clone(), tin.urn.clone()).unwrap();
    let attached = family
        .measure("move a resource one level down", "attach_resource", async |store| {
            store.attach_resource(&scope, &link, family.write()).await
        })
        .await;
    assert!(matches!(attached, AttachResource::Attached(_)), "{attached:?}");
    let above = family
        .measure("list two ancestors", "list_ancestors", async |store| {
            store.list_ancestors(&scope, &tin.urn, None, 50).await
        })
        .await;
    assert_eq!(above.unwrap().items.len(), 2);
    let detached = family
        .measure("take a resource out of its parent", "detach_resource", async |store| {
            store.detach_resource(&scope, &tin.urn, family.write()).await
        })
        .await;
    assert_eq!(detached.and_then(|resource| resource.parent), None);
}

async fn relate(family: &Family, room: &Resource) {
    let scope = scope();
    let link = CollectionMemberRelationship::new(room.urn.clone(), urn(2), true).unwrap();
    let added = family
        .measure("put a resource into a collection", "add_to_collection", async |store| {
            store.add_to_collection(&scope, &link, family.write()).await
        })
        .await;
    assert_eq!(added, AddMember::Added);
    for number in 10..59 {
        made(family, number, Some(room)).await;
    }
    let children = family
        .measure("list 50 children", "list_children", async |store| {
            store.list_children(&scope, &room.urn, None, 50).await
        })
        .await;
    assert_eq!(children.unwrap().items.len(), 50);
    let members = family
        .measure("list one member of a collection", "list_collection_members", async |store| {
            store.list_collection_members(&scope, &room.urn, None, 50).await
        })
        .await;
    assert_eq!(members.unwrap().items.len(), 1);
    let collections = family
        .measure("list one collection of a resource", "list_collections", async |store| {
            store.list_collections(&scope, &urn(2), None, 50).await
        })
        .await;
    assert_eq!(collections.unwrap().items.len(), 1);
    let listed = family
        .measure("list 50 resources", "list_resources", async |store| {
            store.list_resources(&scope, None, None, 50).await
        })
        .await;
    assert_eq!(listed.items.len(), 50);
    super::grants::measure(family, room).await;
    let removed = family
        .measure("take a resource out of a collection", "remove_from_collection", async |store| {
            store.remove_from_collection(&scope, &room.urn, &urn(2), family.write()).await
        })
        .await;
    assert!(removed);
}

async fn go_through(family: &Family, room: &Resource) {
    let (resources, _) = family
        .measure(
            "go through all resources, a page of 50 records",
            "resources_after",
            async |store| store.resources_after(None, 50).await,
        )
        .await;
    assert!(resources.len() <= 50);
    let newer = family.store.find_resource(&scope(), &room.urn).await.unwrap().unwrap();
    let newer = Resource { schema_version: newer.schema_version.next(), ..newer };
    let rewritten = family
        .measure("write a resource in a newer shape", "rewrite_resource", async |store| {
            store.rewrite_resource(&newer).await
        })
        .await;
    assert!(rewritten);
    family
        .measure("note where a job is", "keep_bookmark", async |store| {
            larder_storage::Upkeep::keep_bookmark(store, "upcast", Some("place")).await
        })
        .await;
    let place = family
        .measure("look where a job is", "find_bookmark", async |store| {
            larder_storage::Upkeep::find_bookmark(store, "upcast").await
        })
        .await;
    assert_eq!(place.as_deref(), Some("place"));
}

async fn delete(family: &Family) {
    let scope = scope();
    let room = family.store.find_resource(&scope, &urn(1)).await.unwrap().unwrap();
    let preview = family
        .measure("preview a deletion, 50 resources", "preview_deletion", async |store| {
            store.preview_deletion(&scope, &room.urn, None, 50).await
        })
        .await;
    assert_eq!(preview.unwrap().items.len(), 50);
    let deleted = family
        .measure("delete a resource with a unique value", "delete_resource", async |store| {
            let id = DeletionId::fixed(FIRST);
            store.delete_resource(&scope, &urn(2), id, family.write()).await
        })
        .await;
    assert_eq!(deleted, DeleteResource::Deleted(1));
    let id = DeletionId::fixed(FIRST + 1);
    let begun = family
        .measure("begin to delete a tree of 51", "delete_resource", async |store| {
            store.delete_resource(&scope, &room.urn, id, family.write()).await
        })
        .await;
    let DeleteResource::Begun(mut deletion) = begun else { panic!("{begun:?}") };
    let found = family
        .measure("look how far a deletion is", "find_deletion", async |store| {
            store.find_deletion(&scope, id).await
        })
        .await;
    assert_eq!(found.as_ref(), Some(&deletion));
    deletion = family
        .measure("delete a tree of 51, ten actions at a time", "continue_deletion", async |store| {
            let mut deletion = deletion;
            while deletion.finished_at.is_none() {
                deletion = store.continue_deletion(&deletion, family.write().at).await?;
            }
            Ok(deletion)
        })
        .await;
    assert_eq!(deletion.removed, 51);
}
