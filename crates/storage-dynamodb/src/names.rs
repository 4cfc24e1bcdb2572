//! Names of the tables in the account, and their key attributes.

use larder_storage_item::{Key, KeyNames, Record, Table};

use crate::tables::{CHANGES, CHANGES_KEYS, TablesError, physical_name};

/// A table as requests name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NamedTable<'n> {
    /// With the prefix.
    pub(crate) name: &'n str,
    pub(crate) keys: KeyNames,
}

impl NamedTable<'_> {
    /// The primary key of a record of this table.
    pub(crate) fn key_of(self, record: &Record) -> Option<Key> {
        let KeyNames { pk, sk } = self.keys;
        let sk = sk.map_or(Some(""), |sk| record.text(sk))?;
        Some(Key::new(record.text(pk)?, sk))
    }
}

/// The names of all tables, with their prefix.
#[derive(Debug)]
pub(crate) struct TableNames {
    /// In the order of [`Table::ALL`].
    records: [String; Table::ALL.len()],
    changes: String,
}

impl TableNames {
    pub(crate) fn new(prefix: &str) -> Result<Self, TablesError> {
        let mut records = [const { String::new() }; Table::ALL.len()];
        for (name, table) in records.iter_mut().zip(Table::ALL) {
            *name = physical_name(prefix, table.name())?;
        }
        Ok(Self { records, changes: physical_name(prefix, CHANGES)? })
    }

    pub(crate) fn of(&self, table: Table) -> NamedTable<'_> {
        let place = Table::ALL.iter().position(|one| *one == table);
        let name = &self.records[place.expect("all tables are in the list of all")];
        NamedTable { name, keys: table.key_names() }
    }

    /// The table of change records.
    pub(crate) fn changes(&self) -> NamedTable<'_> {
        NamedTable { name: &self.changes, keys: CHANGES_KEYS }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = NamedTable<'_>> {
        Table::ALL.into_iter().map(|table| self.of(table)).chain([self.changes()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_called_by_its_own_name_and_keys() {
        let names = TableNames::new("home-").unwrap();
        for table in Table::ALL {
            let NamedTable { name, keys } = names.of(table);
            assert_eq!(name, format!("home-{}", table.name()));
            assert_eq!(keys, table.key_names());
        }
        assert_eq!(names.changes().name, "home-Changes");
        assert_eq!(names.all().count(), 8);
    }

    #[test]
    fn a_key_has_as_many_parts_as_its_table() {
        let record = Record::new().with("hardware_id", "mac").with("ts_batch", "1#b");
        let names = TableNames::new("").unwrap();
        let key = |table| names.of(table).key_of(&record);
        assert_eq!(key(Table::Devices), Some(Key::new("mac", "")));
        assert_eq!(key(Table::DeviceReadings), Some(Key::new("mac", "1#b")));
        assert_eq!(key(Table::ProcessedBatches), None);
    }
}
