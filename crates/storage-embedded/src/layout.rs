//! The objects in the file: the trees of each table and their statements, composed once.

use std::sync::LazyLock;

use larder_storage_item::{ITEM_ORDERS, Index, Table};

use crate::tree::Tree;

/// Identifies the file as ours: "Lard".
pub(crate) const APPLICATION_ID: i64 = 0x4c61_7264;
/// The format that this version writes. The second added telemetry; the third added grants, and
/// names of the relational store in the dictionary; the fourth added the orders of items; in the
/// fifth, changes in the journal can be forgotten.
pub(crate) const FORMAT_VERSION: i64 = 5;

/// The physical layout of one logical table.
pub(crate) struct Layout {
    pub(crate) table: Table,
    /// The rows themselves, by row id.
    pub(crate) insert: String,
    pub(crate) update: String,
    pub(crate) delete: String,
    pub(crate) all: String,
    pub(crate) expired: String,
    /// Finds rows by primary key.
    pub(crate) keys: Tree,
    /// The last change of each record that is deleted, as long as the journal keeps that change. A record
    /// that exists names its last change in its row.
    pub(crate) gone: Tree,
    /// Finds rows by each secondary index: those of [`Table::indexes`], and the [`ITEM_ORDERS`].
    pub(crate) indexes: Vec<(Index, Tree)>,
}

static LAYOUTS: LazyLock<Vec<Layout>> =
    LazyLock::new(|| Table::ALL.into_iter().map(Layout::new).collect());

impl Layout {
    /// The layout of a table.
    pub(crate) fn of(table: Table) -> &'static Self {
        Self::all().iter().find(|layout| layout.table == table).expect("every table has a layout")
    }

    pub(crate) fn all() -> &'static [Self] {
        &LAYOUTS
    }

    /// The trees added after this format, each with its table.
    pub(crate) fn trees_after(format: i64) -> impl Iterator<Item = (&'static Self, &'static Tree)> {
        Self::all().iter().flat_map(move |layout| {
            let is_new = layout.format() > format;
            let has_orders = format >= 4;
            let is_wanted = move |tree: &&Tree| is_new || !has_orders && layout.is_order(tree);
            let trees = layout.trees().filter(is_wanted);
            trees.map(move |tree| (layout, tree))
        })
    }

    /// Whether the tree is one of the orders of items, which the fourth format added.
    fn is_order(&self, tree: &Tree) -> bool {
        let found = self.indexes.iter().find(|(_, one)| one.name == tree.name);
        found.is_some_and(|(index, _)| ITEM_ORDERS.contains(index))
    }

    /// The format that added the table.
    const fn format(&self) -> i64 {
        match self.table {
            Table::InventoryManagement | Table::Relational => 1,
            Table::Devices | Table::DeviceReadings | Table::ProcessedBatches | Table::ApiKeys => 2,
            Table::Grants => 3,
        }
    }

    /// The tree of an index, unless the table has no such index.
    pub(crate) fn index(&self, wanted: Index) -> Option<&Tree> {
        self.indexes.iter().find(|(index, _)| *index == wanted).map(|(_, tree)| tree)
    }

    /// The trees that lead to rows: the one of the primary keys, then those of the indexes.
    pub(crate) fn row_trees(&self) -> impl Iterator<Item = &Tree> {
        std::iter::once(&self.keys).chain(self.indexes.iter().map(|(_, tree)| tree))
    }

    /// Every tree of the table.
    pub(crate) fn trees(&self) -> impl Iterator<Item = &Tree> {
        self.row_trees().chain(std::iter::once(&self.gone))
    }

    fn new(table: Table) -> Self {
        let name = table.name();
        Self {
            table,
            insert: format!(
                "INSERT INTO {name}(pk, sk, expires_at, seq, body, crc) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
            ),
            update: format!(
                "UPDATE {name} SET expires_at = ?2, seq = ?3, body = ?4, crc = ?5 WHERE rid = ?1"
            ),
            delete: format!("DELETE FROM {name} WHERE rid = ?1"),
            all: format!("SELECT pk, sk, expires_at, seq, body, crc, rid FROM {name} ORDER BY rid"),
            expired: format!(
                "SELECT expires_at, rid, pk, sk FROM {name} \
                 WHERE expires_at <= ?1 AND (expires_at, rid) > (?2, ?3) \
                 ORDER BY expires_at, rid LIMIT ?4"
            ),
            keys: Tree::of_records(table, format!("{name}_keys"), &["pk", "sk"]),
            gone: Tree::of_numbers(table, format!("{name}_gone"), &["pk", "sk"]),
            indexes: table
                .indexes()
                .iter()
                .chain(ITEM_ORDERS.iter().filter(|_| table == Table::InventoryManagement))
                .map(|index| {
                    let tree = format!("{name}_{}", index.name);
                    (*index, Tree::of_records(table, tree, &["ipk", "isk", "pk", "sk"]))
                })
                .collect(),
        }
    }

    /// The DDL of the table without its trees: name and statement of each object.
    fn definitions(&self) -> [(String, String); 2] {
        let name = self.table.name();
        [
            (
                name.to_owned(),
                format!(
                    "CREATE TABLE {name}(rid INTEGER PRIMARY KEY, pk TEXT NOT NULL, sk TEXT NOT NULL, \
                     expires_at INTEGER, seq INTEGER NOT NULL, body BLOB NOT NULL, crc INTEGER NOT NULL)"
                ),
            ),
            (
                format!("{name}_expiry"),
                format!(
                    "CREATE INDEX {name}_expiry ON {name}(expires_at) WHERE expires_at IS NOT NULL"
                ),
            ),
        ]
    }
}

/// Every object added after this format, 0 for all: name and statement, in order of creation.
pub(crate) fn definitions_after(format: i64) -> Vec<(String, String)> {
    let fixed = [
        (
            1,
            "meta",
            "CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER NOT NULL, crc INTEGER NOT NULL) \
             WITHOUT ROWID",
        ),
        (
            1,
            "journal",
            "CREATE TABLE journal(seq INTEGER PRIMARY KEY, at_us INTEGER NOT NULL, actor TEXT NOT NULL, \
             tbl INTEGER NOT NULL, pk TEXT NOT NULL, sk TEXT NOT NULL, old BLOB, new BLOB, \
             partition_hash INTEGER NOT NULL, partition_previous INTEGER NOT NULL, \
             record_previous INTEGER NOT NULL, crc INTEGER NOT NULL)",
        ),
        (
            1,
            "journal_by_partition",
            "CREATE INDEX journal_by_partition ON journal(partition_hash, seq)",
        ),
        (
            1,
            "journal_heads",
            "CREATE TABLE journal_heads(hash INTEGER PRIMARY KEY, seq INTEGER NOT NULL, \
             crc INTEGER NOT NULL)",
        ),
        (
            2,
            "reading_log",
            "CREATE TABLE reading_log(seq INTEGER PRIMARY KEY, body BLOB NOT NULL, \
             crc INTEGER NOT NULL)",
        ),
    ];
    let fixed = fixed.into_iter().filter(|(since, ..)| *since > format);
    let tables = Layout::all().iter().filter(|layout| layout.format() > format);
    let trees = Layout::trees_after(format).map(|(_, tree)| (tree.name.clone(), tree.definition()));
    tables
        .flat_map(Layout::definitions)
        .chain(trees)
        .chain(fixed.map(|(_, name, sql)| (name.to_owned(), sql.to_owned())))
        .collect()
}
