//! The store that a command works on.

use std::sync::Arc;

use larder_storage::{Clock, StorageError};

use super::{CommandError, Environment, FAILED, WRONG_SETTING};
use crate::cli::ServeArgs;
use crate::config::Settings;
use crate::embedded;
use crate::store::{self, NotOpened, OpenStore};
use crate::system::SystemClock;

/// The store that a command works on.
pub(super) struct Opened {
    pub(super) settings: Settings,
    pub(super) store: Arc<dyn OpenStore>,
}

impl Opened {
    /// Opens it as the server does. A directory must exist: a command in the wrong place should not
    /// create an empty store and report success.
    pub(super) async fn open(
        flags: &ServeArgs,
        environment: Environment<'_>,
    ) -> Result<Self, CommandError> {
        let refused = |sentence| CommandError::Failed { sentence, code: WRONG_SETTING };
        let settings = Settings::resolve(flags, &|variable| environment(variable))?;
        if let Some(directory) = settings.store.directory() {
            if !directory.is_dir() {
                let directory = directory.display();
                let sentence = format!("there is no store in {directory}: name one by --store");
                return Err(refused(sentence));
            }
            embedded::refuse_missing_database(directory, &settings)
                .map_err(|missing| refused(missing.to_string()))?;
        }
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        match store::open_now(&settings, &clock).await {
            Ok(store) => Ok(Self { settings, store }),
            Err(NotOpened::Refused(refusal)) => Err(refused(refusal.to_string())),
            Err(NotOpened::Unreachable(sentence)) => {
                Err(CommandError::Failed { sentence, code: FAILED })
            }
        }
    }
}

/// The store failed while the command worked on it.
pub(super) fn failed(error: &StorageError) -> CommandError {
    CommandError::Failed { sentence: error.to_string(), code: FAILED }
}
