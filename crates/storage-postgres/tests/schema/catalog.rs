//! The schema as described by the catalog, in comparable form.

use sqlx::PgConnection;

use crate::support::texts;

/// Everything that migrations create, one line each, and the rows that they insert.
pub(crate) async fn dump(connection: &mut PgConnection) -> Vec<String> {
    let mut lines = Vec::new();
    for sql in QUERIES {
        lines.extend(texts(connection, sql).await);
    }
    lines
}

/// Every table of the schema, without partitions.
pub(crate) async fn tables(connection: &mut PgConnection) -> Vec<String> {
    texts(
        connection,
        "SELECT relname::text FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
           AND NOT relispartition
         ORDER BY 1",
    )
    .await
}

const QUERIES: [&str; 9] = [
    "SELECT format('relation %s kind=%s owner=%s rls=%s forced=%s options=%s part=%s', relname, relkind,
       pg_get_userbyid(relowner), relrowsecurity, relforcerowsecurity, reloptions,
       pg_get_expr(relpartbound, oid))
     FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY relname",
    // By position, because a column that was dropped and re-added has a different number.
    "SELECT format('column %s.%s #%s %s null=%s default=%s collation=%s', c.relname, a.attname,
       row_number() OVER (PARTITION BY c.oid ORDER BY a.attnum), format_type(a.atttypid, a.atttypmod),
       NOT a.attnotnull, pg_get_expr(d.adbin, d.adrelid),
       (SELECT collname FROM pg_collation WHERE oid = a.attcollation))
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     LEFT JOIN pg_attrdef d ON (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0
       AND NOT a.attisdropped
     ORDER BY c.relname, a.attnum",
    "SELECT format('constraint %s on %s: %s', conname, conrelid::regclass, pg_get_constraintdef(oid))
     FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1",
    "SELECT format('index %s', indexdef) FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
    "SELECT format('trigger %s enabled=%s', pg_get_triggerdef(t.oid), t.tgenabled)
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal ORDER BY 1",
    "SELECT format('function owner=%s %s', pg_get_userbyid(proowner), pg_get_functiondef(oid))
     FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1",
    "SELECT format('policy %s on %s for %s to %s using %s check %s', policyname, tablename, cmd, roles, qual,
       with_check)
     FROM pg_policies WHERE schemaname = 'public' ORDER BY 1",
    "SELECT format('grant %s to %s on %s', g.privilege_type,
       CASE g.grantee WHEN 0 THEN 'public' ELSE pg_get_userbyid(g.grantee) END, what) FROM (
       SELECT relname::text AS what, COALESCE(relacl, acldefault('r', relowner)) AS acl FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       UNION ALL
       SELECT c.relname || '.' || attname, attacl FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid
         WHERE c.relnamespace = 'public'::regnamespace AND NOT attisdropped
       UNION ALL
       SELECT proname || '()', COALESCE(proacl, acldefault('f', proowner)) FROM pg_proc
         WHERE pronamespace = 'public'::regnamespace
       UNION ALL
       SELECT 'schema ' || nspname, nspacl FROM pg_namespace WHERE nspname = 'public'
     ) AS acls, aclexplode(acl) AS g ORDER BY 1",
    "SELECT format('type %s', typname) FROM pg_type
     WHERE typnamespace = 'public'::regnamespace AND typrelid = 0 AND typelem = 0 ORDER BY 1",
];
