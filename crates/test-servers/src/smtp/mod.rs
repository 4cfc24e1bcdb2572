//! A mail server that stores received mail.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;

use tempfile::TempDir;

use crate::certificate;
use crate::install::{debian_program, engine_directory};
use crate::port::free_address;
use crate::supervised::{Plan, Supervised};

/// A mail server of one test. A mailbox whose name begins with `unknown` is refused permanently
/// (550), one that begins with `busy` temporarily (451), until [`SmtpServer::be_busy_no_more`].
pub struct SmtpServer {
    address: SocketAddr,
    /// Dropped before its directory.
    process: Supervised,
    directory: TempDir,
}

impl SmtpServer {
    /// A server that accepts all mail, unencrypted.
    pub fn open() -> Self {
        Self::start(None)
    }

    /// A server that requires STARTTLS and a login. Its certificate is for `localhost`.
    pub fn with_tls_and_login(user: &str, password: &str) -> Self {
        Self::start(Some([user, password]))
    }

    /// The listening address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The certificate of the authority that vouches for a server with TLS.
    pub fn authority(&self) -> PathBuf {
        self.directory.path().join(certificate::CA)
    }

    /// The received mails, oldest first, each a JSON object with `from`, `to`, `hello`, `user`,
    /// `secure` and the whole `text`. A mail is included once its sender has the reply.
    pub fn mails(&self) -> Vec<String> {
        let log = self.process.log();
        // The last line may still be under way.
        let lines = log.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        lines.filter(|line| line.starts_with('{')).map(str::to_owned).collect()
    }

    /// From now on, busy mailboxes accept mail.
    pub fn be_busy_no_more(&self) {
        fs::write(self.directory.path().join("not-busy"), "").expect("the directory is ours");
    }

    fn start(login: Option<[&str; 2]>) -> Self {
        let modules = engine_directory("smtp", "node_modules/smtp-server/package.json");
        let modules = modules.join("node_modules");
        let directory = tempfile::Builder::new().prefix("larder-smtp-").tempdir();
        let directory = directory.expect("a temporary directory can be made");
        if login.is_some() {
            certificate::make(None, directory.path());
        }
        let script = directory.path().join("server.js");
        fs::write(script, include_str!("server.js")).expect("the directory is ours");
        let address = free_address();
        let mut command = vec!["env".to_owned(), format!("NODE_PATH={}", modules.display())];
        command.extend([debian_program("node").display().to_string(), "server.js".to_owned()]);
        command.push(address.port().to_string());
        command.extend(login.into_iter().flatten().map(str::to_owned));
        let plan = Plan {
            command,
            directory: directory.path(),
            kill_signal: "KILL",
            end_signal: "KILL",
            remove_directory: true,
        };
        let process = Supervised::start(&plan, |log| log.contains("listening"))
            .unwrap_or_else(|reason| panic!("{reason}"));
        Self { address, process, directory }
    }
}
