//! The relational store: things of any kind, how they belong together, and what exists once (seed 004).
//!
//! Every call names an [`AccountScope`]; what belongs to another account is not there. Everything that must always hold is
//! checked in the transaction that could break it, never by a read before it:
//!
//! - both ends of a relationship exist and are of one account,
//! - a child has one parent, and no resource is above itself,
//! - a unique value has one holder, and a resource and its unique values change together.
//!
//! A link to itself cannot be asked for: [`ParentChildRelationship`] and [`CollectionMemberRelationship`] refuse it.

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{
    CollectionMemberRelationship, Deletion, DeletionId, Doomed, ParentChildRelationship,
    PropertyName, Resource, ResourceKind, UniqueKey, UniqueValue, Urn,
};

use crate::{AccountScope, Page, Result, Write};

/// What came of making a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreateResource {
    /// It is there.
    Created,
    /// A resource of this name is there already, in this account or another.
    Exists,
    /// The account has no such parent.
    ParentNotFound,
    /// Another resource has this value.
    UniqueKeyTaken(TakenKey),
}

/// A unique value that is not free.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenKey {
    /// The value, of those that were asked for the first that is not free.
    pub key: UniqueKey,
    /// Who has it, if it is of the same account.
    pub holder: Option<Urn>,
}

/// What came of replacing a resource.
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

/// What came of giving a resource a parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttachResource {
    /// This is the child now. Where it had this parent before, nothing has changed.
    Attached(Box<Resource>),
    /// The account has no such child.
    NotFound,
    /// The account has no such parent.
    ParentNotFound,
    /// The child is above the parent.
    Cycle,
}

/// What came of putting a resource into a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddMember {
    /// It is a member now.
    Added,
    /// It was one already, and conveys now what was asked for.
    AlreadyMember,
    /// The account has no such collection.
    CollectionNotFound,
    /// The account has no such member.
    MemberNotFound,
}

/// A membership and the resource at its other end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The collection, or the member, whichever was asked for.
    pub resource: Resource,
    /// Whether what is granted on the collection is granted on the member.
    pub conveys_authorization: bool,
    /// When it began.
    pub created_at: Timestamp,
}

/// What came of deleting a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeleteResource {
    /// It is gone with all below it, in one transaction: so many resources.
    Deleted(u64),
    /// That takes more than one transaction: it is written down, and [`Resources::continue_deletion`] does it.
    Begun(Deletion),
    /// The account has no such resource.
    NotFound,
}

/// Resources, their relationships and unique values. Lists are in the order of URNs unless they say otherwise, and continue
/// behind a URN that need not exist any more.
///
/// What stands in the way is an outcome, to be told apart; errors are failures of the store:
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
    /// Makes a resource with its unique values and, if it names one, the link to its parent. `resource.version` is 1.
    async fn create_resource(
        &self,
        scope: &AccountScope,
        resource: &Resource,
        write: Write<'_>,
    ) -> Result<CreateResource>;

    /// The resource as the last write left it.
    async fn find_resource(&self, scope: &AccountScope, urn: &Urn) -> Result<Option<Resource>>;

    /// Gives a resource other attributes, schema version and unique values, if it still is at the expected version (`None`:
    /// at whatever version), and counts the version on. Values that it no longer has are free in the same moment. The
    /// parent, and when it was made, stay as they are in the store.
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

    /// What a resource is in, nearest first: its parent, the parent of that, and so on; `None` if the account has no such
    /// resource. Continues above `after`.
    async fn list_ancestors(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Resource, Urn>>>;

    /// Gives a resource this parent in place of the one that it has.
    async fn attach_resource(
        &self,
        scope: &AccountScope,
        link: &ParentChildRelationship,
        write: Write<'_>,
    ) -> Result<AttachResource>;

    /// Takes a resource out of its parent, and answers with the resource; `None` if the account has no such resource. One
    /// without a parent is left as it is.
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

    /// Takes a resource out of a collection. `false` if it was not in it.
    async fn remove_from_collection(
        &self,
        scope: &AccountScope,
        collection: &Urn,
        member: &Urn,
        write: Write<'_>,
    ) -> Result<bool>;

    /// What is in a collection; `None` if the account has no such resource.
    async fn list_collection_members(
        &self,
        scope: &AccountScope,
        collection: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Membership, Urn>>>;

    /// The collections that a resource is in; `None` if the account has no such resource. May lag behind writes where the
    /// engine's indexes lag.
    async fn list_collections(
        &self,
        scope: &AccountScope,
        member: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<Option<Page<Membership, Urn>>>;

    /// The resource of the account that holds a unique value: the one that has it as given, or else the one that has it
    /// where case does not matter.
    async fn find_by_unique_key(
        &self,
        scope: &AccountScope,
        kind: &ResourceKind,
        property: &PropertyName,
        value: &UniqueValue,
    ) -> Result<Option<Resource>>;

    /// What deleting a resource would take, the resource first and each before what is below it, siblings in the order of
    /// their URNs; `None` if the account has no such resource.
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

    /// A deletion of the account that goes on, or has ended in the last 24 hours.
    async fn find_deletion(&self, scope: &AccountScope, id: DeletionId)
    -> Result<Option<Deletion>>;

    /// The resources of all accounts behind this place, in an order of the engine's own, for going through all of them;
    /// `None` as the next place ends it. A page may be empty.
    async fn resources_after(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<Resource>, Option<String>)>;

    /// Writes a resource in a newer shape, if it still is at its version, which stays. `false` if it is not.
    async fn rewrite_resource(&self, resource: &Resource) -> Result<bool>;
}
