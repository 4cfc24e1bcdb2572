//! `PgBouncer`, which lends one connection to PostgreSQL to many clients in turn.

use std::fs;
use std::net::SocketAddr;

use tempfile::TempDir;

use crate::PostgresServer;
use crate::install::debian_program;
use crate::port::free_address;
use crate::supervised::{Plan, Supervised};
use crate::unprivileged::{User, directory_for, words};

/// A process of `PgBouncer` in transaction mode: a client may get another of its connections with each
/// transaction.
pub struct PgBouncer {
    address: SocketAddr,
    /// Dropped before its directory.
    _process: Supervised,
    _directory: TempDir,
}

impl PgBouncer {
    /// How many connections to PostgreSQL it has at most.
    pub const CONNECTIONS: u32 = 3;

    /// A pooler for a database and a role with its password. It rejects unknown startup parameters,
    /// as by default.
    pub fn in_front_of(
        server: &PostgresServer,
        database: &str,
        role: &str,
        password: &str,
    ) -> Self {
        Self::start(server, database, [role, password], "")
    }

    /// A pooler that ignores the startup parameters of unaware clients (`extra_float_digits`).
    pub fn lenient_in_front_of(
        server: &PostgresServer,
        database: &str,
        role: &str,
        password: &str,
    ) -> Self {
        Self::start(server, database, [role, password], "extra_float_digits")
    }

    /// The listening address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    fn start(server: &PostgresServer, database: &str, login: [&str; 2], ignored: &str) -> Self {
        let user = User::if_root();
        let directory = directory_for(user.as_ref(), "larder-pgbouncer-");
        let (address, behind) = (free_address(), server.address());
        let settings = format!(
            "[databases]\n\
             {database} = host={} port={} dbname={database}\n\
             [pgbouncer]\n\
             listen_addr = {}\n\
             listen_port = {}\n\
             unix_socket_dir =\n\
             auth_type = scram-sha-256\n\
             auth_file = users\n\
             pool_mode = transaction\n\
             default_pool_size = {}\n\
             ignore_startup_parameters = {ignored}\n",
            behind.ip(),
            behind.port(),
            address.ip(),
            address.port(),
            Self::CONNECTIONS,
        );
        let [role, password] = login;
        let files = [("settings", settings), ("users", format!("\"{role}\" \"{password}\"\n"))];
        for (name, text) in files {
            fs::write(directory.path().join(name), text).expect("the directory is ours");
        }
        let mut command = words(user.as_ref(), &debian_program("pgbouncer"));
        command.push("settings".to_owned());
        let plan = Plan {
            command,
            directory: directory.path(),
            kill_signal: "KILL",
            // It has no state to save, and other signals mean other things in later versions.
            end_signal: "KILL",
            remove_directory: true,
        };
        let process = Supervised::start(&plan, |log| log.contains("process up"))
            .unwrap_or_else(|reason| panic!("{reason}"));
        Self { address, _process: process, _directory: directory }
    }
}
