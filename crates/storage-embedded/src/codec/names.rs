//! The dictionary of attribute names: a name used by the layouts takes one byte in the file.

use std::sync::LazyLock;

use xxhash_rust::xxh3::xxh3_64;

/// Append only, and only with a new format: a name's place is its number in every file ever written, and
/// an older server of the same format cannot read a number that it does not know. Other names are stored
/// as they are.
const NAMES: &[&str] = &[
    "PK",
    "SK",
    "GSI1PK",
    "GSI1SK",
    "GSI2PK",
    "GSI2SK",
    "ttl",
    "entityType",
    "familyId",
    "userId",
    "itemId",
    "name",
    "nameKey",
    "mergeKey",
    "quantity",
    "unit",
    "expirationDate",
    "categoryId",
    "storageLocationId",
    "imageUrl",
    "notes",
    "createdBy",
    "createdAt",
    "updatedAt",
    "updatedBy",
    "version",
    "lowStockThreshold",
    "preferredStoreId",
    "email",
    "passwordHash",
    "role",
    "joinedAt",
    "inviteCode",
    "timeZone",
    "adminCount",
    "memberCount",
    "locationId",
    "storeId",
    "deviceId",
    "address",
    "sessionId",
    "tokenHash",
    "expiresAt",
    "requestHash",
    "outcome",
    "result",
    "applied",
    "merged",
    "movingItems",
    "deleting",
    "_recordType",
    "_resourceType",
    "key",
    "value",
    "associatedRecordUrn",
    "_createdAt",
    "_updatedAt",
    "_accountUrn",
    "urn",
    "_id",
    "_schemaVersion",
    "displayName",
    "locale",
    "status",
    "kind",
    "threshold",
    "urlId",
    "itemName",
    "isActive",
    "lastAccessedAt",
    "accessCount",
    "step",
    "shoppingItemId",
    "notificationId",
    "message",
    "resolvedAt",
    "acknowledgedAt",
    "parentUrn",
    "childUrn",
    "collectionUrn",
    "memberUrn",
    "sequence",
    "actor",
    "tokenVersion",
    "nameEn",
    "sortOrder",
    "code",
    "family",
    "user",
    "item",
    "location",
    "store",
    "member",
    "lastUsedAt",
    "refreshedAt",
    "usedAt",
    "image",
    "body",
    "label",
    "description",
    "acknowledgedBy",
    "attempts",
    "channel",
    "dueAt",
    "lastError",
    "holder",
    "until",
    "finishedAt",
    "nextDailyAt",
    "pending",
    "addedBy",
    "rotatedAt",
    "rotatedBy",
    "work",
    "hardware_id",
    "confirmation_id",
    "capabilities",
    "sensors",
    "features",
    "first_registered_at",
    "last_seen_at",
    "last_boot_id",
    "firmware_version",
    "friendly_name",
    "family_id",
    "gsi1pk",
    "gsi1sk",
    "key_id",
    "api_key_hash",
    "created_at",
    "last_used_at",
    "is_active",
    "_version",
    "_parentUrn",
    "_uniqueKeys",
    "_childCount",
    "_linkCount",
    "caseInsensitive",
    "conveysAuthorization",
    "principalUrn",
    "resourceUrn",
    "actions",
    "_order",
];

/// Twice the largest number of names: most are found at the first slot.
const SLOTS: usize = 512;

/// Maps names to numbers: a hash table with linear probing, built once. An update writes some
/// twenty names; a linear search for them took a tenth of its time.
static BY_NAME: LazyLock<[u8; SLOTS]> = LazyLock::new(|| {
    let mut slots = [0; SLOTS];
    for (number, name) in (1_u8..).zip(NAMES) {
        let mut at = slot(name);
        while slots[at] != 0 {
            at = (at + 1) % SLOTS;
        }
        slots[at] = number;
    }
    slots
});

fn slot(name: &str) -> usize {
    let [low, high, ..] = xxh3_64(name.as_bytes()).to_le_bytes();
    usize::from(u16::from_le_bytes([low, high])) % SLOTS
}

/// The number of a name in the dictionary; never 0, which announces a literal name.
pub(super) fn number_of(name: &str) -> Option<u8> {
    let mut at = slot(name);
    loop {
        let known = name_of(BY_NAME[at])?;
        if known == name {
            return Some(BY_NAME[at]);
        }
        at = (at + 1) % SLOTS;
    }
}

/// The name with this number.
pub(super) fn name_of(number: u8) -> Option<&'static str> {
    NAMES.get(usize::from(number).checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_one_number_and_leads_back() {
        assert!(NAMES.len() < 255);
        for (number, name) in (1_u8..).zip(NAMES) {
            assert_eq!(number_of(name), Some(number), "{name} stands twice in the dictionary");
            assert_eq!(name_of(number), Some(*name));
        }
        assert_eq!((name_of(0), number_of("nobody's name")), (None, None));
    }

    #[test]
    fn the_numbers_of_names_never_move() {
        // Pinned from the first format: a change here makes every existing file unreadable.
        assert_eq!((number_of("PK"), number_of("quantity")), (Some(1), Some(15)));
        assert_eq!((number_of("_schemaVersion"), number_of("description")), (Some(61), Some(100)));
        // The last of the third format.
        assert_eq!(number_of("_order"), Some(143));
    }
}
