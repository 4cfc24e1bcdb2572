//! Runs a command with `DATABASE_URL` set to a new PostgreSQL database with a schema:
//! `with_migrated_postgres <directory of migrations> <command> [argument …]`. For
//! `tools/prepare-queries`, which cannot use the crate with the migrations, because it prepares
//! that crate.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use larder_test_servers::PostgresServer;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(migrations), Some(command)) = (arguments.next(), arguments.next()) else {
        return Err("usage: with_migrated_postgres <directory of migrations> <command> …".into());
    };
    let server = PostgresServer::start();
    let database = server.fresh_database("empty", |_| async {}).await;
    let mut owner = PgConnection::connect(&database.owner_url).await?;
    for migration in up_migrations(Path::new(&migrations))? {
        let sql = format!("BEGIN; {} ; COMMIT", std::fs::read_to_string(migration)?);
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut owner).await?;
    }
    owner.close().await?;
    let mut command = Command::new(command);
    let status = command.args(arguments).env("DATABASE_URL", &database.owner_url).status()?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn up_migrations(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(directory)?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.retain(|path| path.to_string_lossy().ends_with(".up.sql"));
    paths.sort();
    Ok(paths)
}
