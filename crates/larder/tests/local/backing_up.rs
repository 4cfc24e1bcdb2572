//! The backup of `docs/embedded.md`, run verbatim beside a server under write load.

use std::path::Path;

use tokio::{process::Command, time::timeout};

use crate::it::support::{
    FreshStore, PATIENCE, Server, ServerSettings, StoreUnderTest, id_of, names,
    store::scratch_directory,
};

/// The first commands of a section of the page.
fn commands(section: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/embedded.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let (_, section) = page.split_once(section).expect("the section is there");
    let (_, commands) = section.split_once("```sh\n").expect("the section has commands");
    commands.split_once("```").expect("the commands end").0.to_owned()
}

async fn run(commands: &str, directory: &Path) -> String {
    let shell = Command::new("sh").args(["-ec", commands]).current_dir(directory).output();
    let output = timeout(PATIENCE, shell).await.expect("the commands end in time").unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test]
async fn the_documented_backup_of_a_running_server_holds_all_that_was_acknowledged() {
    // The secrets are those of the directory, so that they prove to be part of the backup.
    let settings = ServerSettings::default().without("LARDER_JWT_SECRET");
    let server = Server::embedded(settings.clone()).await;
    let anna = server.with_household("anna").await;
    let rice = anna.add("Rice", 1, "kg").await;
    for _ in 0..20 {
        anna.adjust(id_of(&rice), 1).await.expect(200);
    }
    let said = run(&commands("## Backup"), server.store().scratch()).await;
    assert_eq!(said.trim(), "ok");
    anna.add("Bought after the backup", 1, "kg").await;

    let restored = scratch_directory();
    let backup = server.store().scratch().join("backup");
    run(&format!("cp -R '{}' backup", backup.display()), restored.path()).await;
    let restore = commands("## Restore");
    let restore = restore.replace("mv larder-data larder-data.old\n", "");
    run(&restore.replace("larder serve\n", ""), restored.path()).await;
    let setting = restored.path().join("larder-data").display().to_string();
    let store =
        StoreUnderTest::prepared(restored, FreshStore { setting, environment: &[], _tables: None });
    let other = Server::start_on(store, settings).await;
    let anna = other.anonymous().with_token(anna.token());
    assert_eq!(names(&anna.items("").await), ["Rice"]);
    assert_eq!(anna.item(id_of(&rice)).await["quantity"], 21);
}
