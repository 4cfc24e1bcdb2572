//! The shopping list: what to buy, where, and whether it has been purchased (seed 001).

use jiff::{SignedDuration, Timestamp};
use thiserror::Error;

use crate::{
    HouseholdId, ItemId, ShoppingItemId, StoreId, UserId,
    entity::{Field, FieldError, FieldSink, FieldSource, details, entity, field},
    invisible::find_invisible,
    three_way::{Edit, Part},
};

/// How long a purchased entry stays on the list.
pub const PURCHASED_LIFETIME: SignedDuration = SignedDuration::from_hours(7 * 24);

/// A field that breaks its rule, in exactly the words of seed 001's validation table, as far as that
/// has the rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidShoppingField {
    /// `shoppingItemId`.
    #[error("Invalid shopping item ID format")]
    ShoppingItemId,
    /// `familyId`.
    #[error("Invalid family ID format")]
    FamilyId,
    /// `itemId`.
    #[error("Invalid inventory item ID format")]
    ItemId,
    /// `name`.
    #[error("Name must be 1-100 characters")]
    Name,
    /// `name` with a character that nobody sees.
    #[error("Name must not contain the invisible character U+{:04X}", u32::from(*.0))]
    InvisibleInName(char),
    /// `storeId`.
    #[error("Invalid store ID format")]
    StoreId,
    /// `status`.
    #[error("Status must be 'pending' or 'purchased'")]
    Status,
    /// `quantity`.
    #[error("Quantity must be a positive integer")]
    Quantity,
    /// `notes`.
    #[error("Notes must be 500 characters or less")]
    Notes,
    /// `version`.
    #[error("Version must be a positive integer")]
    Version,
    /// `addedBy`.
    #[error("Invalid member ID format")]
    MemberId,
}

/// The name of an entry: 1–100 characters, not blank.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ShoppingName(String);

impl ShoppingName {
    /// The most characters it may have.
    pub const MAX_CHARS: usize = 100;

    /// Validates the text, which is stored verbatim.
    pub fn parse(text: &str) -> Result<Self, InvalidShoppingField> {
        let name = Self::parse_stored(text)?;
        let refusal = find_invisible(text).map(InvalidShoppingField::InvisibleInName);
        refusal.map_or(Ok(name), Err)
    }

    /// Reads what was stored: it may be from a time when more was allowed.
    pub fn parse_stored(text: &str) -> Result<Self, InvalidShoppingField> {
        let fits = text.chars().count() <= Self::MAX_CHARS
            && !text.trim().is_empty()
            && !text.chars().any(char::is_control);
        if fits { Ok(Self(text.to_owned())) } else { Err(InvalidShoppingField::Name) }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Notes on an entry: at most 500 characters, with line breaks. Never empty.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ShoppingNotes(String);

impl ShoppingNotes {
    /// The most characters they may have.
    pub const MAX_CHARS: usize = 500;

    /// Validates the text, which is stored verbatim; `None` if it is empty.
    pub fn parse(text: &str) -> Result<Option<Self>, InvalidShoppingField> {
        let is_forbidden = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
        if text.chars().count() > Self::MAX_CHARS || text.chars().any(is_forbidden) {
            return Err(InvalidShoppingField::Notes);
        }
        Ok((!text.is_empty()).then(|| Self(text.to_owned())))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// How many to buy: a whole number from 1 to 99,999,999, so that it can be put into stock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShoppingQuantity(u32);

impl ShoppingQuantity {
    /// The most.
    pub const MAX: u32 = 99_999_999;

    /// Checks the number.
    pub const fn new(count: u64) -> Result<Self, InvalidShoppingField> {
        #[expect(clippy::cast_possible_truncation, reason = "checked against the limit first")]
        if count >= 1 && count <= Self::MAX as u64 {
            Ok(Self(count as u32))
        } else {
            Err(InvalidShoppingField::Quantity)
        }
    }

    /// The number.
    pub const fn get(self) -> u32 {
        self.0
    }
}

/// Whether it has been bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShoppingStatus {
    /// Still to buy.
    Pending,
    /// Bought.
    Purchased,
}

impl ShoppingStatus {
    /// Every status.
    pub const ALL: [Self; 2] = [Self::Pending, Self::Purchased];

    /// The word for it in API and records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Purchased => "purchased",
        }
    }

    /// The status with this name.
    pub fn parse(text: &str) -> Result<Self, InvalidShoppingField> {
        let found = Self::ALL.into_iter().find(|status| status.as_str() == text);
        found.ok_or(InvalidShoppingField::Status)
    }
}

details! {
    /// The details of an entry.
    ShoppingDetails,
    /// A change of an entry's details. The outer `None` leaves a field unchanged; an inner one
    /// clears it.
    ShoppingPatch {
        /// Its name.
        name: ShoppingName = "name",
        /// Its shop; `None` for any.
        store: Option<StoreId> = "storeId",
        /// The quantity to buy.
        quantity: Option<ShoppingQuantity> = "quantity",
        /// A remark.
        notes: Option<ShoppingNotes> = "notes",
    }
}

field! {
    ShoppingName: text(|name| name.as_str(), Self::parse_stored),
    ShoppingStatus: text(|status| status.as_str(), Self::parse),
    ShoppingQuantity: count(|quantity| quantity.get().into(), |count: &u64| Self::new(*count)),
}

/// An empty remark counts as absent.
impl Field for ShoppingNotes {
    fn write(&self, name: &'static str, to: &mut (impl FieldSink + ?Sized)) {
        to.text(name, self.as_str());
    }

