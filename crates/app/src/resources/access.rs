//! Access to resources: a household has all rights on its own, a guest those of a grant.

use larder_domain::{Access, AccessAction, Resource, Urn, Via};
use larder_storage::{AccessRequest, AccountScope, TakenKey};

use crate::{App, AppError, Caller, Result, authorize};

/// The actions that Larder itself checks. Grants may contain other actions, for other applications.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permission {
    /// See it and its contents.
    Read,
    /// Change it, and put something new into it.
    Write,
    /// Delete it with all that is in it.
    Delete,
    /// Manage its grants.
    Grant,
}

impl Permission {
    /// How grants call it.
    pub(crate) fn action(self) -> AccessAction {
        let name = match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Delete => "delete",
            Self::Grant => "grant",
        };
        AccessAction::parse(name).expect("each of the names is an action")
    }
}

/// A caller's rights in an account that may be another's.
pub(crate) struct Guest {
    /// The account.
    pub(crate) scope: AccountScope,
    /// Why they may.
    pub(crate) access: Access,
}

impl Guest {
    /// The resource as the guest may see it: its parent is hidden, unless the permission comes from
    /// there.
    pub(crate) fn shown(&self, mut resource: Resource) -> Resource {
        let is_from_above = |step: &larder_domain::PathStep| step.via == Via::Parent;
        if !self.access.path.get(1).is_some_and(is_from_above) {
            resource.parent = None;
        }
        resource
    }

    /// The error as the guest may see it: without the holder of a taken value.
    pub(crate) fn told(error: AppError) -> AppError {
        match error {
            AppError::UniqueKeyTaken(taken) => {
                AppError::UniqueKeyTaken(Box::new(TakenKey { holder: None, ..*taken }))
            }
            other => other,
        }
    }
}

impl App {
    /// The account in which the caller may do this with an existing resource: their own, or one
    /// opened by a grant.
    pub(crate) async fn reach(
        &self,
        caller: &Caller,
        urn: &Urn,
        permission: Permission,
    ) -> Result<AccountScope> {
        if let Some(own) = authorize::find_account(caller)
            && self.storage.find_resource(&own, urn).await?.is_some()
        {
            return Ok(own);
        }
        let guest = self.guest(caller, urn, permission).await?;
        Ok(guest.ok_or(AppError::ResourceNotFound)?.scope)
    }

    /// The rights that a grant gives the caller; `None` without one, or if there is no such
    /// resource.
    pub(crate) async fn guest(
        &self,
        caller: &Caller,
        urn: &Urn,
        permission: Permission,
    ) -> Result<Option<Guest>> {
        let (principal, action) = (Urn::of_user(caller.user_id()), permission.action());
        let request = AccessRequest { principal: &principal, action: &action, urn, implied: None };
        let access = self.storage.authorize(request).await?;
        Ok(access.map(|access| Guest { scope: authorize::granted(caller, &access), access }))
    }
}

#[cfg(test)]
mod tests {
    use larder_domain::{
        Attributes, GrantedActions, HouseholdId, PathStep, PropertyName, Role, SchemaVersion,
        UniqueKey, UniqueKeys, UniqueValue,
    };

    use super::*;
    use crate::caller::tests::caller;

    fn urn(number: u8) -> Urn {
        format!("urn:pp:Box::00000000-0000-0000-0000-0000000000{number:02x}").parse().unwrap()
    }

    fn guest(path: &[(u8, Via)]) -> Guest {
        let access = Access {
            account: Urn::of_household(HouseholdId::fixed(9)),
            path: path.iter().map(|&(at, via)| PathStep { urn: urn(at), via }).collect(),
            actions: GrantedActions::new([AccessAction::any()]).unwrap(),
        };
        Guest { scope: authorize::granted(&caller(Some(Role::Member)), &access), access }
    }

    fn resource() -> Resource {
        Resource {
            urn: urn(1),
            account: Urn::of_household(HouseholdId::fixed(9)),
            parent: Some(urn(2)),
            schema_version: SchemaVersion::FIRST,
            version: 1,
            unique_keys: UniqueKeys::default(),
            attributes: Attributes::default(),
            created_at: jiff::Timestamp::UNIX_EPOCH,
            updated_at: jiff::Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn a_guest_learns_what_a_thing_is_in_only_where_the_permission_comes_from_there() {
        let parent = |path| guest(path).shown(resource()).parent;
        assert_eq!(parent(&[(1, Via::Itself)]), None);
        assert_eq!(parent(&[(1, Via::Itself), (3, Via::Collection)]), None);
        assert_eq!(parent(&[(1, Via::Itself), (2, Via::Parent)]), Some(urn(2)));
    }

    #[test]
    fn a_guest_is_not_told_which_other_thing_has_a_value() {
        let key = UniqueKey {
            property: PropertyName::parse("serial").unwrap(),
            value: UniqueValue::parse("A-1").unwrap(),
            case_insensitive: false,
        };
        let taken = TakenKey { key: key.clone(), holder: Some(urn(3)) };
        let told = Guest::told(taken.into());
        let hidden = TakenKey { key, holder: None };
        assert!(matches!(told, AppError::UniqueKeyTaken(taken) if *taken == hidden));
    }

    #[test]
    fn every_permission_has_the_name_that_grants_use() {
        let names = [Permission::Read, Permission::Write, Permission::Delete, Permission::Grant];
        let names = names.map(|permission| permission.action().as_str().to_owned());
        assert_eq!(names, ["read", "write", "delete", "grant"]);
    }
}
