//! Grants on resources, and access checks.

mod check;
mod manage;

use larder_domain::{AccessAction, GrantedActions, Role};

use crate::resources::Permission;

pub use check::AccessQuestion;

/// Membership of a household as a grant on its account, which is not stored.
pub(crate) fn implied_by(role: Role) -> GrantedActions {
    let actions = match role {
        Role::Admin => vec![AccessAction::any()],
        Role::Member => {
            [Permission::Read, Permission::Write, Permission::Delete].map(Permission::action).into()
        }
    };
    GrantedActions::new(actions).expect("one and three are between one and sixteen")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_work_with_everything_and_only_admins_grant() {
        let (member, admin) = (implied_by(Role::Member), implied_by(Role::Admin));
        for permission in [Permission::Read, Permission::Write, Permission::Delete] {
            let action = permission.action();
            assert!(member.allow(&action) && admin.allow(&action), "{permission:?}");
        }
        let grant = Permission::Grant.action();
        assert!(!member.allow(&grant) && admin.allow(&grant));
    }
}
