//! The relational store: resources, relationships, and unique values (seed 004).
//!
//! Every call needs an [`AccountScope`]; resources of other accounts are invisible. All invariants
//! are checked in the transaction that could violate them, never by an earlier read:
//!
//! - both ends of a relationship exist and are of one account,
//! - a child has one parent, and no resource is above itself,
//! - a unique value has one holder, and a resource and its unique values change together.
//!
//! A link to itself cannot be expressed: [`ParentChildRelationship`] and
//! [`CollectionMemberRelationship`] refuse it.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{
    CollectionMemberRelationship, Deletion, DeletionId, Doomed, ParentChildRelationship,
    PropertyName, Resource, ResourceKind, UniqueKey, UniqueValue, Urn,
};

use crate::{AccountScope, Page, Result, Write};

/// The result of creating a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreateResource {
    /// Created.
    Created,
    /// The URN exists already, in this account or another.
    Exists,
    /// The account has no such parent.
    ParentNotFound,
    /// Another resource has this value.
    UniqueKeyTaken(TakenKey),
}

/// A unique value that is not free.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenKey {
    /// The first of the requested values that is taken.
    pub key: UniqueKey,
    /// Its holder, if it is in the same account.
    pub holder: Option<Urn>,
}

/// The result of replacing a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplaceResource {
    /// This is it now.
    Replaced(Box<Resource>),
    /// It was changed meanwhile, and this is it now.
    Stale(Box<Resource>),
    /// The account has no such resource.
    NotFound,
    /// Another resource has this value.
    UniqueKeyTaken(TakenKey),
}

/// The result of setting a parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttachResource {
    /// The child after the change. If it already had this parent, nothing has changed.
    Attached(Box<Resource>),
    /// The account has no such child.
    NotFound,
    /// The account has no such parent.
    ParentNotFound,
    /// The child is above the parent.
    Cycle,
}

/// The result of adding a resource to a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddMember {
    /// It is a member now.
    Added,
    /// It was a member already; `conveys_authorization` is updated.
    AlreadyMember,
    /// The account has no such collection.
    CollectionNotFound,
    /// The account has no such member.
    MemberNotFound,
}

/// A membership and the resource at its other end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The collection or the member, depending on the list.
    pub resource: Resource,
    /// Whether grants on the collection extend to the member.
    pub conveys_authorization: bool,
    /// When it began.
    pub created_at: Timestamp,
}

/// The result of deleting a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeleteResource {
    /// Deleted with its subtree, in one transaction: the number of resources.
    Deleted(u64),
    /// Too large for one transaction: a job was created, which [`Resources::continue_deletion`]
    /// runs.
    Begun(Deletion),
    /// The account has no such resource.
    NotFound,
}

/// Resources, their relationships and unique values. Lists are in order of URNs unless noted
/// otherwise, and continue after a URN that need not exist any more.
///
/// A refusal is an outcome, to be matched; errors are failures of the store:
///
/// ```
/// use larder_domain::Resource;
/// use larder_storage::{AccountScope, CreateResource, Resources, Result, Write};
///
/// /// Keeps a thing, and says where it is.
/// async fn keep(store: &impl Resources, scope: &AccountScope, thing: &Resource) -> Result<String> {
///     Ok(match store.create_resource(scope, thing, Write::at(thing.created_at)).await? {
///         CreateResource::Created => {
///             let above = store.list_ancestors(scope, &thing.urn, None, 10).await?;
///             let above = above.map_or_else(Vec::new, |page| page.items);
///             format!("{} is in {} others", thing.urn, above.len())
///         }
///         CreateResource::Exists => format!("{} is there already", thing.urn),
///         CreateResource::ParentNotFound => "there is nothing to put it into".to_owned(),
///         CreateResource::UniqueKeyTaken(taken) => match taken.holder {
///             Some(holder) => format!("{holder} has the {} already", taken.key.property),
///             None => format!("somebody else has the {} already", taken.key.property),
///         },
///     })
/// }
/// ```
///
/// `larder-storage-embedded` shows it at work, from opening a store on.
#[async_trait]
pub trait Resources: Send + Sync {
    /// Creates a resource with its unique values and the link to its parent, if it has one.
    /// `resource.version` is 1.
    async fn create_resource(
        &self,
        scope: &AccountScope,
        resource: &Resource,
        write: Write<'_>,
    ) -> Result<CreateResource>;

