//! Setting, changing and removing the parent of a resource.
//!
//! Only attaching an existing resource can close a cycle: a new one has no children. So every move
//! is counted in the account, and an attachment commits only if there was no move since it began to
//! check whether the child is an ancestor of the new parent. Without a move, the ancestors of the
//! new parent stay, because a resource with children is not deleted, unless the new parent itself
//! was deleted and re-created elsewhere: its creation time is a condition, too.

use jiff::Timestamp;
use larder_domain::{ParentChildRelationship, Resource, Urn};
use larder_storage::{AccountScope, AttachResource, Result, Write};

use super::create::put;
use crate::{
    Action, Change, Condition, Number, RecordEngine, Table,
    layout::{
        fields::timestamp_text,
        keys as own_keys,
        relational::{
            CREATED_AT, UPDATED_AT, keys,
            parent_child::{self, Parentage},
            resource, tree,
        },
    },
    store::{
        ItemStore, MAX_ATTEMPTS,
        change_set::{ChangeSet, Commit},
        contention,
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Child,
    /// Links, counts and the lock of the tree.
    Tree,
}

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn attach(
        &self,
        scope: &AccountScope,
        link: &ParentChildRelationship,
        write: Write<'_>,
    ) -> Result<AttachResource> {
        let tree_key = own_keys::tree(scope.account());
        for _ in 0..MAX_ATTEMPTS {
            let version = tree::version_of(self.get(&tree_key).await?.as_ref())?;
            let Some(child) = self.find_counted(scope, link.child()).await? else {
                return Ok(AttachResource::NotFound);
            };
            let child = child.resource;
            if child.parent.as_ref() == Some(link.parent()) {
                return Ok(AttachResource::Attached(Box::new(child)));
            }
            let Some(parent) = self.find_counted(scope, link.parent()).await? else {
                return Ok(AttachResource::ParentNotFound);
            };
            if self.is_above(scope, &child.urn, &parent.resource).await? {
                // A path that was read during a move may never have existed.
                if tree::version_of(self.get(&tree_key).await?.as_ref())? == version {
                    return Ok(AttachResource::Cycle);
                }
                continue;
            }
            let destination = Destination { link, made_at: parent.resource.created_at };
            let set = moving(&child, Some(destination), scope.account(), write)
                .step(Step::Tree, version.count_on(scope.account()));
            if let Commit::Done(images) = self.commit(scope.actor(), write, set, None).await? {
                let moved = images.decode(Step::Child, resource::from_record)?;
                return Ok(AttachResource::Attached(Box::new(moved.resource)));
            }
        }
        Err(contention("giving a resource a parent"))
    }

    pub(super) async fn detach(
        &self,
        scope: &AccountScope,
        child: &Urn,
        write: Write<'_>,
    ) -> Result<Option<Resource>> {
        for _ in 0..MAX_ATTEMPTS {
            let Some(child) = self.find_counted(scope, child).await? else { return Ok(None) };
            let child = child.resource;
            if child.parent.is_none() {
                return Ok(Some(child));
            }
            let set = moving(&child, None, scope.account(), write)
                .step(Step::Tree, tree::count_on(scope.account()));
            if let Commit::Done(images) = self.commit(scope.actor(), write, set, None).await? {
                return images
                    .decode(Step::Child, resource::from_record)
                    .map(|moved| Some(moved.resource));
            }
        }
        Err(contention("taking a resource out of its parent"))
    }
}

/// The new parent of a resource.
#[derive(Clone, Copy)]
struct Destination<'a> {
    link: &'a ParentChildRelationship,
    /// When the parent was created.
    made_at: Timestamp,
}

/// Moves a child from its parent to another.
fn moving(
    child: &Resource,
    to: Option<Destination<'_>>,
    account: &Urn,
    write: Write<'_>,
) -> ChangeSet<Step> {
    let when = vec![resource::is_of(account), resource::has_parent(child.parent.as_ref())];
    let placed = match &to {
        Some(to) => Change::Set(resource::PARENT.into(), to.link.parent().as_str().into()),
        None => Change::Remove(resource::PARENT.into()),
    };
    let changes = vec![
        placed,
        Change::Add(resource::VERSION.into(), Number::from(1)),
        Change::Set(UPDATED_AT.into(), timestamp_text(write.at).into()),
    ];
    let mut set = ChangeSet::new().step(Step::Child, resource::update(&child.urn, when, changes));
    if let Some(old) = &child.parent {
        let key = keys::parent_child(old, &child.urn);
        let unlink =
            Action::Delete { table: Table::Relational, key, when: vec![Condition::Exists] };
        set = set
            .step(Step::Tree, unlink)
            .step(Step::Tree, resource::count_children(old, account, -1));
    }
    if let Some(Destination { link, made_at }) = to {
        let made_then = Condition::Equals(CREATED_AT.into(), timestamp_text(made_at).into());
        let counted = vec![Change::Add(resource::CHILD_COUNT.into(), Number::from(1))];
        let when = vec![resource::is_of(account), made_then];
        let parentage =
            Parentage { link: link.clone(), account: account.clone(), created_at: write.at };
        set = set
            .step(Step::Tree, resource::update(link.parent(), when, counted))
            .step(Step::Tree, put(parent_child::to_record(&parentage), vec![Condition::NotExists]));
    }
    set
}
