//! Which rows of each table belong to whom.

use super::world::{ACCOUNT, HOUSEHOLD, OTHER_ACCOUNT, OTHER_HOUSEHOLD, OTHER_USER, USER};

/// One table with something to protect.
pub(crate) struct Ownership {
    pub(crate) table: &'static str,
    /// Which rows the attacker may change or delete, as far as policies are concerned.
    pub(crate) owned: String,
    /// Which rows the attacker may see beyond those.
    pub(crate) also_seen: &'static str,
    /// The owner column, with the attacker's value and the victim's.
    pub(crate) owner_column: (&'static str, &'static str, &'static str),
}

/// Tables without anything to protect, and why.
pub(crate) const PUBLIC_TABLES: [(&str, &str); 5] = [
    ("bookmarks", "say how far the servers have come in going through everything: a name at most"),
    ("categories", "the same nine for everyone, and the run-time role may only read them"),
    ("first_account", "says that somebody has an account, and not who"),
    ("leases", "say which server does what, and nothing of anybody"),
    ("_sqlx_migrations", "says which schema it is, and the run-time role may only read it"),
];

const OF_USER: (&str, &str, &str) = ("user_id", USER, OTHER_USER);
const OF_HOUSEHOLD: (&str, &str, &str) = ("household_id", HOUSEHOLD, OTHER_HOUSEHOLD);
const OF_ACCOUNT: (&str, &str, &str) = ("account_urn", ACCOUNT, OTHER_ACCOUNT);
const OF_INVENTORY: (&str, &str, &str) = ("inventory_id", HOUSEHOLD, OTHER_HOUSEHOLD);

/// Every table with household or personal data.
pub(crate) fn all() -> Vec<Ownership> {
    let by_user = |table| owned_by(table, format!("user_id = '{USER}'"), OF_USER);
    let by_household =
        |table| owned_by(table, format!("household_id = '{HOUSEHOLD}'"), OF_HOUSEHOLD);
    let by_inventory =
        |table| owned_by(table, format!("inventory_id IN ('{HOUSEHOLD}', '{USER}')"), OF_INVENTORY);
    let by_account = |table| owned_by(table, format!("account_urn = '{ACCOUNT}'"), OF_ACCOUNT);
    let shared_or_own = |table| {
        owned_by(
            table,
            format!(
                "(household_id = '{HOUSEHOLD}' OR (household_id IS NULL AND created_by = '{USER}'))"
            ),
            OF_HOUSEHOLD,
        )
    };
    let locations = by_household("storage_locations");
    vec![
        owned_by("users", format!("(id = '{USER}' OR household_id = '{HOUSEHOLD}')"), OF_HOUSEHOLD),
        owned_by("households", format!("id = '{HOUSEHOLD}'"), ("id", HOUSEHOLD, OTHER_HOUSEHOLD)),
        Ownership { also_seen: "household_id IS NULL", ..locations },
        by_household("stores"),
        shared_or_own("products"),
        shared_or_own("product_barcodes"),
        shared_or_own("inventory_items"),
        by_household("shopping_list_items"),
        by_household("nfc_urls"),
        by_household("tap_nonces"),
        by_household("notifications"),
        by_household("deliveries"),
        by_household("devices"),
        by_household("closed_devices"),
        by_household("api_keys"),
        by_household("processed_batches"),
        by_household("device_readings"),
        by_account("resources"),
        by_account("parent_child_relationships"),
        by_account("collection_member_relationships"),
        by_account("unique_key_values"),
        by_account("grants"),
        by_account("resource_photos"),
        by_account("resource_deletions"),
        by_inventory("inventory_item_words"),
        by_inventory("product_photos"),
        by_inventory("change_sequences"),
        by_inventory("inventory_audit"),
        by_inventory("outbox"),
        owned_by("erasures", format!("begun_by = '{USER}'"), ("begun_by", USER, OTHER_USER)),
        by_user("external_identities"),
        by_user("refresh_tokens"),
        by_user("program_tokens"),
        by_user("idempotency_keys"),
    ]
}

fn owned_by(
    table: &'static str,
    owned: String,
    owner_column: (&'static str, &'static str, &'static str),
) -> Ownership {
    Ownership { table, owned, also_seen: "false", owner_column }
}
