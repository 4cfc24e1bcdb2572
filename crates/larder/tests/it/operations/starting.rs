//! Starting: created files, and refusals.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use crate::it::support::{Server, ServerSettings, StoreUnderTest, binary, refused};

/// One sentence on one line, which names the problem.
#[track_caller]
fn assert_one_sentence(message: &str, about: &str) {
    let lines: Vec<_> = message.lines().filter(|line| !line.trim().is_empty()).collect();
    assert_eq!(lines.len(), 1, "more than one sentence: {message}");
    assert!(lines[0].contains(about), "{about:?} is not named in: {message}");
    assert!(!message.contains("panicked"), "{message}");
}

#[tokio::test]
async fn a_wrong_setting_stops_the_start_with_one_sentence() {
    for (name, value) in [
        ("LARDER_RATE_LIMITS", "sometimes"),
        ("LARDER_LOG", "yaml"),
        ("LARDER_PUBLIC_URL", "not a url"),
        ("LARDER_JWT_SECRET", "short"),
        ("LARDER_DURABILITY", "maybe"),
    ] {
        let store = StoreUnderTest::fresh().await;
        let (code, message) = refused(Server::command(&store).env(name, value)).await;
        assert_eq!(code, Some(2), "{name}: {message}");
        assert_one_sentence(&message, name);
        assert!(!store.data_directory().exists(), "{name}: nothing is made by a refused start");
    }
}

#[tokio::test]
async fn a_secret_is_not_repeated_by_the_sentence_that_refuses_it() {
    let store = StoreUnderTest::fresh().await;
    let mut command = Server::command(&store);
    let (_, message) = refused(command.env("LARDER_JWT_SECRET", "hunter2")).await;
    assert!(!message.contains("hunter2"), "{message}");
}

#[tokio::test]
async fn a_wrong_listen_address_or_config_file_is_named() {
    let store = StoreUnderTest::fresh().await;
    let mut command = binary(store.environment(), store.scratch());
    command.args(["serve", "--listen", "nowhere", "--store", &store.setting()]);
    let (code, message) = refused(&mut command).await;
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("nowhere"), "{message}");

    let config = store.scratch().join("larder.toml");
    fs::write(&config, "listne = \"127.0.0.1:0\"\n").unwrap();
    let (code, message) = refused(Server::command(&store).arg("--config").arg(&config)).await;
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("listne"), "{message}");
}

#[tokio::test]
async fn secrets_are_for_the_owner_only() {
    let server = Server::start().await;
    let directory = server.store().data_directory().join("secrets");
    assert_eq!(mode(&directory), 0o700);
    let files: Vec<_> =
        fs::read_dir(&directory).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(!files.is_empty());
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}

#[tokio::test]
async fn a_secret_made_on_the_first_run_is_used_again() {
    let settings = ServerSettings::default().without("LARDER_JWT_SECRET");
    let mut server = Server::start_with(settings).await;
    let anna = server.register("anna").await;
    assert!(server.terminate().await.success());
    server.restart().await;
    anna.get("/me").await.expect(200);
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}