    fn read(
        name: &'static str,
        from: &(impl FieldSource + ?Sized),
    ) -> Result<Option<Self>, FieldError> {
        let Some(text) = from.text(name)? else { return Ok(None) };
        Self::parse(&text).map_err(|error| FieldError::new(name, error))
    }
}

/// Something to buy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShoppingItem {
    /// Its id.
    pub id: ShoppingItemId,
    /// The household.
    pub household: HouseholdId,
    /// The linked item, which it restocks; `None` for free text.
    pub item: Option<ItemId>,
    /// The details.
    pub details: ShoppingDetails,
    /// Whether it has been bought.
    pub status: ShoppingStatus,
    /// Counts its changes, from 1.
    pub version: u64,
    /// When it expires, in whole seconds; `None` while it is pending.
    pub expires_at: Option<Timestamp>,
    /// The user who added it.
    pub added_by: UserId,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
}

entity! {
    ShoppingItem {
        id: "shoppingItemId",
        household: "householdId",
        item: "itemId",
        details: "details",
        status: "status",
        version: "version",
        expires_at: "expiresAt",
        added_by: "addedBy",
        created_at: "createdAt",
        updated_at: "updatedAt",
    }
}

impl ShoppingPatch {
    /// An edit from `base` (`None`: unknown) to `mine`, applied to the current entry.
    pub fn of_edit(
        base: Option<&ShoppingDetails>,
        mine: &ShoppingDetails,
        theirs: &ShoppingDetails,
    ) -> Edit<Self> {
        let part = |part| Self::part_of_edit(part, base, mine, theirs);
        Edit { changes: part(Part::Changes), contested: part(Part::Contested) }
    }
}

/// A change of something to buy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShoppingChange {
    /// Of its details.
    Edit(ShoppingPatch),
    /// Checking it off, or unchecking it.
    Status(ShoppingStatus),
}

impl ShoppingItem {
    /// A new entry of the list: to be bought, version 1.
    pub const fn new(
        id: ShoppingItemId,
        household: HouseholdId,
        item: Option<ItemId>,
        details: ShoppingDetails,
        by: UserId,
        at: Timestamp,
    ) -> Self {
        Self {
            id,
            household,
            item,
            details,
            status: ShoppingStatus::Pending,
            version: 1,
            expires_at: None,
            added_by: by,
            created_at: at,
            updated_at: at,
        }
    }

    /// The entry after a change. Checking off starts the seven days; unchecking ends them;
    /// repeating the current status does not restart them.
    #[must_use]
    pub fn changed(&self, change: &ShoppingChange, at: Timestamp) -> Self {
        let mut changed = Self { version: self.version + 1, updated_at: at, ..self.clone() };
        match change {
            ShoppingChange::Edit(patch) => {
                changed.details = patch.clone().apply(&self.details);
            }
            ShoppingChange::Status(status) if *status != self.status => {
                changed.status = *status;
                changed.expires_at = match status {
                    ShoppingStatus::Purchased => Some(end_of_stay(at)),
                    ShoppingStatus::Pending => None,
                };
            }
            ShoppingChange::Status(_) => {}
        }
        changed
    }

    /// The entry after its item was deleted: free text.
    #[must_use]
    pub fn orphaned(&self, at: Timestamp) -> Self {
        Self { item: None, version: self.version + 1, updated_at: at, ..self.clone() }
    }

    /// Whether it is to be bought and restocks this item.
    pub fn is_pending_for(&self, item: ItemId) -> bool {
        self.status == ShoppingStatus::Pending && self.item == Some(item)
    }

    /// Whether it has left the list by itself.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }
}

/// The second at which something bought at this time leaves the list.
fn end_of_stay(bought_at: Timestamp) -> Timestamp {
    let whole = Timestamp::from_second(bought_at.as_second())
        .expect("the seconds of a timestamp are within its range");
    whole.saturating_add(PURCHASED_LIFETIME).unwrap_or(Timestamp::MAX)
}

/// A filter by shop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StoreChoice {
    /// No shop in particular.
    Unassigned,
    /// This shop.
    Store(StoreId),
}

/// Which part of the list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ShoppingFilter {
    /// Of one shop or without one; `None` for all.
    pub store: Option<StoreChoice>,
    /// With one status; `None` for all.
    pub status: Option<ShoppingStatus>,
}

impl ShoppingFilter {
    /// Whether the entry is in this part.
    pub fn matches(&self, item: &ShoppingItem) -> bool {
        let in_store = match self.store {
            None => true,
            Some(StoreChoice::Unassigned) => item.details.store.is_none(),
            Some(StoreChoice::Store(store)) => item.details.store == Some(store),
        };
        in_store && self.status.is_none_or(|status| item.status == status)
    }
}

/// The place of an entry in the list, which is in the order in which they were added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShoppingPosition {
    /// When it was added.
    pub created_at: Timestamp,
    /// Which of those added at that moment.
    pub id: ShoppingItemId,
}

impl ShoppingPosition {
    /// The place of this entry.
    pub const fn of(item: &ShoppingItem) -> Self {
        Self { created_at: item.created_at, id: item.id }
    }
}

#[cfg(test)]
mod tests;
