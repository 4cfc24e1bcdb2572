//! Grants and access checks.

use larder_domain::{AccessAction, Grant, GrantFilter, GrantedActions, Resource, Urn};
use larder_storage::{AccessRequest, Grants, PutGrant};

use super::resources::{scope, urn};
use crate::family::{Family, KEN};

pub(super) async fn measure(family: &Family, room: &Resource) {
    let (scope, ken) = (scope(), Urn::of_user(KEN));
    let at = family.write().at;
    let grant = Grant {
        principal: ken.clone(),
        on: room.urn.clone(),
        account: room.account.clone(),
        actions: GrantedActions::new([AccessAction::parse("read").unwrap()]).unwrap(),
        created_at: at,
        updated_at: at,
    };
    for operation in ["grant something on a resource", "grant it again"] {
        let put = family
            .measure(operation, "put_grant", async |store| {
                store.put_grant(&scope, &grant, family.write()).await
            })
            .await;
        assert!(matches!(put, PutGrant::Saved(_)), "{put:?}");
    }
    let found = family
        .measure("find a grant", "find_grant", async |store| {
            store.find_grant(&scope, &ken, &room.urn).await
        })
        .await;
    assert_eq!(found.map(|grant| grant.actions), Some(grant.actions.clone()));
    for (operation, filter) in [
        ("list one grant on a resource", GrantFilter::On(room.urn.clone())),
        ("list one grant of a principal", GrantFilter::Of(ken.clone())),
    ] {
        let listed = family
            .measure(operation, "list_grants", async |store| {
                store.list_grants(&scope, &filter, None, 50).await
            })
            .await;
        assert_eq!(listed.items.len(), 1);
    }
    let action = AccessAction::parse("read").unwrap();
    for (operation, on, steps) in [
        ("authorize by a grant on the resource", room.urn.clone(), 1),
        ("authorize by a grant on its parent", urn(10), 2),
        ("authorize by a grant on its collection", urn(2), 2),
    ] {
        let request = AccessRequest { principal: &ken, action: &action, urn: &on, implied: None };
        let access = family
            .measure(operation, "authorize", async |store| store.authorize(request).await)
            .await;
        assert_eq!(access.map(|access| access.path.len()), Some(steps), "{operation}");
    }
    let removed = family
        .measure("take a grant back", "remove_grant", async |store| {
            store.remove_grant(&scope, &ken, &room.urn, family.write()).await
        })
        .await;
    assert!(removed);
}
