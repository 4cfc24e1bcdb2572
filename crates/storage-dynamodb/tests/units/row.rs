//! The cost of one operation.

/// The units of an operation, on a server that has not changed the same household just before.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    /// A description of the operation.
    pub(crate) operation: String,
    /// The port method that does it.
    pub(crate) method: String,
    /// Read units.
    pub(crate) read_units: f64,
    /// Write units.
    pub(crate) write_units: f64,
    /// Requests to DynamoDB.
    pub(crate) requests: u64,
}
