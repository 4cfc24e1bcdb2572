//! Putting what is low on the shopping list. That this was done is noted on the notification in the
//! transaction that adds the entry: of many who settle one does it, whoever deletes the entry does
//! not get it again, and what a crash leaves undone is done by whoever settles next.

use larder_domain::{AutoList, MissingStock, Notification, StoreId};
use larder_storage::{Result, SettleNotifications, SystemScope, Write};

use super::{
    super::{
        ItemStore,
        change_set::{ChangeSet, Commit},
        references,
        shopping::OneMore,
    },
    topic::Judged,
};
use crate::{
    Action, Condition, Key, RecordEngine, Table,
    layout::{household, keys, notification, shopping},
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Notification,
    Truth,
    Store,
    Link,
    Entry,
}

/// The result of putting something on the list.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Listing {
    /// Nothing is left to do for this notification, or nothing should be done.
    Done,
    /// A concurrent change overtook it: the next settlement does it.
    Overtaken,
}

impl<E: RecordEngine> ItemStore<E> {
    /// Puts what is missing on the list, if it should be there and this notification has not put it
    /// there before.
    pub(super) async fn list_missing(
        &self,
        scope: SystemScope,
        judged: &Judged,
        said: &Notification,
        settle: SettleNotifications<'_>,
    ) -> Result<Listing> {
        let Some(missing) = judged.missing().filter(|_| said.listed_at.is_none()) else {
            return Ok(Listing::Done);
        };
        let home = self.get(&keys::family(scope.household())).await?;
        let home = home.as_ref().map(household::from_record).transpose()?;
        if home.is_none_or(|home| home.auto_list == AutoList::OFF) {
            return Ok(Listing::Done);
        }
        let set = note_listed(said, settle);
        let link = if self.is_on_list(scope, &missing).await? {
            None
        } else {
            match self.count_one_more(scope.household(), missing.lot().id, false).await? {
                OneMore::Counted(link) => Some(link),
                OneMore::Refused(_) => None,
            }
        };
        let Some(link) = link else {
            let noted = self.commit(scope, Write::at(settle.at), set, None).await?;
            return Ok(Listing::of(&noted));
        };
        let lot = missing.lot();
        let mut entry = missing.entry(settle.entry_id, scope.household(), settle.by, settle.at);
        entry.details.store = self.if_there(scope, entry.details.store).await?;
        let shop = entry.details.store.map(|store| keys::store(scope.household(), store));
        let truth = judged.so(self.changes_at_once().await?);
        // A product may have more lots than are checked; the one that is restocked must be there.
        let key = keys::item(lot.owner, lot.id);
        let is_unchecked = !truth.checks.iter().any(|check| is_check_of(check, &key));
        let (table, when) = (Table::InventoryManagement, vec![Condition::Exists]);
        let exists = is_unchecked.then_some(Action::Check { table, key, when });
        let set = set
            .steps(truth.checks.into_iter().chain(exists).map(|check| (Step::Truth, check)))
            .steps(shop.map(|shop| (Step::Store, references::exists(shop))))
            .step(Step::Link, link)
            .put(Step::Entry, shopping::to_record(&entry), vec![Condition::NotExists]);
        Ok(Listing::of(&self.commit(scope, Write::at(settle.at), set, None).await?))
    }

    /// Whether it is still to be bought anyway.
    async fn is_on_list(&self, scope: SystemScope, missing: &MissingStock<'_>) -> Result<bool> {
        for record in self.shopping_records(scope.household()).await? {
            if missing.is_covered_by(&shopping::from_record(&record)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The shop, unless it was deleted.
    async fn if_there(&self, scope: SystemScope, shop: Option<StoreId>) -> Result<Option<StoreId>> {
        let Some(id) = shop else { return Ok(None) };
        let found = self.find_place(&keys::store(scope.household(), id)).await?;
        Ok(found.map(|_| id))
    }
}

impl Listing {
    const fn of(commit: &Commit<Step>) -> Self {
        match commit {
            Commit::Done(_) => Self::Done,
            Commit::Failed(_, _) => Self::Overtaken,
        }
    }
}

fn is_check_of(action: &Action, record: &Key) -> bool {
    matches!(action, Action::Check { key, .. } if key == record)
}

/// The step that lets an open notification do this once.
fn note_listed(said: &Notification, settle: SettleNotifications<'_>) -> ChangeSet<Step> {
    let listed = Notification { listed_at: Some(settle.at), ..said.clone() };
    let once = ["resolvedAt", "listedAt"].map(|name| Condition::Absent(name.into()));
    ChangeSet::new().update(
        Step::Notification,
        keys::notification(said.household, said.id),
        [Condition::Exists].into_iter().chain(once).collect(),
        notification::listing(&listed),
    )
}
