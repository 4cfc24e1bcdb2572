//! Tokens for programs, below the partition of the person whose they are.

use std::cmp::Reverse;

use async_trait::async_trait;
use jiff::Timestamp;
use larder_domain::{ProgramTokenId, ProgramTokenPosition, UserId};
use larder_storage::{
    CreateProgramToken, Page, ProgramToken, ProgramTokens, Result, StorageError, Write,
};

use super::{
    ItemStore, MAX_ATTEMPTS,
    change_set::{ChangeSet, Commit},
    contention,
};
use crate::{
    Condition, RecordEngine,
    layout::{keys, program_token},
};

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Token,
    Count,
}

#[async_trait]
impl<E: RecordEngine> ProgramTokens for ItemStore<E> {
    async fn create_program_token(
        &self,
        new: &ProgramToken,
        limit: u32,
    ) -> Result<CreateProgramToken> {
        let (count, write) = (keys::program_token_count(new.user), Write::at(new.created_at));
        for _ in 0..MAX_ATTEMPTS {
            let set = ChangeSet::new();
            let is_first = self.get(&count).await?.is_none();
            let set = if is_first {
                let first = program_token::first_count(new.user);
                set.put(Step::Count, first, vec![Condition::NotExists])
            } else {
                let fewer = vec![program_token::are_fewer_than(limit)];
                set.update(Step::Count, count.clone(), fewer, program_token::counted(1))
            };
            let record = program_token::to_record(new);
            let set = set.put(Step::Token, record, vec![Condition::NotExists]);
            match self.commit(new.user, write, set, None).await? {
                Commit::Done(_) => return Ok(CreateProgramToken::Created),
                Commit::Failed(Step::Count, _) if !is_first => {
                    return Ok(CreateProgramToken::LimitReached);
                }
                Commit::Failed(Step::Token, _) => {
                    return Err(StorageError::Defect("a new token has the id of another".into()));
                }
                // Another token was the first.
                Commit::Failed(Step::Count, _) => {}
            }
        }
        Err(contention("making a token"))
    }

    async fn find_program_token(
        &self,
        user: UserId,
        token: ProgramTokenId,
    ) -> Result<Option<ProgramToken>> {
        let record = self.get(&keys::program_token(user, token)).await?;
        record.as_ref().map(program_token::from_record).transpose()
    }

    /// Reads all of them, because their keys are in no order of time: a person has a few.
    async fn list_program_tokens(
        &self,
        user: UserId,
        after: Option<&ProgramTokenPosition>,
        limit: usize,
    ) -> Result<Page<ProgramToken, ProgramTokenPosition>> {
        let records = self.all_under(keys::user_pk(user), keys::PROGRAM_TOKEN_PREFIX).await?;
        let tokens = records.iter().map(program_token::from_record);
        let mut tokens = tokens.collect::<Result<Vec<_>>>()?;
        tokens.retain(|token| after.is_none_or(|after| token.position() < *after));
        tokens.sort_unstable_by_key(|token| Reverse(token.position()));
        Ok(Page::cut(tokens, limit, ProgramToken::position))
    }

    async fn note_program_token_use(
        &self,
        user: UserId,
        token: ProgramTokenId,
        at: Timestamp,
    ) -> Result<()> {
        let (key, changes) = (keys::program_token(user, token), program_token::used(at));
        let set = ChangeSet::new().update(Step::Token, key, vec![Condition::Exists], changes);
        self.commit(user, Write::at(at), set, None).await?;
        Ok(())
    }

    async fn revoke_program_token(
        &self,
        user: UserId,
        token: ProgramTokenId,
        at: Timestamp,
    ) -> Result<bool> {
        let (key, count) = (keys::program_token(user, token), keys::program_token_count(user));
        let set = ChangeSet::new().delete(Step::Token, key, vec![Condition::Exists]).update(
            Step::Count,
            count,
            vec![Condition::Exists],
            program_token::counted(-1),
        );
        match self.commit(user, Write::at(at), set, None).await? {
            Commit::Done(_) => Ok(true),
            Commit::Failed(Step::Token, _) => Ok(false),
            Commit::Failed(Step::Count, _) => {
                Err(StorageError::Defect("a person has tokens and no count of them".into()))
            }
        }
    }
}
