//! Households and their members.

use async_trait::async_trait;
use larder_domain::{
    Household, HouseholdId, HouseholdPatch, InviteCode, Item, ItemId, Member, Role, User, UserId,
    Whose,
};

use crate::{HouseholdScope, Result, Write};

/// The result of creating a household.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreateHousehold {
    /// It exists, with its creator as admin.
    Created,
    /// The creator belongs to one already.
    AlreadyInHousehold,
    /// Another household has this invite code: generate a new one.
    InviteCodeTaken,
}

/// The result of joining a household.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JoinHousehold {
    /// The user is a member now.
    Joined(Household),
    /// The code is invalid, or no longer valid.
    InviteNotFound,
    /// The user belongs to one already.
    AlreadyInHousehold,
}

/// The result of replacing an invite code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplaceInviteCode {
    /// The new one is good, the old one is not.
    Replaced(Household),
    /// Another household has this code: generate a new one.
    Taken,
    /// There is no such household.
    NotFound,
}

/// The result of removing a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RemoveMember {
    /// Done; the member as they last were.
    Removed(Member),
    /// No such member.
    NotFound,
    /// They are the only admin.
    LastAdmin,
    /// Another household has this invite code: generate a new one.
    InviteCodeTaken,
}

/// The result of changing a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeMember {
    /// Done; the member as they are now.
    Done(Member),
    /// No such member.
    NotFound,
    /// They are the only admin.
    LastAdmin,
}

/// The result of moving personal items into the household.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MoveReport {
    /// Moved as they were.
    pub moved: u32,
    /// Added to an item of the household.
    pub merged: u32,
    /// Not moved: the household's item has a unit that does not convert, or the sum is too large.
    pub kept: u32,
}

impl MoveReport {
    /// Counts one item more.
    pub const fn count(&mut self, moved: &MoveItem) {
        match moved {
            MoveItem::Moved(_) => self.moved += 1,
            MoveItem::Merged(_) => self.merged += 1,
            MoveItem::UnitMismatch(_) | MoveItem::Overflow(_) | MoveItem::TooManyLots => {
                self.kept += 1;
            }
            MoveItem::NotFound => {}
        }
    }
}

/// The result of moving an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MoveItem {
    /// It is in the other inventory now, as this.
    Moved(Item),
    /// It was added to this item of the other inventory.
    Merged(Item),
    /// There is no such item.
    NotFound,
    /// The other inventory's item has a unit that does not convert.
    UnitMismatch(Item),
    /// The sum with the other inventory's item would be too large.
    Overflow(Item),
    /// Its product has [`crate::MAX_LOTS`] lots there.
    TooManyLots,
}

/// Households and their members.
#[async_trait]
pub trait Households: Send + Sync {
    /// Founds a household with this user as its only admin. With `move_items`, the user is marked as moving
    /// their own items in, which [`Households::move_personal_items`] does.
    async fn create_household(
        &self,
        household: &Household,
        creator: &User,
        move_items: bool,
        write: Write<'_>,
    ) -> Result<CreateHousehold>;

    /// The household.
    async fn find_household(&self, scope: HouseholdScope) -> Result<Option<Household>>;

    /// Which household this code opens.
    async fn find_invited_household(&self, code: &InviteCode) -> Result<Option<HouseholdId>>;

    /// Changes name or time zone. `None` if there is no such household.
    async fn update_household(
        &self,
        scope: HouseholdScope,
        patch: &HouseholdPatch,
        write: Write<'_>,
    ) -> Result<Option<Household>>;

    /// Adds a user to the household of this invite code, if it is current.
    async fn join_household(
        &self,
        household: HouseholdId,
        code: &InviteCode,
        user: &User,
        move_items: bool,
        write: Write<'_>,
    ) -> Result<JoinHousehold>;

    /// Replaces the invite code; the old one is dead at once.
    async fn replace_invite_code(
        &self,
        scope: HouseholdScope,
        code: &InviteCode,
        write: Write<'_>,
    ) -> Result<ReplaceInviteCode>;

    /// All members of the household, in order of their ids.
    async fn list_members(&self, scope: HouseholdScope) -> Result<Vec<Member>>;

    /// Changes a member's role.
    async fn change_role(
        &self,
        scope: HouseholdScope,
        user: UserId,
        role: Role,
        write: Write<'_>,
    ) -> Result<ChangeMember>;

    /// Removes a member from the household. Their personal items stay theirs. The same transaction
    /// replaces the invite code, so that they cannot return with one that they may know.
    async fn remove_member(
        &self,
        scope: HouseholdScope,
        user: UserId,
        code: &InviteCode,
        write: Write<'_>,
    ) -> Result<RemoveMember>;

    /// Moves an item of a member from one of their two inventories into the other, by the merge
    /// rule. What a person cannot have, places of the household and entries of its list, it leaves
    /// behind.
    async fn move_item(
        &self,
        scope: HouseholdScope,
        id: ItemId,
        to: Whose,
        write: Write<'_>,
    ) -> Result<MoveItem>;

    /// Moves the actor's personal items into the household, item by item, and then clears the mark.
    /// Resumes an interrupted call.
    async fn move_personal_items(
        &self,
        scope: HouseholdScope,
        write: Write<'_>,
    ) -> Result<MoveReport>;
}
