//! The rights of the run-time role: what the ports need, and nothing else.

use sqlx::{AssertSqlSafe, PgConnection};

use super::role::quoted;
use crate::{items::UPDATABLE_COLUMNS, products};

/// The rights on one table. Columns that are not named in `update` never change after the insert.
struct TableRights {
    table: &'static str,
    insert: bool,
    update: &'static [&'static str],
    delete: bool,
}

const fn read_only(table: &'static str) -> TableRights {
    TableRights { table, insert: false, update: &[], delete: false }
}

const TABLES: &[TableRights] = &[
    TableRights {
        table: "users",
        insert: true,
        update: &[
            "name",
            "time_zone",
            "language",
            "password_hash",
            "email_confirmed_at",
            "mail_day",
            "mail_count",
            "household_id",
            "role",
            "joined_at",
            "moving_items",
        ],
        delete: false,
    },
    TableRights { table: "first_account", insert: true, update: &[], delete: false },
    TableRights { table: "external_identities", insert: true, update: &[], delete: true },
    TableRights {
        table: "households",
        insert: true,
        update: &[
            "name",
            "time_zone",
            "currency",
            "auto_list",
            "invite_code",
            "next_daily_at",
            "updated_at",
        ],
        delete: false,
    },
    read_only("closed_devices"),
    read_only("erasures"),
    read_only("categories"),
    TableRights {
        table: "storage_locations",
        insert: true,
        update: &["name", "name_folded", "device_id", "sort_order"],
        delete: true,
    },
    TableRights {
        table: "stores",
        insert: true,
        update: &["name", "name_folded", "address", "sort_order"],
        delete: true,
    },
    TableRights {
        table: "products",
        insert: true,
        update: products::UPDATABLE_COLUMNS,
        delete: true,
    },
    TableRights { table: "product_barcodes", insert: true, update: &["product_id"], delete: true },
    TableRights { table: "product_photos", insert: true, update: &["expires_at"], delete: false },
    TableRights { table: "inventory_items", insert: true, update: UPDATABLE_COLUMNS, delete: true },
    TableRights {
        table: "inventory_item_words",
        insert: true,
        update: &["inventory_id", "suffix"],
        delete: true,
    },
    TableRights {
        table: "refresh_tokens",
        insert: true,
        update: &["token_hash", "updated_at", "expires_at"],
        delete: true,
    },
    TableRights { table: "program_tokens", insert: true, update: &["last_used_at"], delete: true },
    TableRights {
        table: "idempotency_keys",
        insert: true,
        update: &["request_hash", "outcome", "created_at", "expires_at"],
        delete: true,
    },
    TableRights {
        table: "notifications",
        insert: true,
        update: &[
            "quantity",
            "threshold",
            "unit",
            "acknowledged_by",
            "acknowledged_at",
            "resolved_at",
            "forget_at",
            "listed_at",
        ],
        delete: true,
    },
    TableRights {
        table: "deliveries",
        insert: true,
        update: &["attempts", "due_at", "last_error", "dead_until"],
        delete: true,
    },
    TableRights {
        table: "leases",
        insert: true,
        update: &["holder", "until", "finished_at"],
        delete: false,
    },
    TableRights {
        table: "shopping_list_items",
        insert: true,
        update: &[
            "item_id",
            "name",
            "store_id",
            "status",
            "quantity",
            "notes",
            "version",
            "expires_at",
            "updated_at",
        ],
        delete: true,
    },
    TableRights {
        table: "nfc_urls",
        insert: true,
        update: &["item_name", "label", "step", "rotated_at", "rotated_by"],
        delete: true,
    },
    TableRights {
        table: "tap_nonces",
        insert: true,
        update: &["outcome", "expires_at"],
        delete: false,
    },
    // The owner of a device or key never changes, nor a key's hash.
    TableRights {
        table: "devices",
        insert: true,
        update: &[
            "capabilities",
            "last_seen_at",
            "last_boot_id",
            "firmware_version",
            "friendly_name",
            "is_named_by_person",
        ],
        delete: false,
    },
    TableRights {
        table: "api_keys",
        insert: true,
        update: &["last_used_at", "is_active"],
        delete: false,
    },
    TableRights {
        table: "processed_batches",
        insert: true,
        update: &["hardware_id", "received_at", "expiration_time"],
        delete: false,
    },
    // Not on the partitions, which are only read through their table.
    TableRights {
        table: "device_readings",
        insert: true,
        update: &[
            "boot_id",
            "firmware_version",
            "friendly_name",
            "sensors",
            "sensor_status",
            "expiration_time",
        ],
        delete: false,
    },
    // A resource's account and URN never change; of a relationship only the upper end does.
    TableRights {
        table: "resources",
        insert: true,
        update: &["schema_version", "version", "attributes", "updated_at"],
        delete: true,
    },
    TableRights {
        table: "parent_child_relationships",
        insert: true,
        update: &["parent_urn", "created_at"],
        delete: true,
    },
    TableRights {
        table: "collection_member_relationships",
        insert: true,
        update: &["conveys_authorization"],
        delete: true,
    },
    TableRights { table: "unique_key_values", insert: true, update: &[], delete: true },
    TableRights { table: "grants", insert: true, update: &["actions", "updated_at"], delete: true },
    TableRights {
        table: "resource_photos",
        insert: true,
        update: &["id", "full_size", "thumbnail", "created_at"],
        delete: true,
    },
    TableRights {
        table: "resource_deletions",
        insert: true,
        update: &["removed", "finished_at"],
        delete: false,
    },
    TableRights { table: "bookmarks", insert: true, update: &["place"], delete: true },
    // Triggers write these, as the owner.
    read_only("change_sequences"),
    read_only("inventory_audit"),
    read_only("outbox"),
    // To see whether the schema is the one that the program expects.
    read_only("_sqlx_migrations"),
];

