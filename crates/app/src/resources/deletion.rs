//! Deleting a resource with all that is below it.

use larder_domain::{Deletion, DeletionId, Doomed, Urn};
use larder_storage::{DeleteResource, Page, Write};

use super::{Permission, Work};
use crate::{App, AppError, Caller, Result, authorize, completion::complete_even_if_cancelled};

/// How many resources a summary counts at most: enough to think twice, and soon done.
const MOST_SUMMARIZED: u64 = 5_000;
/// The page size for counting.
const AT_ONCE: usize = 500;

/// The result of deleting a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResourceDeletion {
    /// Deleted with its subtree.
    Gone,
    /// A job was created, which continues in the background.
    Begun(Box<Deletion>),
}

/// The counts of a deletion preview.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeletionSummary {
    /// Resources.
    pub resources: u64,
    /// Unique values that would be released.
    pub unique_keys: u64,
    /// For each resource, the memberships and grants that name it.
    pub links: u64,
    /// Whether everything is counted, and not only the first 5,000 resources.
    pub is_complete: bool,
}

impl App {
    /// Deletes a resource with its subtree. A large one continues in the background.
    pub async fn delete_resource(&self, caller: &Caller, urn: &Urn) -> Result<ResourceDeletion> {
        let scope = self.reach(caller, urn, Permission::Delete).await?;
        let (storage, deletions) = (self.storage.clone(), self.deletions.clone());
        let (id, write): (DeletionId, _) = (self.entropy.id(), Write::at(self.now()));
        let (urn, in_scope) = (urn.clone(), scope.clone());
        let deleted = complete_even_if_cancelled(async move {
            let deleted = storage.delete_resource(&in_scope, &urn, id, write).await?;
            if let DeleteResource::Begun(deletion) = &deleted {
                deletions.begin(Work::Tree(deletion.clone()));
            }
            Ok::<_, larder_storage::StorageError>(deleted)
        });
        let deleted = deleted.await??;
        self.notify_things_changed(&scope);
        match deleted {
            DeleteResource::Deleted(_) => Ok(ResourceDeletion::Gone),
            DeleteResource::Begun(deletion) => Ok(ResourceDeletion::Begun(deletion.into())),
            DeleteResource::NotFound => Err(AppError::ResourceNotFound),
        }
    }

    /// A preview of deleting a resource, in pre-order.
    pub async fn preview_deletion(
        &self,
        caller: &Caller,
        urn: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Page<Doomed, Urn>> {
        let scope = self.reach(caller, urn, Permission::Delete).await?;
        let page = self.storage.preview_deletion(&scope, urn, after, limit).await?;
        let mut page = page.ok_or(AppError::ResourceNotFound)?;
        if authorize::find_account(caller) != Some(scope) {
            // The parent is hidden from guests.
            if let Some(root) = page.items.iter_mut().find(|doomed| doomed.urn == *urn) {
                root.parent = None;
            }
        }
        Ok(page)
    }

    /// The same in numbers.
    pub async fn summarize_deletion(&self, caller: &Caller, urn: &Urn) -> Result<DeletionSummary> {
        let scope = self.reach(caller, urn, Permission::Delete).await?;
        let (mut summary, mut after) = (DeletionSummary::default(), None);
        while summary.resources < MOST_SUMMARIZED {
            let page = self.storage.preview_deletion(&scope, urn, after.as_ref(), AT_ONCE).await?;
            let Page { items, next } = page.ok_or(AppError::ResourceNotFound)?;
            for doomed in items {
                summary.resources += 1;
                summary.unique_keys += doomed.unique_keys.iter().count() as u64;
                summary.links += doomed.links;
            }
            if next.is_none() {
                summary.is_complete = true;
                break;
            }
            after = next;
        }
        Ok(summary)
    }

    /// A deletion of the caller's household that is open, or has finished in the last 24 hours.
    pub async fn deletion(&self, caller: &Caller, id: DeletionId) -> Result<Deletion> {
        let scope = authorize::find_account(caller).ok_or(AppError::JobNotFound)?;
        let found = self.storage.find_deletion(&scope, id).await?;
        let deletion = found.ok_or(AppError::JobNotFound)?;
        self.deletions.follow(&Work::Tree(deletion.clone()), self.now());
        Ok(deletion)
    }
}
