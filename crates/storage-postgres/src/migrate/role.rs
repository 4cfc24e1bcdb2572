//! The role that serves.

use sqlx::{AssertSqlSafe, PgConnection};

use super::{Error, Password, Result, UpOptions, current_user, grants, scram, url};

/// The default run-time role.
pub const DEFAULT_RUNTIME_ROLE: &str = "larder_runtime";

/// The run-time role of a database.
#[derive(Clone, PartialEq, Eq)]
pub struct RuntimeRole {
    /// Its name.
    pub name: String,
    /// The URL for servers. Contains the password if it was just set.
    pub url: String,
    /// Whether the URL contains the password. An existing role's password cannot be read.
    pub has_password: bool,
}

/// The URL may contain a password, so it is not printed.
impl std::fmt::Debug for RuntimeRole {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, has_password, .. } = self;
        write!(f, "RuntimeRole {{ name: {name:?}, has_password: {has_password} }}")
    }
}

/// Attributes that a run-time role must not have.
#[derive(sqlx::FromRow)]
struct Attributes {
    is_superuser: bool,
    bypasses_rls: bool,
    owns_tables: bool,
}

/// Ensures that the role exists, is unprivileged, and has its rights.
pub(super) async fn ensure(
    connection: &mut PgConnection,
    owner_url: &str,
    options: &UpOptions,
) -> Result<RuntimeRole> {
    let name = options.runtime_role.as_deref().unwrap_or(DEFAULT_RUNTIME_ROLE);
    let mut password = None;
    if attributes(connection, name).await?.is_none() {
        let new = new_password(connection, options).await?;
        password = create(connection, name, new).await?;
    }
    if let Some(attributes) = attributes(connection, name).await? {
        attributes.check(name)?;
    }
    if password.is_none() && (options.reset_password || options.password.is_some()) {
        let new = new_password(connection, options).await?;
        set_password(connection, name, &new).await?;
        password = Some(new);
    }
    grants::apply(connection, name).await?;
    Ok(RuntimeRole {
        name: name.to_owned(),
        url: url::for_role(owner_url, name, password.as_ref().map(Password::as_str)),
        has_password: password.is_some(),
    })
}

impl Attributes {
    fn check(&self, role: &str) -> Result<()> {
        let why = match self {
            Self { is_superuser: true, .. } => "it is a superuser",
            Self { bypasses_rls: true, .. } => "it has BYPASSRLS",
            Self { owns_tables: true, .. } => "it owns the tables, or is a member of who does",
            _ => return Ok(()),
        };
        Err(Error::UnfitRole { role: role.to_owned(), why })
    }
}

async fn attributes(connection: &mut PgConnection, name: &str) -> Result<Option<Attributes>> {
    let sql = "SELECT rolsuper AS is_superuser, rolbypassrls AS bypasses_rls,
                 pg_has_role(oid, current_user, 'MEMBER') AS owns_tables
               FROM pg_roles WHERE rolname = $1";
    Ok(sqlx::query_as(sql).bind(name).fetch_optional(connection).await?)
}

/// Creates the role. `None` if it exists by now: roles belong to the whole server, and another
/// database may be migrating concurrently.
async fn create(
    connection: &mut PgConnection,
    name: &str,
    password: Password,
) -> Result<Option<Password>> {
    let text = password_text(connection, &password).await?;
    let sql = format!(
        "CREATE ROLE {} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD {}",
        quoted(name),
        literal(&text)
    );
    match sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *connection).await {
        Ok(_) => Ok(Some(password)),
        Err(error) if has_code(&error, &[DUPLICATE_OBJECT, UNIQUE_VIOLATION]) => Ok(None),
        Err(error) if has_code(&error, &[INSUFFICIENT_PRIVILEGE]) => {
            let owner = current_user(connection).await?;
            Err(Error::MayNotCreateRole { owner, role: name.to_owned() })
        }
        Err(error) => Err(error.into()),
    }
}

async fn set_password(
    connection: &mut PgConnection,
    name: &str,
    password: &Password,
) -> Result<()> {
    let text = password_text(connection, password).await?;
    let sql = format!("ALTER ROLE {} LOGIN PASSWORD {}", quoted(name), literal(&text));
    match sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *connection).await {
        Ok(_) => Ok(()),
        Err(error) if has_code(&error, &[INSUFFICIENT_PRIVILEGE]) => {
            let owner = current_user(connection).await?;
            Err(Error::MayNotSetPassword { owner, role: name.to_owned() })
        }
        Err(error) => Err(error.into()),
    }
}

/// The configured password, or 244 random bits from the server.
async fn new_password(connection: &mut PgConnection, options: &UpOptions) -> Result<Password> {
    if let Some(password) = &options.password {
        return Ok(password.clone());
    }
    let sql = "SELECT replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')";
    Ok(Password::new(sqlx::query_scalar::<_, String>(sql).fetch_one(connection).await?))
}

/// The password in SQL: its verifier, or the plain text if no verifier can be computed.
async fn password_text(connection: &mut PgConnection, password: &Password) -> Result<String> {
    let salt: uuid::Uuid =
        sqlx::query_scalar("SELECT gen_random_uuid()").fetch_one(connection).await?;
    let verifier = scram::verifier(password.as_str(), *salt.as_bytes());
    Ok(verifier.unwrap_or_else(|| password.as_str().to_owned()))
}

const INSUFFICIENT_PRIVILEGE: &str = "42501";
const DUPLICATE_OBJECT: &str = "42710";
const UNIQUE_VIOLATION: &str = "23505";

fn has_code(error: &sqlx::Error, codes: &[&str]) -> bool {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    code.is_some_and(|code| codes.contains(&code.as_ref()))
}

/// A name as an SQL identifier.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text as an SQL literal, independent of `standard_conforming_strings`.
fn literal(text: &str) -> String {
    format!("E'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

#[cfg(test)]
mod tests {
    use super::{literal, quoted};

    #[test]
    fn names_and_texts_cannot_end_early() {
        assert_eq!(quoted("a\"; DROP"), "\"a\"\"; DROP\"");
        assert_eq!(literal("a'b\\"), "E'a\\'b\\\\'");
    }
}
