//! A change set whose steps have names, so that failures and results are found by name.

use larder_domain::UserId;
use larder_storage::{Result, StorageError, SystemScope, Write, WriteKind};

use super::ItemStore;
use crate::{
    Action, Change, Condition, Key, Record, RecordEngine, Table, TransactError, Transaction,
    layout::{idempotency, keys},
};

/// The actor of Larder itself in the journal. It is not a user's id, so feeds and histories show no
/// user.
const SYSTEM: &str = "system";

/// The actor of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Actor {
    /// A person.
    User(UserId),
    /// Larder itself: for taps, whose user is unknown, and for background jobs.
    System,
}

impl From<UserId> for Actor {
    fn from(user: UserId) -> Self {
        Self::User(user)
    }
}

impl From<SystemScope> for Actor {
    fn from(_: SystemScope) -> Self {
        Self::System
    }
}

impl Actor {
    fn name(self) -> String {
        match self {
            Self::User(user) => user.to_string(),
            Self::System => SYSTEM.to_owned(),
        }
    }

    /// The user whose idempotency keys a claim belongs to. The system never retries with one.
    fn claimant(self) -> Result<UserId> {
        match self {
            Self::User(user) => Ok(user),
            Self::System => {
                Err(StorageError::Defect("an idempotency claim without a person".to_owned()))
            }
        }
    }
}

/// Actions with a name each.
pub(super) struct ChangeSet<L> {
    steps: Vec<(L, Action)>,
}

/// The outcome of a change set.
pub(super) enum Commit<L> {
    /// It was committed, and its steps left these records.
    Done(Images<L>),
    /// Not committed: a condition of this step failed; its current record.
    Failed(L, Option<Box<Record>>),
}

/// The records after the steps of a change set.
pub(super) struct Images<L>(Vec<(L, Option<Record>)>);

impl<L: Copy + PartialEq> Images<L> {
    /// Decodes the record of a step; of the first one, if several have this name.
    pub(super) fn decode<T>(
        &self,
        step: L,
        decode: impl FnOnce(&Record) -> Result<T>,
    ) -> Result<T> {
        let image = self.0.iter().find(|(name, _)| *name == step);
        let record = image.and_then(|(_, record)| record.as_ref()).ok_or_else(|| {
            StorageError::Defect("the engine returned no record for a step".to_owned())
        })?;
        decode(record)
    }
}

impl<L: Copy + PartialEq> ChangeSet<L> {
    pub(super) const fn new() -> Self {
        Self { steps: Vec::new() }
    }

    pub(super) fn step(mut self, name: L, action: Action) -> Self {
        self.steps.push((name, action));
        self
    }

    pub(super) fn put(self, name: L, record: Record, when: Vec<Condition>) -> Self {
        let table = Table::InventoryManagement;
        self.step(name, Action::Put { table, record, when, embed: None })
    }

    pub(super) fn update(
        self,
        name: L,
        key: Key,
        when: Vec<Condition>,
        changes: Vec<Change>,
    ) -> Self {
        let table = Table::InventoryManagement;
        self.step(name, Action::Update { table, key, when, changes })
    }

    pub(super) fn delete(self, name: L, key: Key, when: Vec<Condition>) -> Self {
        self.step(name, Action::Delete { table: Table::InventoryManagement, key, when })
    }

    /// Stores the record that one step leaves behind in the record that another step puts.
    pub(super) fn embed(mut self, into: L, attribute: &'static str, from: L) -> Self {
        let from = self.steps.iter().position(|(name, _)| *name == from);
        for (name, action) in &mut self.steps {
            if let Action::Put { embed, .. } = action
                && *name == into
            {
                *embed = from.map(|from| (attribute.into(), from));
            }
        }
        self
    }

    /// How many actions it has so far.
    pub(super) const fn len(&self) -> usize {
        self.steps.len()
    }

    pub(super) fn steps(mut self, more: impl IntoIterator<Item = (L, Action)>) -> Self {
        self.steps.extend(more);
        self
    }
}

impl<E: RecordEngine> ItemStore<E> {
    /// Commits a change set. An idempotency claim is checked first; `did` is the result to store:
    /// the kind of write and the step with its record.
    pub(super) async fn commit<L: Copy + PartialEq>(
        &self,
        actor: impl Into<Actor>,
        write: Write<'_>,
        set: ChangeSet<L>,
        did: Option<(WriteKind<'_>, L)>,
    ) -> Result<Commit<L>> {
        let actor: Actor = actor.into();
        let (names, mut actions): (Vec<L>, Vec<Action>) = set.steps.into_iter().unzip();
        let mut claims = 0;
        if let (Some(claim), Some((did, result_step))) = (write.claim, did) {
            // The claim already has a result that no step leaves behind.
            let embed = if did.known.is_some() {
                None
            } else {
                let result = names.iter().position(|name| *name == result_step);
                let result = result.ok_or_else(|| {
                    StorageError::Defect("an idempotent write must leave a record".to_owned())
                })?;
                Some((idempotency::RESULT.into(), result + 1))
            };
            let record = idempotency::to_record(actor.claimant()?, claim, did, write.at);
            let claim = Action::Put {
                table: Table::InventoryManagement,
                record,
                when: vec![Condition::NotExists],
                embed,
            };
            actions.insert(0, claim);
            claims = 1;
        }
        if actions.is_empty() {
            return Ok(Commit::Done(Images(Vec::new())));
        }
        let transaction = Transaction { actor: actor.name(), at: write.at, actions };
        match self.engine.transact(transaction).await {
            Ok(committed) => {
                let images = committed.images.into_iter().skip(claims);
                Ok(Commit::Done(Images(names.into_iter().zip(images).collect())))
            }
            Err(TransactError::ConditionFailed { action, .. }) if action < claims => {
                Err(StorageError::IdempotencyKeyUsed)
            }
            Err(TransactError::ConditionFailed { action, current }) => {
                let name = names.get(action - claims).copied();
                let name = name.ok_or_else(|| {
                    StorageError::Defect(format!("no action {action} in the transaction"))
                })?;
                Ok(Commit::Failed(name, current))
            }
            Err(TransactError::Storage(error)) => Err(error),
        }
    }
}

impl<E: RecordEngine> ItemStore<E> {
    /// Fails for a used key before a refusal without a transaction, as a transaction would.
    pub(super) async fn refuse_used_key(&self, actor: UserId, write: Write<'_>) -> Result<()> {
        let Some(claim) = write.claim else { return Ok(()) };
        match self.get(&keys::idempotency(actor, &claim.key)).await? {
            Some(_) => Err(StorageError::IdempotencyKeyUsed),
            None => Ok(()),
        }
    }
}
