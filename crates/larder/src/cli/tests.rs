use clap::CommandFactory;
use clap::error::ErrorKind;

use super::*;
use crate::config::FILE_KEYS;

fn command(line: &[&str]) -> Command {
    Cli::try_parse_from(line).unwrap().into_command()
}

fn serve_args(line: &[&str]) -> ServeArgs {
    match command(line) {
        Command::Serve(args) => *args,
        other => panic!("not a serve command: {other:?}"),
    }
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
    for flag in [
        "--jwt-secret",
        "--api-key-pepper",
        "--operator-token",
        "--cursor-key",
        "--postgres-password",
        "--webhook-secret",
        "--smtp-url",
        "--password",
    ] {
        let refusal = Cli::try_parse_from(["larder", "serve", flag, "x"]).unwrap_err();
        assert_eq!(refusal.kind(), ErrorKind::UnknownArgument, "{flag}");
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
        "LARDER_WEBHOOK_SECRET",
        "LARDER_SMTP_URL",
    ] {
        assert!(help.contains(name), "{name} is missing from:\n{help}");
    }
}

#[test]
fn commands_with_several_verbs_need_to_be_told_which() {
    for line in [["larder", "tables"], ["larder", "migrate"], ["larder", "dead-letters"]] {
        let refusal = Cli::try_parse_from(line).unwrap_err();
        assert_eq!(refusal.kind(), ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand);
    }
}

#[test]
fn a_command_on_a_store_names_it_as_the_server_does() {
    let Command::Tables(TablesCommand::Verify(store)) =
        command(&["larder", "tables", "verify", "--store", "dynamodb:", "--config", "a.toml"])
    else {
        panic!("not verify");
    };
    let flags = store.as_flags();
    assert_eq!(flags.flag("store"), Some("dynamodb:"));
    assert_eq!(flags.flag("config"), Some("a.toml"));
}

#[test]
fn a_migration_number_is_a_number() {
    let line = ["larder", "migrate", "down", "--to", "three"];
    assert_eq!(Cli::try_parse_from(line).unwrap_err().kind(), ErrorKind::ValueValidation);
    let Command::Migrate(MigrateCommand::Down(down)) =
        command(&["larder", "migrate", "down", "--to", "3"])
    else {
        panic!("not down");
    };
    assert_eq!(down.to, Some(3));
}

#[test]
fn every_command_shows_examples_and_exit_codes() {
    fn check(command: &mut clap::Command) {
        let help = command.render_long_help().to_string();
        assert!(help.contains("Examples:"), "{}:\n{help}", command.get_name());
        assert!(help.contains("Exit codes:"), "{}:\n{help}", command.get_name());
        for inner in command.get_subcommands_mut().filter(|inner| inner.get_name() != "help") {
            check(inner);
        }
    }
    check(&mut Cli::command());
}
