//! The command line of `larder tables`.

use clap::{Args, Subcommand};

use super::StoreArgs;

pub(super) const EXAMPLES: &str = "\
Examples:
  larder tables create --store 'dynamodb:?region=eu-central-1&prefix=home-'
  larder tables verify --store 'dynamodb:?region=eu-central-1&prefix=home-'
  larder tables describe --json
  AWS_ACCESS_KEY_ID=x AWS_SECRET_ACCESS_KEY=x \\
    larder tables create --store 'dynamodb:?region=local&endpoint=http://127.0.0.1:8000'

Credentials come from where every AWS tool takes them: the environment, the profile, the container,
the instance. docs/dynamodb.md has the permissions that each command needs.

Exit codes:
  0 done, or the tables are as declared; 1 failed, or the tables differ; 2 wrong setting or wrong
  usage; 3 verify could not compare";

/// Commands on tables.
#[derive(Debug, Subcommand)]
pub enum TablesCommand {
    /// Create missing tables; existing ones are not changed or deleted
    #[command(after_long_help = EXAMPLES)]
    Create(StoreArgs),
    /// Compare the tables with those that Larder needs, and show differences; nothing is changed
    #[command(after_long_help = EXAMPLES)]
    Verify(StoreArgs),
    /// Show the tables that Larder needs; works offline
    #[command(after_long_help = EXAMPLES)]
    Describe(DescribeArgs),
}

/// The flags of `larder tables describe`.
#[derive(Debug, Args)]
pub struct DescribeArgs {
    /// The store; only its table prefix matters
    #[command(flatten)]
    pub store: StoreArgs,
    /// As JSON: one object per table, as input of `aws dynamodb create-table --cli-input-json`
    #[arg(long)]
    pub json: bool,
}
