//! The chosen store, and the directory of a server's own files.

use super::*;

fn at(store: &str) -> Start {
    Start::default().variable("LARDER_STORE", store)
}

#[test]
fn a_store_in_a_directory_keeps_the_secrets_too() {
    let settings = at("./cupboard").settings();
    assert_eq!(settings.store, StoreSetting::Embedded("./cupboard".into()));
    assert_eq!(settings.data_directory(), Path::new("./cupboard"));
}

#[test]
fn a_store_that_was_set_to_nothing_is_refused_and_not_taken_for_the_default() {
    assert_eq!(
        at("").refusal(),
        "the setting store is \"\" (from the environment variable LARDER_STORE), but it must be a \
         directory such as ./larder-data, a DynamoDB address such as dynamodb:?region=eu-central-1 \
         or a URL such as postgres://host/database"
    );
}

#[test]
fn a_data_directory_apart_is_possible_for_every_store() {
    let settings = at("./cupboard").flag("--data", "/var/lib/larder").settings();
    assert_eq!(settings.store, StoreSetting::Embedded("./cupboard".into()));
    assert_eq!(settings.data_directory(), Path::new("/var/lib/larder"));
}

#[test]
fn a_url_of_something_else_is_refused_without_its_password() {
    assert_eq!(
        Start::default().flag("--store", "mysql://larder:hunter2@db").refusal(),
        "the setting store is \"mysql://…\" (from the flag --store), but it must be a directory such \
         as ./larder-data, a DynamoDB address such as dynamodb:?region=eu-central-1 or a URL such as \
         postgres://host/database"
    );
}

#[test]
fn fewer_connections_at_most_mean_fewer_at_least() {
    let settings = Start::default().flag("--postgres-pool-max", "3").settings();
    assert_eq!((settings.postgres.pool_min, settings.postgres.pool_max), (3, 3));
    assert_eq!(
        Start::default()
            .flag("--postgres-pool-max", "3")
            .variable("LARDER_POSTGRES_POOL_MIN", "4")
            .refusal(),
        "the setting postgres_pool_min is 4, but it must not be above postgres_pool_max, which is 3"
    );
}

#[cfg(feature = "dynamodb")]
#[test]
fn a_dynamodb_store_is_an_address_with_parameters() {
    let settings = at("dynamodb:?region=eu-central-1&prefix=home-").settings();
    let StoreSetting::DynamoDb(address) = &settings.store else { panic!("{:?}", settings.store) };
    assert_eq!(address.region.as_deref(), Some("eu-central-1"));
    assert_eq!(address.endpoint, None);
    assert_eq!(address.prefix, "home-");
    assert_eq!(settings.data_directory(), Path::new("./larder-data"));
}

#[cfg(feature = "dynamodb")]
#[test]
fn a_wrong_dynamodb_address_is_refused_with_its_origin() {
    assert_eq!(
        at("dynamodb:?regoin=eu-central-1").refusal(),
        "the setting store (from the environment variable LARDER_STORE) has the unknown parameter \
         \"regoin\", but only region, endpoint and prefix are known"
    );
}

#[cfg(feature = "postgres")]
#[test]
fn a_postgres_store_is_a_url_whose_password_no_text_shows() {
    for url in ["postgres://anna:hunter2@db/larder", "postgresql://anna:hunter2@db/larder"] {
        let settings = at(url).settings();
        let StoreSetting::Postgres(kept) = &settings.store else { panic!("{:?}", settings.store) };
        assert_eq!(kept.expose(), url);
        assert_eq!(settings.store.to_string(), "postgres://db/larder");
        assert_eq!(settings.data_directory(), Path::new("./larder-data"));
        let shown = format!("{settings:?}");
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}

#[cfg(feature = "postgres")]
#[test]
fn a_wrong_postgres_url_is_refused_without_repeating_it() {
    assert_eq!(
        Start::default().flag("--store", "postgres:anna:hunter2@db").refusal(),
        "the setting store (from the flag --store) is not a URL such as postgres://host/database"
    );
}

#[cfg(not(feature = "dynamodb"))]
#[test]
fn a_build_without_dynamodb_refuses_its_stores() {
    assert_eq!(
        at("dynamodb:?endpoint=http://key:hunter2@h").refusal(),
        "the setting store is \"dynamodb:…\" (from the environment variable LARDER_STORE), but this \
         build does not have the DynamoDB engine: it must be a directory, such as ./larder-data, \
         unless Larder is built with the feature dynamodb"
    );
}

#[cfg(not(feature = "postgres"))]
#[test]
fn a_build_without_postgresql_refuses_its_stores() {
    for url in ["postgres://larder:hunter2@db/larder", "postgresql://larder:hunter2@db/larder"] {
        assert_eq!(
            at(url).refusal(),
            "the setting store is \"postgres://…\" (from the environment variable LARDER_STORE), but \
             this build does not have the PostgreSQL engine: it must be a directory, such as \
             ./larder-data, unless Larder is built with the feature postgres"
        );
    }
}
