//! Households and members as the API shows them.

use larder_domain::{Household, HouseholdId, Member, UserId};
use larder_storage::MoveReport;
use serde::Serialize;
use utoipa::ToSchema;

use crate::values::Time;

/// A household.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Household)]
pub(super) struct HouseholdDto<'a> {
    #[schema(value_type = String, format = "uuid")]
    id: HouseholdId,
    name: &'a str,
    /// The IANA name of its time zone, which determines its days.
    time_zone: &'a str,
    /// The ISO 4217 code of the currency of all prices.
    #[schema(example = "EUR")]
    currency: &'static str,
    /// Whether what is low goes on the shopping list by itself.
    auto_list: bool,
    #[schema(value_type = String, format = "uuid")]
    created_by: UserId,
    /// The code to join with; only shown to admins.
    #[serde(skip_serializing_if = "Option::is_none")]
    invite_code: Option<&'a str>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// What happened to your own items, if they were to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline = false)]
    moved_items: Option<MovedItems>,
}

/// What happened to a user's own items when they joined a household.
#[derive(Serialize, ToSchema)]
struct MovedItems {
    /// Moved unchanged.
    moved: u32,
    /// Merged into an item of the household.
    merged: u32,
    /// Still your own: the household has the same item in a unit that does not convert, or the sum
    /// would be too large.
    kept: u32,
}

impl<'a> HouseholdDto<'a> {
    pub(super) fn of(household: &'a Household) -> Self {
        Self {
            id: household.id,
            name: household.name.as_str(),
            time_zone: household.zone.name(),
            currency: household.currency.as_str(),
            auto_list: household.auto_list.0,
            created_by: household.created_by,
            invite_code: None,
            created_at: Time(household.created_at),
            moved_items: None,
        }
    }

    /// With the invite code, if the reader is an admin.
    pub(super) fn with_invite_code(mut self, household: &'a Household, is_admin: bool) -> Self {
        self.invite_code = is_admin.then(|| household.invite_code.as_str());
        self
    }

    pub(super) fn with_moved(mut self, report: Option<MoveReport>) -> Self {
        self.moved_items =
            report.map(|MoveReport { moved, merged, kept }| MovedItems { moved, merged, kept });
        self
    }
}

/// A member.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Member)]
pub(super) struct MemberDto<'a> {
    #[schema(value_type = String, format = "uuid")]
    user_id: UserId,
    name: &'a str,
    email: &'a str,
    /// `admin` or `member`.
    role: &'static str,
    #[schema(value_type = String, format = DateTime)]
    joined_at: Time,
}

impl<'a> MemberDto<'a> {
    pub(super) fn of(member: &'a Member) -> Self {
        Self {
            user_id: member.user,
            name: member.name.as_str(),
            email: member.email.as_str(),
            role: member.role.as_str(),
            joined_at: Time(member.joined_at),
        }
    }
}
