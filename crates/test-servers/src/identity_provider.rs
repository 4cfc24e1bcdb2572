//! A real provider of `OpenID` Connect.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::install::browser_program;
use crate::port::free_address;
use crate::supervised::{Plan, Supervised};

/// An identity provider of one test. Whoever says there that they are `anna` is `anna@example.org`;
/// the address is verified unless the name begins with `unverified`.
pub struct IdentityProvider {
    address: SocketAddr,
    /// Dropped before its directory.
    process: Supervised,
    _directory: TempDir,
}

impl IdentityProvider {
    /// Larder's client id there.
    pub const CLIENT_ID: &str = "larder";
    /// The secret of [`Self::CLIENT_ID`].
    pub const CLIENT_SECRET: &str = "the secret of the tests: +&%";
    /// A client without a secret.
    pub const PUBLIC_CLIENT_ID: &str = "larder-public";

    /// Starts one.
    pub fn start() -> Self {
        let directory = tempfile::Builder::new().prefix("larder-oidc-").tempdir();
        let directory = directory.expect("a temporary directory can be made");
        let address = free_address();
        let process = run(address, directory.path());
        Self { address, process, _directory: directory }
    }

    /// The issuer.
    pub fn issuer(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A `POST` there replaces its keys.
    pub fn rotation_url(&self) -> String {
        format!("http://{}/test/rotate-keys", self.address)
    }

    /// Ends it. Nothing listens at its address afterwards.
    pub fn stop(self) {
        self.process.kill();
    }
}

fn run(address: SocketAddr, directory: &Path) -> Supervised {
    let tools = tools_directory();
    assert!(
        tools.join("node_modules/oidc-provider/package.json").is_file(),
        "the tests need an identity provider that is not in {}: run tools/install-oidc-provider",
        tools.display()
    );
    let node = browser_program("NODE", "node").display().to_string();
    let script = tools.join("provider.mjs").display().to_string();
    let plan = Plan {
        command: vec![node, script, address.port().to_string()],
        directory,
        kill_signal: "KILL",
        end_signal: "TERM",
        remove_directory: false,
    };
    Supervised::start(&plan, |log| log.contains("identity provider listening"))
        .unwrap_or_else(|reason| panic!("{reason}"))
}

fn tools_directory() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = manifest.ancestors().nth(2).expect("the crate is two levels down");
    workspace.join("tools/oidc")
}
