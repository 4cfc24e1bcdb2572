//! Locations of the installed engines.

use std::path::{Path, PathBuf};

/// The directory of one engine, found by a file that it must have.
pub(crate) fn engine_directory(engine: &str, must_have: &str) -> PathBuf {
    let directory = engines_directory().join(engine);
    assert!(
        directory.join(must_have).is_file(),
        "the tests need an engine that is not in {}: run tools/install-test-engines",
        directory.display()
    );
    directory
}

/// A program of one of Debian's packages. Some are only on root's `PATH`.
pub(crate) fn debian_program(name: &str) -> PathBuf {
    found_on_path(name).unwrap_or_else(|| {
        panic!("the tests need {name}, which is not there: run tools/install-test-engines")
    })
}

/// Debian's Chromium or its driver, unless the environment variable names another.
pub(crate) fn browser_program(variable: &str, name: &str) -> PathBuf {
    let chosen = std::env::var_os(variable).map(PathBuf::from);
    chosen.or_else(|| found_on_path(name)).unwrap_or_else(|| {
        panic!("the tests need {name}, which is not there: run tools/install-browser")
    })
}

fn found_on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut directories = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    directories.find_map(|directory| Some(directory.join(name)).filter(|file| file.is_file()))
}

fn engines_directory() -> PathBuf {
    let of_the_workspace = || {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let workspace = manifest.ancestors().nth(2).expect("the crate is two levels down");
        workspace.join("target/test-engines")
    };
    std::env::var_os("LARDER_TEST_ENGINES").map_or_else(of_the_workspace, PathBuf::from)
}
