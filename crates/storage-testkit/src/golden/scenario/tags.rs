//! Tags: plain and labelled, opened, tapped, replaced; and an interrupted renaming.

use jiff::SignedDuration;
use larder_domain::{ItemName, TagLabel, TagStep, TapDirection, TapNonce, UrlId};
use larder_storage::{
    Inventory, NewTag, NewTap, RotateTag, StorageError, TagAccesses, Tags, Tap, TapDone,
};
use larder_storage_item::{ReadingEngine, RecordEngine};

use super::{BUTTER, HOME, MIA, MILK, Scenario, home};

/// As seed 000 shows them, padded to 22 characters.
const OF_MILK: &str = "02gSZw8ZQPb7D5kN3X8mQ7";
const IN_ITS_PLACE: &str = "07pQm3nX8kD5wZ2gS9YbN4";
const OF_BUTTER: &str = "3hTaX9ARQc8E6mP4Y9nR8b";

fn url(text: &str) -> UrlId {
    UrlId::parse(text).unwrap()
}

impl<E: RecordEngine + ReadingEngine> Scenario<E> {
    /// The example of seed 000, whose page was opened twelve times; and one with a label and a
    /// step, tapped once.
    pub(super) async fn make_tags(&self) {
        let plain = NewTag { id: url(OF_MILK), item: MILK, label: None, step: TagStep::ONE };
        let added = self.store.add_tag(home(MIA), &plain, self.write()).await.unwrap();
        assert!(added.is_some(), "there is milk");
        let (household, last_at) = (HOME, self.tick());
        let looks = TagAccesses { household, item: MILK, url: plain.id, count: 12, last_at };
        self.store.record_accesses(&[looks]).await.unwrap();

        let label = Some(TagLabel::parse("棚").unwrap());
        let step = TagStep::parse("0.25").unwrap();
        let labelled = NewTag { id: url(OF_BUTTER), item: BUTTER, label, step };
        let claim = self.claim("tag butter");
        let added = self.store.add_tag(home(MIA), &labelled, self.claimed(&claim)).await.unwrap();
        assert!(added.is_some(), "there is butter");
        let (nonce, at) = (TapNonce::parse("first-tap").unwrap(), self.tick());
        let tap = NewTap {
            url: labelled.id,
            direction: TapDirection::Take,
            nonce: &nonce,
            remember_until: at + SignedDuration::from_hours(24),
            at,
        };
        let tapped = self.store.tap(tap).await.unwrap();
        assert!(matches!(tapped, Tap::Done(TapDone { applied_hundredths: -25, .. })), "{tapped:?}");
    }

    /// One is replaced, and the renaming of another's item is interrupted after the first
    /// transaction.
    pub(super) async fn change_tags(&self) {
        let claim = self.claim("replace the tag of milk");
        let (old, new) = (url(OF_MILK), url(IN_ITS_PLACE));
        let rotated =
            self.store.rotate_tag(home(MIA), MILK, old, new, self.claimed(&claim)).await.unwrap();
        assert!(matches!(rotated, RotateTag::Rotated { .. }), "{rotated:?}");

        let inventory = home(MIA).inventory();
        let butter = self.store.find_item(inventory, BUTTER).await.unwrap();
        let butter = butter.expect("there is butter");
        let mut renamed = butter.details;
        renamed.name = ItemName::parse("Salted butter").unwrap();
        let write = self.write();
        let renaming =
            self.store.replace_item(inventory, BUTTER, butter.version, &renamed, false, write);
        let outcome = self.stopped_after_one(renaming).await;
        assert!(matches!(outcome, Err(StorageError::Unavailable(_))), "{outcome:?}");
        let now = self.store.find_item(inventory, BUTTER).await.unwrap();
        assert_eq!(now.map(|item| item.details.name), Some(renamed.name));
    }
}
