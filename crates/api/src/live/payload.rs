//! Domain events as the JSON that listeners receive.

use larder_domain::{Change, DomainEvent, Owner, UserId};
use larder_http::Hundredths;
use larder_storage::RecordedChange;
use serde_json::{Map, Value, json};

/// The content of an event, with its time and user.
pub(crate) fn payload(change: &RecordedChange, event: &DomainEvent) -> Value {
    let mut payload = match event {
        DomainEvent::HouseholdCreated { household, created_by, name } => json!({
            "householdId": household.to_string(), "createdBy": created_by.to_string(), "name": name.as_str(),
        }),
        DomainEvent::HouseholdUpdated { household, name } => {
            json!({ "householdId": household.to_string(), "name": name.as_str() })
        }
        DomainEvent::MemberInvited { household, invited_by } => json!({
            "householdId": household.to_string(), "invitedBy": id(*invited_by),
        }),
        DomainEvent::MemberJoined { user, role }
        | DomainEvent::MemberRoleChanged { user, role } => {
            json!({ "userId": user.to_string(), "role": role.as_str() })
        }
        DomainEvent::MemberRenamed { user, name } => {
            json!({ "userId": user.to_string(), "name": name.as_str() })
        }
        DomainEvent::MemberLeft { user } => json!({ "userId": user.to_string() }),
        DomainEvent::ItemAdded { item, owner, name }
        | DomainEvent::ItemDepleted { item, owner, name } => json!({
            "itemId": item.to_string(), "householdId": household(*owner), "name": name.as_str(),
        }),
        DomainEvent::ItemUpdated { item, owner, changes } => json!({
            "itemId": item.to_string(), "householdId": household(*owner), "changes": changes,
        }),
        DomainEvent::ItemDeleted { item, owner } => {
            json!({ "itemId": item.to_string(), "householdId": household(*owner) })
        }
        DomainEvent::ItemRestocked { item, owner, new_quantity } => json!({
            "itemId": item.to_string(), "householdId": household(*owner),
            "newQuantity": Hundredths::from(*new_quantity),
        }),
        DomainEvent::ProductUpdated { product, owner, changes } => json!({
            "productId": product.to_string(), "householdId": household(*owner), "changes": changes,
        }),
        DomainEvent::ProductDeleted { product, owner } => {
            json!({ "productId": product.to_string(), "householdId": household(*owner) })
        }
        DomainEvent::StorageLocationAdded { location }
        | DomainEvent::StorageLocationUpdated { location }
        | DomainEvent::StorageLocationDeleted { location } => {
            json!({ "storageLocationId": location.to_string() })
        }
        DomainEvent::StoreAdded { store }
        | DomainEvent::StoreUpdated { store }
        | DomainEvent::StoreDeleted { store } => json!({ "storeId": store.to_string() }),
        DomainEvent::ShoppingItemAdded { item, name } => {
            json!({ "shoppingItemId": item.to_string(), "name": name.as_str() })
        }
        DomainEvent::ShoppingItemPurchased { item, restocks } => json!({
            "shoppingItemId": item.to_string(), "itemId": restocks.map(|item| item.to_string()),
        }),
        DomainEvent::ShoppingItemUpdated { item }
        | DomainEvent::ShoppingItemUnchecked { item }
        | DomainEvent::ShoppingItemRemoved { item } => {
            json!({ "shoppingItemId": item.to_string() })
        }
        DomainEvent::NotificationOpened { notification, item, kind } => json!({
            "notificationId": notification.to_string(), "itemId": item.to_string(),
            "kind": kind.as_str(),
        }),
        DomainEvent::NotificationAcknowledged { notification, item }
        | DomainEvent::NotificationUpdated { notification, item }
        | DomainEvent::NotificationResolved { notification, item } => json!({
            "notificationId": notification.to_string(), "itemId": item.to_string(),
        }),
    };
    let mut common = Map::new();
    common.insert("at".to_owned(), json!(format!("{:.3}", change.at)));
    common.insert("userId".to_owned(), json!(id(change.by)));
    if let Change::Shopping(versions) = &change.change
        && let Some(new) = &versions.new
    {
        common.insert("version".to_owned(), json!(new.version));
    }
    if let Value::Object(fields) = &mut payload {
        // A user named by the event itself is its subject, not the user who caused it.
        for (name, value) in common {
            fields.entry(name).or_insert(value);
        }
    }
    payload
}

fn id(user: Option<UserId>) -> Option<String> {
    user.map(|user| user.to_string())
}

fn household(owner: Owner) -> Option<String> {
    match owner {
        Owner::Household(household) => Some(household.to_string()),
        Owner::User(_) => None,
    }
}
