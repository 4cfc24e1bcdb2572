//! Shapes that change: old resources are read in the newest, and a command writes the rest.

mod command;
mod reading;

use std::path::PathBuf;

use crate::it::support::{ServerSettings, StoreUnderTest};

/// A file with one change of boxes' shape.
const SECOND: &str = r#"
[[change]]
resource_type = "Home.Box"
version = 2
steps = [{ rename = "colour", to = "color" }, { add = "fragile", value = false }]
"#;

/// The file of schemas of a store under test.
fn file(store: &StoreUnderTest, text: &str) -> PathBuf {
    let path = store.scratch().join("schemas.toml");
    std::fs::write(&path, text).unwrap();
    path
}

/// Servers that read that file, from the directory that they start in.
fn knowing() -> ServerSettings {
    ServerSettings::default().with("LARDER_SCHEMAS", "schemas.toml")
}
