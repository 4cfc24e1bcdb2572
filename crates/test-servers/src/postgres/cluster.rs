//! The files of a server.

use std::fs::{self, Permissions};
use std::net::SocketAddr;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::SUPERUSER;
use crate::certificate;
use crate::install::engine_directory;
use crate::supervised::{Plan, Supervised};
use crate::unprivileged::{User, command, directory_for, run, words};

/// How long a killed server's children may take to exit, before which no new one starts.
const CHILDREN_END_WITHIN: Duration = Duration::from_secs(30);

/// Whether a commit waits for the disk.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Durability {
    None,
    EveryCommit,
}

/// Allowed connections.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Plain,
    /// Only TLS; the server has a certificate.
    TlsOnly,
}

/// An initialised data directory and how to run a server on it.
pub(super) struct Cluster {
    directory: TempDir,
    programs: PathBuf,
    user: Option<User>,
    durability: Durability,
    access: Access,
}

impl Cluster {
    /// Creates an empty cluster in a temporary directory.
    pub(super) fn make(durability: Durability, access: Access) -> Self {
        let installed = engine_directory("postgres", "native/bin/postgres").join("native");
        let user = User::if_root();
        let directory = directory_for(user.as_ref(), "larder-postgres-");
        let mut programs = installed.join("bin");
        if user.as_ref().is_some_and(|user| !user.can_run(&programs.join("postgres"))) {
            // The workspace may be accessible only to root.
            let copy = directory.path().join("native");
            run(Command::new("cp").arg("-a").arg(&installed).arg(&copy));
            programs = copy.join("bin");
        }
        let cluster = Self { directory, programs, user, durability, access };
        cluster.initialise();
        cluster
    }

    /// Starts a server on it.
    pub(super) fn launch(&self, address: SocketAddr) -> Supervised {
        let mut command = self.program("postgres");
        command.extend(["-D".to_owned(), self.data().display().to_string()]);
        let settings = [
            ("listen_addresses", address.ip().to_string()),
            ("port", address.port().to_string()),
            ("unix_socket_directories", String::new()),
            ("max_connections", "400".to_owned()),
            ("shared_buffers", "64MB".to_owned()),
            ("ssl", if self.access == Access::TlsOnly { "on" } else { "off" }.to_owned()),
        ];
        let durability: &[_] = match self.durability {
            Durability::EveryCommit => &[],
            Durability::None => &[("fsync", "off"), ("full_page_writes", "off")],
        };
        let durability = durability.iter().map(|(name, value)| (*name, (*value).to_owned()));
        for (name, value) in settings.into_iter().chain(durability) {
            command.extend(["-c".to_owned(), format!("{name}={value}")]);
        }
        let plan = Plan {
            command,
            directory: self.directory.path(),
            kill_signal: "KILL",
            // The "immediate" shutdown, which frees its shared memory.
            end_signal: "QUIT",
            remove_directory: true,
        };
        let started = Instant::now();
        loop {
            match Supervised::start(&plan, |log| log.contains("ready to accept connections")) {
                Ok(server) => return server,
                // A killed postmaster leaves children that end as soon as they notice.
                Err(reason)
                    if reason.contains("is still in use")
                        && started.elapsed() < CHILDREN_END_WITHIN => {}
                Err(reason) => panic!("{reason}"),
            }
        }
    }

    /// The certificate that the server's is to be checked against.
    pub(super) fn ca_file(&self) -> PathBuf {
        assert!(self.access == Access::TlsOnly, "only a server with TLS has a certificate");
        self.data().join(certificate::CA)
    }

    fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    fn initialise(&self) {
        let data = self.data();
        fs::create_dir(&data).expect("the directory is ours");
        fs::set_permissions(&data, Permissions::from_mode(0o700)).expect("the directory is ours");
        if let Some(user) = &self.user {
            chown(&data, Some(user.id), Some(user.group)).expect("root may give directories away");
        }
        run(command(&self.program("initdb"))
            .arg("-D")
            .arg(&data)
            .args(["--username", SUPERUSER, "--auth=trust", "--no-sync", "--encoding=UTF8"])
            // A linguistic collation, like most servers. It reveals queries that need byte order
            // but do not ask for it.
            .args(["--locale=C", "--locale-provider=icu", "--icu-locale=en-US"])
            .current_dir(self.directory.path()));
        let host = match self.access {
            Access::Plain => "host",
            Access::TlsOnly => {
                certificate::make(self.user.as_ref(), &data);
                "hostssl"
            }
        };
        let access = format!(
            "{host} all {SUPERUSER} 127.0.0.1/32 trust\n{host} all all 127.0.0.1/32 scram-sha-256\n"
        );
        fs::write(data.join("pg_hba.conf"), access).expect("the cluster can be written to");
    }

    /// The words that run a program of PostgreSQL as a user it accepts.
    fn program(&self, name: &str) -> Vec<String> {
        words(self.user.as_ref(), &self.programs.join(name))
    }
}
