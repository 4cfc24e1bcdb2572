//! Actions of a tag's holder. They are anonymous: the URL is the proof.

use std::fmt::Write as _;

use jiff::SignedDuration;
use larder_domain::{Item, NfcUrl, Owner, TapDirection, TapNonce};
use larder_storage::{HeldTag, NewTap, TagAccesses, Tap, TapDone};

use super::TagAddress;
use crate::{App, AppError, Caller, Result, authorize, settling::Affected};

/// How long a tap's nonce is remembered.
const NONCE_LIFETIME: SignedDuration = SignedDuration::from_hours(24);

/// A tag that works, and its item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenTag {
    /// The tag.
    pub tag: NfcUrl,
    /// The item that it changes.
    pub item: Item,
}

impl OpenTag {
    pub(super) fn of(HeldTag { tag, item }: HeldTag) -> Result<Self> {
        if !tag.is_active() {
            return Err(AppError::TagRotated);
        }
        item.map(|item| Self { tag, item }).ok_or(AppError::TagItemDeleted)
    }
}

impl App {
    /// Parses the last part of a tag's URL, valid or not.
    pub fn tag_address(&self, text: &str) -> TagAddress {
        self.tag_key.read(text)
    }

    /// A nonce for a page to send with its tap. It begins with the time: stores keep nonces sorted,
    /// so recent ones are adjacent.
    pub fn tap_nonce(&self) -> TapNonce {
        let mut digits = format!("{:012x}", self.now().as_millisecond());
        for byte in self.entropy.bytes::<10>() {
            write!(digits, "{byte:02x}").expect("a String takes any text");
        }
        TapNonce::parse(&digits).expect("32 hex digits are a nonce")
    }

    /// The tag with this URL, for its page. `is_visit` counts the view: of a person, not of a
    /// prefetching machine.
    pub async fn open_tag(&self, address: &TagAddress, is_visit: bool) -> Result<OpenTag> {
        let Some(held) = self.storage.find_held_tag(address.id()).await? else {
            tracing::debug!(tag = %address.digest(), "tag unknown");
            return Err(AppError::TagNotFound);
        };
        if is_visit && held.tag.is_active() {
            self.accesses.count(TagAccesses {
                household: held.tag.household,
                item: held.tag.item,
                url: held.tag.id,
                count: 1,
                last_at: self.now(),
            });
            self.notify_tags_changed(held.tag.household);
        }
        OpenTag::of(held)
    }

    /// The tag with this URL if it is of the caller's household, whether or not it works.
    pub async fn find_own_tag(
        &self,
        caller: &Caller,
        address: &TagAddress,
    ) -> Result<Option<NfcUrl>> {
        let Some(membership) = caller.membership() else { return Ok(None) };
        let held = self.storage.find_held_tag(address.id()).await?;
        Ok(held.map(|held| held.tag).filter(|tag| tag.household == membership.household))
    }

    /// Whether all lots of the product that this item of a household belongs to are low together.
    /// Reads nothing if this lot alone is enough.
    pub async fn is_low(&self, item: &Item) -> Result<bool> {
        let (Owner::Household(household), Some(product)) = (item.owner, item.product) else {
            return Ok(false);
        };
        if item.details.is_enough_alone() {
            return Ok(false);
        }
        Ok(self.storage.is_low(authorize::system(household), product).await?)
    }

    /// Takes one step of a tag's item or puts one back, once per nonce.
    pub async fn tap(
        &self,
        address: &TagAddress,
        direction: TapDirection,
        nonce: TapNonce,
    ) -> Result<TapDone> {
        let (url, at) = (address.id(), self.now());
        let outcome = self
            .change_items(
                None,
                |storage| async move {
                    let remember_until = at + NONCE_LIFETIME;
                    storage.tap(NewTap { url, direction, nonce: &nonce, remember_until, at }).await
                },
                |outcome: &Tap| match outcome {
                    Tap::Done(TapDone { item, applied_hundredths, is_repeated: false }) => {
                        Affected::by_amount(item, *applied_hundredths)
                    }
                    _ => Vec::new(),
                },
            )
            .await?;
        match outcome {
            Tap::Done(done) => {
                let TapDone { applied_hundredths, is_repeated, .. } = done;
                tracing::debug!(tag = %address.digest(), applied_hundredths, is_repeated, "tapped");
                Ok(done)
            }
            Tap::Unknown => {
                tracing::debug!(tag = %address.digest(), "tag unknown");
                Err(AppError::TagNotFound)
            }
            Tap::Rotated => Err(AppError::TagRotated),
            Tap::ItemDeleted => Err(AppError::TagItemDeleted),
            // A tag's holder sees only the item's name and quantity.
            Tap::Overflow(_) => Err(AppError::QuantityOverflow(None)),
        }
    }
}
