//! The store that a server under test runs on.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::engine::{self, Engine, Tables};

/// How a server finds an empty store.
pub(crate) struct FreshStore {
    /// The value of `--store`.
    pub(crate) setting: String,
    /// Environment variables that the engine requires.
    pub(crate) environment: &'static [(&'static str, &'static str)],
    /// What must be deleted with it.
    pub(crate) _tables: Option<Tables>,
}

/// A fresh, empty store, and a directory that is deleted on drop.
pub(crate) struct StoreUnderTest {
    directory: TempDir,
    store: FreshStore,
}

impl StoreUnderTest {
    /// An exclusive store, on the engine of this run.
    pub(crate) async fn fresh() -> Self {
        Self::on(engine::chosen()).await
    }

    /// The same on an engine behind a network.
    pub(crate) async fn networked() -> Self {
        Self::on(engine::networked()).await
    }

    /// The same on the embedded engine, for tests that do not concern the others.
    pub(crate) async fn embedded() -> Self {
        Self::on(Engine::Embedded).await
    }

    async fn on(engine: Engine) -> Self {
        let directory = scratch_directory();
        let store = engine.fresh_store(directory.path()).await;
        Self::prepared(directory, store)
    }

    /// One that the test has made itself.
    pub(crate) fn prepared(directory: TempDir, store: FreshStore) -> Self {
        Self { directory, store }
    }

    /// The value of `--store`.
    pub(crate) fn setting(&self) -> String {
        self.store.setting.clone()
    }

    /// Environment variables that the server needs for this store.
    pub(crate) fn environment(&self) -> &'static [(&'static str, &'static str)] {
        self.store.environment
    }

    /// The directory of secrets, and of the embedded file; created by the server on its first
    /// start.
    pub(crate) fn data_directory(&self) -> PathBuf {
        // The default of `--data`, in the working directory of servers under test.
        self.directory.path().join("larder-data")
    }

    /// A place for files of the test itself, outside the data directory.
    pub(crate) fn scratch(&self) -> &Path {
        self.directory.path()
    }
}

/// A directory of one test.
pub(crate) fn scratch_directory() -> TempDir {
    tempfile::Builder::new()
        .prefix("larder-it-")
        .tempdir()
        .expect("a temporary directory can be made")
}
