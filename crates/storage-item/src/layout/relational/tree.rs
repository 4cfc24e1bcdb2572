//! `Tree` records, in the inventory table: a count of the moves within an account. It detects the
//! second of two moves that would form a cycle together, and lets a deletion notice that a resource
//! was moved out of its tree.

use larder_domain::Urn;
use larder_storage::Result;

use crate::{
    Action, Change, Condition, Number, Record, Table,
    layout::{
        fields::{Fields, count_number},
        keys,
    },
};

const VERSION: &str = "version";

/// How many moves an account has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TreeVersion(Option<u64>);

pub(crate) fn version_of(record: Option<&Record>) -> Result<TreeVersion> {
    record.map(|record| Fields(record).count(VERSION)).transpose().map(TreeVersion)
}

/// Counts a move unconditionally.
pub(crate) fn count_on(account: &Urn) -> Action {
    counting(account, vec![])
}

fn counting(account: &Urn, when: Vec<Condition>) -> Action {
    let (table, key) = (Table::InventoryManagement, keys::tree(account));
    let changes = vec![
        Change::Set("entityType".into(), "Tree".into()),
        Change::Add(VERSION.into(), Number::from(1)),
    ];
    Action::Update { table, key, when, changes }
}

impl TreeVersion {
    /// Counts a move, if there was none since.
    pub(crate) fn count_on(self, account: &Urn) -> Action {
        counting(account, vec![self.is_current()])
    }

    /// Makes a transaction depend on no move since.
    pub(crate) fn unchanged(self, account: &Urn) -> Action {
        let (table, key) = (Table::InventoryManagement, keys::tree(account));
        Action::Check { table, key, when: vec![self.is_current()] }
    }

    fn is_current(self) -> Condition {
        match self.0 {
            None => Condition::NotExists,
            Some(version) => Condition::Equals(VERSION.into(), count_number(version).into()),
        }
    }
}
