//! PostgreSQL 16.

mod cluster;
mod database;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use cluster::{Access, Cluster, Durability};
pub use database::Database;
use database::Template;

use crate::port::free_address;
use crate::supervised::Supervised;

/// The superuser. Needs no password, so that tests can use it; all other roles do.
const SUPERUSER: &str = "postgres";

/// The role that owns the databases of [`PostgresServer::fresh_database`]: no superuser, but it may
/// create roles, as the owner of an application's schema does.
const OWNER: &str = "larder_owner";
const OWNER_PASSWORD: &str = "owner-password";

/// A PostgreSQL server with a cluster of its own.
pub struct PostgresServer {
    address: SocketAddr,
    cluster: Cluster,
    /// `None` while it is killed.
    process: Mutex<Option<Supervised>>,
    templates: Mutex<HashMap<&'static str, Arc<Template>>>,
}

impl PostgresServer {
    /// The one of this test process, started at the first call. It does not wait for the disk, so
    /// it must not be killed.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<PostgresServer> = OnceLock::new();
        SHARED.get_or_init(|| Self::start_with(Durability::None, Access::Plain))
    }

    /// A separate server whose commits survive [`kill`](Self::kill).
    pub fn start() -> Self {
        Self::start_with(Durability::EveryCommit, Access::Plain)
    }

    /// A separate server that requires TLS, even of the superuser. Its certificate is for
    /// `localhost`. It does not wait for the disk, so it must not be killed.
    pub fn start_with_tls() -> Self {
        Self::start_with(Durability::None, Access::TlsOnly)
    }

    /// The certificate of the authority that vouches for a server with TLS.
    pub fn ca_file(&self) -> PathBuf {
        self.cluster.ca_file()
    }

    /// The listening address; stays the same after a restart.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A URL of a database for the superuser.
    pub fn superuser_url(&self, database: &str) -> String {
        format!("postgres://{SUPERUSER}@{}/{database}", self.address)
    }

    /// A URL of a database for the role that owns those of
    /// [`fresh_database`](Self::fresh_database).
    pub fn owner_url(&self, database: &str) -> String {
        self.url(OWNER, OWNER_PASSWORD, database)
    }

    /// A URL of a database for any role. The password is inserted verbatim, so it must not need
    /// escapes.
    pub fn url(&self, role: &str, password: &str, database: &str) -> String {
        format!("postgres://{role}:{password}@{}/{database}", self.address)
    }

    /// Ends the server at once (SIGKILL of the postmaster; its children follow).
    pub fn kill(&self) {
        if let Some(process) = self.process().take() {
            process.kill();
        }
    }

    /// Starts a killed one again, on the same port with the same data.
    pub fn start_again(&self) {
        let mut process = self.process();
        assert!(process.is_none(), "PostgreSQL was not killed, so it cannot be started again");
        *process = Some(self.cluster.launch(self.address));
    }

    /// An exclusive database: a clone of the template of that key.
    ///
    /// The first call with a key creates the template: an empty database, passed to `prepare` with
    /// its URLs. Every call returns the result of `prepare` (roles belong to the whole server, so
    /// it creates them once, and may return how to log in as them). It must close its connections:
    /// PostgreSQL cannot clone a database in use.
    pub async fn fresh_database<T, F>(
        &self,
        template: &'static str,
        prepare: impl FnOnce(Database<()>) -> F,
    ) -> Database<T>
    where
        T: Clone + Send + Sync + 'static,
        F: Future<Output = T>,
    {
        let shared = Arc::clone(
            self.templates
                .lock()
                .expect("nobody panics while holding the templates")
                .entry(template)
                .or_default(),
        );
        let (name, prepared) = shared.prepared(self, prepare).await;
        let prepared = prepared.downcast_ref::<T>().cloned();
        let prepared = prepared.expect("every call with one key prepares the same type");
        Database::cloned_from(self, &name, prepared).await
    }

    fn start_with(durability: Durability, access: Access) -> Self {
        let cluster = Cluster::make(durability, access);
        let address = free_address();
        let process = Mutex::new(Some(cluster.launch(address)));
        Self { address, cluster, process, templates: Mutex::default() }
    }

    fn process(&self) -> MutexGuard<'_, Option<Supervised>> {
        self.process.lock().expect("nobody panics while the engine starts or ends")
    }
}
