//! Entries of the shopping list as the API shows them: with the attributes of seed 001.

use jiff::Timestamp;
use larder_domain::{
    HouseholdId, ItemId, ShoppingItem, ShoppingItemId, ShoppingNotes, ShoppingQuantity, StoreId,
    UserId,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::values::Time;

/// Something to buy.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ShoppingItem)]
pub(crate) struct ShoppingItemDto<'a> {
    #[schema(value_type = String, format = "uuid")]
    shopping_item_id: ShoppingItemId,
    /// The household.
    #[schema(value_type = String, format = "uuid")]
    family_id: HouseholdId,
    /// The item of the inventory to restock; null for free text.
    #[schema(value_type = Option<String>, format = "uuid")]
    item_id: Option<ItemId>,
    #[schema(min_length = 1, max_length = 100)]
    name: &'a str,
    /// Where to buy it; null for anywhere.
    #[schema(value_type = Option<String>, format = "uuid")]
    store_id: Option<StoreId>,
    /// `pending` or `purchased`.
    status: &'static str,
    /// How many.
    #[schema(minimum = 1)]
    quantity: Option<u32>,
    #[schema(max_length = 500)]
    notes: Option<&'a str>,
    /// The number of changes. Send it with a PATCH.
    #[schema(minimum = 1)]
    version: u64,
    /// When it is deleted automatically, in seconds since 1970; null while it is pending.
    ttl: Option<i64>,
    /// Who added it.
    #[schema(value_type = String, format = "uuid")]
    added_by: UserId,
    /// `ShoppingListItem`.
    entity_type: &'static str,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Time,
}

impl<'a> ShoppingItemDto<'a> {
    pub(crate) fn of(entry: &'a ShoppingItem) -> Self {
        let details = &entry.details;
        Self {
            shopping_item_id: entry.id,
            family_id: entry.household,
            item_id: entry.item,
            name: details.name.as_str(),
            store_id: details.store,
            status: entry.status.as_str(),
            quantity: details.quantity.map(ShoppingQuantity::get),
            notes: details.notes.as_ref().map(ShoppingNotes::as_str),
            version: entry.version,
            ttl: entry.expires_at.map(Timestamp::as_second),
            added_by: entry.added_by,
            entity_type: "ShoppingListItem",
            created_at: Time(entry.created_at),
            updated_at: Time(entry.updated_at),
        }
    }
}

#[cfg(test)]
mod tests {
    use larder_domain::{ShoppingChange, ShoppingDetails, ShoppingName, ShoppingStatus};
    use serde_json::{json, to_value};

    use super::*;

    fn entry() -> ShoppingItem {
        let details = ShoppingDetails {
            name: ShoppingName::parse("Milk").unwrap(),
            store: None,
            quantity: None,
            notes: None,
        };
        let at = "2025-12-10T14:00:00.25Z".parse().unwrap();
        let (id, household) = (ShoppingItemId::fixed(1), HouseholdId::fixed(2));
        ShoppingItem::new(id, household, None, details, UserId::fixed(3), at)
    }

    #[test]
    fn an_entry_has_the_seeds_attributes_and_its_nulls_are_explicit() {
        assert_eq!(
            to_value(ShoppingItemDto::of(&entry())).unwrap(),
            json!({
                "shoppingItemId": ShoppingItemId::fixed(1).to_string(),
                "familyId": HouseholdId::fixed(2).to_string(),
                "itemId": null,
                "name": "Milk",
                "storeId": null,
                "status": "pending",
                "quantity": null,
                "notes": null,
                "version": 1,
                "ttl": null,
                "addedBy": UserId::fixed(3).to_string(),
                "entityType": "ShoppingListItem",
                "createdAt": "2025-12-10T14:00:00.250Z",
                "updatedAt": "2025-12-10T14:00:00.250Z",
            })
        );
    }

    #[test]
    fn what_was_bought_says_in_whole_seconds_when_it_leaves() {
        let entry = entry();
        let bought = ShoppingChange::Status(ShoppingStatus::Purchased);
        let bought = entry.changed(&bought, entry.created_at);
        let shown = to_value(ShoppingItemDto::of(&bought)).unwrap();
        assert_eq!((&shown["status"], &shown["version"]), (&json!("purchased"), &json!(2)));
        assert_eq!(shown["ttl"], entry.created_at.as_second() + 7 * 24 * 60 * 60);
    }
}
