//! The single-table layout: every key and record of the DynamoDB design, written once, over any
//! [`RecordEngine`].

mod apply;
mod conceal;
mod engine;
mod item_order;
mod layout;
mod query;
mod reading_engine;
mod readings_as_records;
mod record;
mod store;
mod validate;

pub use conceal::key_label;
pub use engine::{
    API_KEY_HASH, Action, BY_ACCOUNT, BY_FAMILY, Change, Committed, Condition, GRANTS_BY_ACCOUNT,
    GSI1, GSI2, INVERTED, Index, JournalEntry, Key, KeyNames, MAX_ACTIONS, MAX_JOURNALED_DEPTH,
    MAX_QUERY_LIMIT, MAX_RECORD_BYTES, MAX_RECORD_DEPTH, RecordEngine, ScanPage, TELEMETRY_GSI1,
    Table, TransactError, Transaction,
};
pub use item_order::ITEM_ORDERS;
pub use larder_domain::{Number, NumberError};
pub use layout::{
    processed_batch::{
        ProcessedBatch, from_record as processed_batch_of, to_record as processed_batch_record,
    },
    reading::{from_record as reading_of, to_record as reading_record},
};
pub use query::{Position, Query, QueryPage, SortKeys};
pub use reading_engine::{AppendReadings, ReadingEngine, ReadingQuery};
pub use readings_as_records::ReadingsAsRecords;
pub use record::{Name, Record, Value};
pub use store::ItemStore;
pub use validate::MAX_TRANSACTION_BYTES;
