//! Flat lists of things: search results, choices, previews of deletions.

use std::collections::BTreeSet;

use larder_app::Caller;
use larder_domain::Resource;

use super::{address_of, naming};
use crate::{Failure, Web, Words};

/// A thing in a list.
pub(super) struct Row {
    /// Its HTML id.
    pub(super) id: String,
    pub(super) urn: String,
    pub(super) address: String,
    pub(super) title: String,
    pub(super) kind: String,
    /// Its parent.
    pub(super) place: Option<String>,
    /// Its unique values.
    pub(super) numbers: String,
}

/// The things as a list.
pub(super) async fn rows(
    (web, caller, words): (&Web, &Caller, &Words),
    things: &[Resource],
) -> Result<Vec<Row>, Failure> {
    let parents: BTreeSet<_> = things.iter().filter_map(|thing| thing.parent.clone()).collect();
    let parents = web.app.resources_named(caller, parents).await?;
    let row = |thing: &Resource| {
        let parent = thing.parent.as_ref().and_then(|parent| parents.get(parent));
        let numbers: Vec<_> = thing.unique_keys.iter().map(|key| key.value.as_str()).collect();
        Row {
            id: format!("thing-{}", thing.urn.id()),
            urn: thing.urn.to_string(),
            address: address_of(&thing.urn),
            title: naming::title(words, thing),
            kind: naming::kind(words, thing),
            place: parent.map(|parent| naming::title(words, parent)),
            numbers: numbers.join(", "),
        }
    };
    Ok(things.iter().map(row).collect())
}
