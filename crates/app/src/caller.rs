//! Callers and their rights.

use std::sync::Arc;

use jiff::{Timestamp, civil::Date};
use larder_domain::{Currency, HouseholdId, Membership, Owner, Role, User, UserId, Whose, Zone};

/// An authenticated user, with their membership according to the store.
///
/// Created only by [`crate::App::authenticate`] and its equivalents for browsers. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Caller {
    identity: Arc<Identity>,
    /// Whether it is a program whose token has no right to administrate.
    is_restricted: bool,
    /// The inventory that they look at.
    whose: Whose,
}

#[derive(Debug)]
struct Identity {
    user: User,
    zone: Zone,
    currency: Currency,
}

impl Caller {
    /// A caller whose token has been verified.
    pub(crate) fn new(user: User, zone: Zone, currency: Currency) -> Self {
        let whose = if user.membership.is_some() { Whose::Household } else { Whose::Personal };
        Self { identity: Arc::new(Identity { user, zone, currency }), is_restricted: false, whose }
    }

    /// The same person with one of their two inventories; `None` if it is that of a household and
    /// they have none. With their own they are in individual mode, as if they had no household.
    #[must_use]
    pub fn looking_at(self, whose: Whose) -> Option<Self> {
        let has_it = whose == Whose::Personal || self.user().membership.is_some();
        has_it.then_some(Self { whose, ..self })
    }

    /// Whether they are a member who looks at their own inventory.
    pub fn is_member_alone(&self) -> bool {
        self.user().membership.is_some() && self.whose == Whose::Personal
    }

    /// The inventory that they look at: at first the household's, where there is one.
    pub fn whose(&self) -> Whose {
        self.whose
    }

    /// The same person, by a program that is not shown what works like a key.
    pub(crate) fn restricted(self) -> Self {
        Self { is_restricted: true, ..self }
    }

    /// The user's id.
    pub fn user_id(&self) -> UserId {
        self.identity.user.id
    }

    /// The person.
    pub fn user(&self) -> &User {
        &self.identity.user
    }

    /// Their household and role; `None` in individual mode.
    pub fn membership(&self) -> Option<Membership> {
        self.user().membership.filter(|_| self.whose == Whose::Household)
    }

    /// Whether they are a member of this household.
    pub(crate) fn belongs_to(&self, household: HouseholdId) -> bool {
        self.membership().is_some_and(|membership| membership.household == household)
    }

    /// Whether they are an admin of their household.
    pub fn is_admin(&self) -> bool {
        self.membership().is_some_and(|membership| membership.role == Role::Admin)
    }

    /// Whether they are shown what works like a key: the invite code and the URLs of tags. Admins
    /// are, unless they come as a program that may not administrate: whoever stole its token could
    /// let themselves in, and stay after it is revoked.
    pub fn sees_keys(&self) -> bool {
        self.is_admin() && !self.is_restricted
    }

    /// The time zone of their inventory: the household's, or their own. A member who has none is
    /// where the household is, and anybody else in UTC.
    pub fn zone(&self) -> &Zone {
        let own = self.user().zone.as_ref().filter(|_| self.whose == Whose::Personal);
        own.unwrap_or(&self.identity.zone)
    }

    /// The household's currency; the default in individual mode.
    pub fn currency(&self) -> Currency {
        self.identity.currency
    }

    /// The local date where their inventory is.
    pub fn today(&self, now: Timestamp) -> Date {
        self.zone().day_of(now)
    }

    /// The owner of their inventory.
    pub fn owner(&self) -> Owner {
        match self.membership() {
            Some(membership) => Owner::Household(membership.household),
            None => Owner::User(self.user_id()),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use larder_domain::{Email, PersonName};

    use super::*;

    /// Someone with this role, or on their own.
    pub(crate) fn caller(role: Option<Role>) -> Caller {
        let membership = role.map(|role| Membership { household: HouseholdId::fixed(7), role });
        let user = User {
            id: UserId::fixed(1),
            email: Email::parse("mia@example.com").unwrap(),
            email_confirmed_at: None,
            name: PersonName::parse("Mia").unwrap(),
            zone: None,
            language: None,
            created_at: Timestamp::UNIX_EPOCH,
            membership,
            is_moving_items: false,
        };
        Caller::new(user, Zone::parse("Asia/Tokyo").unwrap(), Currency::default())
    }

    #[test]
    fn the_day_begins_where_the_household_is() {
        let late: Timestamp = "2026-01-01T15:30:00Z".parse().unwrap();
        assert_eq!(caller(Some(Role::Member)).today(late), jiff::civil::date(2026, 1, 2));
    }

    #[test]
    fn members_share_an_inventory_and_others_have_their_own() {
        let household = Owner::Household(HouseholdId::fixed(7));
        assert_eq!(caller(Some(Role::Member)).owner(), household);
        assert_eq!(caller(None).owner(), Owner::User(UserId::fixed(1)));
    }

    #[test]
    fn members_have_two_inventories_and_others_one() {
        let member = caller(Some(Role::Member));
        assert_eq!(member.whose(), Whose::Household);
        let own = member.clone().looking_at(Whose::Personal).unwrap();
        assert_eq!((own.owner(), own.membership()), (caller(None).owner(), None));
        assert_eq!(own.looking_at(Whose::Household).unwrap().owner(), member.owner());
        assert_eq!(caller(None).whose(), Whose::Personal);
        assert!(caller(None).looking_at(Whose::Household).is_none());
    }

    #[test]
    fn a_person_may_live_elsewhere_than_their_household() {
        let late: Timestamp = "2026-01-01T15:30:00Z".parse().unwrap();
        let day = |zone: Option<&str>, whose| {
            let member = caller(Some(Role::Member));
            let zone = zone.map(|zone| Zone::parse(zone).unwrap());
            let user = User { zone, ..member.user().clone() };
            let member = Caller::new(user, member.zone().clone(), Currency::default());
            member.looking_at(whose).unwrap().today(late).day()
        };
        assert_eq!(day(Some("Europe/Berlin"), Whose::Personal), 1);
        assert_eq!(day(Some("Europe/Berlin"), Whose::Household), 2);
        assert_eq!(day(None, Whose::Personal), 2);
    }

    #[test]
    fn only_unrestricted_admins_see_what_works_like_a_key() {
        let sees = |role| [caller(role).sees_keys(), caller(role).restricted().sees_keys()];
        assert_eq!(sees(Some(Role::Admin)), [true, false]);
        assert_eq!(sees(Some(Role::Member)), [false, false]);
        assert_eq!(sees(None), [false, false]);
        assert!(caller(Some(Role::Admin)).restricted().is_admin());
    }

    #[test]
    fn a_member_belongs_to_their_household_and_nobody_else_does() {
        let belongs = |role| [7, 8].map(|id| caller(role).belongs_to(HouseholdId::fixed(id)));
        assert_eq!(belongs(Some(Role::Admin)), [true, false]);
        assert_eq!(belongs(None), [false, false]);
    }
}
