//! Shared by the records of devices and of API keys: the owner, and the order of lists.

use jiff::Timestamp;
use larder_domain::HouseholdId;
use larder_storage::FleetScope;

use crate::{
    BY_FAMILY, Condition, Query, SortKeys, TELEMETRY_GSI1, Table, layout::fields::second_text,
};

/// The attribute of the owner; absent for the operator's.
pub(crate) const FAMILY_ID: &str = "family_id";
/// Less than every time as text.
const BEFORE_ALL_TIMES: &str = "-";

/// That a record exists and is this household's, or the operator's own.
pub(crate) fn belongs_to(household: Option<HouseholdId>) -> Condition {
    match household {
        Some(household) => Condition::Equals(FAMILY_ID.into(), household.to_string().into()),
        None => Condition::Absent(FAMILY_ID.into()),
    }
}

/// That a record exists and a scope sees it: the operator sees all.
pub(crate) fn is_seen_by(scope: FleetScope) -> Condition {
    match scope.household() {
        Some(household) => belongs_to(Some(household)),
        None => Condition::Exists,
    }
}

/// The records of a table that a scope can see, newest first and from a time on. `all` is the
/// partition of all of them.
pub(crate) fn newest_first(
    table: Table,
    all: &str,
    scope: FleetScope,
    from: Option<Timestamp>,
) -> Query {
    let (index, pk) = match scope.household() {
        Some(household) => (BY_FAMILY, household.to_string()),
        None => (TELEMETRY_GSI1, all.to_owned()),
    };
    let sort = from.map_or(SortKeys::Any, |from| {
        SortKeys::Between(BEFORE_ALL_TIMES.to_owned(), second_text(from))
    });
    let limit = crate::MAX_QUERY_LIMIT;
    Query::new(table, pk, sort, limit).by(index).backward()
}
