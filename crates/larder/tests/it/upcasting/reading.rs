//! Servers with newer schemas than the stored data.

use serde_json::json;

use super::{SECOND, file, knowing};
use crate::it::support::{Server, ServerSettings, StoreUnderTest, refused, resource_path, urn_of};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_old_resource_is_read_in_the_newest_shape_and_written_in_it_when_it_is_saved() {
    let mut server = Server::start().await;
    let anna = server.with_household("anna").await;
    let body = json!({ "resourceType": "Home.Box", "attributes": { "colour": "red" } });
    let old = anna.make_with(body).await;
    assert_eq!((&old["_schemaVersion"], &old["_version"]), (&json!(1), &json!(1)));
    let urn = urn_of(&old).to_owned();
    assert!(server.terminate().await.success());

    let store = server.into_store();
    file(&store, SECOND);
    let mut newer = Server::start_on(store, knowing()).await;
    let anna = newer.anonymous().with_token(anna.token());
    let read = anna.get(&resource_path(&urn)).await;
    let shown = read.expect(200);
    assert_eq!(shown["attributes"], json!({ "color": "red", "fragile": false }));
    assert_eq!((&shown["_schemaVersion"], &shown["_version"]), (&json!(2), &json!(1)));
    assert_eq!(shown["_updatedAt"], old["_updatedAt"]);
    assert_eq!(anna.all_pages("/resources", "").await, std::slice::from_ref(&shown));

    let change = json!({ "attributes": { "color": "blue", "fragile": true } });
    let saved = anna.put_if(&resource_path(&urn), read.header("etag"), change.clone()).await;
    assert_eq!(saved.expect(200)["_schemaVersion"], 2);
    assert!(newer.terminate().await.success());

    // A server without the schema shows the resource unchanged, and does not overwrite it.
    let older = Server::start_on(newer.into_store(), ServerSettings::default()).await;
    let anna = older.anonymous().with_token(anna.token());
    let as_it_is = anna.resource(&urn).await;
    assert_eq!(as_it_is["attributes"], change["attributes"]);
    assert_eq!(as_it_is["_schemaVersion"], 2);
    let refused = anna.put_if(&resource_path(&urn), "*", change).await;
    refused.expect_problem(409, "SCHEMA_TOO_NEW");
    assert_eq!(anna.resource(&urn).await, as_it_is);
}

#[tokio::test]
async fn a_server_does_not_start_with_schemas_that_cannot_be() {
    let store = StoreUnderTest::fresh().await;
    let path = file(&store, &SECOND.replace("version = 2", "version = 3"));
    let mut command = Server::command(&store);
    command.env("LARDER_SCHEMAS", &path);
    let (code, message) = refused(&mut command).await;
    assert_eq!(code, Some(2), "{message}");
    let expected = format!(
        "larder: line 4 of the file {} (from the environment variable LARDER_SCHEMAS) is wrong: \
         version must be 2, which is the next of Home.Box\n",
        path.display()
    );
    assert_eq!(message, expected);
}
