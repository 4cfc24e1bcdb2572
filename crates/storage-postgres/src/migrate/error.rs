//! Why a migration cannot go on, each with the sentence that tells what to do.

use sqlx::migrate::MigrateError;
use thiserror::Error;

/// Why the schema or its roles could not be changed.
#[derive(Debug, Error)]
pub enum Error {
    /// The URL cannot be read. It is not shown: it may hold a password.
    #[error("not a PostgreSQL URL such as postgres://owner@localhost/larder: {0}")]
    Url(#[source] sqlx::Error),
    /// The database cannot be reached or refused a statement.
    #[error("PostgreSQL: {0}")]
    Database(#[from] sqlx::Error),
    /// A migration failed. Each runs in a transaction of its own, so nothing of it remains.
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
    /// The database has a migration that this program does not know.
    #[error(
        "the database has migration {version}, but this program knows only up to {newest}; use the \
         version of Larder that migrated it, or a newer one"
    )]
    DatabaseIsNewer {
        /// The unknown migration.
        version: i64,
        /// The newest that this program knows.
        newest: i64,
    },
    /// What was applied is not what this program would apply.
    #[error(
        "migration {version} was applied with another content than this program has; restore the \
         release that applied it before going on"
    )]
    Changed {
        /// Which.
        version: i64,
    },
    /// A migration was left halfway, which transactions rule out: someone edited the table of migrations.
    #[error("migration {version} is marked as unfinished in _sqlx_migrations; restore a backup")]
    Dirty {
        /// Which.
        version: i64,
    },
    /// A migration cannot be taken back.
    #[error("there is no script that takes migration {version} back")]
    Irreversible {
        /// Which.
        version: i64,
    },
    /// There is no such migration to go back to.
    #[error("there is no migration {to} to go back to; name 0 to {newest}")]
    UnknownTarget {
        /// What was asked for.
        to: i64,
        /// The newest that this program knows.
        newest: i64,
    },
    /// The run-time role does not exist, and the owner may not make it.
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
    /// The role is too powerful to serve: row-level security would not hold for it.
    #[error(
        "role \"{role}\" cannot be the run-time role, because row-level security does not hold for it \
         ({why}); name another with --runtime-role"
    )]
    UnfitRole {
        /// Which.
        role: String,
        /// What makes it unfit.
        why: &'static str,
    },
}
