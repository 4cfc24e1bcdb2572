//! Adding resources to collections and removing them. Both ends count the membership, so that
//! neither is deleted without it.

use larder_domain::{CollectionMemberRelationship, Urn};
use larder_storage::{AccountScope, AddMember, Result, Write};

use super::create::put;
use crate::{
    Action, Condition, RecordEngine, Table,
    layout::relational::{
        collection_member::{self, Membership},
        keys,
        resource::{self, count_links},
    },
    store::{
        ItemStore, MAX_ATTEMPTS,
        change_set::{ChangeSet, Commit},
        contention,
    },
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Collection,
    Member,
    Membership,
}

impl<E: RecordEngine> ItemStore<E> {
    pub(super) async fn put_into_collection(
        &self,
        scope: &AccountScope,
        link: &CollectionMemberRelationship,
        write: Write<'_>,
    ) -> Result<AddMember> {
        let account = scope.account();
        let membership =
            Membership { link: link.clone(), account: account.clone(), created_at: write.at };
        let record = collection_member::to_record(&membership);
        for _ in 0..MAX_ATTEMPTS {
            let set = ChangeSet::new()
                .step(Step::Collection, count_links(link.collection(), account, 1))
                .step(Step::Member, count_links(link.member(), account, 1))
                .step(Step::Membership, put(record.clone(), vec![Condition::NotExists]));
            match self.commit(scope.actor(), write, set, None).await? {
                Commit::Done(_) => return Ok(AddMember::Added),
                Commit::Failed(Step::Collection, _) => return Ok(AddMember::CollectionNotFound),
                Commit::Failed(Step::Member, _) => return Ok(AddMember::MemberNotFound),
                Commit::Failed(Step::Membership, _) => {}
            }
            let convey = Action::Update {
                table: Table::Relational,
                key: keys::collection_member(link.collection(), link.member()),
                when: vec![resource::is_of(account)],
                changes: vec![collection_member::conveying(link.conveys_authorization)],
            };
            let set = ChangeSet::new().step(Step::Membership, convey);
            if let Commit::Done(_) = self.commit(scope.actor(), write, set, None).await? {
                return Ok(AddMember::AlreadyMember);
            }
            // It was removed meanwhile.
        }
        Err(contention("putting a resource into a collection"))
    }

    pub(super) async fn take_out_of_collection(
        &self,
        scope: &AccountScope,
        collection: &Urn,
        member: &Urn,
        write: Write<'_>,
    ) -> Result<bool> {
        let account = scope.account();
        // A resource is never a member of itself, and a transaction touches a record once.
        if collection == member {
            return Ok(false);
        }
        let key = keys::collection_member(collection, member);
        let remove =
            Action::Delete { table: Table::Relational, key, when: vec![resource::is_of(account)] };
        let set = ChangeSet::new()
            .step(Step::Membership, remove)
            .step(Step::Collection, count_links(collection, account, -1))
            .step(Step::Member, count_links(member, account, -1));
        let commit = self.commit(scope.actor(), write, set, None).await?;
        // A membership implies both ends, so the failure means that there was none.
        Ok(matches!(commit, Commit::Done(_)))
    }
}
