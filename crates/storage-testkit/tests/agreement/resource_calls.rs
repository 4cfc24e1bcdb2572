//! One call of the relational ports, as a store does it and as the rules say.

use jiff::Timestamp;
use larder_domain::{
    Access, AccessAction, CollectionMemberRelationship, DeletionId, Doomed, Grant, GrantFilter,
    GrantedActions, ParentChildRelationship, PropertyName, Resource, ResourceKind, UniqueValue,
    Urn,
};
use larder_storage::{
    AccessRequest, AccountScope, AddMember, AttachResource, CreateResource, DeleteResource,
    Membership, Page, PutGrant, ReplaceResource, Result, Store, Write,
};
use larder_storage_testkit::RelationalModel;

/// Small, so that lists have several pages.
const PAGE: usize = 2;

/// A call to a store.
#[derive(Debug)]
pub(super) enum Call {
    Create(Resource),
    Replace(Resource, Option<u64>),
    Rewrite(Resource),
    Attach(ParentChildRelationship),
    Detach(Urn),
    Add(CollectionMemberRelationship),
    Remove(Urn, Urn),
    Delete(Urn, DeletionId),
    Grant(Grant),
    Revoke(Urn, Urn),
    Ask { principal: Urn, action: AccessAction, urn: Urn, implied: Option<(Urn, GrantedActions)> },
    Find(Urn),
    List(Option<ResourceKind>),
    Children(Urn),
    Ancestors(Urn),
    Members(Urn),
    Collections(Urn),
    Preview(Urn),
    LookUp(ResourceKind, PropertyName, UniqueValue),
    Grants(GrantFilter),
    GrantOf(Urn, Urn),
}

/// Its answer.
#[derive(Debug, PartialEq)]
pub(super) enum Answer {
    Created(CreateResource),
    Replaced(ReplaceResource),
    Attached(AttachResource),
    Added(AddMember),
    Granted(PutGrant),
    Is(bool),
    /// How many resources went, in however many transactions.
    Deleted(Option<u64>),
    Access(Option<Access>),
    Resource(Option<Box<Resource>>),
    Resources(Option<Vec<Resource>>),
    Memberships(Option<Vec<Membership>>),
    Doomed(Option<Vec<Doomed>>),
    Grants(Vec<Grant>),
    Grant(Option<Grant>),
}

impl Call {
    /// On a store.
    pub(super) async fn perform(
        &self,
        store: &dyn Store,
        scope: &AccountScope,
        at: Timestamp,
    ) -> Result<Answer> {
        let write = Write::at(at);
        Ok(match self {
            Self::Create(new) => Answer::Created(store.create_resource(scope, new, write).await?),
            Self::Replace(new, version) => {
                Answer::Replaced(store.replace_resource(scope, new, *version, write).await?)
            }
            Self::Rewrite(new) => Answer::Is(store.rewrite_resource(new).await?),
            Self::Attach(link) => {
                Answer::Attached(store.attach_resource(scope, link, write).await?)
            }
            Self::Detach(urn) => found(store.detach_resource(scope, urn, write).await?),
            Self::Add(link) => Answer::Added(store.add_to_collection(scope, link, write).await?),
            Self::Remove(collection, member) => {
                Answer::Is(store.remove_from_collection(scope, collection, member, write).await?)
            }
            Self::Delete(root, id) => Answer::Deleted(delete(store, scope, root, *id, at).await?),
            Self::Grant(grant) => Answer::Granted(store.put_grant(scope, grant, write).await?),
            Self::Revoke(principal, on) => {
                Answer::Is(store.remove_grant(scope, principal, on, write).await?)
            }
            Self::Ask { principal, action, urn, implied } => {
                let implied = implied.as_ref().map(|(account, actions)| (account, actions));
                let request = AccessRequest { principal, action, urn, implied };
                Answer::Access(store.authorize(request).await?)
            }
            Self::Find(urn) => found(store.find_resource(scope, urn).await?),
            Self::LookUp(kind, property, value) => {
                found(store.find_by_unique_key(scope, kind, property, value).await?)
            }
            Self::GrantOf(principal, on) => {
                Answer::Grant(store.find_grant(scope, principal, on).await?)
            }
            list => list.read(store, scope).await?,
        })
    }

