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

/// What can be done with tables.
#[derive(Debug, Subcommand)]
pub enum TablesCommand {
    /// Make the tables that are missing; nothing that exists is changed or deleted
    #[command(after_long_help = EXAMPLES)]
    Create(StoreArgs),
    /// Compare the tables with what Larder needs, and say what differs; nothing is changed
    #[command(after_long_help = EXAMPLES)]
    Verify(StoreArgs),
    /// Show what tables Larder needs; nothing is asked over the network
    #[command(after_long_help = EXAMPLES)]
    Describe(DescribeArgs),
}

/// The flags of `larder tables describe`.
#[derive(Debug, Args)]
pub struct DescribeArgs {
    /// The store, of which only the prefix of the tables matters
    #[command(flatten)]
    pub store: StoreArgs,
    /// As JSON: one object per table, each as `aws dynamodb create-table --cli-input-json` takes it
    #[arg(long)]
    pub json: bool,
}
