//! Errors of migrations. Each text says how to fix it.

use sqlx::migrate::MigrateError;
use thiserror::Error;

/// Why the schema or its roles could not be changed.
#[derive(Debug, Error)]
pub enum Error {
    /// Invalid URL. Not shown, because it may contain a password.
    #[error("not a PostgreSQL URL such as postgres://owner@localhost/larder: {0}")]
    Url(#[source] sqlx::Error),
    /// The database cannot be reached or refused a statement.
    #[error("PostgreSQL: {0}")]
    Database(#[from] sqlx::Error),
    /// A migration failed. Each runs in its own transaction, so it was rolled back.
    #[error("migrating: {0}")]
    Migration(#[from] MigrateError),
    /// The role may not create tables.
    #[error(
        "role \"{role}\" may not create tables here; use the role that owns the database, or run as \
         superuser: GRANT CREATE ON SCHEMA public TO \"{role}\""
    )]
    MayNotCreate {
        /// The role that tried.
        role: String,
    },
    /// The database has a migration that is unknown to this program.
    #[error(
        "the database has migration {version}, but this program knows only up to {newest}; use the \
         version of Larder that migrated it, or a newer one"
    )]
    DatabaseIsNewer {
        /// The unknown migration.
        version: i64,
        /// The newest migration of this program.
        newest: i64,
    },
    /// An applied migration differs from this program's.
    #[error(
        "migration {version} was applied with another content than this program has; restore the \
         release that applied it before going on"
    )]
    Changed {
        /// The migration.
        version: i64,
    },
    /// A migration was left halfway, which transactions rule out: someone edited the table of migrations.
    #[error("migration {version} is marked as unfinished in _sqlx_migrations; restore a backup")]
    Dirty {
        /// The migration.
        version: i64,
    },
    /// A migration cannot be reverted.
    #[error("there is no script that takes migration {version} back")]
    Irreversible {
        /// The migration.
        version: i64,
    },
    /// The target migration does not exist.
    #[error("there is no migration {to} to go back to; name 0 to {newest}")]
    UnknownTarget {
        /// The target.
        to: i64,
        /// The newest migration of this program.
        newest: i64,
    },
    /// The run-time role does not exist, and the owner may not create it.
    #[error(
        "role \"{owner}\" may not create the run-time role; run as superuser: CREATE ROLE \"{role}\" \
         LOGIN PASSWORD '…' — or ALTER ROLE \"{owner}\" CREATEROLE — and migrate again"
    )]
    MayNotCreateRole {
        /// The owner.
        owner: String,
        /// The role to be.
        role: String,
    },
    /// The owner may not change the run-time role's password.
    #[error(
        "role \"{owner}\" may not change the password of \"{role}\"; run as superuser: ALTER ROLE \
         \"{role}\" LOGIN PASSWORD '…'"
    )]
    MayNotSetPassword {
        /// The owner.
        owner: String,
        /// The run-time role.
        role: String,
    },
    /// The role bypasses row-level security, so it must not serve.
    #[error(
        "role \"{role}\" cannot be the run-time role, because row-level security does not hold for it \
         ({why}); name another with --runtime-role"
    )]
    UnfitRole {
        /// The role.
        role: String,
        /// The attribute that disqualifies it.
        why: &'static str,
    },
}
