//! Idempotency keys: claimed as the first thing in the transaction of the change, with the result as the
//! last. Whoever comes with the same key meanwhile waits for the first to commit, and is refused then.

use larder_domain::UserId;
use larder_storage::{Result, StorageError, UsedKey, Write, WriteOutcome};
use serde::{Deserialize, Serialize};
use sqlx::types::Json;

use crate::{
    failure::Failure,
    ids::uuid,
    json::{
        HouseholdJson, ItemJson, LocationJson, NotificationJson, ResourceJson, ShoppingJson,
        StoreJson, TagJson,
    },
    transaction::Transaction,
    types::Instant,
};

/// What a claimed write did, as the key remembers it.
#[derive(Serialize, Deserialize)]
enum OutcomeJson {
    ItemAdded(ItemJson),
    ItemMerged(ItemJson),
    ItemAdjusted { item: ItemJson, applied_hundredths: i64 },
    HouseholdCreated(HouseholdJson),
    HouseholdJoined(HouseholdJson),
    InviteCodeReplaced(HouseholdJson),
    LocationAdded(LocationJson),
    StoreAdded(StoreJson),
    ShoppingItemAdded(ShoppingJson),
    TagAdded(TagJson),
    TagRotated { old: TagJson, new: TagJson },
    NotificationAcknowledged(NotificationJson),
    ResourceCreated(ResourceJson),
}

impl Transaction {
    /// Takes the key, if the write carries one; an expired one is free again.
    pub(crate) async fn claim(&mut self, user: UserId, write: Write<'_>) -> Result<(), Failure> {
        let Some(claim) = write.claim else { return Ok(()) };
        let claimed = sqlx::query!(
            "INSERT INTO idempotency_keys AS k (user_id, key, request_hash, created_at, expires_at)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (user_id, key) DO UPDATE
             SET request_hash = EXCLUDED.request_hash, created_at = EXCLUDED.created_at,
                 expires_at = EXCLUDED.expires_at, outcome = NULL
             WHERE k.expires_at <= EXCLUDED.created_at",
            uuid(user),
            claim.key.as_str(),
            &claim.request_hash,
            Instant(write.at) as _,
            Instant(claim.expires_at) as _,
        )
        .execute(self)
        .await?;
        if claimed.rows_affected() == 0 {
            return Err(StorageError::IdempotencyKeyUsed.into());
        }
        Ok(())
    }

    /// Commits, and remembers what was done under the key, if there is one.
    pub(crate) async fn commit_as(
        mut self,
        user: UserId,
        write: Write<'_>,
        outcome: impl FnOnce() -> WriteOutcome,
    ) -> Result<(), Failure> {
        if let Some(claim) = write.claim {
            sqlx::query!(
                "UPDATE idempotency_keys SET outcome = $3 WHERE user_id = $1 AND key = $2",
                uuid(user),
                claim.key.as_str(),
                Json(OutcomeJson::of(&outcome())) as _,
            )
            .execute(&mut self)
            .await?;
        }
        self.commit().await
    }
}

/// What a key remembers.
pub(crate) fn used_key(request_hash: String, outcome: &str) -> Result<UsedKey> {
    let outcome = crate::json::decode(outcome, OutcomeJson::into_outcome)?;
    Ok(UsedKey { request_hash, outcome })
}

impl OutcomeJson {
    fn of(outcome: &WriteOutcome) -> Self {
        match outcome {
            WriteOutcome::ItemAdded(item) => Self::ItemAdded(ItemJson::of(item)),
            WriteOutcome::ItemMerged(item) => Self::ItemMerged(ItemJson::of(item)),
            WriteOutcome::ItemAdjusted { item, applied_hundredths } => Self::ItemAdjusted {
                item: ItemJson::of(item),
                applied_hundredths: *applied_hundredths,
            },
            WriteOutcome::HouseholdCreated(new) => Self::HouseholdCreated(HouseholdJson::of(new)),
            WriteOutcome::HouseholdJoined(joined) => {
                Self::HouseholdJoined(HouseholdJson::of(joined))
            }
            WriteOutcome::InviteCodeReplaced(household) => {
                Self::InviteCodeReplaced(HouseholdJson::of(household))
            }
            WriteOutcome::LocationAdded(new) => Self::LocationAdded(LocationJson::of(new)),
            WriteOutcome::StoreAdded(new) => Self::StoreAdded(StoreJson::of(new)),
            WriteOutcome::ShoppingItemAdded(new) => Self::ShoppingItemAdded(ShoppingJson::of(new)),
            WriteOutcome::TagAdded(new) => Self::TagAdded(TagJson::of(new)),
            WriteOutcome::TagRotated { old, new } => {
                Self::TagRotated { old: TagJson::of(old), new: TagJson::of(new) }
            }
            WriteOutcome::NotificationAcknowledged(seen) => {
                Self::NotificationAcknowledged(NotificationJson::of(seen))
            }
            WriteOutcome::ResourceCreated(new) => Self::ResourceCreated(ResourceJson::of(new)),
        }
    }

    fn into_outcome(self) -> Result<WriteOutcome> {
        Ok(match self {
            Self::ItemAdded(item) => WriteOutcome::ItemAdded(item.into_item()?),
            Self::ItemMerged(item) => WriteOutcome::ItemMerged(item.into_item()?),
            Self::ItemAdjusted { item, applied_hundredths } => {
                WriteOutcome::ItemAdjusted { item: item.into_item()?, applied_hundredths }
            }
            Self::HouseholdCreated(new) => WriteOutcome::HouseholdCreated(new.into_household()?),
            Self::HouseholdJoined(joined) => {
                WriteOutcome::HouseholdJoined(joined.into_household()?)
            }
            Self::InviteCodeReplaced(household) => {
                WriteOutcome::InviteCodeReplaced(household.into_household()?)
            }
            Self::LocationAdded(new) => WriteOutcome::LocationAdded(new.into_location()?),
            Self::StoreAdded(new) => WriteOutcome::StoreAdded(new.into_store()?),
            Self::ShoppingItemAdded(new) => WriteOutcome::ShoppingItemAdded(new.into_entry()?),
            Self::TagAdded(new) => WriteOutcome::TagAdded(new.into_tag()?),
            Self::TagRotated { old, new } => WriteOutcome::TagRotated {
                old: Box::new(old.into_tag()?),
                new: Box::new(new.into_tag()?),
            },
            Self::NotificationAcknowledged(seen) => {
                WriteOutcome::NotificationAcknowledged(seen.into_notification()?)
            }
            Self::ResourceCreated(new) => {
                WriteOutcome::ResourceCreated(Box::new(new.into_resource()?))
            }
        })
    }
}
