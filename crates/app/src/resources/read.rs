//! Reading resources: one, all of an account, and the descendants and ancestors of one.

use larder_domain::{
    PropertyName, Resource, ResourceKind, ResourceType, UniqueValue, Urn, UrnDomain,
};
use larder_storage::Page;

use super::Permission;
use crate::{App, AppError, Caller, Result, authorize};

/// A page of resources.
type ResourcePage = Page<Resource, Urn>;

impl App {
    /// The resource.
    pub async fn resource(&self, caller: &Caller, urn: &Urn) -> Result<Resource> {
        if let Some(own) = authorize::find_account(caller)
            && let Some(found) = self.storage.find_resource(&own, urn).await?
        {
            return Ok(self.shown(found));
        }
        let guest = self.guest(caller, urn, Permission::Read).await?;
        let guest = guest.ok_or(AppError::ResourceNotFound)?;
        let found = self.storage.find_resource(&guest.scope, urn).await?;
        Ok(guest.shown(self.shown(found.ok_or(AppError::ResourceNotFound)?)))
    }

    /// The resources of the caller's account, or those of one type.
    pub async fn resources(
        &self,
        caller: &Caller,
        resource_type: Option<&ResourceType>,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<ResourcePage> {
        let Some(scope) = authorize::find_account(caller) else { return Ok(Page::EMPTY) };
        let kind = resource_type.map(of_larder);
        let page = self.storage.list_resources(&scope, kind.as_ref(), after, limit).await?;
        Ok(self.shown_page(page))
    }

    /// The children of a resource.
    pub async fn children(
        &self,
        caller: &Caller,
        parent: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<ResourcePage> {
        if let Some(own) = authorize::find_account(caller)
            && let Some(page) = self.storage.list_children(&own, parent, after, limit).await?
        {
            return Ok(self.shown_page(page));
        }
        let guest = self.guest(caller, parent, Permission::Read).await?;
        let guest = guest.ok_or(AppError::ResourceNotFound)?;
        let page = self.storage.list_children(&guest.scope, parent, after, limit).await?;
        Ok(self.shown_page(page.ok_or(AppError::ResourceNotFound)?))
    }

    /// The parent of a resource of the caller's account.
    pub async fn parent(&self, caller: &Caller, urn: &Urn) -> Result<Resource> {
        let scope = authorize::find_account(caller).ok_or(AppError::ResourceNotFound)?;
        let child = self.storage.find_resource(&scope, urn).await?;
        let parent = child.ok_or(AppError::ResourceNotFound)?.parent;
        let parent = parent.ok_or(AppError::ParentNotFound)?;
        let found = self.storage.find_resource(&scope, &parent).await?;
        Ok(self.shown(found.ok_or(AppError::ParentNotFound)?))
    }

    /// All that a resource of the caller's account is in, nearest first.
    pub async fn ancestors(
        &self,
        caller: &Caller,
        urn: &Urn,
        after: Option<&Urn>,
        limit: usize,
    ) -> Result<ResourcePage> {
        let scope = authorize::find_account(caller).ok_or(AppError::ResourceNotFound)?;
        let page = self.storage.list_ancestors(&scope, urn, after, limit).await?;
        Ok(self.shown_page(page.ok_or(AppError::ResourceNotFound)?))
    }

    /// The resource of the caller's account that has this unique value.
    pub async fn unique_key_holder(
        &self,
        caller: &Caller,
        resource_type: &ResourceType,
        property: &PropertyName,
        value: &UniqueValue,
    ) -> Result<Resource> {
        let scope = authorize::find_account(caller).ok_or(AppError::UniqueKeyNotFound)?;
        // The application's own unique values are not held by resources.
        if resource_type.is_reserved() {
            return Err(AppError::UniqueKeyNotFound);
        }
        let kind = of_larder(resource_type);
        let found = self.storage.find_by_unique_key(&scope, &kind, property, value).await?;
        found.map(|holder| self.shown(holder)).ok_or(AppError::UniqueKeyNotFound)
    }
}

/// The kind of resources that Larder names itself.
fn of_larder(resource_type: &ResourceType) -> ResourceKind {
    ResourceKind { domain: UrnDomain::larder(), resource_type: resource_type.clone() }
}
