//! Forgetting what happened.

use jiff::Timestamp;
use larder_domain::{HouseholdId, UserId};
use larder_storage::{Result, Write};

use super::CHANGES_AT_ONCE;
use crate::{
    Action, ReadingEngine, Record, RecordEngine, Table, Value,
    layout::keys,
    store::{ItemStore, change_set::Actor},
};

impl<E: RecordEngine + ReadingEngine> ItemStore<E> {
    /// Forgets some changes of a partition, or of one record of it.
    pub(super) async fn forget_changes_of(&self, pk: &str, sk: Option<&str>) -> Result<u64> {
        let table = Table::InventoryManagement;
        Ok(self.engine.forget_changes(table, pk, sk, CHANGES_AT_ONCE).await? as u64)
    }

    /// Forgets that a person was a member of a household: the changes of their record, and the
    /// results of their requests to it.
    pub(super) async fn forget_membership(
        &self,
        household: HouseholdId,
        user: UserId,
        at: Timestamp,
    ) -> Result<()> {
        // Somebody may have entered another household since, whose id is then all that is current.
        let pk = keys::user_pk(user);
        let answered = self.all_under(pk.clone(), keys::IDEMPOTENCY_PREFIX).await?;
        let theirs = |record: &&Record| !is_of_person(record, &pk);
        let doomed: Vec<_> = answered
            .iter()
            .filter(theirs)
            .filter_map(|record| Table::InventoryManagement.key_of(record))
            .collect();
        let delete = |key: &crate::Key| Action::Delete {
            table: Table::InventoryManagement,
            key: key.clone(),
            when: Vec::new(),
        };
        self.commit_each(Actor::System, Write::at(at), &doomed, delete).await?;
        while self.forget_changes_of(&pk, Some(&pk)).await? > 0 {}
        tracing::debug!(%household, %user, "membership forgotten");
        Ok(())
    }
}

/// Whether the result under an idempotency key is of the person's own inventory.
fn is_of_person(used: &Record, user_pk: &str) -> bool {
    match used.get(crate::layout::idempotency::RESULT) {
        Some(Value::M(result)) => result.text("PK") == Some(user_pk),
        _ => false,
    }
}
