//! Lists of grants.

use larder_domain::{Grant, GrantFilter, GrantPosition, Urn};
use larder_storage::{Page, Result};

use crate::{MAX_QUERY_LIMIT, RecordEngine, layout::relational::grant, store::ItemStore};

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn page_of_grants(
        &self,
        account: &Urn,
        filter: &GrantFilter,
        after: Option<&GrantPosition>,
        limit: usize,
    ) -> Result<Page<Grant, GrantPosition>> {
        let at_once = (limit + 1).min(MAX_QUERY_LIMIT);
        let mut query = match filter {
            GrantFilter::All => grant::of_account(account, None, at_once),
            GrantFilter::On(on) => grant::of_account(account, Some(on), at_once),
            GrantFilter::Of(principal) => grant::of_principal(principal, at_once),
        };
        query.start_after = after.map(|after| grant::position(&query, after));
        let mut grants = Vec::new();
        loop {
            let page = self.engine.query(&query).await?;
            for record in &page.records {
                let held = grant::from_record(record)?;
                // A principal may have grants of other accounts too, which are hidden here.
                if held.account == *account {
                    grants.push(held);
                }
            }
            match page.next {
                Some(next) if grants.len() <= limit => query.start_after = Some(next),
                _ => return Ok(Page::cut(grants, limit, Grant::position)),
            }
        }
    }
}
