//! The context of a transaction, set for row-level security before any other statement.

use std::fmt::Write as _;

use jiff::Timestamp;
use larder_domain::{ApiKeyHash, Email, HouseholdId, InviteCode, Owner, UrlId, Urn, UserId};
use larder_storage::{
    AccountScope, ExternalIdentity, FleetScope, HouseholdScope, Scope, SystemScope,
};

/// Who acts, and with which proof. The policies show exactly the rows that this names; an empty
/// context sees no rows. Every statement has one, because only `Database` hands out connections,
/// and it requires one. It may contain secrets, so it does not print.
#[derive(Clone, Default)]
pub(crate) struct Context {
    settings: Vec<(&'static str, Value)>,
}

#[derive(Clone)]
enum Value {
    /// Of our own making: letters, digits, `-`, `:`, `.` and no more.
    Plain(String),
    /// User input.
    Text(String),
    /// The same, folded as in the column that it is compared with.
    FoldedKey(String),
    /// A credential. Bound as a parameter: the text of a statement can end up in the server's log
    /// or in `pg_stat_activity`.
    Secret(String),
}

impl Context {
    /// One person with one inventory.
    pub(crate) fn of_scope(scope: Scope) -> Self {
        let context = Self::of_user(scope.actor());
        match scope.owner() {
            Owner::Household(household) => context.household(household),
            Owner::User(_) => context,
        }
    }

    /// One person as a member of one household.
    pub(crate) fn of_member(scope: HouseholdScope) -> Self {
        Self::of_user(scope.actor()).household(scope.household())
    }

    /// Larder itself, in one household: its changes have no acting user.
    pub(crate) fn of_system(scope: SystemScope) -> Self {
        Self::default().household(scope.household())
    }

    /// The devices of one household, or of all.
    pub(crate) fn of_fleet(scope: FleetScope) -> Self {
        Self::of_devices(scope.household())
    }

    /// The devices of a household; without one, all devices, as the operator sees them.
    pub(crate) fn of_devices(household: Option<HouseholdId>) -> Self {
        match household {
            Some(household) => Self::default().household(household),
            None => Self::default().plain("app.operator", "on".to_owned()),
        }
    }

    /// A device, proved by the hash of its API key.
    pub(crate) fn of_api_key(hash: &ApiKeyHash) -> Self {
        Self::default().plain("app.api_key_hash", hash.to_string())
    }

    /// One person.
    pub(crate) fn of_user(user: UserId) -> Self {
        Self::default().plain("app.user_id", user.to_string())
    }

    /// A login attempt with this email address.
    pub(crate) fn of_email(email: &Email) -> Self {
        let mut context = Self::default();
        context.settings.push(("app.email", Value::FoldedKey(email.folded())));
        context
    }

    /// Someone for whom an issuer vouches.
    pub(crate) fn of_identity(identity: &ExternalIdentity) -> Self {
        Self::default()
            .text("app.identity_issuer", identity.issuer.clone())
            .text("app.identity_subject", identity.subject.clone())
    }

    /// A person with an invite code.
    pub(crate) fn of_invite_code(code: &InviteCode) -> Self {
        Self::default().invite_code(code)
    }

    /// A person with a tag, proved by its URL.
    pub(crate) fn of_url(url: UrlId) -> Self {
        Self::default().secret("app.url_id", url.reveal())
    }

    /// One person with the resources of one account.
    pub(crate) fn of_account_scope(scope: &AccountScope) -> Self {
        Self::of_user(scope.actor()).account(scope.account())
    }

    /// Larder itself with the resources of one account.
    pub(crate) fn of_account(account: &Urn) -> Self {
        Self::default().account(account)
    }

    /// The server itself, which sees no one's rows.
    pub(crate) fn of_server() -> Self {
        Self::default()
    }

    #[must_use]
    pub(crate) fn household(self, household: HouseholdId) -> Self {
        self.plain("app.household_id", household.to_string())
    }

