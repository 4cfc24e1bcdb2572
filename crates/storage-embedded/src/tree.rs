//! A sorted tree of keys in which a lost entry is always detected.
//!
//! A damaged page can lose entries without any row being wrong: a flipped bit in a cell count or in
//! the pointer to a child page, or a changed key that misleads the search. So each entry also holds
//! a checksum of the key that follows it, and a sentinel with empty keys precedes the first. The
//! entries of a tree are thus one chain. A reader trusts an absence only if the entry before the
//! gap points to the entry behind it, and a range only if it is an unbroken piece of the chain that
//! begins before the lower bound and ends behind the upper one.

mod entry;
mod gap;
mod scan;
mod write;

use larder_storage_item::Table;

pub(crate) use entry::{Entry, TreeKey};
pub(crate) use gap::Gap;
pub(crate) use scan::{Lookup, Range};

/// One tree and its statements.
pub(crate) struct Tree {
    pub(crate) table: Table,
    pub(crate) name: String,
    /// How many columns the key has; unused parts of a [`TreeKey`] are empty.
    pub(crate) arity: usize,
    columns: &'static [&'static str],
    find: String,
    find_row: String,
    before: String,
    around: String,
    from: String,
    scan_up: String,
    scan_down: String,
    insert: String,
    relink: String,
    remove: String,
    pub(crate) all: String,
}

impl Tree {
    /// A tree whose entries refer to rows of the table: its reads return entry and row together.
    pub(crate) fn of_records(table: Table, name: String, columns: &'static [&'static str]) -> Self {
        // LEFT JOIN: an entry without its row must be reported.
        let join = format!(" LEFT JOIN {} r ON r.rid = k.rid", table.name());
        let row = ", r.pk, r.sk, r.expires_at, r.seq, r.body, r.crc";
        Self::new(table, name, columns, row, &join)
    }

    /// A tree whose entries hold a number instead of a row id.
    pub(crate) fn of_numbers(table: Table, name: String, columns: &'static [&'static str]) -> Self {
        Self::new(table, name, columns, "", "")
    }

    fn new(
        table: Table,
        name: String,
        columns: &'static [&'static str],
        row: &str,
        join: &str,
    ) -> Self {
        let list = columns.join(", ");
        let descending = columns.join(" DESC, ");
        let bound = (1..=columns.len()).map(|n| format!("?{n}")).collect::<Vec<_>>().join(", ");
        let values =
            (1..=columns.len() + 3).map(|n| format!("?{n}")).collect::<Vec<_>>().join(", ");
        let equal = (1..)
            .zip(columns)
            .map(|(n, column)| format!("k.{column} = ?{n}"))
            .collect::<Vec<_>>()
            .join(" AND ");
        let prefixed: Vec<_> = columns.iter().map(|column| format!("k.{column}")).collect();
        let (keys, keys_down) = (prefixed.join(", "), prefixed.join(" DESC, "));
        let joined = format!("SELECT {keys}, k.rid, k.next, k.crc{row} FROM {name} k{join}");
        let plain = format!("SELECT {list}, rid, next, crc FROM {name}");
        let before =
            format!("{plain} WHERE ({list}) < ({bound}) ORDER BY {descending} DESC LIMIT 1");
        let from = format!("{plain} WHERE ({list}) >= ({bound}) ORDER BY {list} LIMIT 1");
        let [next, crc, old_crc] = [1, 2, 3].map(|n| columns.len() + n);
        Self {
            table,
            arity: columns.len(),
            columns,
            find: format!("{plain} AS k WHERE {equal}"),
            find_row: format!("{joined} WHERE {equal}"),
            // UNION ALL, one after the other: a range that begins at the result of a subquery would
            // be searched by its first column only.
            around: format!("SELECT * FROM ({before}) UNION ALL SELECT * FROM ({from})"),
            before,
            from,
            scan_up: format!("{joined} WHERE ({keys}) >= ({bound}) ORDER BY {keys}"),
            scan_down: format!("{joined} WHERE ({keys}) < ({bound}) ORDER BY {keys_down} DESC"),
            insert: format!("INSERT INTO {name} VALUES ({values})"),
            relink: format!(
                "UPDATE {name} AS k SET next = ?{next}, crc = ?{crc} WHERE {equal} AND crc = ?{old_crc}"
            ),
            remove: format!("DELETE FROM {name} AS k WHERE {equal}"),
            all: format!("{joined} ORDER BY {keys}"),
            name,
        }
    }

    /// The DDL of the tree.
    pub(crate) fn definition(&self) -> String {
        let columns = self.columns.join(" TEXT NOT NULL, ");
        format!(
            "CREATE TABLE {}({columns} TEXT NOT NULL, rid INTEGER NOT NULL, next INTEGER NOT NULL, crc INTEGER NOT NULL, \
             PRIMARY KEY({})) WITHOUT ROWID",
            self.name,
            self.columns.join(", ")
        )
    }
}
