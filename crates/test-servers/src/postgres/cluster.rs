//! The files of a server, and the user it runs as.

use std::fs::{self, Permissions};
use std::net::SocketAddr;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::SUPERUSER;
use crate::install::engine_directory;
use crate::supervised::{Plan, Supervised};

/// Users that PostgreSQL may run as when the tests run as root, by preference. Debian makes the
/// first for its own package; the second is everywhere.
const UNPRIVILEGED: [&str; 2] = ["postgres", "nobody"];

/// How long a killed server's children may take to notice, before which no new one starts.
const CHILDREN_END_WITHIN: Duration = Duration::from_secs(30);

/// What a commit waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Durability {
    None,
    EveryCommit,
}

/// An initialised data directory and how to run a server on it.
pub(super) struct Cluster {
    directory: TempDir,
    programs: PathBuf,
    user: Option<User>,
    durability: Durability,
}

impl Cluster {
    /// Makes an empty cluster in a temporary directory.
    pub(super) fn make(durability: Durability) -> Self {
        let directory = tempfile::Builder::new().prefix("larder-postgres-").tempdir();
        let directory = directory.expect("a temporary directory can be made");
        let installed = engine_directory("postgres", "native/bin/postgres").join("native");
        let user = User::if_root();
        let mut programs = installed.join("bin");
        if let Some(user) = &user {
            let open = Permissions::from_mode(0o755);
            fs::set_permissions(directory.path(), open).expect("the directory is ours");
            if !user.can_run(&programs.join("postgres")) {
                // The workspace lies where only root can go.
                let copy = directory.path().join("native");
                run(Command::new("cp").arg("-a").arg(&installed).arg(&copy));
                programs = copy.join("bin");
            }
        }
        let cluster = Self { directory, programs, user, durability };
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
            // The "immediate" shutdown: it takes its shared memory with it.
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
        let initdb = self.program("initdb");
        run(Command::new(&initdb[0])
            .args(&initdb[1..])
            .arg("-D")
            .arg(&data)
            .args(["--username", SUPERUSER, "--auth=trust", "--no-sync", "--encoding=UTF8"])
            // Sorts as people do, like most servers out there. Where bytes must decide, a query that
            // forgets to say so is then seen.
            .args(["--locale=C", "--locale-provider=icu", "--icu-locale=en-US"])
            .current_dir(self.directory.path()));
        let access = format!(
            "host all {SUPERUSER} 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
        );
        fs::write(data.join("pg_hba.conf"), access).expect("the cluster can be written to");
    }

    /// The words that run a program of PostgreSQL as a user it accepts.
    fn program(&self, name: &str) -> Vec<String> {
        let mut words = self.user.as_ref().map(User::run_as).unwrap_or_default();
        words.push(self.programs.join(name).display().to_string());
        words
    }
}

/// Somebody other than root.
struct User {
    id: u32,
    group: u32,
}

impl User {
    /// The user to run as when this process is root's; otherwise it is this process's own.
    fn if_root() -> Option<Self> {
        let own = fs::metadata("/proc/self").expect("Linux has /proc").uid();
        (own == 0).then(|| {
            let known = UNPRIVILEGED.iter().find_map(|name| Self::named(name));
            known.expect(
                "a user named postgres or nobody is needed, because PostgreSQL refuses root",
            )
        })
    }

    fn named(name: &str) -> Option<Self> {
        let ask = |what| {
            let output = Command::new("id").args([what, name]).output().expect("id can be run");
            String::from_utf8(output.stdout).ok()?.trim().parse().ok()
        };
        Some(Self { id: ask("-u")?, group: ask("-g")? })
    }

    fn run_as(&self) -> Vec<String> {
        let user = [format!("--reuid={}", self.id), format!("--regid={}", self.group)];
        let mut words = vec!["setpriv".to_owned()];
        words.extend(user);
        words.extend(["--clear-groups".to_owned(), "--".to_owned()]);
        words
    }

    fn can_run(&self, program: &Path) -> bool {
        let words = self.run_as();
        let attempt =
            Command::new(&words[0]).args(&words[1..]).arg(program).arg("--version").output();
        attempt.expect("setpriv can be run").status.success()
    }
}

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}