    /// The resource as the last write left it.
    async fn find_resource(&self, scope: &AccountScope, urn: &Urn) -> Result<Option<Resource>>;

    /// Replaces a resource's attributes, schema version and unique values, if it still has the
    /// expected version (`None`: any), and increments the version. Its former values are released
    /// at the same time. Parent and creation time are unchanged.
    async fn replace_resource(
        &self,
        scope: &AccountScope,
        resource: &Resource,
        expected_version: Option<u64>,
        write: Write<'_>,
    ) -> Result<ReplaceResource>;

    /// All resources of the account, or those of one kind. May lag behind writes where the engine's indexes lag.
    async fn list_resources(
        &self,
        scope: &AccountScope,
        kind: Option<&ResourceKind>,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Page<Resource, Urn>>;

    /// The children of a resource; `None` if the account has no such resource.
    async fn list_children(
        &self,
        scope: &AccountScope,
        parent: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Resource, Urn>>>;

    /// The ancestors of a resource, nearest first; `None` if the account has no such resource.
    /// Continues above `after`.
    async fn list_ancestors(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Resource, Urn>>>;

    /// Sets or replaces the parent of a resource.
    async fn attach_resource(
        &self,
        scope: &AccountScope,
        link: &ParentChildRelationship,
        write: Write<'_>,
    ) -> Result<AttachResource>;

    /// Removes a resource from its parent, and returns the resource; `None` if the account has no
    /// such resource. Idempotent.
    async fn detach_resource(
        &self,
        scope: &AccountScope,
        child: &Urn,
        write: Write<'_>,
    ) -> Result<Option<Resource>>;

    /// Puts a resource into a collection, or changes whether that conveys.
    async fn add_to_collection(
        &self,
        scope: &AccountScope,
        link: &CollectionMemberRelationship,
        write: Write<'_>,
    ) -> Result<AddMember>;

    /// Removes a resource from a collection. `false` if it was not a member.
    async fn remove_from_collection(
        &self,
        scope: &AccountScope,
        collection: &Urn,
        member: &Urn,
        write: Write<'_>,
    ) -> Result<bool>;

    /// The members of a collection; `None` if the account has no such resource.
    async fn list_collection_members(
        &self,
        scope: &AccountScope,
        collection: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Membership, Urn>>>;

    /// The collections of a resource; `None` if the account has no such resource. May lag behind
    /// writes where the engine's indexes lag.
    async fn list_collections(
        &self,
        scope: &AccountScope,
        member: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Membership, Urn>>>;

    /// The resource of the account with a unique value: an exact match, or else a case-insensitive
    /// one.
    async fn find_by_unique_key(
        &self,
        scope: &AccountScope,
        kind: &ResourceKind,
        property: &PropertyName,
        value: &UniqueValue,
    ) -> Result<Option<Resource>>;

    /// A preview of deleting a resource: its subtree in pre-order, siblings in order of their URNs;
    /// `None` if the account has no such resource.
    async fn preview_deletion(
        &self,
        scope: &AccountScope,
        root: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Doomed, Urn>>>;

    /// Deletes a resource with all below it, their unique values, their grants and every membership that names any of them;
    /// if that does not fit into one transaction, writes down under `id` that it is to be done.
    async fn delete_resource(
        &self,
        scope: &AccountScope,
        root: &Urn,
        id: DeletionId,
        write: Write<'_>,
    ) -> Result<DeleteResource>;

    /// Does some more of a deletion, leaves first, and answers how far it is. Can be called by several at once, and after
    /// any interruption.
    async fn continue_deletion(&self, deletion: &Deletion, at: Timestamp) -> Result<Deletion>;

    /// A deletion of the account that is open, or has finished in the last 24 hours.
    async fn find_deletion(&self, scope: &AccountScope, id: DeletionId)
    -> Result<Option<Deletion>>;

    /// The resources of all accounts after this position, in an engine-specific order, for
    /// iterating over all of them; the end has no next position. A page may be empty.
    async fn resources_after(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<Resource>, Option<String>)>;

    /// Writes a resource in a newer schema version, if it still has its version, which is
    /// unchanged. `false` if not.
    async fn rewrite_resource(&self, resource: &Resource) -> Result<bool>;
}