    /// The lists, page by page.
    async fn read(&self, store: &dyn Store, scope: &AccountScope) -> Result<Answer> {
        Ok(match self {
            Self::List(kind) => Answer::Resources(
                whole(async |after: Option<Urn>| {
                    let page = store.list_resources(scope, kind.as_ref(), after.as_ref(), PAGE);
                    page.await.map(Some)
                })
                .await?,
            ),
            Self::Children(urn) => Answer::Resources(
                whole(async |after: Option<Urn>| {
                    store.list_children(scope, urn, after.as_ref(), PAGE).await
                })
                .await?,
            ),
            Self::Ancestors(urn) => Answer::Resources(
                whole(async |after: Option<Urn>| {
                    store.list_ancestors(scope, urn, after.as_ref(), PAGE).await
                })
                .await?,
            ),
            Self::Members(urn) => Answer::Memberships(
                whole(async |after: Option<Urn>| {
                    store.list_collection_members(scope, urn, after.as_ref(), PAGE).await
                })
                .await?,
            ),
            Self::Collections(urn) => Answer::Memberships(
                whole(async |after: Option<Urn>| {
                    store.list_collections(scope, urn, after.as_ref(), PAGE).await
                })
                .await?,
            ),
            Self::Preview(urn) => Answer::Doomed(
                whole(async |after: Option<Urn>| {
                    store.preview_deletion(scope, urn, after.as_ref(), PAGE).await
                })
                .await?,
            ),
            Self::Grants(filter) => {
                let grants = whole(async |after: Option<_>| {
                    store.list_grants(scope, filter, after.as_ref(), PAGE).await.map(Some)
                });
                Answer::Grants(grants.await?.unwrap_or_default())
            }
            other => unreachable!("{other:?} is no list"),
        })
    }

    /// By the rules.
    pub(super) fn apply(
        &self,
        model: &mut RelationalModel,
        account: &Urn,
        at: Timestamp,
    ) -> Answer {
        match self {
            Self::Create(new) => Answer::Created(model.create(account, new)),
            Self::Replace(new, version) => {
                Answer::Replaced(model.replace(account, new, *version, at))
            }
            Self::Rewrite(new) => Answer::Is(model.rewrite(new)),
            Self::Attach(link) => Answer::Attached(model.attach(account, link, at)),
            Self::Detach(urn) => found(model.detach(account, urn, at)),
            Self::Add(link) => Answer::Added(model.add_to_collection(account, link, at)),
            Self::Remove(collection, member) => {
                Answer::Is(model.remove_from_collection(account, collection, member))
            }
            Self::Delete(root, _) => Answer::Deleted(model.delete(account, root)),
            Self::Grant(grant) => Answer::Granted(model.put_grant(account, grant, at)),
            Self::Revoke(principal, on) => Answer::Is(model.remove_grant(account, principal, on)),
            Self::Ask { principal, action, urn, implied } => {
                let implied = implied.as_ref().map(|(account, actions)| (account, actions));
                let request = AccessRequest { principal, action, urn, implied };
                Answer::Access(model.authorize(request))
            }
            Self::Find(urn) => found(model.find(account, urn).cloned()),
            Self::List(kind) => Answer::Resources(Some(model.list(account, kind.as_ref()))),
            Self::Children(urn) => Answer::Resources(model.children(account, urn)),
            Self::Ancestors(urn) => Answer::Resources(model.ancestors(account, urn)),
            Self::Members(urn) => Answer::Memberships(model.members(account, urn)),
            Self::Collections(urn) => Answer::Memberships(model.collections(account, urn)),
            Self::Preview(urn) => Answer::Doomed(model.preview(account, urn)),
            Self::LookUp(kind, property, value) => {
                found(model.find_by_key(account, kind, property, value))
            }
            Self::Grants(filter) => Answer::Grants(model.list_grants(account, filter)),
            Self::GrantOf(principal, on) => {
                Answer::Grant(model.grant(account, principal, on).cloned())
            }
        }
    }
}

fn found(resource: Option<Resource>) -> Answer {
    Answer::Resource(resource.map(Box::new))
}

/// Deletes to the end.
async fn delete(
    store: &dyn Store,
    scope: &AccountScope,
    root: &Urn,
    id: DeletionId,
    at: Timestamp,
) -> Result<Option<u64>> {
    let mut deletion = match store.delete_resource(scope, root, id, Write::at(at)).await? {
        DeleteResource::Deleted(count) => return Ok(Some(count)),
        DeleteResource::NotFound => return Ok(None),
        DeleteResource::Begun(deletion) => deletion,
    };
    while deletion.finished_at.is_none() {
        deletion = store.continue_deletion(&deletion, at).await?;
    }
    Ok(Some(deletion.removed))
}

/// All pages of a list.
async fn whole<T, P>(
    mut read: impl AsyncFnMut(Option<P>) -> Result<Option<Page<T, P>>>,
) -> Result<Option<Vec<T>>> {
    let (mut items, mut after) = (Vec::new(), None);
    loop {
        let Some(page) = read(after.take()).await? else { return Ok(None) };
        assert!(page.items.len() <= PAGE, "a page holds at most what was asked for");
        items.extend(page.items);
        match page.next {
            Some(next) => after = Some(next),
            None => return Ok(Some(items)),
        }
    }
}
