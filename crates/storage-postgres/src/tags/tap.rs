//! A tap: one call of a function that finds the tag, detects a repeated nonce, and adjusts the
//! quantity. Four round trips, one more than other adjustments, because the URL is a parameter.

use larder_domain::{Item, Quantity, TapDirection};
use larder_storage::{NewTap, Result, StorageError, Tap};

use crate::{PostgresStore, context::Context, failure::Failure, json, types::Instant};

impl PostgresStore {
    pub(super) async fn tap_once(&self, tap: NewTap<'_>) -> Result<Tap, Failure> {
        let context = Context::of_url(tap.url).at(tap.at);
        let mut transaction = self.database.write(&context).await?;
        let direction = match tap.direction {
            TapDirection::Take => -1,
            TapDirection::PutBack => 1,
        };
        let row = sqlx::query!(
            r#"SELECT result AS "result!", item::text, applied_hundredths
               FROM tap_tag($1, $2, $3, $4)"#,
            tap.nonce.as_str(),
            direction,
            Quantity::MAX.hundredths(),
            Instant(tap.remember_until) as _,
        )
        .fetch_one(&mut transaction)
        .await?;
        let item = || item_of(row.item.as_deref());
        let applied = || row.applied_hundredths.ok_or_else(|| defect("tells what was applied"));
        Ok(match row.result.as_str() {
            "done" => {
                let (item, applied_hundredths) = (item()?, applied()?);
                transaction.commit().await?;
                Tap::Done { item, applied_hundredths, is_repeated: false }
            }
            "repeated" => {
                Tap::Done { item: item()?, applied_hundredths: applied()?, is_repeated: true }
            }
            "unknown" => Tap::Unknown,
            "rotated" => Tap::Rotated,
            "deleted" => Tap::ItemDeleted,
            "overflow" => Tap::Overflow(item()?),
            _ => return Err(defect("has one of six results").into()),
        })
    }
}

fn item_of(image: Option<&str>) -> Result<Item> {
    let image = image.ok_or_else(|| defect("tells what the item is"))?;
    json::decode(image)
}

fn defect(promise: &str) -> StorageError {
    StorageError::Defect(format!("a tap {promise}"))
}
