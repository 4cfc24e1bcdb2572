//! How a live account differs from the declaration.

use std::fmt;

/// The findings of `verify`, table by table. Printed as one line per table and one per finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The region or endpoint.
    pub place: String,
    /// The tables of the declaration, in its order.
    pub tables: Vec<TableReport>,
}

/// The findings of one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableReport {
    /// Its name, with the prefix.
    pub name: String,
    /// Differences from the declaration.
    pub differences: Vec<Difference>,
    /// Declared features that the endpoint does not support; not a difference, since they cannot be
    /// added.
    pub unsupported: Vec<Feature>,
}

/// A declared setting that an endpoint may not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// Records are deleted some time after they expired.
    TimeToLive,
    /// The table can be restored as it was at any second of the last 35 days.
    PointInTimeRecovery,
    /// The table cannot be deleted by mistake.
    DeletionProtection,
}

/// One thing that is not as declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// The table does not exist.
    TableMissing,
    /// The table exists, but is not active.
    Status {
        /// The status it has.
        found: String,
    },
    /// The table has other keys.
    Keys {
        /// Partition and sort key as they should be.
        declared: Vec<String>,
        /// As they are.
        found: Vec<String>,
    },
    /// A key has another type.
    AttributeType {
        /// The attribute.
        attribute: String,
        /// The type it has (`S` is declared for all).
        found: String,
    },
    /// A declared index does not exist.
    IndexMissing {
        /// Its name.
        index: String,
    },
    /// An index is unused, but every write pays for it.
    IndexUndeclared {
        /// Its name.
        index: String,
    },
    /// An index has other keys, or is local instead of global.
    IndexKeys {
        /// Its name.
        index: String,
        /// Partition and sort key as they should be.
        declared: Vec<String>,
        /// As they are.
        found: Vec<String>,
    },
    /// An index is local to its partition, so it cannot be read as a global one.
    IndexLocal {
        /// Its name.
        index: String,
    },
    /// An index does not project whole records.
    IndexProjection {
        /// Its name.
        index: String,
    },
    /// An index exists, but is not active.
    IndexStatus {
        /// Its name.
        index: String,
        /// The status it has.
        found: String,
    },
    /// The table is billed by reserved units.
    BillingMode,
    /// Expired records are never deleted.
    TimeToLiveOff {
        /// The attribute that should say when.
        declared: String,
    },
    /// Records are deleted by an attribute that does not say so.
    TimeToLiveAttribute {
        /// The attribute that should say when, if any.
        declared: Option<String>,
        /// The attribute by which they are deleted.
        found: String,
    },
    /// The table cannot be restored to a point in time.
    PointInTimeRecoveryOff,
    /// The table can be deleted by mistake.
    DeletionProtectionOff,
}

impl Report {
    /// Whether nothing differs. Unsupported features do not count.
    pub fn is_as_declared(&self) -> bool {
        self.tables.iter().all(|table| table.differences.is_empty())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "At {}:", self.place)?;
        self.tables.iter().try_for_each(|table| write!(out, "{table}"))
    }
}

impl fmt::Display for TableReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.differences.is_empty() { "as declared" } else { "DIFFERENT" };
        writeln!(out, "{}: {verdict}", self.name)?;
        for difference in &self.differences {
            writeln!(out, "  {difference}")?;
        }
        for feature in &self.unsupported {
            writeln!(out, "  {feature}: not supported by this endpoint")?;
        }
        Ok(())
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::TimeToLive => "time to live",
            Self::PointInTimeRecovery => "point-in-time recovery",
            Self::DeletionProtection => "deletion protection",
        })
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TableMissing => write!(out, "the table is missing"),
            Self::Status { found } => write!(out, "the table is {found}, not ACTIVE"),
            Self::Keys { declared, found } => {
                write!(out, "its keys are {}, not {}", found.join(" + "), declared.join(" + "))
            }
            Self::AttributeType { attribute, found } => {
                write!(out, "the attribute {attribute} is of type {found}, not S")
            }
            Self::IndexMissing { index } => write!(out, "the index {index} is missing"),
            Self::IndexUndeclared { index } => {
                write!(out, "the index {index} is not declared; every write pays for it")
            }
            Self::IndexKeys { index, declared, found } => {
                let (found, declared) = (found.join(" + "), declared.join(" + "));
                write!(out, "the keys of the index {index} are {found}, not {declared}")
            }
            Self::IndexLocal { index } => write!(out, "the index {index} is local, not global"),
            Self::IndexProjection { index } => {
                write!(out, "the index {index} does not hold whole records (projection ALL)")
            }
            Self::IndexStatus { index, found } => {
                write!(out, "the index {index} is {found}, not ACTIVE")
            }
            Self::BillingMode => {
                write!(out, "it is billed by provisioned capacity, not on demand (PAY_PER_REQUEST)")
            }
            Self::TimeToLiveOff { declared } => {
                write!(out, "time to live is off; it should delete by {declared}")
            }
            Self::TimeToLiveAttribute { declared: Some(declared), found } => {
                write!(out, "time to live deletes by {found}, not by {declared}")
            }
            Self::TimeToLiveAttribute { declared: None, found } => {
                write!(out, "time to live deletes by {found}; nothing here should expire")
            }
            Self::PointInTimeRecoveryOff => write!(out, "point-in-time recovery is off"),
            Self::DeletionProtectionOff => write!(out, "deletion protection is off"),
        }
    }
}
