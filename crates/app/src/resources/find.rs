//! Finding resources among all of a household's.
//!
//! The store lists what an account has in the order of URNs, all of it or one type. What people ask for (what is in
//! nothing, what is called so) is picked out of that list here, piece by piece: a page takes as many pieces as it needs
//! to have something on it, and no more than it needs to be full.

use std::collections::BTreeMap;

use futures_util::future::try_join_all;
use larder_domain::{Resource, ResourceType, SearchTerm, UniqueKey, Urn};
use larder_storage::Page;

use super::ThingKind;
use crate::{App, AppError, Caller, Result, demo};

/// How many resources are read at once.
pub(super) const PIECE: usize = 200;
/// After how many a page that has something on it is answered, full or not.
pub(super) const ENOUGH: usize = 1_000;
/// How many types are answered at most.
const MOST_TYPES: usize = 40;

/// What somebody looks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResourceFilter {
    /// Whatever is in nothing else.
    AtTheTop,
    /// Everything.
    Any,
    /// What is called so, or has a unique value that begins so.
    Called(SearchTerm),
}

/// A page of what was found.
#[derive(Debug)]
pub struct FoundResources {
    /// What was found.
    pub resources: Vec<Resource>,
    /// Where the next page begins.
    pub next: Option<Urn>,
    /// How many were read for it.
    pub read: usize,
}

impl ResourceFilter {
    fn matches(&self, resource: &Resource, title: impl Fn(&Resource) -> String) -> bool {
        match self {
            Self::AtTheTop => resource.parent.is_none(),
            Self::Any => true,
            Self::Called(term) => {
                let has_value = |key: &UniqueKey| key.value.folded().starts_with(term.folded());
                term.matches(&title(resource)) || resource.unique_keys.iter().any(has_value)
            }
        }
    }
}

impl App {
    /// A page of the resources that match, of some kinds or, without any, of all. `title` is what a resource is called where it is
    /// looked for. A page is never empty while more follow.
    pub async fn find_resources(
        &self,
        caller: &Caller,
        filter: &ResourceFilter,
        title: impl Fn(&Resource) -> String,
        kinds: &[ThingKind],
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<FoundResources> {
        let (mut resources, mut read, mut after) = (Vec::new(), 0, after.cloned());
        let of_these = |it: &Resource| kinds.is_empty() || kinds.contains(&ThingKind::of(it));
        let is_wanted =
            |it: &Resource| filter.matches(it, &title) && of_these(it) && !demo::is_record(&it.urn);
        // The list of one type is shorter.
        let resource_type = match kinds {
            [kind] => Some(kind.resource_type()?),
            _ => None,
        };
        loop {
            let piece =
                self.resources(caller, resource_type.as_ref(), after.as_ref(), PIECE).await?;
            read += piece.items.len();
            resources.extend(piece.items.into_iter().filter(&is_wanted));
            // One too many shows that more follow.
            if resources.len() > limit || piece.next.is_none() {
                let page = Page::cut(resources, limit, |last: &Resource| last.urn.clone());
                return Ok(FoundResources { resources: page.items, next: page.next, read });
            }
            after = piece.next;
            if read >= ENOUGH && !resources.is_empty() {
                return Ok(FoundResources { resources, next: after, read });
            }
        }
    }

    /// The types of things that there are. From the first of a type the list is read on behind the last that the
    /// type can have, so that this takes one short read for each type, however many resources there are.
    pub(super) async fn resource_types(&self, caller: &Caller) -> Result<Vec<ResourceType>> {
        let mut types: Vec<ResourceType> = Vec::new();
        let mut after: Option<Urn> = None;
        while types.len() < MOST_TYPES {
            let page = self.resources(caller, None, after.as_ref(), 1).await?;
            let Some(first) = page.items.into_iter().next() else { break };
            let last = format!("{}ffffffff-ffff-ffff-ffff-ffffffffffff", first.urn.kind().prefix());
            after = last.parse().ok();
            if !demo::is_record(&first.urn) {
                types.push(first.urn.resource_type().clone());
            }
        }
        types.sort_unstable();
        types.dedup();
        Ok(types)
    }

    /// Those of these resources that are still there, by URN.
    pub async fn resources_named(
        &self,
        caller: &Caller,
        urns: impl IntoIterator<Item = Urn>,
    ) -> Result<BTreeMap<Urn, Resource>> {
        let read = urns.into_iter().map(async |urn| match self.resource(caller, &urn).await {
            Ok(resource) => Ok(Some((urn, resource))),
            Err(AppError::ResourceNotFound) => Ok(None),
            Err(error) => Err(error),
        });
        Ok(try_join_all(read).await?.into_iter().flatten().collect())
    }
}
