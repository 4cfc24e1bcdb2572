//! The user that an engine runs as when the tests run as root, because it refuses root.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// Candidates, by preference. Debian creates the first for its own package; the second always
/// exists.
const UNPRIVILEGED: [&str; 2] = ["postgres", "nobody"];

/// A user other than root.
pub(crate) struct User {
    pub(crate) id: u32,
    pub(crate) group: u32,
}

impl User {
    /// The user to run as when this process is root's; otherwise it is this process's own.
    pub(crate) fn if_root() -> Option<Self> {
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

    pub(crate) fn can_run(&self, program: &Path) -> bool {
        let attempt = command(&words(Some(self), program)).arg("--version").output();
        attempt.expect("setpriv can be run").status.success()
    }
}

/// A temporary directory that is accessible to that user.
pub(crate) fn directory_for(user: Option<&User>, prefix: &str) -> TempDir {
    let directory = tempfile::Builder::new().prefix(prefix).tempdir();
    let directory = directory.expect("a temporary directory can be made");
    if user.is_some() {
        let open = Permissions::from_mode(0o755);
        fs::set_permissions(directory.path(), open).expect("the directory is ours");
    }
    directory
}

/// The command line that runs a program as that user, or as the current one.
pub(crate) fn words(user: Option<&User>, program: &Path) -> Vec<String> {
    let mut words = user.map(User::run_as).unwrap_or_default();
    words.push(program.display().to_string());
    words
}

/// A command of such words.
pub(crate) fn command(words: &[String]) -> Command {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    command
}

/// Runs a command that must succeed.
pub(crate) fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
