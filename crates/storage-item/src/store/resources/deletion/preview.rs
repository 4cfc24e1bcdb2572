//! The preview of a deletion.

use larder_domain::{Doomed, Urn};
use larder_storage::{AccountScope, Page, Result};

use super::walk::Walk;
use crate::{RecordEngine, store::ItemStore};

impl<E: RecordEngine> ItemStore<E> {
    pub(in crate::store) async fn preview_tree(
        &self,
        scope: &AccountScope,
        root: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Doomed, Urn>>> {
        let account = scope.account();
        let Some(node) = self.doomed_node(account, root).await? else { return Ok(None) };
        let mut walk = match after {
            None => Walk::from_root(self, account, node),
            Some(after) => Walk::behind(self, account, root, after).await?,
        };
        let mut doomed = Vec::new();
        while doomed.len() <= limit
            && let Some(node) = walk.next().await?
        {
            doomed.push(node.into_doomed());
        }
        Ok(Some(Page::cut(doomed, limit, |last: &Doomed| last.urn.clone())))
    }
}
