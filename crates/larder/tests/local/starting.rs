//! Refusals at the start, in one sentence: invalid settings of channels, and a store that has lost
//! its database.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::it::support::{Server, ServerSettings, StoreUnderTest, binary, refused};

async fn refusal(variables: &[(&str, &str)]) -> String {
    let store = StoreUnderTest::embedded().await;
    let mut command = Server::command(&store);
    command.envs(variables.iter().copied());
    let (code, message) = refused(&mut command).await;
    assert_eq!(code, Some(2), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

#[tokio::test]
async fn channels_told_by_half_or_wrongly_are_refused_without_showing_secrets() {
    let smtp = ("LARDER_SMTP_URL", "smtps://anna:hunter2@mail.example");
    for (variables, part) in [
        (&[("LARDER_WEBHOOK_URL", "hooks.example/hunter2")][..], "the setting webhook_url is"),
        (&[("LARDER_WEBHOOK_SECRET", "hunter2")], "holds 7 bytes"),
        (&[("LARDER_SMTP_URL", "mail.example?hunter2")], "LARDER_SMTP_URL is not usable"),
        (&[smtp], "the setting mail_from is absent"),
        (&[("LARDER_MAIL_FROM", "larder@example.org")], "no mail server is"),
        (&[smtp, ("LARDER_MAIL_FROM", "larder")], "the setting mail_from is \"larder\""),
    ] {
        let message = refusal(variables).await;
        assert!(message.contains(part), "{part} is not in {message}");
        assert!(!message.contains("hunter2"), "{message}");
    }
}

#[tokio::test]
async fn a_store_whose_database_is_gone_is_refused_and_stays_as_it_is() {
    let mut server = Server::embedded(ServerSettings::default()).await;
    let anna = server.with_household("anna").await;
    anna.add("Milk", 1, "L").await;
    server.terminate().await;
    let directory = server.store().data_directory();
    let (database, elsewhere) = (directory.join("larder.db"), directory.join("moved"));
    fs::rename(&database, &elsewhere).unwrap();
    let files = || {
        let names = fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    };
    for is_empty in [false, true] {
        if is_empty {
            fs::write(&database, "").unwrap();
        }
        let before = files();
        let mut reconcile = binary(server.store().environment(), server.store().scratch());
        reconcile.args(["reconcile", "--store", &server.store().setting()]);
        for mut command in [Server::command(server.store()), reconcile] {
            let (code, message) = refused(&mut command).await;
            assert_eq!(code, Some(2), "{message}");
            assert_eq!(message.lines().count(), 1, "{message}");
            for part in ["larder.db is missing or empty", "restore a backup", "secrets away"] {
                assert!(message.contains(part), "{part}: {message}");
            }
        }
        assert_eq!(files(), before, "nothing was made");
    }
    fs::rename(&elsewhere, &database).unwrap();
    server.restart().await;
    assert_eq!(anna.items("").await.len(), 1);
}

#[tokio::test]
async fn a_store_that_others_can_read_is_reported_with_the_remedy() {
    const WARNING: &str = "store readable by other users of this machine";
    let mut server = Server::embedded(ServerSettings::default()).await;
    server.terminate().await;
    assert!(!server.log().contains(WARNING), "{}", server.log());
    let directory = server.store().data_directory();
    for (path, mode) in [(directory.clone(), 0o755), (directory.join("larder.db"), 0o644)] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
    server.restart().await;
    server.terminate().await;
    let log = server.log();
    let line = log.lines().find(|line| line.contains(WARNING)).unwrap_or_else(|| panic!("{log}"));
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(line["level"], "WARN");
    assert_eq!(line["remedy"], format!("chmod -R go= {}", directory.display()));
}

#[tokio::test]
async fn a_server_whose_lock_file_was_deleted_keeps_others_out() {
    let server = Server::embedded(ServerSettings::default()).await;
    fs::remove_file(server.store().data_directory().join("LOCK")).unwrap();
    let (code, message) = refused(&mut Server::command(server.store())).await;
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("is in use by another process"), "{message}");
}

#[tokio::test]
async fn whoever_moves_the_secrets_away_starts_with_an_empty_store() {
    let mut server = Server::embedded(ServerSettings::default()).await;
    server.terminate().await;
    let directory = server.store().data_directory();
    fs::remove_file(directory.join("larder.db")).unwrap();
    fs::rename(directory.join("secrets"), directory.join("old-secrets")).unwrap();
    server.restart().await;
    server.with_household("anna").await;
}

#[tokio::test]
async fn secrets_in_another_directory_show_that_the_database_is_gone_too() {
    let store = StoreUnderTest::embedded().await;
    let data = store.scratch().join("data");
    let settings = ServerSettings::default().with("LARDER_DATA", data.to_str().unwrap());
    let mut server = Server::start_on(store, settings).await;
    server.terminate().await;
    fs::remove_dir_all(server.store().data_directory()).unwrap();
    let mut command = Server::command(server.store());
    let (code, message) = refused(command.env("LARDER_DATA", &data)).await;
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains(data.join("secrets").to_str().unwrap()), "{message}");
    assert!(!server.store().data_directory().exists(), "nothing was made");
}

#[tokio::test]
async fn a_first_start_that_ends_early_does_not_stand_in_the_way_of_the_next() {
    let store = StoreUnderTest::embedded().await;
    // Refused after the secrets are made and before the store is opened.
    let mut command = Server::command(&store);
    let (code, message) = refused(command.env("LARDER_MAIL_FROM", "larder@example.org")).await;
    assert_eq!(code, Some(2), "{message}");
    assert!(store.data_directory().join("secrets").join("cursor-key").exists(), "{message}");
    let server = Server::start_on(store, ServerSettings::default()).await;
    server.with_household("anna").await;
}

/// Two writers of one file would lose each other's changes. The other engines allow a second
/// server, see `remote/two_servers.rs`.
#[tokio::test]
async fn a_second_process_on_the_same_store_is_refused() {
    let server = Server::embedded(ServerSettings::default()).await;
    let anna = server.register("anna").await;
    let (code, message) = refused(&mut Server::command(server.store())).await;
    assert!(code.is_some_and(|code| code != 0), "{message}");
    assert!(message.contains(&server.store().setting()), "the directory is named: {message}");
    assert!(!message.contains("panicked"), "{message}");
    anna.get("/me").await.expect(200);
}
