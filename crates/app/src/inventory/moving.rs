//! Moving items between the two inventories of a member.

use larder_domain::{Item, ItemFilter, ItemId, ItemPosition, ItemSort, Whose};
use larder_storage::{AddedItem, IdempotencyClaim, MAX_LOTS, MoveItem, Write};

use crate::{App, AppError, Caller, Result, authorize, settling::Affected};

/// How many items are read at once when all of them move.
const AT_ONCE: usize = 200;

impl App {
    /// Moves an item of the caller into the other of their inventories: as it is, or merged with
    /// the item of the same name and date (then `true`).
    pub async fn move_item(
        &self,
        caller: &Caller,
        id: ItemId,
        to: Whose,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<AddedItem> {
        let member = caller.clone().looking_at(Whose::Household).ok_or(AppError::NoHousehold)?;
        let (scope, at, claim) = (authorize::household(&member)?, self.now(), claim.cloned());
        let left = self.storage.find_item(scope.inventory_of(to.other()), id).await?;
        let outcome = self.change_items(
            Some(&member),
            |storage| async move {
                storage.move_item(scope, id, to, Write { at, claim: claim.as_ref() }).await
            },
            move |outcome| affected(left.as_ref(), outcome),
        );
        let there = caller.clone().looking_at(to).ok_or(AppError::NoHousehold)?;
        let conflicting = |item| self.conflicting(&there, item);
        match outcome.await? {
            MoveItem::Moved(item) => Ok(AddedItem { item, merged: false }),
            MoveItem::Merged(item) => Ok(AddedItem { item, merged: true }),
            MoveItem::NotFound => Err(AppError::ItemNotFound),
            MoveItem::UnitMismatch(item) => Err(AppError::UnitMismatch(conflicting(item))),
            MoveItem::Overflow(item) => Err(AppError::QuantityOverflow(Some(conflicting(item)))),
            MoveItem::TooManyLots => Err(AppError::QuotaExceeded(MAX_LOTS)),
        }
    }

    /// Moves all items of the caller's household into their own inventory, before it is deleted
    /// with it. If some don't fit, all others have moved, and the first of them is the error.
    pub(crate) async fn take_along(&self, member: &Caller) -> Result<()> {
        let everything = ItemFilter { include_depleted: true, ..ItemFilter::default() };
        let (mut after, mut first_in_the_way) = (None::<ItemPosition>, None);
        loop {
            let sort = ItemSort::Created;
            let page = self.list_items(member, &everything, sort, after.as_ref(), AT_ONCE).await?;
            for item in &page.items {
                match self.move_item(member, item.id, Whose::Personal, None).await {
                    // Somebody else, or an earlier try, was faster.
                    Ok(_) | Err(AppError::ItemNotFound) => {}
                    Err(
                        error @ (AppError::UnitMismatch(_)
                        | AppError::QuantityOverflow(_)
                        | AppError::QuotaExceeded(_)),
                    ) => first_in_the_way = first_in_the_way.or(Some(error)),
                    Err(error) => return Err(error),
                }
            }
            after = page.next;
            if after.is_none() {
                return first_in_the_way.map_or(Ok(()), Err);
            }
        }
    }
}

/// What to settle in the household that an item left or came to.
fn affected(left: Option<&Item>, outcome: &MoveItem) -> Vec<Affected> {
    let arrived = match outcome {
        MoveItem::Moved(item) => Affected::by_change(None, Some(item)),
        MoveItem::Merged(item) => {
            left.map_or_else(Vec::new, |left| Affected::by_merge(item, &left.details))
        }
        _ => return Vec::new(),
    };
    [Affected::by_change(left, None), arrived].concat()
}
