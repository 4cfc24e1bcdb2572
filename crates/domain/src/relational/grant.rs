//! Grants: actions of principals on resources.

use std::collections::BTreeSet;

use jiff::Timestamp;
use thiserror::Error;

use super::Urn;

const MAX_ACTION: usize = 64;
const MAX_ACTIONS: usize = 16;

/// An action, such as `read`; [`AccessAction::any`] stands for all.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccessAction(String);

/// The text names no action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be * or have 1 to 64 of a-z, 0-9, :, ., _ and -, the first a letter")]
pub struct InvalidAccessAction;

impl AccessAction {
    /// Everything.
    pub fn any() -> Self {
        Self("*".to_owned())
    }

    /// Validates the text.
    pub fn parse(text: &str) -> Result<Self, InvalidAccessAction> {
        let allowed =
            |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b':' | b'.' | b'_' | b'-');
        let named = text.len() <= MAX_ACTION
            && text.starts_with(|first: char| first.is_ascii_lowercase())
            && text.bytes().all(allowed);
        if named || text == "*" { Ok(Self(text.to_owned())) } else { Err(InvalidAccessAction) }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// One to sixteen actions, in the order of their texts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GrantedActions(BTreeSet<AccessAction>);

/// The wrong number of actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be 1 to 16 actions")]
pub struct InvalidGrantedActions;

impl GrantedActions {
    /// Validates the actions.
    pub fn new(
        actions: impl IntoIterator<Item = AccessAction>,
    ) -> Result<Self, InvalidGrantedActions> {
        let actions: BTreeSet<_> = actions.into_iter().collect();
        if (1..=MAX_ACTIONS).contains(&actions.len()) {
            Ok(Self(actions))
        } else {
            Err(InvalidGrantedActions)
        }
    }

    /// Whether this action is among them.
    pub fn allow(&self, action: &AccessAction) -> bool {
        self.0.contains(action) || self.0.contains(&AccessAction::any())
    }

    /// The actions.
    pub fn iter(&self) -> std::collections::btree_set::Iter<'_, AccessAction> {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a GrantedActions {
    type Item = &'a AccessAction;
    type IntoIter = std::collections::btree_set::Iter<'a, AccessAction>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A principal's permission on a resource and everything that inherits from it; on an account, on
/// everything in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// The principal.
    pub principal: Urn,
    /// A resource of the account, or the account itself.
    pub on: Urn,
    /// The account.
    pub account: Urn,
    /// The actions.
    pub actions: GrantedActions,
    /// When it was first given.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Which grants of an account a list shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrantFilter {
    /// All.
    All,
    /// Those on this resource or account itself.
    On(Urn),
    /// Those of this principal.
    Of(Urn),
}

/// The position of a grant in lists, which are ordered by resource and then by principal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct GrantPosition {
    /// The resource.
    pub on: Urn,
    /// To whom.
    pub principal: Urn,
}

impl Grant {
    /// Its position in lists.
    pub fn position(&self) -> GrantPosition {
        GrantPosition { on: self.on.clone(), principal: self.principal.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(text: &str) -> AccessAction {
        AccessAction::parse(text).unwrap()
    }

    #[test]
    fn a_grant_allows_what_it_names_and_the_star_everything() {
        let some = GrantedActions::new([action("read"), action("stock:take")]).unwrap();
        assert!(some.allow(&action("read")) && some.allow(&action("stock:take")));
        assert!(!some.allow(&action("write")) && !some.allow(&AccessAction::any()));
        let all = GrantedActions::new([AccessAction::any()]).unwrap();
        assert!(all.allow(&action("write")) && all.allow(&AccessAction::any()));
    }

    #[test]
    fn what_names_no_action_is_refused() {
        for text in ["", "Read", "1read", "re ad", "**", "read,write", "réad", &"a".repeat(65)] {
            assert_eq!(AccessAction::parse(text), Err(InvalidAccessAction), "{text:?}");
        }
        assert_eq!(GrantedActions::new([]), Err(InvalidGrantedActions));
        let many = (0..17).map(|n| action(&format!("a{n}")));
        assert_eq!(GrantedActions::new(many), Err(InvalidGrantedActions));
    }
}
