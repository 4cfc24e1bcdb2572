//! Households and who belongs to them.

use async_trait::async_trait;
use larder_domain::{
    Household, HouseholdId, HouseholdPatch, InviteCode, Member, Role, User, UserId,
};

use crate::{HouseholdScope, Result, Write};

/// What came of founding a household.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreateHousehold {
    /// It exists, with its creator as admin.
    Created,
    /// The creator belongs to one already.
    AlreadyInHousehold,
    /// Another household has this invite code: make another.
    InviteCodeTaken,
}

/// What came of joining a household.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JoinHousehold {
    /// The user is a member now.
    Joined(Household),
    /// The code opens nothing, or not any more.
    InviteNotFound,
    /// The user belongs to one already.
    AlreadyInHousehold,
}

/// What came of a new invite code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplaceInviteCode {
    /// The new one is good, the old one is not.
    Replaced(Household),
    /// Another household has this code: make another.
    Taken,
    /// There is no such household.
    NotFound,
}

/// What came of removing a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RemoveMember {
    /// Done; the member as they last were.
    Removed(Member),
    /// No such member.
    NotFound,
    /// They are the only admin.
    LastAdmin,
    /// Another household has this invite code: make another.
    InviteCodeTaken,
}

/// What came of changing a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeMember {
    /// Done; the member as they are now.
    Done(Member),
    /// No such member.
    NotFound,
    /// They are the only admin.
    LastAdmin,
}

/// What became of a person's own items when they were to move into the household.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MoveReport {
    /// Moved as they were.
    pub moved: u32,
    /// Added to an item of the household.
    pub merged: u32,
    /// Left where they were: the household has the same in a unit that does not convert, or too much of it.
    pub kept: u32,
}

/// Households and who belongs to them.
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

    /// Lets a user in who knows the code that is good at that moment.
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

    /// Everyone who belongs to the household, in the order of their ids.
    async fn list_members(&self, scope: HouseholdScope) -> Result<Vec<Member>>;

    /// Gives a member another role.
    async fn change_role(
        &self,
        scope: HouseholdScope,
        user: UserId,
        role: Role,
        write: Write<'_>,
    ) -> Result<ChangeMember>;

    /// Takes a member out of the household. Their own items stay theirs. In the same transaction the household
    /// gets this invite code, so that nobody comes back with the one that they may know.
    async fn remove_member(
        &self,
        scope: HouseholdScope,
        user: UserId,
        code: &InviteCode,
        write: Write<'_>,
    ) -> Result<RemoveMember>;

    /// Moves the actor's own items into the household, item by item, and then clears the mark. Goes on where
    /// an interrupted call stopped.
    async fn move_personal_items(
        &self,
        scope: HouseholdScope,
        write: Write<'_>,
    ) -> Result<MoveReport>;
}
