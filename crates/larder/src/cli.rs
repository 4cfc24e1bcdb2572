//! The command line.
//!
//! Flags are taken as text and judged in [`crate::config`], so that a wrong value gets the same
//! sentence whether it came from a flag, the environment or the file. There is no flag for a
//! secret: command lines are visible to every user of the machine.

use clap::{Args, Parser, Subcommand};

const EXAMPLES_AND_ENVIRONMENT: &str = "\
Examples:
  larder                                      serve on http://127.0.0.1:7070, data in ./larder-data
  larder serve --listen 0.0.0.0:7070 --public-url https://larder.example
  larder serve --config /etc/larder.toml --log json

Settings:
  A flag wins over the environment, the environment over the file, the file over the default.
  Each flag has an environment variable and a key in the file: --public-url is LARDER_PUBLIC_URL
  and public_url. An empty environment variable counts as not set. Relative paths start at the
  working directory.

Secrets (environment only; an absent one is made on first run, in <store>/secrets, mode 0600):
  LARDER_JWT_SECRET        signs access tokens; at least 32 bytes
  LARDER_CURSOR_KEY        authenticates page cursors; at least 32 bytes
  LARDER_API_KEY_PEPPER    hashes the API keys of devices; at least 32 bytes
  LARDER_OPERATOR_TOKEN    allows operator calls; without it there are none

Exit codes:
  0 stopped as asked, 1 failed while running, 2 wrong setting or wrong usage";

/// What the whole command line says.
#[derive(Debug, Parser)]
#[command(
    name = "larder",
    version,
    about = "Larder keeps a household's stock: what is in the cupboard, how much, and what goes off when",
    long_about = "Larder keeps a household's stock: what is in the cupboard, how much, and what goes \
                  off when.\n\nOne program with its own store. Without a command it serves.",
    after_long_help = EXAMPLES_AND_ENVIRONMENT,
    args_conflicts_with_subcommands = true
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeArgs,
}

impl Cli {
    /// The command to run; `larder` alone serves, so that starting it needs no manual.
    pub fn into_command(self) -> Command {
        self.command.unwrap_or(Command::Serve(self.serve))
    }
}

/// What `larder` can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the household over HTTP (also what happens without a command)
    #[command(after_long_help = EXAMPLES_AND_ENVIRONMENT)]
    Serve(ServeArgs),
}

/// The flags of `larder serve`, as given.
#[derive(Debug, Default, Args)]
pub struct ServeArgs {
    /// Settings file (TOML); unknown keys are refused
    #[arg(long, value_name = "FILE")]
    pub config: Option<String>,
    /// Address and port to listen on; port 0 picks a free one [default: 127.0.0.1:7070]
    #[arg(long, value_name = "ADDR")]
    pub listen: Option<String>,
    /// Where the data is: a directory, made if absent [default: ./larder-data]
    #[arg(long, value_name = "PATH")]
    pub store: Option<String>,
    /// Where people reach this server, for links [default: from the listening address]
    #[arg(long, value_name = "URL")]
    pub public_url: Option<String>,
    /// Proxies whose X-Forwarded-For is believed: addresses or ranges, comma-separated [default: none]
    #[arg(long, value_name = "RANGES")]
    pub trusted_proxy: Option<String>,
    /// Form of the log on stderr [default: pretty]
    #[arg(long, value_name = "json|pretty")]
    pub log: Option<String>,
    /// Least severe log lines to show: error, warn, info, debug or trace [default: info]
    #[arg(long, value_name = "LEVEL")]
    pub log_level: Option<String>,
    /// Limit logins, joins and other guessable calls per address [default: on]
    #[arg(long, value_name = "on|off")]
    pub rate_limits: Option<String>,
    /// full: an acknowledged write survives power loss; relaxed: faster, survives a crash of Larder
    /// alone [default: full]
    #[arg(long, value_name = "full|relaxed")]
    pub durability: Option<String>,
    /// Days of change history to keep, 1 to 3650 [default: 35]
    #[arg(long, value_name = "DAYS")]
    pub journal_days: Option<String>,
    /// Seconds that requests in flight get to finish when stopping, 0 to 600 [default: 10]
    #[arg(long, value_name = "SECONDS")]
    pub shutdown_grace_seconds: Option<String>,
    /// Outside identity: the issuer whose tokens are accepted; needs all three --oidc flags
    #[arg(long, value_name = "URL")]
    pub oidc_issuer: Option<String>,
    /// Outside identity: the audience that those tokens must name
    #[arg(long, value_name = "NAME")]
    pub oidc_audience: Option<String>,
    /// Outside identity: the file with the issuer's public keys (JWKS)
    #[arg(long, value_name = "FILE")]
    pub oidc_jwks: Option<String>,
}

impl ServeArgs {
    /// The flag of the setting `name`, if it was given.
    pub fn flag(&self, name: &str) -> Option<&str> {
        let flag = match name {
            "config" => &self.config,
            "listen" => &self.listen,
            "store" => &self.store,
            "public_url" => &self.public_url,
            "trusted_proxy" => &self.trusted_proxy,
            "log" => &self.log,
            "log_level" => &self.log_level,
            "rate_limits" => &self.rate_limits,
            "durability" => &self.durability,
            "journal_days" => &self.journal_days,
            "shutdown_grace_seconds" => &self.shutdown_grace_seconds,
            "oidc_issuer" => &self.oidc_issuer,
            "oidc_audience" => &self.oidc_audience,
            "oidc_jwks" => &self.oidc_jwks,
            _ => return None,
        };
        flag.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::config::FILE_KEYS;

    fn serve_args(line: &[&str]) -> ServeArgs {
        let Command::Serve(args) = Cli::try_parse_from(line).unwrap().into_command();
        args
    }

    #[test]
    fn the_command_line_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn no_command_means_serve() {
        assert_eq!(serve_args(&["larder"]).listen, None);
        let bare = serve_args(&["larder", "--listen", "127.0.0.1:1"]);
        let named = serve_args(&["larder", "serve", "--listen", "127.0.0.1:1"]);
        assert_eq!(bare.listen.as_deref(), Some("127.0.0.1:1"));
        assert_eq!(named.listen, bare.listen);
    }

    #[test]
    fn every_setting_has_a_flag_of_its_name() {
        for name in FILE_KEYS {
            let flag = format!("--{}", name.replace('_', "-"));
            let args = serve_args(&["larder", "serve", &flag, "given"]);
            assert_eq!(args.flag(name), Some("given"), "{flag}");
        }
    }

    #[test]
    fn secrets_are_not_accepted_on_the_command_line() {
        for flag in ["--jwt-secret", "--api-key-pepper", "--operator-token", "--cursor-key"] {
            let refusal = Cli::try_parse_from(["larder", "serve", flag, "x"]).unwrap_err();
            assert_eq!(refusal.kind(), clap::error::ErrorKind::UnknownArgument, "{flag}");
        }
    }

    #[test]
    fn help_names_every_secret_of_the_environment() {
        let help = Cli::command().render_long_help().to_string();
        for name in [
            "LARDER_JWT_SECRET",
            "LARDER_CURSOR_KEY",
            "LARDER_API_KEY_PEPPER",
            "LARDER_OPERATOR_TOKEN",
        ] {
            assert!(help.contains(name), "{name} is missing from:\n{help}");
        }
    }
}
