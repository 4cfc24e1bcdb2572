//! Reading a whole table, page by page.

use larder_storage::Result;
use larder_storage_item::{Key, MAX_QUERY_LIMIT, ScanPage, Table};

use crate::attributes::{from_key, to_record};
use crate::database::Database;

impl Database {
    /// One request, as consistent as the service can be about a whole table.
    pub(crate) async fn scan(
        &self,
        table: Table,
        start_after: Option<&Key>,
        limit: usize,
    ) -> Result<ScanPage> {
        let limit = limit.clamp(1, MAX_QUERY_LIMIT);
        let (now_s, named) = (self.now_s(), self.names.of(table));
        let request = self
            .client
            .scan()
            .table_name(named.name)
            .consistent_read(true)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX))
            .set_exclusive_start_key(start_after.map(|key| from_key(named.keys, key)))
            .set_return_consumed_capacity(self.counting());
        let answer = self.retries().send(|| request.clone().send()).await?;
        self.units.read(answer.consumed_capacity(), 1, true);
        let mut page = ScanPage::default();
        for item in answer.items.unwrap_or_default() {
            page.records.extend(Self::live(table, to_record(named.keys, item)?, now_s));
        }
        let next = answer.last_evaluated_key.filter(|key| !key.is_empty());
        page.next = match next.map(|key| to_record(named.keys, key)).transpose()? {
            Some(key) => Some(named.key_of(&key).ok_or_else(|| key.misfit("no key"))?),
            None => None,
        };
        Ok(page)
    }
}
