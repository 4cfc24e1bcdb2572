//! The way up from a resource.

use std::collections::HashSet;

use larder_domain::{Resource, Urn};
use larder_storage::{AccountScope, Page, Result};

use crate::{RecordEngine, store::ItemStore};

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn ancestors_of(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Resource, Urn>>> {
        let Some(resource) = self.find_counted(scope, urn).await? else { return Ok(None) };
        let from = match after {
            None => Some(resource),
            Some(after) => self.find_counted(scope, after).await?,
        };
        let mut next = from.and_then(|from| from.resource.parent);
        let mut ancestors: Vec<Resource> = Vec::new();
        while ancestors.len() <= limit
            && let Some(parent) = &next
        {
            let Some(found) = self.find_counted(scope, parent).await? else { break };
            next.clone_from(&found.resource.parent);
            ancestors.push(found.resource);
        }
        Ok(Some(Page::cut(ancestors, limit, |last| last.urn.clone())))
    }

    /// Whether a resource is an ancestor of another, or is it. Also `true` if the path repeats, as
    /// it may during concurrent moves.
    pub(super) async fn is_above(
        &self,
        scope: &AccountScope,
        above: &Urn,
        from: &Resource,
    ) -> Result<bool> {
        let mut passed = HashSet::from([from.urn.clone()]);
        let mut next = from.parent.clone();
        while !passed.contains(above)
            && let Some(parent) = next
        {
            if !passed.insert(parent.clone()) {
                return Ok(true);
            }
            let found = self.find_counted(scope, &parent).await?;
            next = found.and_then(|found| found.resource.parent);
        }
        Ok(passed.contains(above))
    }
}
