//! Verifies rows of blocks: each is readable, begins with its key, and ends before the next begins.

use larder_domain::BatchId;
use larder_storage::Result;
use larder_storage_item::{Key, Table};

use crate::error::corrupt;
use crate::readings::block;
use crate::readings::windows::ids::{Partition, window_sk};
use crate::readings::windows::{self, Window, exact};
use crate::records;

/// Verifies the rows of a table in the order of their keys.
pub(super) struct Blocks {
    table: Table,
    /// The partition of the previous row, and the sort key of its last item.
    last: Option<Key>,
}

impl Blocks {
    pub(super) const fn of(table: Table) -> Self {
        Self { table, last: None }
    }

    /// Verifies the next row.
    pub(super) fn check(&mut self, key: &Key, body: &[u8]) -> Result<()> {
        let result = self.check_content(key, body);
        result.map_err(|reason| corrupt(records::label(self.table, &key.pk, &key.sk), reason))
    }

    fn check_content(&mut self, key: &Key, body: &[u8]) -> std::result::Result<(), String> {
        let Ends { first, last } = match self.table {
            Table::DeviceReadings => of_readings(key, body)?,
            _ => of_batch_ids(key, body)?,
        };
        let before = self.last.replace(Key::new(key.pk.as_str(), last));
        if first != key.sk {
            return Err("it begins with another than its key says".into());
        }
        if before.is_some_and(|before| before.pk == key.pk && before.sk >= key.sk) {
            return Err("the row before it does not end before it".into());
        }
        Ok(())
    }
}

/// The sort keys of the first and the last item of a row.
struct Ends {
    first: String,
    last: String,
}

fn of_readings(key: &Key, body: &[u8]) -> std::result::Result<Ends, String> {
    let device = key.pk.parse().map_err(|_| "its key names no device")?;
    let readings = block::decode(device, body).map_err(|error| error.to_string())?;
    let [first, last] = [readings.first(), readings.last()].map(|one| one.map(block::sort_key));
    Ok(Ends { first: first.unwrap_or_default(), last: last.unwrap_or_default() })
}

fn of_batch_ids(key: &Key, body: &[u8]) -> std::result::Result<Ends, String> {
    let Partition { windows, .. } =
        Partition::parse(&key.pk).ok_or("its key names no household or device")?;
    let Some((of, _)) = windows else {
        exact::decode(body).map_err(|error| error.to_string())?;
        let id = BatchId::parse(&key.sk).map_err(|_| "its key is no batch id")?.to_string();
        return Ok(Ends { first: id.clone(), last: id });
    };
    let windows = windows::decode(of, body).map_err(|error| error.to_string())?;
    let end = |window: &Window| window_sk(window.start, window.end);
    let [first, last] = [windows.first(), windows.last()].map(|one| one.map(end));
    Ok(Ends { first: first.unwrap_or_default(), last: last.unwrap_or_default() })
}
