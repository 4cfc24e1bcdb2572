//! Things of any kind and how they belong together. Every household is an account; what belongs to another account is not
//! there, except for whoever has a grant on it (`access`).

mod access;
mod create;
mod deletion;
mod deletion_queue;
mod find;
mod kind;
mod memberships;
mod photo;
mod read;
mod replace;
mod tree;

use larder_domain::Resource;
use larder_storage::{Membership, Page, TakenKey};

use crate::{App, AppError};

pub(crate) use access::{Guest, Permission};
pub use create::{NewResource, NewUrn};
pub use deletion::{DeletionSummary, ResourceDeletion};
pub(crate) use deletion_queue::{DeletionQueue, Work};
pub use find::{FoundResources, ResourceFilter};
pub use kind::{RESOURCE_KIND, ThingKind, is_named};
pub use replace::{Precondition, ResourceChange, ResourceTag};

impl App {
    /// The resource in the newest shape that its type has.
    pub(crate) fn shown(&self, resource: Resource) -> Resource {
        if !self.schemas.is_outdated(&resource) {
            return resource;
        }
        self.schemas.upcast(resource.clone()).unwrap_or_else(|error| {
            // It keeps its version, by which a client sees what it got. Failing instead would take the whole list away.
            tracing::warn!(urn = %resource.urn, %error, "resource not upcast");
            resource
        })
    }

    fn shown_page<P>(&self, page: Page<Resource, P>) -> Page<Resource, P> {
        let items = page.items.into_iter().map(|resource| self.shown(resource)).collect();
        Page { items, next: page.next }
    }

    fn shown_memberships<P>(&self, page: Page<Membership, P>) -> Page<Membership, P> {
        let shown = |membership: Membership| Membership {
            resource: self.shown(membership.resource),
            ..membership
        };
        Page { items: page.items.into_iter().map(shown).collect(), next: page.next }
    }
}

impl From<TakenKey> for AppError {
    fn from(taken: TakenKey) -> Self {
        Self::UniqueKeyTaken(Box::new(taken))
    }
}
