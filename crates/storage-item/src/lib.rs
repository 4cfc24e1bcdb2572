//! The single-table layout: every key and record of the DynamoDB design, written once, over any
//! [`RecordEngine`].

mod apply;
mod conceal;
mod engine;
mod layout;
mod number;
mod record;
mod store;
mod validate;

pub use conceal::key_label;
pub use engine::{
    Action, BY_ACCOUNT, Change, Committed, Condition, GSI1, GSI2, INVERTED, Index, JournalEntry,
    Key, MAX_ACTIONS, MAX_QUERY_LIMIT, MAX_RECORD_BYTES, MAX_RECORD_DEPTH, Position, Query,
    QueryPage, RecordEngine, ScanPage, SortKeys, Table, TransactError, Transaction,
};
pub use number::{Number, NumberError};
pub use record::{Name, Record, Value};
pub use store::ItemStore;
pub use validate::MAX_TRANSACTION_BYTES;
