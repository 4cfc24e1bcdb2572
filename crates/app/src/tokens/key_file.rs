//! The file with the external issuer's keys, read again when the issuer begins to sign with a new one.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};

use super::key_set::{KeySet, UnusableKeys, VerificationKey};
use crate::SettingsError;

/// Tokens with made-up key names must not cause constant reads of the file.
const MIN_TIME_BETWEEN_READS: SignedDuration = SignedDuration::from_secs(10);

/// The keys in a JWKS file.
pub(super) struct KeyFile {
    path: PathBuf,
    state: Mutex<State>,
}

struct State {
    keys: KeySet,
    read_at: Timestamp,
}

impl KeyFile {
    /// Reads the file for the first time. It must be good then.
    pub(super) fn open(path: PathBuf, now: Timestamp) -> Result<Self, SettingsError> {
        let keys = match read(&path) {
            Ok(Ok(keys)) => keys,
            Ok(Err(UnusableKeys::None)) => return Err(SettingsError::NoKeys { path }),
            Ok(Err(UnusableKeys::Weak { kid, bits })) => {
                return Err(SettingsError::WeakKey { path, kid, bits });
            }
            Err(source) => return Err(SettingsError::UnreadableKeys { path, source }),
        };
        Ok(Self { path, state: Mutex::new(State { keys, read_at: now }) })
    }

    /// The key with this `kid`, re-reading the file if needed.
    pub(super) async fn find(&self, kid: &str, now: Timestamp) -> Option<Arc<VerificationKey>> {
        {
            let mut state = self.lock();
            let known = state.keys.find(kid);
            if known.is_some() || !is_due(state.read_at, now) {
                return known;
            }
            // Before reading, so that concurrent calls do not read as well.
            state.read_at = now;
        }
        let path = self.path.clone();
        let reason = match tokio::task::spawn_blocking(move || read(&path)).await {
            Ok(Ok(Ok(keys))) => {
                let found = keys.find(kid);
                self.lock().keys = keys;
                return found;
            }
            Ok(Ok(Err(unusable))) => unusable.to_string(),
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        // Half-written or missing for a moment: our keys stay valid.
        tracing::warn!(path = %self.path.display(), reason, "JWKS not refreshed, keeping the old one");
        None
    }

    /// No change of the state can stop halfway, so a panic elsewhere does not spoil it.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A clock that was set back is no reason to never read again.
fn is_due(read_at: Timestamp, now: Timestamp) -> bool {
    now.duration_since(read_at).abs() >= MIN_TIME_BETWEEN_READS
}

fn read(path: &Path) -> io::Result<Result<KeySet, UnusableKeys>> {
    Ok(KeySet::parse(&fs::read(path)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::testing::{ec_jwk, jwks, rsa_jwk};

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;
    const LATER: Timestamp = Timestamp::constant(10, 0);

    fn file_with(json: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("jwks.json");
        fs::write(&path, json).unwrap();
        (directory, path)
    }

    #[tokio::test]
    async fn a_new_key_is_found_after_ten_seconds() {
        let (_directory, path) = file_with(&jwks(&[rsa_jwk("old")]));
        let keys = KeyFile::open(path.clone(), NOW).unwrap();
        fs::write(&path, jwks(&[rsa_jwk("old"), ec_jwk("new")])).unwrap();
        let just_before = LATER - SignedDuration::from_millis(1);
        assert!(keys.find("new", just_before).await.is_none());
        assert!(keys.find("new", LATER).await.is_some());
    }

    #[tokio::test]
    async fn made_up_keys_do_not_make_us_read_all_the_time() {
        let (_directory, path) = file_with(&jwks(&[rsa_jwk("old")]));
        let keys = KeyFile::open(path.clone(), NOW).unwrap();
        assert!(keys.find("made up", LATER).await.is_none());
        fs::write(&path, jwks(&[ec_jwk("new")])).unwrap();
        assert!(keys.find("new", LATER).await.is_none());
        assert!(keys.find("new", LATER + MIN_TIME_BETWEEN_READS).await.is_some());
        assert!(keys.find("old", LATER + MIN_TIME_BETWEEN_READS).await.is_none());
    }

    #[tokio::test]
    async fn a_file_that_became_unusable_leaves_the_keys_as_they_were() {
        let (_directory, path) = file_with(&jwks(&[rsa_jwk("old")]));
        let keys = KeyFile::open(path.clone(), NOW).unwrap();
        fs::write(&path, "{").unwrap();
        assert!(keys.find("new", LATER).await.is_none());
        assert!(keys.find("old", LATER).await.is_some());
    }

    #[test]
    fn a_file_with_a_short_key_stops_the_start_and_says_why() {
        let mut short = rsa_jwk("short");
        short["n"] = format!("{}8", "_".repeat(170)).into();
        let (_directory, path) = file_with(&jwks(&[rsa_jwk("good"), short]));
        let error = KeyFile::open(path.clone(), NOW).err().unwrap();
        assert_eq!(
            error.to_string(),
            format!(
                "the RSA key \"short\" in {} has 1024 bits, but anything below 2048 can be broken: \
                 let the issuer sign with another key",
                path.display()
            )
        );
    }

    #[test]
    fn a_file_that_is_missing_or_empty_stops_the_start() {
        let (_directory, path) = file_with(b"{}");
        assert!(matches!(KeyFile::open(path.clone(), NOW), Err(SettingsError::NoKeys { .. })));
        let missing = KeyFile::open(path.with_extension("missing"), NOW);
        assert!(matches!(missing, Err(SettingsError::UnreadableKeys { .. })));
    }
}
