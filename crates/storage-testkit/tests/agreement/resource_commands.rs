//! Commands of random sequences for the relational store.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Just, any};
use proptest::prop_oneof;
use proptest::strategy::Strategy;

/// The number of URNs: few, so that commands interact.
pub(super) const NODES: u8 = 9;
/// Unique values, prefixed by the mark of the sequence.
pub(super) const VALUES: [&str; 3] = ["a", "A", "b"];
/// Properties that are unique.
pub(super) const PROPERTIES: [&str; 2] = ["serial", "name"];
/// Actions to grant and to check.
pub(super) const ACTIONS: [&str; 3] = ["read", "write", "*"];

/// A unique value: property, value, and whether case does not matter.
pub(super) type KeyChoice = (u8, u8, bool);

/// A command. Accounts, URNs and principals are numbers, resolved by the sequence.
#[derive(Debug, Clone)]
pub(super) enum ResourceCommand {
    Create {
        who: u8,
        node: u8,
        parent: Option<u8>,
        keys: Vec<KeyChoice>,
        value: u8,
    },
    /// The expected version: 0 any, 1 the current one, 2 another.
    Replace {
        who: u8,
        node: u8,
        keys: Vec<KeyChoice>,
        from: u8,
        value: u8,
    },
    Rewrite {
        node: u8,
        is_stale: bool,
    },
    Attach {
        who: u8,
        parent: u8,
        child: u8,
    },
    Detach {
        who: u8,
        child: u8,
    },
    Add {
        who: u8,
        collection: u8,
        member: u8,
        conveys: bool,
    },
    Remove {
        who: u8,
        collection: u8,
        member: u8,
    },
    Delete {
        who: u8,
        root: u8,
    },
    /// On a resource, or on the account.
    Grant {
        who: u8,
        principal: u8,
        on: Option<u8>,
        action: u8,
    },
    Revoke {
        who: u8,
        principal: u8,
        on: Option<u8>,
    },
    Ask {
        principal: u8,
        action: u8,
        node: u8,
        is_member: bool,
    },
    /// Everything that is to be seen of a resource.
    Look {
        who: u8,
        node: u8,
    },
    LookUp {
        who: u8,
        node: u8,
        property: u8,
        value: u8,
    },
    /// Resumes interrupted work.
    Resume,
}

/// A command, and after how many transactions it is interrupted, if it is.
pub(super) type Step = (ResourceCommand, Option<u8>);

pub(super) fn step() -> impl Strategy<Value = Step> {
    // Only deletions take several transactions.
    prop_oneof![
        8 => (command(), option::weighted(0.1, 0..6_u8)),
        1 => (deletion(), option::weighted(0.8, 0..8_u8)),
    ]
}

fn deletion() -> impl Strategy<Value = ResourceCommand> {
    (who(), 0..NODES).prop_map(|(who, root)| ResourceCommand::Delete { who, root })
}

/// Mostly the first account, so that resources interact.
fn who() -> impl Strategy<Value = u8> {
    prop_oneof![5 => Just(0), 1 => Just(1)]
}

fn keys() -> impl Strategy<Value = Vec<KeyChoice>> {
    vec((0..2_u8, 0..3_u8, any::<bool>()), 0..3)
}

fn command() -> impl Strategy<Value = ResourceCommand> {
    use ResourceCommand::{
        Add, Ask, Attach, Create, Detach, Grant, Look, LookUp, Remove, Replace, Resume, Revoke,
        Rewrite,
    };
    let node = || 0..NODES;
    let link = move || (who(), node(), node());
    prop_oneof![
        9 => (who(), node(), option::weighted(0.6, node()), keys(), any::<u8>()).prop_map(
            |(who, node, parent, keys, value)| Create { who, node, parent, keys, value }
        ),
        3 => (who(), node(), keys(), 0..3_u8, any::<u8>())
            .prop_map(|(who, node, keys, from, value)| Replace { who, node, keys, from, value }),
        1 => (node(), any::<bool>()).prop_map(|(node, is_stale)| Rewrite { node, is_stale }),
        5 => link().prop_map(|(who, parent, child)| Attach { who, parent, child }),
        2 => (who(), node()).prop_map(|(who, child)| Detach { who, child }),
        4 => (link(), any::<bool>()).prop_map(|((who, collection, member), conveys)| {
            Add { who, collection, member, conveys }
        }),
        1 => link().prop_map(|(who, collection, member)| Remove { who, collection, member }),
        3 => (who(), 0..2_u8, option::weighted(0.8, node()), 0..3_u8).prop_map(
            |(who, principal, on, action)| Grant { who, principal, on, action }
        ),
        1 => (who(), 0..2_u8, option::weighted(0.8, node()))
            .prop_map(|(who, principal, on)| Revoke { who, principal, on }),
        3 => (0..2_u8, 0..3_u8, node(), any::<bool>()).prop_map(
            |(principal, action, node, is_member)| Ask { principal, action, node, is_member }
        ),
        1 => (who(), node()).prop_map(|(who, node)| Look { who, node }),
        1 => (who(), node(), 0..2_u8, 0..3_u8)
            .prop_map(|(who, node, property, value)| LookUp { who, node, property, value }),
        1 => Just(Resume),
    ]
}
