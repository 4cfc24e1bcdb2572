//! Opening a lot, or a part of it.

use larder_domain::{Item, ItemId, OpenedItem, Opening, Quantity};
use larder_storage::{IdempotencyClaim, ReplaceItem, SplitItem, StorageError, Write};

use crate::{App, AppError, Caller, Result, authorize, settling::Affected};

/// How often a lot that changes meanwhile is read again.
const MAX_ATTEMPTS: usize = 16;

impl App {
    /// Opens this much of a lot (`None`: all of it) today. A part that keeps less long than the rest
    /// becomes a lot of its own, or joins the one with its date.
    pub async fn open_item(
        &self,
        caller: &Caller,
        id: ItemId,
        quantity: Option<Quantity>,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<OpenedItem> {
        for _ in 0..MAX_ATTEMPTS {
            let current = self.item(caller, id).await?;
            let opening = current.details.open(quantity, caller.today(self.now()));
            let opened = match opening {
                Err(_) => return Err(AppError::NotEnough(self.conflicting(caller, current))),
                Ok(Opening::Nothing) => Some(OpenedItem { opened: current, rest: None }),
                Ok(Opening::Whole(details)) => {
                    let whole = current.changed(details, caller.user_id(), self.now());
                    self.open_whole(caller, current, whole, claim).await?
                }
                Ok(Opening::Part { rest, opened }) => {
                    let (by, at) = (caller.user_id(), self.now());
                    let rest = current.changed(rest, by, at);
                    let lot = Item::new(self.entropy.id(), current.owner, opened, by, at);
                    self.open_part(caller, current, rest, lot, claim).await?
                }
            };
            if let Some(opened) = opened {
                return Ok(opened);
            }
        }
        let reason = "opening an item that others keep changing".to_owned();
        Err(StorageError::Contention(reason).into())
    }

    /// `None` if the lot has changed meanwhile.
    async fn open_whole(
        &self,
        caller: &Caller,
        current: Item,
        whole: Item,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<Option<OpenedItem>> {
        let (scope, claim) = (authorize::inventory(caller), claim.cloned());
        let (id, version, at) = (current.id, current.version, whole.updated_at);
        let outcome = self.change_items(
            Some(caller),
            |storage| async move {
                let write = Write { at, claim: claim.as_ref() };
                storage.replace_item(scope, id, version, &whole.details, false, write).await
            },
            move |outcome| match outcome {
                ReplaceItem::Replaced(item) => Affected::by_change(Some(&current), Some(item)),
                _ => Vec::new(),
            },
        );
        match outcome.await? {
            ReplaceItem::Replaced(opened) => Ok(Some(OpenedItem { opened, rest: None })),
            ReplaceItem::NotFound => Err(AppError::ItemNotFound),
            // Neither its name and date nor its references change.
            _ => Ok(None),
        }
    }

    /// `None` if the lot has changed meanwhile.
    async fn open_part(
        &self,
        caller: &Caller,
        current: Item,
        rest: Item,
        lot: Item,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<Option<OpenedItem>> {
        let (scope, claim, at) = (authorize::inventory(caller), claim.cloned(), rest.updated_at);
        let (left, added) = (rest.clone(), lot.details.clone());
        let outcome = self.change_items(
            Some(caller),
            |storage| async move {
                let write = Write { at, claim: claim.as_ref() };
                storage.split_item(scope, &rest, &lot, write).await
            },
            {
                let left = left.clone();
                move |outcome| match outcome {
                    SplitItem::Added(outcome) => {
                        let shrunk = Affected::by_change(Some(&current), Some(&left));
                        [shrunk, Affected::by_adding(outcome, &added)].concat()
                    }
                    SplitItem::Changed => Vec::new(),
                }
            },
        );
        match outcome.await? {
            SplitItem::Added(outcome) => {
                let opened = self.added_item(caller, outcome)?.item;
                Ok(Some(OpenedItem { opened, rest: Some(left) }))
            }
            SplitItem::Changed => Ok(None),
        }
    }
}
