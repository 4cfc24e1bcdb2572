//! Checks whether a server may serve with its role.

use sqlx::PgConnection;
use thiserror::Error;

use super::{MigrationState, newest_version, status};

/// Why a server refuses to serve. Each text says how to fix it; only the last problem is temporary.
#[derive(Debug, Error)]
pub enum RoleProblem {
    /// Superusers bypass row-level security.
    #[error(
        "refusing to serve as \"{0}\", a superuser: row-level security would not hold. Use the run-time \
         URL that `larder migrate up` prints"
    )]
    Superuser(String),
    /// The role bypasses row-level security.
    #[error(
        "refusing to serve as \"{0}\": it has BYPASSRLS, so row-level security would not hold. Run ALTER \
         ROLE \"{0}\" NOBYPASSRLS, or use the run-time URL that `larder migrate up` prints"
    )]
    BypassesRowSecurity(String),
    /// The owner could switch row-level security off.
    #[error(
        "refusing to serve as \"{0}\", which owns the tables or is a member of who does. Use the run-time \
         URL that `larder migrate up` prints"
    )]
    Owner(String),
    /// Migrations are pending.
    #[error(
        "the database lacks migration {0}: run `larder migrate up --store <URL of the owner>` first"
    )]
    NotMigrated(i64),
    /// The database is newer than this program.
    #[error(
        "the database has migration {version}, but this program knows only up to {newest}: start a newer \
         version of Larder"
    )]
    Newer {
        /// The unknown migration.
        version: i64,
        /// The newest migration of this program.
        newest: i64,
    },
    /// An applied migration differs from this program's.
    #[error(
        "migration {0} was applied with another content than this program has: start the release that \
         applied it"
    )]
    Changed(i64),
    /// The role may not read the schema.
    #[error(
        "role \"{0}\" may not read the schema: run `larder migrate up --store <URL of the owner> \
         --runtime-role {0}`"
    )]
    NoRights(String),
    /// The database did not answer. May go away by itself.
    #[error("PostgreSQL: {0}")]
    Database(#[from] sqlx::Error),
}

#[derive(sqlx::FromRow)]
struct Role {
    name: String,
    is_superuser: bool,
    bypasses_rls: bool,
}

/// Refuses a role that bypasses row-level security, and a schema of another version.
pub async fn check_runtime_role(connection: &mut PgConnection) -> Result<(), RoleProblem> {
    let sql = "SELECT rolname::text AS name, rolsuper AS is_superuser, rolbypassrls AS bypasses_rls
               FROM pg_roles WHERE rolname = current_user";
    let role: Role = sqlx::query_as(sql).fetch_one(&mut *connection).await?;
    if role.is_superuser {
        return Err(RoleProblem::Superuser(role.name));
    }
    if role.bypasses_rls {
        return Err(RoleProblem::BypassesRowSecurity(role.name));
    }
    if owns_a_table(connection).await? {
        return Err(RoleProblem::Owner(role.name));
    }
    if !may_read_schema(connection).await? {
        return Err(RoleProblem::NoRights(role.name));
    }
    check_schema(connection).await
}

async fn owns_a_table(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let sql = "SELECT EXISTS (
                 SELECT FROM pg_class c
                 WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
                   AND pg_has_role(c.relowner, 'MEMBER'))";
    sqlx::query_scalar(sql).fetch_one(connection).await
}

/// A database without the table of migrations is reported by the next check.
async fn may_read_schema(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let sql = "SELECT COALESCE(bool_and(has_table_privilege(c.oid, 'SELECT')), true)
               FROM pg_class c
               WHERE c.relname = '_sqlx_migrations' AND c.relnamespace = current_schema()::regnamespace";
    sqlx::query_scalar(sql).fetch_one(connection).await
}

async fn check_schema(connection: &mut PgConnection) -> Result<(), RoleProblem> {
    for migration in status::read(connection).await? {
        let version = migration.name.version;
        match migration.state {
            MigrationState::Applied => {}
            MigrationState::Pending | MigrationState::Dirty => {
                return Err(RoleProblem::NotMigrated(version));
            }
            MigrationState::Changed => return Err(RoleProblem::Changed(version)),
            MigrationState::Unknown => {
                return Err(RoleProblem::Newer { version, newest: newest_version() });
            }
        }
    }
    Ok(())
}
