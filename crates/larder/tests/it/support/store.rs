//! The one place that decides which store the servers under test run on.

use std::path::Path;

use tempfile::TempDir;

/// A fresh, empty store that is gone when the value is dropped.
pub(crate) struct StoreUnderTest {
    directory: TempDir,
}

impl StoreUnderTest {
    /// An embedded store in a directory of its own.
    pub(crate) fn fresh() -> Self {
        let directory = tempfile::Builder::new()
            .prefix("larder-it-")
            .tempdir()
            .expect("a temporary directory can be made");
        Self { directory }
    }

    /// What `--store` is given.
    pub(crate) fn setting(&self) -> String {
        self.data_directory().display().to_string()
    }

    /// Where secrets and the embedded file live; made by the server on its first start.
    pub(crate) fn data_directory(&self) -> std::path::PathBuf {
        self.directory.path().join("larder-data")
    }

    /// A place for files of the test itself, outside the data directory.
    pub(crate) fn scratch(&self) -> &Path {
        self.directory.path()
    }
}
