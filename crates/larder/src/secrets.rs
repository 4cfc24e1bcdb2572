//! The secrets of a node: from the environment, or generated on the first run as files that only
//! their owner can read.
//!
//! A file contains text, and the secret is that text without its final newline. So a secret can
//! move from its file to the environment, and the tokens signed with it stay valid.

use std::fmt;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::config::MIN_SECRET_BYTES;

/// The size of generated secrets: 256 bits, written as hex.
const RANDOM_BYTES: usize = 32;

/// The subdirectory of secret files, in the server's own directory.
const DIRECTORY: &str = "secrets";

/// The files that every server creates on its first run, unless the environment has the secret.
const JWT: &str = "jwt-secret";
const CURSOR_KEY: &str = "cursor-key";
const API_KEY_PEPPER: &str = "api-key-pepper";

/// Bytes that must not be shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Vec<u8>);

impl Secret {
    /// Wraps the bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The bytes, for signing or hashing.
    pub fn expose(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("[redacted]")
    }
}

/// Secrets from the environment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GivenSecrets {
    /// Signs access tokens.
    pub jwt: Option<Secret>,
    /// Authenticates page cursors.
    pub cursor_key: Option<Secret>,
    /// The pepper of API key hashes.
    pub api_key_pepper: Option<Secret>,
}

/// Every secret that the server needs.
#[derive(Debug, Clone)]
pub struct Secrets {
    /// Signs access tokens.
    pub jwt: Secret,
    /// Authenticates page cursors.
    pub cursor_key: Secret,
    /// The pepper of API key hashes.
    pub api_key_pepper: Secret,
}

/// The secret that signs webhooks, from its file, which is created if absent.
pub(crate) fn find_or_make_webhook_secret(
    data_directory: &Path,
    random: Random<'_>,
) -> Result<Secret, SecretError> {
    read_or_make(&data_directory.join(DIRECTORY), "webhook-secret", random)
}

/// The directory of secrets, if a server has created some in it before.
pub(crate) fn find_made(data_directory: &Path) -> Option<PathBuf> {
    let directory = data_directory.join(DIRECTORY);
    let names = [JWT, CURSOR_KEY, API_KEY_PEPPER];
    names.iter().any(|name| directory.join(name).exists()).then_some(directory)
}

/// The optional file with the mail server's URL.
pub(crate) fn smtp_url_path(data_directory: &Path) -> PathBuf {
    data_directory.join(DIRECTORY).join("smtp-url")
}

/// The mail server's URL, if there is such a file. No minimum length: it is not a key.
pub(crate) fn find_smtp_url(data_directory: &Path) -> Result<Option<Secret>, SecretError> {
    read_text(&smtp_url_path(data_directory))
}

/// Larder's secret at the identity provider, if there is such a file. No minimum length: the
/// provider has chosen it.
pub(crate) fn find_oidc_client_secret(
    data_directory: &Path,
) -> Result<Option<Secret>, SecretError> {
    read_text(&data_directory.join(DIRECTORY).join("oidc-client-secret"))
}

/// Why a secret cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// Others may have read it.
    #[error(
        "the secret file {0} can be read by others than its owner: run `chmod 600 {0}`, and replace \
         the secret if somebody may have read it",
        path.display()
    )]
    Exposed {
        /// The file.
        path: PathBuf,
    },
    /// It is cut short or was replaced by something weak.
    #[error(
        "the secret file {} holds {length} bytes, but a secret must have at least {MIN_SECRET_BYTES}",
        path.display()
    )]
    Short {
        /// The file.
        path: PathBuf,
        /// How long it is.
        length: usize,
    },
    /// The file system refuses.
    #[error("the secret file {} cannot be {action}: {reason}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// `read` or `made`.
        action: &'static str,
        /// The operating system's error.
        reason: io::Error,
    },
}

/// Fills a buffer with unpredictable bytes.
pub type Random<'a> = &'a dyn Fn(&mut [u8]) -> io::Result<()>;

impl Secrets {
    /// Takes each secret from the environment, else from its file under `data_directory`, else
    /// creates that file and its directory.
    pub fn prepare(
        data_directory: &Path,
        given: &GivenSecrets,
        random: Random<'_>,
    ) -> Result<Self, SecretError> {
        let directory = data_directory.join(DIRECTORY);
        let take = |given: &Option<Secret>, name| match given {
            Some(secret) => Ok(secret.clone()),
            None => read_or_make(&directory, name, random),
        };
        Ok(Self {
            jwt: take(&given.jwt, JWT)?,
            cursor_key: take(&given.cursor_key, CURSOR_KEY)?,
            api_key_pepper: take(&given.api_key_pepper, API_KEY_PEPPER)?,
        })
    }
}

fn read_or_make(directory: &Path, name: &str, random: Random<'_>) -> Result<Secret, SecretError> {
    let path = directory.join(name);
    if let Some(secret) = read(&path)? {
        return Ok(secret);
    }
    make(directory, &path, random).map_err(|reason| SecretError::Io {
        path: path.clone(),
        action: "made",
        reason,
    })?;
    // Read back: another process may have created it concurrently, and the file decides.
    read(&path)?.ok_or_else(|| SecretError::Io {
        path,
        action: "read",
        reason: io::ErrorKind::NotFound.into(),
    })
}

/// The secret in the file at `path`; `None` if the file does not exist.
fn read(path: &Path) -> Result<Option<Secret>, SecretError> {
    match read_text(path)? {
        Some(Secret(bytes)) if bytes.len() < MIN_SECRET_BYTES => {
            Err(SecretError::Short { path: path.to_owned(), length: bytes.len() })
        }
        secret => Ok(secret),
    }
}

/// The text of the file at `path`, which only its owner may read; `None` if it does not exist.
fn read_text(path: &Path) -> Result<Option<Secret>, SecretError> {
    let cannot_read = |reason| SecretError::Io { path: path.to_owned(), action: "read", reason };
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(absent) if absent.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(reason) => return Err(cannot_read(reason)),
    };
    let mode = file.metadata().map_err(cannot_read)?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(SecretError::Exposed { path: path.to_owned() });
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(cannot_read)?;
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    Ok(Some(Secret(bytes)))
}

/// Creates the file at `path`, unless another process was faster.
///
/// It is written under a temporary name and then linked to the final one, so that a crash leaves a
/// whole secret or none. The mode is set at creation, so that others can never open it.
fn make(directory: &Path, path: &Path, random: Random<'_>) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    let mut bytes = [0; RANDOM_BYTES];
    random(&mut bytes)?;

    let unfinished = path.with_extension(format!("unfinished-{}", std::process::id()));
    ignore(io::ErrorKind::NotFound, fs::remove_file(&unfinished))?;
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished)?;
    for byte in bytes {
        write!(file, "{byte:02x}")?;
    }
    writeln!(file)?;
    file.sync_all()?;
    let linked = ignore(io::ErrorKind::AlreadyExists, fs::hard_link(&unfinished, path));
    fs::remove_file(&unfinished)?;
    linked?;
    File::open(directory)?.sync_all()
}

/// Treats an error of this kind as success.
fn ignore(kind: io::ErrorKind, result: io::Result<()>) -> io::Result<()> {
    result.or_else(|error| if error.kind() == kind { Ok(()) } else { Err(error) })
}

#[cfg(test)]
mod tests;
