//! `Grant` records, in a table of their own: the permissions of a principal on a resource or an
//! account.

use larder_domain::{AccessAction, Grant, GrantPosition, GrantedActions, Urn};
use larder_storage::Result;

use super::{
    ACCOUNT, CREATED_AT, RECORD_TYPE, UPDATED_AT,
    keys::{RESOURCE_PREFIX, grant, principal_pk},
};
use crate::{
    GRANTS_BY_ACCOUNT, Position, Query, Record, SortKeys, Table, Value,
    layout::fields::{Fields, timestamp_text},
};

const GRANT: &str = "Grant";
/// The attribute by which the grants of an account are in order.
const ORDER: &str = "_order";
const PRINCIPAL: &str = "principalUrn";
const ON: &str = "resourceUrn";
const ACTIONS: &str = "actions";

pub(crate) fn to_record(held: &Grant) -> Record {
    let actions = held.actions.iter().map(|action| action.as_str().into()).collect();
    Table::Grants
        .record_with(&grant(&held.principal, &held.on))
        .with(RECORD_TYPE, GRANT)
        .with(PRINCIPAL, held.principal.as_str())
        .with(ON, held.on.as_str())
        .with(ACTIONS, Value::L(actions))
        .with(ACCOUNT, held.account.as_str())
        .with(CREATED_AT, timestamp_text(held.created_at))
        .with(UPDATED_AT, timestamp_text(held.updated_at))
        .with(ORDER, order(&held.on, &held.principal))
}

pub(crate) fn from_record(record: &Record) -> Result<Grant> {
    let fields = Fields(record);
    let found = fields.text(RECORD_TYPE)?;
    if found != GRANT {
        return Err(record.misfit(format!("{RECORD_TYPE} is {found}, not {GRANT}")));
    }
    let held = Grant {
        principal: fields.id(PRINCIPAL)?,
        on: fields.id(ON)?,
        account: fields.id(ACCOUNT)?,
        actions: actions(record)?,
        created_at: fields.time(CREATED_AT)?,
        updated_at: fields.time(UPDATED_AT)?,
    };
    if Table::Grants.key_of(record) != Some(grant(&held.principal, &held.on)) {
        return Err(record.misfit("its content belongs under another key"));
    }
    Ok(held)
}

fn actions(record: &Record) -> Result<GrantedActions> {
    let misfit = |reason: String| record.misfit(format!("{ACTIONS} {reason}"));
    let Some(Value::L(texts)) = record.get(ACTIONS) else {
        return Err(misfit("is missing or no list".to_owned()));
    };
    let action = |value: &Value| match value {
        Value::S(text) => AccessAction::parse(text).map_err(|error| misfit(error.to_string())),
        _ => Err(misfit("holds what is no text".to_owned())),
    };
    let actions: Vec<AccessAction> = texts.iter().map(action).collect::<Result<_>>()?;
    GrantedActions::new(actions).map_err(|error| misfit(error.to_string()))
}

/// The sort key of a grant within its account. All ids of URNs have the same length, so this sorts
/// by resource and then by principal.
fn order(on: &Urn, principal: &Urn) -> String {
    format!("{}{principal}", order_prefix(on))
}

fn order_prefix(on: &Urn) -> String {
    format!("{on}#")
}

/// The grants of an account, or those on one URN.
pub(crate) fn of_account(account: &Urn, on: Option<&Urn>, limit: usize) -> Query {
    let sort = on.map_or(SortKeys::Any, |on| SortKeys::BeginsWith(order_prefix(on)));
    Query::new(Table::Grants, account.to_string(), sort, limit).by(GRANTS_BY_ACCOUNT)
}

/// The grants of a principal, in any account.
pub(crate) fn of_principal(principal: &Urn, limit: usize) -> Query {
    Query::under(Table::Grants, principal_pk(principal), RESOURCE_PREFIX, limit)
}

/// The position of a query after a grant.
pub(crate) fn position(query: &Query, at: &GrantPosition) -> Position {
    let key = grant(&at.principal, &at.on);
    let sort = match query.index {
        Some(_) => order(&at.on, &at.principal),
        None => key.sk.clone(),
    };
    Position { sort, key }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use larder_domain::{HouseholdId, UserId};

    use super::*;

    const ROOM: &str = "urn:pp:Home.Room::0195ff0e-e2e7-7408-8379-52f6cf939e7b";

    fn granted() -> Grant {
        let actions = ["write", "read"].map(|text| AccessAction::parse(text).unwrap());
        Grant {
            principal: Urn::of_user(UserId::fixed(1)),
            on: ROOM.parse().unwrap(),
            account: Urn::of_household(HouseholdId::fixed(2)),
            actions: GrantedActions::new(actions).unwrap(),
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::from_second(60).unwrap(),
        }
    }

    #[test]
    fn a_grant_is_kept_under_its_principal_and_what_it_is_on() {
        let held = granted();
        let (principal, account) = (held.principal.to_string(), held.account.to_string());
        let expected = Record::new()
            .with("PK", format!("Principal#{principal}"))
            .with("SK", format!("Resource#{ROOM}"))
            .with("_recordType", "Grant")
            .with("principalUrn", principal.as_str())
            .with("resourceUrn", ROOM)
            .with("actions", Value::L(vec!["read".into(), "write".into()]))
            .with("_accountUrn", account)
            .with("_createdAt", "1970-01-01T00:00:00.000Z")
            .with("_updatedAt", "1970-01-01T00:01:00.000Z")
            .with("_order", format!("{ROOM}#{principal}"));
        assert_eq!(to_record(&held), expected);
        assert_eq!(from_record(&expected).unwrap(), held);
    }

    #[test]
    fn what_is_no_grant_is_refused_with_its_reason() {
        let record = to_record(&granted());
        let mut without_actions = record.clone();
        without_actions.remove("actions");
        for (spoilt, reason) in [
            (record.clone().with("_recordType", "Resource"), "_recordType is Resource, not Grant"),
            (record.clone().with("SK", "Resource#other"), "belongs under another key"),
            (record.clone().with("principalUrn", "nobody"), "principalUrn must begin with"),
            (without_actions, "actions is missing or no list"),
            (record.clone().with("actions", Value::L(vec![])), "actions must be 1 to 16 actions"),
            (record.clone().with("actions", Value::L(vec![true.into()])), "holds what is no text"),
            (record.with("actions", Value::L(vec!["Read".into()])), "actions must be * or"),
        ] {
            let error = from_record(&spoilt).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn a_list_goes_on_behind_a_grant_in_the_order_of_what_it_reads() {
        let held = granted();
        let of_account = of_account(&held.account, Some(&held.on), 10);
        let at = position(&of_account, &held.position());
        assert_eq!(Some(at.sort.as_str()), to_record(&held).text("_order"));
        let at = position(&of_principal(&held.principal, 10), &held.position());
        assert_eq!(at.sort, at.key.sk);
        assert_eq!(Some(at.key), Table::Grants.key_of(&to_record(&held)));
    }
}
