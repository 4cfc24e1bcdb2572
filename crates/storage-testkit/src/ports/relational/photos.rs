//! A resource has at most one photo, which goes with it and is seen by nobody else.

use std::sync::Arc;

use larder_domain::{PhotoId, Resource, Urn};
use larder_storage::{
    AccountScope, CreateResource, Photo, PhotoSize, ReplaceResource, StorageError,
};

use super::{attributes, deleting::MANY};
use crate::StoreHarness;

/// A photo of this number, of the size of a real one.
fn photo(number: u8) -> Photo {
    let id = PhotoId::from_sha256(&[number; 32]);
    Photo { id, full: vec![number; 60_000], thumbnail: vec![number, 0, 255] }
}

async fn put(h: &StoreHarness, scope: &AccountScope, urn: &Urn, number: u8) -> bool {
    h.store().put_resource_photo(scope, urn, &photo(number), h.write().at).await.unwrap()
}

async fn remove(h: &StoreHarness, scope: &AccountScope, urn: &Urn) -> bool {
    h.store().remove_resource_photo(scope, urn, h.write().at).await.unwrap()
}

/// The address of the photo that a resource has, after a look at both sizes of it.
async fn shown(h: &StoreHarness, scope: &AccountScope, urn: &Urn) -> Option<PhotoId> {
    let id = h.store().find_resource_photo_id(scope, urn).await.unwrap();
    let expected = id.map(|id| {
        let mut all = (0..=u8::MAX).map(photo);
        all.find(|photo| photo.id == id).expect("one of the photos")
    });
    for (size, bytes) in [
        (PhotoSize::Full, expected.as_ref().map(|photo| photo.full.clone())),
        (PhotoSize::Thumbnail, expected.as_ref().map(|photo| photo.thumbnail.clone())),
    ] {
        let found = h.store().find_resource_photo(scope, urn, size).await.unwrap();
        assert_eq!(found, id.zip(bytes), "{size:?}");
    }
    id
}

pub async fn p77_a_resource_shows_the_photo_that_it_was_given_last(h: &StoreHarness) {
    let scope = h.account();
    let resource = h.made(&scope, None).await;
    let other = h.made(&scope, None).await;
    assert_eq!(shown(h, &scope, &resource.urn).await, None);
    assert!(!remove(h, &scope, &resource.urn).await);
    for number in [1, 2, 2, 1] {
        assert!(put(h, &scope, &resource.urn, number).await);
        assert_eq!(shown(h, &scope, &resource.urn).await, Some(photo(number).id));
    }
    assert_eq!(h.resource(&scope, &resource.urn).await, Some(resource.clone()), "it is as it was");
    assert_eq!(shown(h, &scope, &other.urn).await, None);
    // A change of the resource leaves it, however large.
    let many: Vec<String> = (0..150).map(|n| format!(r#""a{n}": {n}"#)).collect();
    for json in [r#"{"name": "Tent"}"#, &format!("{{{}}}", many.join(","))] {
        let changed = Resource { attributes: attributes(json), ..resource.clone() };
        let outcome = h.store().replace_resource(&scope, &changed, None, h.write()).await.unwrap();
        assert!(matches!(outcome, ReplaceResource::Replaced(_)), "{outcome:?}");
        assert_eq!(shown(h, &scope, &resource.urn).await, Some(photo(1).id));
    }
    assert!(remove(h, &scope, &resource.urn).await);
    assert!(!remove(h, &scope, &resource.urn).await);
    assert_eq!(shown(h, &scope, &resource.urn).await, None);
    assert_eq!(h.delete_to_its_end(&scope, &resource.urn).await, Some(1));
}

pub async fn p77_a_photo_goes_with_its_resource(h: &StoreHarness) {
    let scope = h.account();
    // At once, and by a job.
    for count in [2, MANY] {
        let root = h.made(&scope, None).await;
        let mut all = vec![root.clone()];
        for _ in 1..count {
            all.push(h.made(&scope, Some(&root.urn)).await);
        }
        for resource in &all {
            assert!(put(h, &scope, &resource.urn, 1).await);
        }
        assert_eq!(h.delete_to_its_end(&scope, &root.urn).await, Some(count as u64));
        for resource in &all {
            assert!(!put(h, &scope, &resource.urn, 2).await);
            assert!(!remove(h, &scope, &resource.urn).await);
            assert_eq!(shown(h, &scope, &resource.urn).await, None);
        }
        // What is made anew under the name has none.
        assert_eq!(h.create(&scope, &root).await, CreateResource::Created);
        assert_eq!(shown(h, &scope, &root.urn).await, None);
    }
}

pub async fn p77_no_photo_outlives_its_resource(h: &StoreHarness) {
    let scope = h.account();
    for _ in 0..20 {
        let resource = h.made(&scope, None).await;
        let (store, at) = (Arc::clone(h.store()), h.write().at);
        let (whose, urn) = (scope.clone(), resource.urn.clone());
        let putting = tokio::spawn(async move {
            for number in 0..20 {
                match store.put_resource_photo(&whose, &urn, &photo(number), at).await {
                    Ok(true) | Err(StorageError::Contention(_)) => {}
                    Ok(false) => return,
                    Err(error) => panic!("{error}"),
                }
            }
        });
        tokio::task::yield_now().await;
        loop {
            let id = h.deletion_id();
            match h.store().delete_resource(&scope, &resource.urn, id, h.write()).await {
                Ok(_) => break,
                Err(StorageError::Contention(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
        putting.await.expect("no client panics");
        assert_eq!(h.resource(&scope, &resource.urn).await, None);
        assert_eq!(shown(h, &scope, &resource.urn).await, None);
    }
}

pub async fn p77_photos_of_other_accounts_are_out_of_reach(h: &StoreHarness) {
    let (scope, other) = (h.account(), h.account());
    let resource = h.made(&scope, None).await;
    assert!(put(h, &scope, &resource.urn, 1).await);
    assert_eq!(shown(h, &other, &resource.urn).await, None);
    assert!(!put(h, &other, &resource.urn, 2).await);
    assert!(!remove(h, &other, &resource.urn).await);
    assert_eq!(shown(h, &scope, &resource.urn).await, Some(photo(1).id));
    assert!(!put(h, &scope, &h.urn(), 1).await, "there is no such resource");
}
