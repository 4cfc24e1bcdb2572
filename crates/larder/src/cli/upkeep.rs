//! The command lines of `larder reconcile` and `larder dead-letters`.

use clap::Subcommand;

use super::StoreArgs;

pub(super) const RECONCILE_EXAMPLES: &str = "\
Examples:
  larder reconcile --store ./larder-data
  larder reconcile --store 'dynamodb:?region=eu-central-1&prefix=home-'
  LARDER_STORE=postgres://larder_runtime@db.example/larder larder reconcile

Servers do the same once a week by themselves. A store in a directory has one process at a time: stop
the server first. Other stores may be served meanwhile.

Exit codes:
  0 gone through, repaired or not; 1 failed, or some households could not be read; 2 wrong setting or
  wrong usage";

pub(super) const DEAD_LETTERS_EXAMPLES: &str = "\
Examples:
  larder dead-letters list --store ./larder-data
  larder dead-letters retry --store 'dynamodb:?region=eu-central-1&prefix=home-'

A delivery is given up when the receiver refuses it for good, or after nine attempts in some two days.
It is kept for 30 days. A store in a directory has one process at a time: stop the server first.

Exit codes:
  0 done; 1 failed; 2 wrong setting or wrong usage";

/// Commands on dead letters.
#[derive(Debug, Subcommand)]
pub enum DeadLettersCommand {
    /// Show dead letters, oldest first
    #[command(after_long_help = DEAD_LETTERS_EXAMPLES)]
    List(StoreArgs),
    /// Schedule a retry of all dead letters
    #[command(after_long_help = DEAD_LETTERS_EXAMPLES)]
    Retry(StoreArgs),
}
