//! Errors of a store, classified by what a caller can do.

use thiserror::Error;

/// A failure of the store itself. Mistakes of a *caller* (a taken name, a stale version) are
/// outcomes of the ports instead.
#[derive(Debug, Error)]
pub enum StorageError {
    /// The engine cannot answer now; a retry may succeed. Nothing was changed, or the outcome is
    /// unknown.
    #[error("storage unavailable: {0}")]
    Unavailable(String),
    /// Too many concurrent changes of the same records until the deadline. Nothing was changed.
    #[error("gave up under contention: {0}")]
    Contention(String),
    /// A record is damaged. It is named; its content is not used.
    #[error("corrupt record {record}: {reason}")]
    Corrupt {
        /// Table and key of the damaged record.
        record: String,
        /// The damage.
        reason: String,
    },
    /// A record or a transaction exceeds the limits of every engine.
    #[error("too large: {0}")]
    TooLarge(String),
    /// The write's idempotency key was used by an earlier write. Nothing was changed; the earlier
    /// result is read with [`crate::Operations::find_idempotent`].
    #[error("the idempotency key was used before")]
    IdempotencyKeyUsed,
    /// A broken promise inside the store. Always a defect.
    #[error("storage defect: {0}")]
    Defect(String),
}

/// The result of every port method.
pub type Result<T, E = StorageError> = std::result::Result<T, E>;
