//! The data model's own names: tables, columns, checks, indexes, triggers, functions, policy.

use crate::support::{Migrated, texts};

/// Table, then its columns with type and whether they may be NULL.
const COLUMNS: [&str; 5] = [
    "categories: id uuid!, name character varying(50)!, icon character varying(50), sort_order integer!",
    "households: id uuid!, name character varying(100)!, created_by uuid!, \
     invite_code character varying(12)!, created_at timestamp with time zone!",
    "inventory_audit: id bigint!, item_id uuid!, action character varying(10)!, changed_by uuid, \
     changed_at timestamp with time zone!, old_values jsonb, new_values jsonb",
    "inventory_items: id uuid!, household_id uuid, name character varying(200)!, quantity numeric(10,2)!, \
     unit character varying(20)!, expiration_date date, category_id uuid!, storage_location_id uuid, \
     image_url character varying(500), notes text, is_depleted boolean!, created_by uuid!, \
     created_at timestamp with time zone!, updated_at timestamp with time zone!, updated_by uuid!",
    "storage_locations: id uuid!, name character varying(50)!, sort_order integer!",
];

#[tokio::test]
async fn every_column_of_the_data_model_exists_with_its_type() {
    let database = Migrated::fresh().await;
    let mut connection = database.superuser().await;
    for line in COLUMNS {
        let (table, columns) = line.split_once(": ").unwrap();
        let sql = format!(
            "SELECT attname || ' ' || format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN '!' ELSE '' END
             FROM pg_attribute WHERE attrelid = '{table}'::regclass AND attnum > 0"
        );
        let actual = texts(&mut connection, &sql).await;
        // A comma inside a type such as numeric(10,2) is not followed by a blank.
        for column in columns.split(", ") {
            assert!(actual.iter().any(|is| is == column), "{table} lacks {column}: {actual:?}");
        }
    }
}

#[tokio::test]
async fn every_trigger_function_and_policy_of_the_data_model_exists() {
    let database = Migrated::fresh().await;
    let mut connection = database.superuser().await;
    let sql = "SELECT tgname || ' ' || tgrelid::regclass FROM pg_trigger
               UNION ALL SELECT proname || '()' FROM pg_proc
               UNION ALL SELECT polname || ' ' || polrelid::regclass FROM pg_policy";
    let names = texts(&mut connection, sql).await;
    for name in [
        "trg_inventory_depleted inventory_items",
        "trg_inventory_updated_at inventory_items",
        "fn_set_depleted_flag()",
        "fn_update_timestamp()",
        "inventory_household_isolation inventory_items",
    ] {
        assert!(names.iter().any(|is| is == name), "{name} is missing");
    }
}

/// The indexes that the data model names: unique or not, their columns, their rows. Where one is
/// more than the model says, the migration that creates it says why.
const INDEXES: [(&str, &str); 8] = [
    ("idx_households_invite_code", "UNIQUE households (invite_code)"),
    (
        "idx_inventory_household_created",
        "inventory_items (household_id, created_at DESC, id DESC) WHERE (household_id IS NOT NULL)",
    ),
    (
        "idx_inventory_household_expiration",
        "inventory_items (household_id, good_until, id) WHERE (household_id IS NOT NULL)",
    ),
    (
        "idx_inventory_search",
        "inventory_items (household_id, name_folded, id) WHERE (household_id IS NOT NULL)",
    ),
    (
        "idx_inventory_unique",
        "UNIQUE inventory_items (household_id, name_folded, expiration_date) NULLS NOT DISTINCT \
         WHERE (household_id IS NOT NULL)",
    ),
    ("idx_categories_name", "UNIQUE categories (name)"),
    ("idx_categories_sort", "categories (sort_order)"),
    ("idx_storage_name", "UNIQUE storage_locations (household_id, name_folded) NULLS NOT DISTINCT"),
];

#[tokio::test]
async fn every_index_of_the_data_model_is_defined_as_it_must_be() {
    let database = Migrated::fresh().await;
    let mut connection = database.superuser().await;
    for (name, expected) in INDEXES {
        let sql = format!("SELECT pg_get_indexdef('{name}'::regclass)");
        let definition = texts(&mut connection, &sql).await.remove(0);
        let definition = definition
            .replacen("CREATE ", "", 1)
            .replacen(&format!("INDEX {name} ON public."), "", 1)
            .replacen("USING btree ", "", 1)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        assert_eq!(definition, expected, "{name}");
    }
}

#[tokio::test]
async fn quantities_are_checked_and_undated_goods_are_the_same() {
    let database = Migrated::fresh().await;
    let mut connection = database.superuser().await;
    let sql = "SELECT conrelid::regclass || ': ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'c'
               UNION ALL SELECT indexdef FROM pg_indexes WHERE indexname = 'idx_inventory_unique_personal'";
    let definitions = texts(&mut connection, sql).await;
    for definition in [
        "inventory_items: CHECK ((quantity >= (0)::numeric))",
        "inventory_items: CHECK ((is_depleted = (quantity = (0)::numeric)))",
        "CREATE UNIQUE INDEX idx_inventory_unique_personal ON public.inventory_items USING btree (created_by, \
         name_folded, expiration_date) NULLS NOT DISTINCT WHERE (household_id IS NULL)",
    ] {
        assert!(definitions.iter().any(|is| is == definition), "{definition}\n{definitions:#?}");
    }
}
