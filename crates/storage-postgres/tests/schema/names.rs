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
async fn every_index_trigger_function_and_policy_of_the_data_model_exists() {
    let database = Migrated::fresh().await;
    let mut connection = database.superuser().await;
    let sql = "SELECT relname::text FROM pg_class WHERE relkind = 'i'
               UNION ALL SELECT tgname || ' ' || tgrelid::regclass FROM pg_trigger
               UNION ALL SELECT proname || '()' FROM pg_proc
               UNION ALL SELECT polname || ' ' || polrelid::regclass FROM pg_policy";
    let names = texts(&mut connection, sql).await;
    for name in [
        "idx_households_invite_code",
        "idx_inventory_household_created",
        "idx_inventory_household_expiration",
        "idx_inventory_search",
        "idx_inventory_unique",
        "idx_categories_name",
        "idx_categories_sort",
        "idx_storage_name",
        "trg_inventory_depleted inventory_items",
        "trg_inventory_updated_at inventory_items",
        "fn_set_depleted_flag()",
        "fn_update_timestamp()",
        "inventory_household_isolation inventory_items",
    ] {
        assert!(names.iter().any(|is| is == name), "{name} is missing");
    }
}

#[tokio::test]
async fn quantities_are_checked_and_undated_goods_are_the_same() {
    let database = Migrated::fresh().await;
    let mut connection = database.superuser().await;
    let sql = "SELECT conrelid::regclass || ': ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'c'
               UNION ALL SELECT indexdef FROM pg_indexes WHERE indexname LIKE 'idx_inventory_unique%'";
    let definitions = texts(&mut connection, sql).await;
    for definition in [
        "inventory_items: CHECK ((quantity >= (0)::numeric))",
        "inventory_items: CHECK ((is_depleted = (quantity = (0)::numeric)))",
        "CREATE UNIQUE INDEX idx_inventory_unique ON public.inventory_items USING btree (household_id, \
         name_folded, expiration_date) NULLS NOT DISTINCT WHERE (household_id IS NOT NULL)",
        "CREATE UNIQUE INDEX idx_inventory_unique_personal ON public.inventory_items USING btree (created_by, \
         name_folded, expiration_date) NULLS NOT DISTINCT WHERE (household_id IS NULL)",
    ] {
        assert!(definitions.iter().any(|is| is == definition), "{definition}\n{definitions:#?}");
    }
}
