//! Looking for things among all of a household's.
//!
//! The store lists what an account has in the order of URNs, all of it or one type. What people ask for (what is in
//! nothing, what is called so) is picked out of that list here, piece by piece: a page takes as many pieces as it needs
//! to have something on it, and no more than it needs to be full.

use std::collections::BTreeMap;

use futures_util::future::try_join_all;
use larder_app::{AppError, Caller};
use larder_domain::{Resource, ResourceType, SearchTerm, UniqueKey, Urn};
use larder_storage::Page;

use super::naming;
use crate::{failure::Failure, state::Web, words::Words};

/// How many things are read at once.
const PIECE: usize = 200;
/// After how many a page that has something on it is shown, full or not.
const ENOUGH: usize = 1_000;
/// How many kinds are offered to choose from.
const MOST_KINDS: usize = 40;

/// What somebody looks for.
pub(super) enum ThingFilter {
    /// Whatever is in nothing else.
    AtTheTop,
    /// Everything.
    Anything,
    /// What is called so, or has a unique value that begins so.
    Called(SearchTerm),
}

/// A page of what was found.
pub(super) struct FoundThings {
    pub(super) things: Vec<Resource>,
    pub(super) next: Option<Urn>,
    /// How many were read for it.
    pub(super) read: usize,
}

impl ThingFilter {
    fn matches(&self, words: &Words, thing: &Resource) -> bool {
        match self {
            Self::AtTheTop => thing.parent.is_none(),
            Self::Anything => true,
            Self::Called(term) => {
                let has_value = |key: &UniqueKey| key.value.folded().starts_with(term.folded());
                term.matches(&naming::title(words, thing))
                    || thing.unique_keys.iter().any(has_value)
            }
        }
    }
}

/// A page of the things that are wanted, of one type or of all. It is never empty while more follow.
pub(super) async fn find(
    (web, caller, words): (&Web, &Caller, &Words),
    wanted: &ThingFilter,
    resource_type: Option<&ResourceType>,
    mut after: Option<Urn>,
    limit: usize,
) -> Result<FoundThings, AppError> {
    let (mut things, mut read) = (Vec::new(), 0);
    loop {
        let piece = web.app.resources(caller, resource_type, after.as_ref(), PIECE).await?;
        read += piece.items.len();
        things.extend(piece.items.into_iter().filter(|thing| wanted.matches(words, thing)));
        // One too many shows that more follow.
        if things.len() > limit || piece.next.is_none() {
            let page = Page::cut(things, limit, |last: &Resource| last.urn.clone());
            return Ok(FoundThings { things: page.items, next: page.next, read });
        }
        after = piece.next;
        if read >= ENOUGH && !things.is_empty() {
            return Ok(FoundThings { things, next: after, read });
        }
    }
}

/// The kinds of things that there are. From the first of a kind the list is read on behind the last that the kind can
/// have, so that this takes one short read for each kind, however many things there are.
pub(super) async fn kinds(web: &Web, caller: &Caller) -> Result<Vec<ResourceType>, AppError> {
    let mut kinds: Vec<ResourceType> = Vec::new();
    let mut after: Option<Urn> = None;
    while kinds.len() < MOST_KINDS {
        let page = web.app.resources(caller, None, after.as_ref(), 1).await?;
        let Some(first) = page.items.into_iter().next() else { break };
        let last = format!("{}ffffffff-ffff-ffff-ffff-ffffffffffff", first.urn.kind().prefix());
        after = last.parse().ok();
        kinds.push(first.urn.resource_type().clone());
    }
    kinds.sort_unstable();
    kinds.dedup();
    Ok(kinds)
}

/// What these things are in, by URN.
pub(super) async fn parents(
    web: &Web,
    caller: &Caller,
    things: &[Resource],
) -> Result<BTreeMap<Urn, Resource>, Failure> {
    let mut wanted: Vec<_> = things.iter().filter_map(|thing| thing.parent.clone()).collect();
    wanted.sort_unstable();
    wanted.dedup();
    named(web, caller, wanted).await
}

/// Those of these things that are still there, by URN.
pub(super) async fn named(
    web: &Web,
    caller: &Caller,
    wanted: impl IntoIterator<Item = Urn>,
) -> Result<BTreeMap<Urn, Resource>, Failure> {
    let read = wanted.into_iter().map(async |urn| match web.app.resource(caller, &urn).await {
        Ok(thing) => Ok(Some((urn, thing))),
        Err(AppError::ResourceNotFound) => Ok(None),
        Err(error) => Err(error),
    });
    Ok(try_join_all(read).await?.into_iter().flatten().collect())
}
