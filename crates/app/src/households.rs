//! Households: founding, joining, changing.

use larder_domain::{
    AutoList, Currency, Household, HouseholdId, HouseholdName, HouseholdPatch, InviteCode, Zone,
};
use larder_storage::{
    CreateHousehold, IdempotencyClaim, JoinHousehold, MoveReport, ReplaceInviteCode, Replay,
    StoredResult, Write,
};

use crate::{App, AppError, Caller, Result, authorize};

/// Codes collide once in 2⁶⁰; so many collisions in a row mean broken randomness.
pub(crate) const INVITE_CODE_ATTEMPTS: usize = 5;

/// A household that the caller belongs to from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HouseholdEntered {
    /// The household.
    pub household: Household,
    /// The result of moving the caller's personal items; `None` if they were not to be moved.
    pub moved: Option<MoveReport>,
}

/// A replay does not report again what was moved.
impl Replay for HouseholdEntered {
    fn replay(stored: &StoredResult) -> larder_storage::Result<Self> {
        Ok(Self { household: Household::replay(stored)?, moved: None })
    }
}

impl App {
    /// Founds a household with the caller as its admin.
    pub async fn create_household(
        &self,
        caller: &Caller,
        name: HouseholdName,
        zone: Zone,
        move_items: bool,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<HouseholdEntered> {
        let at = self.now();
        let mut household = Household {
            id: self.entropy.id(),
            name,
            zone,
            currency: Currency::default(),
            auto_list: AutoList::ON,
            invite_code: self.entropy.invite_code(),
            created_by: caller.user_id(),
            created_at: at,
        };
        for _ in 0..INVITE_CODE_ATTEMPTS {
            let (new, creator, claim) = (household.clone(), caller.user().clone(), claim.cloned());
            let user = creator.id;
            let outcome = self.change_callers(
                |storage| async move {
                    let write = Write { at, claim: claim.as_ref() };
                    storage.create_household(&new, &creator, move_items, write).await
                },
                move |callers| callers.invalidate(&user),
            );
            match outcome.await? {
                CreateHousehold::Created => return self.enter(caller, household, move_items).await,
                CreateHousehold::AlreadyInHousehold => return Err(AppError::AlreadyInHousehold),
                CreateHousehold::InviteCodeTaken => {
                    household.invite_code = self.entropy.invite_code();
                }
            }
        }
        Err(no_free_invite_code())
    }

    /// Joins the household that this code opens.
    pub async fn join_household(
        &self,
        caller: &Caller,
        code: &InviteCode,
        move_items: bool,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<HouseholdEntered> {
        let invited: Option<HouseholdId> = self.storage.find_invited_household(code).await?;
        let household = invited.ok_or(AppError::InviteNotFound)?;
        let (at, code, joining, claim) =
            (self.now(), code.clone(), caller.user().clone(), claim.cloned());
        let user = joining.id;
        let outcome = self.change_callers(
            |storage| async move {
                let write = Write { at, claim: claim.as_ref() };
                storage.join_household(household, &code, &joining, move_items, write).await
            },
            move |callers| callers.invalidate(&user),
        );
        match outcome.await? {
            JoinHousehold::Joined(household) => self.enter(caller, household, move_items).await,
            JoinHousehold::InviteNotFound => Err(AppError::InviteNotFound),
            JoinHousehold::AlreadyInHousehold => Err(AppError::AlreadyInHousehold),
        }
    }

    /// The caller's household.
    pub async fn household(&self, caller: &Caller) -> Result<Household> {
        let scope = authorize::household(caller)?;
        self.storage.find_household(scope).await?.ok_or(AppError::NoHousehold)
    }

    /// Changes name, time zone, currency, or whether what is low goes on the shopping list by
    /// itself; every member may.
    pub async fn update_household(
        &self,
        caller: &Caller,
        patch: HouseholdPatch,
    ) -> Result<Household> {
        let scope = authorize::household(caller)?;
        let at = self.now();
        let begins_to_list = patch.auto_list == Some(AutoList::ON)
            && self.household(caller).await?.auto_list == AutoList::OFF;
        let updated = self.change_callers(
            |storage| async move { storage.update_household(scope, &patch, Write::at(at)).await },
            // Callers carry the time zone and the currency of their household.
            move |callers| {
                callers.invalidate_where(|caller| caller.belongs_to(scope.household()));
            },
        );
        let household = updated.await?.ok_or(AppError::NoHousehold)?;
        if begins_to_list {
            self.settle_after_switch(household.id, household.zone.clone()).await;
        }
        Ok(household)
    }

    /// Replaces the invite code; admins only.
    pub async fn replace_invite_code(
        &self,
        caller: &Caller,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<Household> {
        let scope = authorize::administration(caller)?;
        for _ in 0..INVITE_CODE_ATTEMPTS {
            let code = self.entropy.invite_code();
            match self.storage.replace_invite_code(scope, &code, self.write(claim)).await? {
                ReplaceInviteCode::Replaced(household) => return Ok(household),
                ReplaceInviteCode::Taken => {}
                ReplaceInviteCode::NotFound => return Err(AppError::NoHousehold),
            }
        }
        Err(no_free_invite_code())
    }

    /// Moves the items of a new member, if requested. If this is interrupted, the mark on the user
    /// remains, and their next request resumes it.
    async fn enter(
        &self,
        caller: &Caller,
        household: Household,
        move_items: bool,
    ) -> Result<HouseholdEntered> {
        let scope = authorize::entered(household.id, caller.user_id());
        let moved = if move_items {
            let report = self.storage.move_personal_items(scope, self.write(None)).await?;
            self.settle_after_move(household.id, household.zone.clone());
            Some(report)
        } else {
            None
        };
        Ok(HouseholdEntered { household, moved })
    }
}

pub(crate) fn no_free_invite_code() -> AppError {
    AppError::Defect(format!("{INVITE_CODE_ATTEMPTS} random invite codes in a row were taken"))
}
