//! `larder tables`: the tables of a DynamoDB store.

use std::io::Write;

use larder_storage_dynamodb::DynamoOptions;
use larder_storage_dynamodb::tables::{self, TablesError};

use super::{CommandError, Console, DONE, Environment, FAILED, UNKNOWN};
use crate::cli::{StoreArgs, TablesCommand};
use crate::config::{DynamoDbAddress, StoreSetting};
use crate::dynamodb;

pub(super) async fn run(
    command: &TablesCommand,
    environment: Environment<'_>,
    console: Console<'_>,
) -> Result<u8, CommandError> {
    match command {
        TablesCommand::Create(store) => {
            create(&dynamodb::options(&address(store, environment)?), console).await
        }
        TablesCommand::Verify(store) => {
            verify(&dynamodb::options(&address(store, environment)?), console).await
        }
        TablesCommand::Describe(args) => {
            // No store is fine here: the declared tables then have no prefix.
            let prefix = match given(&args.store, environment)? {
                None => String::new(),
                given => dynamodb_only(given)?.prefix,
            };
            describe(&prefix, args.json, console.answer)
        }
    }
}

async fn create(options: &DynamoOptions, console: Console<'_>) -> Result<u8, CommandError> {
    let Console { answer, progress } = console;
    // A failed write of progress does not stop the work.
    let say = |step: &str| drop(writeln!(progress, "{step}"));
    let report = tables::create(options, say).await.map_err(|error| failed(&error, FAILED))?;
    write!(answer, "{report}")?;
    Ok(if report.is_as_declared() { DONE } else { FAILED })
}

async fn verify(options: &DynamoOptions, console: Console<'_>) -> Result<u8, CommandError> {
    let report = tables::verify(options).await.map_err(|error| failed(&error, UNKNOWN))?;
    write!(console.answer, "{report}")?;
    Ok(if report.is_as_declared() { DONE } else { FAILED })
}

fn describe(prefix: &str, json: bool, answer: &mut dyn Write) -> Result<u8, CommandError> {
    if json {
        let tables =
            tables::create_table_json(prefix).map_err(|error| failed(&error, FAILED))?.into_iter();
        let objects: Vec<String> = tables.map(|(_, object)| object.trim_end().to_owned()).collect();
        writeln!(answer, "[\n{}\n]", objects.join(",\n"))?;
    } else {
        let text = tables::describe(prefix).map_err(|error| failed(&error, FAILED))?;
        write!(answer, "{text}")?;
    }
    Ok(DONE)
}

fn address(
    store: &StoreArgs,
    environment: Environment<'_>,
) -> Result<DynamoDbAddress, CommandError> {
    dynamodb_only(given(store, environment)?)
}

fn given(
    store: &StoreArgs,
    environment: Environment<'_>,
) -> Result<Option<StoreSetting>, CommandError> {
    Ok(StoreSetting::resolve(&store.as_flags(), &|variable| environment(variable))?)
}

fn dynamodb_only(store: Option<StoreSetting>) -> Result<DynamoDbAddress, CommandError> {
    match store {
        Some(StoreSetting::DynamoDb(address)) => Ok(address),
        store => Err(CommandError::OtherStore {
            command: "tables",
            engine: "DynamoDB",
            store,
            example: "dynamodb:?region=eu-central-1",
        }),
    }
}

fn failed(error: &TablesError, code: u8) -> CommandError {
    CommandError::Failed { sentence: error.to_string(), code }
}
