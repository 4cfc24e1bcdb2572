//! How permission flows: from a parent to its children, from a collection to the members that it conveys to, and from the
//! account to everything in it.
//!
//! A store climbs from the resource in question, level by level: it looks up the facts about the
//! URNs on the frontier, and [`Ascent`] determines the next frontier, until a grant is found or
//! nothing is left. The result is a shortest path, and of several the first in the order of parents
//! before collections before texts, so that every engine gives the same answer.

use std::collections::{HashMap, VecDeque};

use super::{AccessAction, GrantedActions, Urn};

/// The maximal number of URNs whose grants are checked for one answer. Anything beyond does not
/// permit anything.
pub const MAX_AUTHORIZING_URNS: usize = 10_000;

/// How a permission is inherited from one URN to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Via {
    /// The resource in question.
    Itself,
    /// It is the parent of the one before.
    Parent,
    /// It is a collection that conveys to the one before.
    Collection,
    /// It is the account.
    Account,
}

/// One step of the path from the resource in question to the grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathStep {
    /// The end of the step.
    pub urn: Urn,
    /// How.
    pub via: Via,
}

/// Why something is allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// The account of the resource.
    pub account: Urn,
    /// The path from the resource to the target of the grant, both included.
    pub path: Vec<PathStep>,
    /// The actions of the grant.
    pub actions: GrantedActions,
}

/// The facts about a resource on the path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeFacts {
    /// Its parent.
    pub parent: Option<Urn>,
    /// The collections that convey to it.
    pub conveying: Vec<Urn>,
    /// The principal's actions by a grant on the resource itself.
    pub granted: Option<GrantedActions>,
}

/// The way up from a resource.
#[derive(Debug)]
pub struct Ascent {
    action: AccessAction,
    /// The predecessor of each URN and how it was reached; the first has none.
    reached: HashMap<Urn, (Option<Urn>, Via)>,
    frontier: VecDeque<Urn>,
}

impl Ascent {
    /// Starts at the resource in question.
    pub fn new(urn: Urn, action: AccessAction) -> Self {
        let reached = HashMap::from([(urn.clone(), (None, Via::Itself))]);
        Self { action, reached, frontier: VecDeque::from([urn]) }
    }

    /// The URNs to look up next; empty at the end.
    pub fn frontier(&self) -> impl ExactSizeIterator<Item = &Urn> {
        self.frontier.iter()
    }

    /// Takes the facts about each URN of the frontier (none for absent ones), and returns the path
    /// as soon as a grant is reached.
    pub fn advance(&mut self, account: &Urn, facts: &HashMap<Urn, NodeFacts>) -> Option<Access> {
        let level = std::mem::take(&mut self.frontier);
        for urn in &level {
            let Some(node) = facts.get(urn) else { continue };
            if let Some(actions) = node.granted.as_ref().filter(|held| held.allow(&self.action)) {
                let path = self.path_to(urn);
                return Some(Access { account: account.clone(), path, actions: actions.clone() });
            }
        }
        for urn in level {
            let Some(node) = facts.get(&urn) else { continue };
            let mut conveying: Vec<&Urn> = node.conveying.iter().collect();
            conveying.sort();
            let parent = node.parent.iter().map(|parent| (parent, Via::Parent));
            let collections = conveying.into_iter().map(|urn| (urn, Via::Collection));
            for (next, via) in parent.chain(collections) {
                if self.reached.len() < MAX_AUTHORIZING_URNS && !self.reached.contains_key(next) {
                    self.reached.insert(next.clone(), (Some(urn.clone()), via));
                    self.frontier.push_back(next.clone());
                }
            }
        }
        None
    }

    /// The result if only the account itself has a grant, with these actions.
    pub fn by_account(&self, urn: &Urn, account: &Urn, granted: &GrantedActions) -> Option<Access> {
        granted.allow(&self.action).then(|| Access {
            account: account.clone(),
            path: vec![
                PathStep { urn: urn.clone(), via: Via::Itself },
                PathStep { urn: account.clone(), via: Via::Account },
            ],
            actions: granted.clone(),
        })
    }

    fn path_to(&self, urn: &Urn) -> Vec<PathStep> {
        let mut path = Vec::new();
        let mut at = Some(urn);
        while let Some(urn) = at {
            let Some((from, via)) = self.reached.get(urn) else { break };
            path.push(PathStep { urn: urn.clone(), via: *via });
            at = from.as_ref();
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
#[path = "access_tests.rs"]
mod tests;