const FUNCTIONS: &[&str] = &[
    "change_heads(uuid[])",
    "sweep_expired(timestamptz, timestamptz, integer)",
    "record_tag_accesses(uuid[], uuid[], text[], bigint[], timestamptz[])",
    "tap_tag(text, integer, bigint, timestamptz)",
    "due_deliveries(timestamptz, integer)",
    "dead_deliveries(timestamptz, integer)",
    "revive_dead_deliveries(timestamptz)",
    "due_households(timestamptz, integer)",
    "households_after(uuid, integer)",
    "ingest_readings(uuid, timestamptz, bigint, text[], text[], bigint[], text[], uuid[], text[], \
     text[], text[], bigint[])",
    "maintain_reading_weeks(timestamptz, interval, integer)",
    "sweep_telemetry(timestamptz, integer)",
    "fn_lock_tree(text)",
    "locked_resource(text, text)",
    "attach_resource(text, text, text, timestamptz)",
    "detach_resource(text, text, timestamptz)",
    "subtree_leaves_first(text, text, integer)",
    "subtree_in_preorder(text, text, text, integer)",
    "account_of_resource(text)",
    "authorizing_urns(text, text, integer)",
    "resources_behind(text, text, integer)",
    "open_deletions(integer)",
    "sweep_deletions(timestamptz, integer)",
    "sweep_photos(timestamptz, integer)",
    "begin_household_erasure(uuid, uuid, uuid, text, timestamptz)",
    "begin_account_erasure(uuid, uuid, timestamptz)",
    "begin_device_erasure(uuid, text, uuid, uuid, timestamptz)",
    "continue_erasure(uuid, integer, timestamptz, timestamptz)",
    "open_erasures(integer)",
    "sweep_erasures(timestamptz, integer)",
];

/// The tables' schema, and the role's existing rights.
#[derive(sqlx::FromRow)]
struct Place {
    schema: String,
    database: String,
    may_use: bool,
    may_connect: bool,
}

/// Grants the role exactly these rights, and revokes all others.
pub(super) async fn apply(connection: &mut PgConnection, role: &str) -> Result<(), sqlx::Error> {
    let sql = "SELECT current_schema()::text AS schema, current_database()::text AS database,
                 has_schema_privilege($1, current_schema(), 'USAGE') AS may_use,
                 has_database_privilege($1, current_database(), 'CONNECT') AS may_connect";
    let place: Place = sqlx::query_as(sql).bind(role).fetch_one(&mut *connection).await?;
    let sql = statements(&place, &quoted(role));
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await?;
    Ok(())
}

/// One text, which PostgreSQL runs as one transaction.
fn statements(place: &Place, role: &str) -> String {
    let schema = quoted(&place.schema);
    let mut sql: Vec<String> = ["TABLES", "SEQUENCES", "FUNCTIONS"]
        .iter()
        .map(|kind| format!("REVOKE ALL ON ALL {kind} IN SCHEMA {schema} FROM {role}"))
        .collect();
    // PUBLIC has these two on a new database; if they were revoked, they are granted by name.
    if !place.may_use {
        sql.push(format!("GRANT USAGE ON SCHEMA {schema} TO {role}"));
    }
    if !place.may_connect {
        sql.push(format!("GRANT CONNECT ON DATABASE {} TO {role}", quoted(&place.database)));
    }
    for TableRights { table, insert, update, delete } in TABLES {
        let mut rights = vec!["SELECT".to_owned()];
        if *insert {
            rights.push("INSERT".to_owned());
        }
        if !update.is_empty() {
            rights.push(format!("UPDATE ({})", update.join(", ")));
        }
        if *delete {
            rights.push("DELETE".to_owned());
        }
        sql.push(format!("GRANT {} ON {schema}.{table} TO {role}", rights.join(", ")));
    }
    for function in FUNCTIONS {
        sql.push(format!("GRANT EXECUTE ON FUNCTION {schema}.{function} TO {role}"));
    }
    sql.join(";\n")
}

#[cfg(test)]
mod tests {
    use super::{Place, statements};

    #[test]
    fn the_feed_is_only_read_and_who_owns_an_item_is_never_rewritten() {
        let (schema, database) = ("public".to_owned(), "larder".to_owned());
        let place = Place { schema, database, may_use: true, may_connect: true };
        let sql = statements(&place, "\"larder_runtime\"");
        assert!(sql.contains("GRANT SELECT ON \"public\".outbox TO \"larder_runtime\""), "{sql}");
        // A trigger decides whose name and password may be changed.
        let of_people = "UPDATE (name, time_zone, language, password_hash, email_confirmed_at, \
                         mail_day, mail_count, household_id, role, joined_at, moving_items) ON \"public\".users TO";
        assert!(sql.contains(of_people), "{sql}");
        assert!(!sql.contains("created_by"), "{sql}");
        assert!(!sql.replace("email_confirmed_at", "").contains("email"), "{sql}");
    }
}
