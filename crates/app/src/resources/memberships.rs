//! Collections and their members. Only for the household itself.

use larder_domain::{CollectionMemberRelationship, Urn};
use larder_storage::{AccountScope, AddMember, Membership, Page};

use crate::{App, AppError, Caller, Result, authorize};

/// A page of memberships.
type MembershipPage = Page<Membership, Urn>;

impl App {
    /// Puts a resource into a collection, or changes whether that conveys. `true` if it was not in it before.
    pub async fn add_to_collection(
        &self,
        caller: &Caller,
        link: &CollectionMemberRelationship,
    ) -> Result<bool> {
        let scope = authorize::find_account(caller).ok_or(AppError::CollectionNotFound)?;
        let added = self.storage.add_to_collection(&scope, link, self.write(None)).await?;
        self.notify_things_changed(&scope);
        match added {
            AddMember::Added => Ok(true),
            AddMember::AlreadyMember => Ok(false),
            AddMember::CollectionNotFound => Err(AppError::CollectionNotFound),
            AddMember::MemberNotFound => Err(AppError::CollectionMemberNotFound),
        }
    }

    /// Removes a resource from a collection, if it is a member. Both must exist.
    pub async fn remove_from_collection(
        &self,
        caller: &Caller,
        collection: &Urn,
        member: &Urn,
    ) -> Result<()> {
        let scope = authorize::find_account(caller).ok_or(AppError::CollectionNotFound)?;
        let write = self.write(None);
        if self.storage.remove_from_collection(&scope, collection, member, write).await? {
            self.notify_things_changed(&scope);
            return Ok(());
        }
        self.expect_resource(&scope, collection, AppError::CollectionNotFound).await?;
        self.expect_resource(&scope, member, AppError::CollectionMemberNotFound).await
    }

    /// The members of a collection.
    pub async fn collection_members(
        &self,
        caller: &Caller,
        collection: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<MembershipPage> {
        let scope = authorize::find_account(caller).ok_or(AppError::ResourceNotFound)?;
        let page = self.storage.list_collection_members(&scope, collection, after, limit).await?;
        Ok(self.shown_memberships(page.ok_or(AppError::ResourceNotFound)?))
    }

    /// The collections that a resource is in.
    pub async fn collections(
        &self,
        caller: &Caller,
        member: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<MembershipPage> {
        let scope = authorize::find_account(caller).ok_or(AppError::ResourceNotFound)?;
        let page = self.storage.list_collections(&scope, member, after, limit).await?;
        Ok(self.shown_memberships(page.ok_or(AppError::ResourceNotFound)?))
    }

    async fn expect_resource(
        &self,
        scope: &AccountScope,
        urn: &Urn,
        otherwise: AppError,
    ) -> Result<()> {
        self.storage.find_resource(scope, urn).await?.map(drop).ok_or(otherwise)
    }
}