    fn account(self, account: &Urn) -> Self {
        self.plain("app.account_urn", account.to_string())
    }

    #[must_use]
    pub(crate) fn invite_code(self, code: &InviteCode) -> Self {
        self.secret("app.invite_code", code.as_str().to_owned())
    }

    /// A member who is leaving: the policies permit changing their row.
    #[must_use]
    pub(crate) fn departing(self, user: UserId) -> Self {
        self.plain("app.departing_user_id", user.to_string())
    }

    /// The time that changes carry.
    #[must_use]
    pub(crate) fn at(self, at: Timestamp) -> Self {
        self.plain("app.at", format!("{at:.3}"))
    }

    fn plain(mut self, name: &'static str, value: String) -> Self {
        self.settings.push((name, Value::Plain(value)));
        self
    }

    fn text(mut self, name: &'static str, value: String) -> Self {
        self.settings.push((name, Value::Text(value)));
        self
    }

    fn secret(mut self, name: &'static str, value: String) -> Self {
        self.settings.push((name, Value::Secret(value)));
        self
    }

    /// The statement that sets everything except [`Self::secrets`], for the current transaction.
    pub(crate) fn sql(&self) -> String {
        let mut sql = String::with_capacity(64 * (1 + self.settings.len()));
        for (name, value) in &self.settings {
            let Some(value) = value.sql() else { continue };
            let separator = if sql.is_empty() { "SELECT" } else { "," };
            write!(sql, "{separator} set_config('{name}', {value}, true)")
                .expect("a String takes any text");
        }
        sql
    }

    /// Settings that are in no statement: their names and values.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.settings.iter().filter_map(|(name, value)| match value {
            Value::Secret(value) => Some((*name, value.as_str())),
            Value::Plain(_) | Value::Text(_) | Value::FoldedKey(_) => None,
        })
    }
}

impl Value {
    /// An SQL expression for the value; `None` for secrets. Texts are hex-encoded, which rules out
    /// injection.
    fn sql(&self) -> Option<String> {
        let text = |text| format!("convert_from(decode('{}', 'hex'), 'UTF8')", hexadecimal(text));
        match self {
            Self::Plain(value) => Some(format!("'{value}'")),
            Self::Text(value) => Some(text(value)),
            Self::FoldedKey(value) => Some(format!("fn_folded_key({})", text(value))),
            Self::Secret(_) => None,
        }
    }
}

fn hexadecimal(text: &str) -> String {
    text.bytes().fold(String::with_capacity(2 * text.len()), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("a String takes any text");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_context_is_one_statement() {
        let user = UserId::fixed(1);
        let context = Context::of_user(user).household(HouseholdId::fixed(2));
        assert_eq!(
            context.sql(),
            "SELECT set_config('app.user_id', '00000000-0000-0000-0000-000000000001', true), \
             set_config('app.household_id', '00000000-0000-0000-0000-000000000002', true)"
        );
        assert_eq!(Context::of_server().sql(), "");
    }

    #[test]
    fn secrets_are_in_no_statement() {
        let url = UrlId::from_random([7; 16]);
        let code = InviteCode::parse("ABCDEFGHJKL2").unwrap();
        let at = Timestamp::UNIX_EPOCH;
        let context = Context::of_url(url).at(at).invite_code(&code);
        assert_eq!(context.sql(), Context::of_server().at(at).sql());
        let secrets: Vec<_> = context.secrets().collect();
        assert_eq!(secrets, [("app.url_id", &*url.reveal()), ("app.invite_code", code.as_str())]);
    }

    #[test]
    fn a_text_cannot_break_out_of_its_quotes() {
        let email = Email::parse("o'brien\\'@example.com").unwrap();
        let sql = Context::of_email(&email).sql();
        assert!(
            sql.contains("decode('6f27627269656e5c27406578616d706c652e636f6d', 'hex')"),
            "{sql}"
        );
    }
}
