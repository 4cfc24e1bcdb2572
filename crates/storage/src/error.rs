//! What can go wrong in a store, told apart by what a caller can do about it.

use thiserror::Error;

/// A failure of the store itself. What a *caller* did wrong (a taken name, a stale version) is never
/// one of these: ports answer that with an outcome of their own.
#[derive(Debug, Error)]
pub enum StorageError {
    /// The engine cannot answer now; the same call may succeed later. Nothing was changed, or the
    /// engine cannot tell whether it was.
    #[error("storage unavailable: {0}")]
    Unavailable(String),
    /// Too many others changed the same records for the whole of the deadline. Nothing was changed.
    #[error("gave up under contention: {0}")]
    Contention(String),
    /// What was read is not what was written. The record is named; its content is not used.
    #[error("corrupt record {record}: {reason}")]
    Corrupt {
        /// Table and key of the damaged record.
        record: String,
        /// What did not fit.
        reason: String,
    },
    /// A record or a transaction is larger than every engine can take.
    #[error("too large: {0}")]
    TooLarge(String),
    /// The write carried an idempotency key that an earlier write has used. Nothing was changed; the
    /// earlier result is read with [`crate::Operations::find_idempotent`].
    #[error("the idempotency key was used before")]
    IdempotencyKeyUsed,
    /// A broken promise inside the store. Always a defect.
    #[error("storage defect: {0}")]
    Defect(String),
}

/// What every port method answers with.
pub type Result<T, E = StorageError> = std::result::Result<T, E>;
