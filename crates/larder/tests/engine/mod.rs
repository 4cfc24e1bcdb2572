//! The engine that the tests of this process run on.

mod dynamodb;
mod embedded;
mod postgres;

pub(crate) use dynamodb::Tables;

use std::env;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::OnceLock;

use larder_test_servers::{DynamoDbLocal, PostgresServer};
use tokio::time::timeout;

use crate::it::support::{FreshStore, PATIENCE, binary};

/// Names the engine; the embedded one if it is unset.
const VARIABLE: &str = "LARDER_TEST_ENGINE";

/// An engine that the suite is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Embedded,
    Dynamodb,
    Postgres,
}

/// Set by `./test full`: every heavy test at its full scale.
const FULL: &str = "LARDER_TEST_FULL";

/// The work of the heavy tests, and how many refusals are allowed.
#[derive(Debug)]
pub(crate) struct Scale {
    /// Taps of many phones at once.
    pub(crate) taps: usize,
    /// How often the server is killed amid writes.
    pub(crate) kill_rounds: usize,
    /// How often two clients change the same version of an entry.
    pub(crate) version_races: u64,
    /// Readings that every client resends while the server is killed.
    pub(crate) resent_readings: usize,
    /// Size of the tree that is deleted while the server is killed.
    pub(crate) deleted_tree: usize,
    /// Memberships that name resources of that tree.
    pub(crate) deleted_memberships: usize,
    /// How often two clients try to move two resources under each other.
    pub(crate) cycle_rounds: usize,
    /// Resources that a command upcasts which is killed midway.
    pub(crate) upcast_resources: usize,
    /// How many of 64 writes to one record at once may be answered with 503.
    pub(crate) refused_of_64_writes: usize,
}

/// The engine of this test process. An unknown name fails every test.
pub(crate) fn chosen() -> Engine {
    static CHOSEN: OnceLock<Engine> = OnceLock::new();
    *CHOSEN.get_or_init(|| match env::var(VARIABLE).as_deref() {
        Err(env::VarError::NotPresent) | Ok("embedded") => Engine::Embedded,
        Ok("dynamodb") => Engine::Dynamodb,
        Ok("postgres") => Engine::Postgres,
        other => panic!("{VARIABLE} must be embedded, dynamodb or postgres, not {other:?}"),
    })
}

/// The engine of tests that need one behind a network: the chosen one, or PostgreSQL if that is
/// embedded.
pub(crate) fn networked() -> Engine {
    match chosen() {
        Engine::Embedded => Engine::Postgres,
        networked => networked,
    }
}

/// The scale of the chosen engine.
pub(crate) fn scale() -> &'static Scale {
    match chosen() {
        Engine::Embedded => &embedded::SCALE,
        Engine::Dynamodb if env::var_os(FULL).is_some() => &dynamodb::FULL_SCALE,
        Engine::Dynamodb => &dynamodb::SCALE,
        Engine::Postgres => &postgres::SCALE,
    }
}

impl Engine {
    /// An empty store that no other test uses.
    pub(crate) async fn fresh_store(self, scratch: &Path) -> FreshStore {
        match self {
            Self::Embedded => embedded::fresh_store(scratch),
            Self::Dynamodb => dynamodb::fresh_store(scratch).await,
            Self::Postgres => postgres::fresh_store(scratch).await,
        }
    }

    /// The address of the server of [`fresh_store`](Self::fresh_store).
    pub(crate) fn shared_address(self) -> SocketAddr {
        match self {
            Self::Embedded => panic!("the embedded engine has no server"),
            Self::Dynamodb => DynamoDbLocal::shared().address(),
            Self::Postgres => PostgresServer::shared().address(),
        }
    }

    /// A server of one test, which may kill it, with an empty store.
    pub(crate) async fn killable(self, scratch: &Path) -> (Killable, FreshStore) {
        match self {
            Self::Embedded => panic!("the embedded engine has no server"),
            Self::Dynamodb => {
                let (server, store) = dynamodb::killable(scratch).await;
                (Killable::Dynamodb(server), store)
            }
            Self::Postgres => {
                let (server, store) = postgres::killable(scratch).await;
                (Killable::Postgres(server), store)
            }
        }
    }
}

/// A server whose commits survive being killed.
pub(crate) enum Killable {
    Dynamodb(DynamoDbLocal),
    Postgres(PostgresServer),
}

impl Killable {
    pub(crate) fn kill(&self) {
        match self {
            Self::Dynamodb(server) => server.kill(),
            Self::Postgres(server) => server.kill(),
        }
    }

    pub(crate) fn start_again(&self) {
        match self {
            Self::Dynamodb(server) => server.start_again(),
            Self::Postgres(server) => server.start_again(),
        }
    }
}

/// Runs a command of the binary that must succeed; returns its output.
async fn larder(arguments: &[&str], environment: &[(&str, &str)], directory: &Path) -> String {
    let run = binary(environment, directory).args(arguments).output();
    let output = timeout(PATIENCE, run).await.expect("the command ends in time").unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "larder {} said: {errors}", arguments[..2].join(" "));
    String::from_utf8(output.stdout).expect("output is UTF-8")
}
