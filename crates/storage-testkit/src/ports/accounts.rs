//! People.

use futures_util::future::join_all;
use jiff::civil::date;
use larder_domain::{
    Email, Language, Member, Membership, PersonName, Role, User, UserId, UserPatch, Zone,
};
use larder_storage::{Admission, CreateUser, ExternalIdentity, NewUser, RemoveMember};
use larder_storage_item::{Action, Key, Table};

use crate::StoreHarness;

pub async fn p01_a_registered_person_is_found_as_they_registered(h: &StoreHarness) {
    let new =
        NewUser { name: PersonName::parse("Ünal 山田 👩‍🍳").unwrap(), ..h.new_user() };
    assert_eq!(h.store().find_user(new.id).await.unwrap(), None);
    let at = h.now();
    assert_eq!(h.store().create_user(&new, at).await.unwrap(), CreateUser::Created);
    let expected = User {
        id: new.id,
        email: new.email.clone(),
        email_confirmed_at: None,
        name: new.name,
        zone: None,
        language: None,
        created_at: at,
        membership: None,
        is_moving_items: false,
    };
    assert_eq!(h.store().find_user(new.id).await.unwrap(), Some(expected));
}

pub async fn p01_an_address_is_one_persons_whatever_its_case(h: &StoreHarness) {
    let first = h.new_user();
    let upper = Email::parse(&first.email.as_str().to_uppercase()).unwrap();
    let second = NewUser { email: upper.clone(), ..h.new_user() };
    let created = h.store().create_user(&first, h.now()).await.unwrap();
    assert_eq!(created, CreateUser::Created);
    let refused = h.store().create_user(&second, h.now()).await.unwrap();
    assert_eq!(refused, CreateUser::EmailTaken);
    assert_eq!(h.store().find_user(second.id).await.unwrap(), None);
    let credentials = h.store().find_credentials(&upper).await.unwrap().unwrap();
    assert_eq!((credentials.user, credentials.password_hash.as_deref()), (first.id, Some("hash")));
    let nobody = Email::parse("nobody@example.com").unwrap();
    assert!(h.store().find_credentials(&nobody).await.unwrap().is_none());
}

pub async fn p01_of_many_who_register_one_address_exactly_one_succeeds(h: &StoreHarness) {
    let email = h.new_user().email;
    let people: Vec<_> =
        (0..16).map(|_| NewUser { email: email.clone(), ..h.new_user() }).collect();
    let outcomes = join_all(people.iter().map(|new| h.store().create_user(new, h.now()))).await;
    let winners: Vec<_> = people
        .iter()
        .zip(outcomes)
        .filter(|(_, outcome)| *outcome.as_ref().unwrap() == CreateUser::Created)
        .map(|(new, _)| new.id)
        .collect();
    assert_eq!(winners.len(), 1);
    let credentials = h.store().find_credentials(&email).await.unwrap().unwrap();
    assert_eq!(credentials.user, winners[0]);
}

pub async fn p01_an_external_identity_is_one_persons(h: &StoreHarness) {
    let identity = ExternalIdentity {
        issuer: "https://issuer.example".to_owned(),
        subject: h.user_id().to_string(),
    };
    let with_identity =
        || NewUser { identity: Some(identity.clone()), password_hash: None, ..h.new_user() };
    let (first, second) = (with_identity(), with_identity());
    assert_eq!(h.store().find_user_by_identity(&identity).await.unwrap(), None);
    h.store().create_user(&first, h.now()).await.unwrap();
    let refused = h.store().create_user(&second, h.now()).await.unwrap();
    assert_eq!(refused, CreateUser::IdentityTaken);
    assert_eq!(h.store().find_user_by_identity(&identity).await.unwrap(), Some(first.id));
    let elsewhere = ExternalIdentity { issuer: "https://other.example".to_owned(), ..identity };
    assert_eq!(h.store().find_user_by_identity(&elsewhere).await.unwrap(), None);
    let credentials = h.store().find_credentials(&first.email).await.unwrap().unwrap();
    assert_eq!((credentials.user, credentials.password_hash), (first.id, None));
}

pub async fn p03_a_person_is_read_with_the_membership_that_holds_now(h: &StoreHarness) {
    let home = h.home().await;
    let household = home.household.id;
    assert_eq!(home.admin.membership, Some(Membership { household, role: Role::Admin }));
    let member = h.join(&home).await.actor();
    let membership = h.reread(member).await.membership;
    assert_eq!(membership, Some(Membership { household, role: Role::Member }));
    h.store().change_role(home.scope, member, Role::Admin, h.write()).await.unwrap();
    let membership = h.reread(member).await.membership;
    assert_eq!(membership, Some(Membership { household, role: Role::Admin }));
    h.remove_from_household(home.scope, member).await.unwrap();
    assert_eq!(h.reread(member).await.membership, None);
}

pub async fn p68_of_many_who_want_the_first_account_at_most_one_gets_it(h: &StoreHarness) {
    let people: Vec<_> =
        (0..64).map(|_| NewUser { admission: Admission::FirstAccount, ..h.new_user() }).collect();
    let had_accounts = h.store().has_accounts().await.unwrap();
    let outcomes = join_all(people.iter().map(|new| h.store().create_user(new, h.now()))).await;
    let outcomes: Vec<_> = outcomes.into_iter().map(|outcome| outcome.unwrap()).collect();
    let created = outcomes.iter().filter(|outcome| **outcome == CreateUser::Created).count();
    let refused = outcomes.iter().filter(|outcome| **outcome == CreateUser::NotAdmitted).count();
    // Others may have registered in a store that tests share.
    assert!(created <= usize::from(!had_accounts), "{outcomes:?}");
    assert_eq!(created + refused, 64, "{outcomes:?}");
    assert!(h.store().has_accounts().await.unwrap());
    for (new, outcome) in people.iter().zip(&outcomes) {
        let found = h.store().find_user(new.id).await.unwrap();
        assert_eq!(found.is_some(), *outcome == CreateUser::Created);
    }
}

pub async fn p68_whoever_registers_otherwise_takes_the_first_account(h: &StoreHarness) {
    let somebody = h.user().await;
    assert!(h.store().has_accounts().await.unwrap());
    let late = NewUser { admission: Admission::FirstAccount, ..h.new_user() };
    assert_eq!(h.store().create_user(&late, h.now()).await.unwrap(), CreateUser::NotAdmitted);
    // A refused registration does not reveal that an address is taken.
    let curious = NewUser { email: somebody.email, ..late };
    assert_eq!(h.store().create_user(&curious, h.now()).await.unwrap(), CreateUser::NotAdmitted);
}

pub async fn p68_a_store_from_before_has_no_first_account_to_give(h: &StoreHarness) {
    h.user().await;
    let sk = "UniqueKeyValue#System.User#firstAccount";
    let key = Key::new(format!("{sk}#first"), sk);
    h.spoil(vec![Action::Delete { table: Table::Relational, key, when: vec![] }]).await;
    let late = NewUser { admission: Admission::FirstAccount, ..h.new_user() };
    assert_eq!(h.store().create_user(&late, h.now()).await.unwrap(), CreateUser::NotAdmitted);
    assert!(h.store().has_accounts().await.unwrap());
}

pub async fn p68_whoever_is_invited_is_a_member_from_the_beginning(h: &StoreHarness) {
    let home = h.home().await;
    let (household, code) = (home.household.id, home.household.invite_code.clone());
    let invited = |code| Admission::Invited { household, code };
    let stranger = NewUser { admission: invited(h.invite_code()), ..h.new_user() };
    let refused = h.store().create_user(&stranger, h.now()).await.unwrap();
    assert_eq!(refused, CreateUser::NotAdmitted);
    assert_eq!(h.store().find_user(stranger.id).await.unwrap(), None);
    let email = home.admin.email.clone();
    let again = NewUser { email, admission: invited(code.clone()), ..h.new_user() };
    let refused = h.store().create_user(&again, h.now()).await.unwrap();
    assert_eq!(refused, CreateUser::EmailTaken);
    assert_eq!(h.household_members(home.scope).await.len(), 1);

    let guest = NewUser { admission: invited(code), ..stranger };
    let at = h.write().at;
    assert_eq!(h.store().create_user(&guest, at).await.unwrap(), CreateUser::Created);
    let membership = Some(Membership { household, role: Role::Member });
    assert_eq!(h.reread(guest.id).await.membership, membership);
    let members = h.household_members(home.scope).await;
    let member = members.iter().find(|member| member.user == guest.id).unwrap();
    let (name, email) = (guest.name.clone(), guest.email.clone());
    let expected = Member { user: guest.id, name, email, role: Role::Member, joined_at: at };
    assert_eq!(*member, expected);
    // They count as members: the other admin can leave.
    h.store().change_role(home.scope, guest.id, Role::Admin, h.write()).await.unwrap();
    let removed = h.remove_from_household(home.scope, home.admin.id).await.unwrap();
    assert!(matches!(removed, RemoveMember::Removed(_)), "{removed:?}");
}

pub async fn p69_an_address_is_confirmed_for_its_own_person(h: &StoreHarness) {
    let (user, other) = (h.user().await, h.user().await);
    assert_eq!(user.email_confirmed_at, None);
    let at = h.write().at;
    assert!(!h.store().confirm_email(user.id, &other.email, at).await.unwrap());
    assert!(!h.store().confirm_email(h.user_id(), &user.email, at).await.unwrap());
    assert_eq!(h.reread(user.id).await, user);
    assert!(h.store().confirm_email(user.id, &user.email, at).await.unwrap());
    let confirmed = User { email_confirmed_at: Some(at), ..user.clone() };
    assert_eq!(h.reread(user.id).await, confirmed);
    // This also holds in a household.
    let member = h.join_as(&h.home().await, &user).await;
    assert_eq!(h.reread(member.actor()).await.email_confirmed_at, Some(at));
    assert_eq!(h.reread(other.id).await, other);
}

pub async fn p69_so_many_mails_are_counted_on_one_day(h: &StoreHarness) {
    let user = h.join(&h.home().await).await.actor();
    let (today, tomorrow) = (date(2026, 3, 1), date(2026, 3, 2));
    let count = async |day, limit| h.store().count_mail(user, day, limit, h.now()).await.unwrap();
    assert!(!count(today, 0).await);
    let at_once = join_all((0..16).map(|_| count(today, 5))).await;
    assert_eq!(at_once.iter().filter(|counted| **counted).count(), 5, "{at_once:?}");
    assert!(!count(today, 5).await);
    // One was not sent; an uncounted mail cannot be subtracted.
    h.store().uncount_mail(user, tomorrow, h.now()).await.unwrap();
    h.store().uncount_mail(user, today, h.now()).await.unwrap();
    assert!(count(today, 5).await);
    assert!(!count(today, 5).await);
    assert!(count(tomorrow, 1).await);
    assert!(!count(tomorrow, 1).await);
    assert!(!h.store().count_mail(h.user_id(), today, 5, h.now()).await.unwrap());
}

async fn rename(h: &StoreHarness, user: UserId, name: &str) -> bool {
    let name = Some(PersonName::parse(name).unwrap());
    let patch = UserPatch { name, ..UserPatch::default() };
    h.store().update_user(user, &patch, h.now()).await.unwrap()
}

pub async fn p66_a_new_name_is_seen_wherever_the_person_is(h: &StoreHarness) {
    let home = h.home().await;
    let member = h.join(&home).await.actor();
    let loner = h.user().await;
    for user in [member, loner.id] {
        let before = h.reread(user).await;
        assert!(rename(h, user, "Ünal 山田").await);
        let name = PersonName::parse("Ünal 山田").unwrap();
        assert_eq!(h.reread(user).await, User { name, ..before });
    }
    let members = h.store().list_members(home.scope).await.unwrap();
    let names: Vec<_> = members.iter().map(|m| (m.user, m.name.as_str())).collect();
    assert!(names.contains(&(member, "Ünal 山田")), "{names:?}");
    assert!(names.contains(&(home.admin.id, home.admin.name.as_str())), "{names:?}");
    assert!(!rename(h, h.user_id(), "Nobody").await);
}

pub async fn p66_a_new_name_is_kept_by_whoever_joins_or_leaves_meanwhile(h: &StoreHarness) {
    let home = h.home().await;
    let member = h.join(&home).await.actor();
    let leave = h.remove_from_household(home.scope, member);
    let (renamed, left) = futures_util::future::join(rename(h, member, "Renamed"), leave).await;
    assert!(renamed);
    left.unwrap();
    let user = h.reread(member).await;
    assert_eq!((user.name.as_str(), user.membership), ("Renamed", None));
    let members = h.store().list_members(home.scope).await.unwrap();
    assert!(members.iter().all(|m| m.user != member), "{members:?}");
}

pub async fn p66_time_zone_and_language_are_set_kept_and_cleared_separately(h: &StoreHarness) {
    let home = h.home().await;
    let member = h.join(&home).await.actor();
    for user in [member, h.user().await.id] {
        let before = h.reread(user).await;
        assert_eq!((&before.zone, before.language), (&None, None));
        let update = async |patch: UserPatch| {
            assert!(h.store().update_user(user, &patch, h.now()).await.unwrap());
            h.reread(user).await
        };
        let (unchanged, tokyo) = (UserPatch::default(), Zone::parse("Asia/Tokyo").ok());
        let head = h.store().changes_head(home.scope.inventory()).await.unwrap();
        let both = UserPatch {
            zone: Some(tokyo.clone()),
            language: Some(Some(Language::Japanese)),
            ..unchanged.clone()
        };
        let expected =
            User { zone: tokyo.clone(), language: Some(Language::Japanese), ..before.clone() };
        assert_eq!(update(both).await, expected);
        assert_eq!(update(unchanged.clone()).await, expected);
        // Unlike a name, they do not concern the household.
        let told = h.store().changes_after(home.scope.inventory(), head, 10).await.unwrap();
        assert!(told.unwrap().changes.is_empty());
        assert!(rename(h, user, "Renamed").await);
        let name = PersonName::parse("Renamed").unwrap();
        let renamed = User { name, ..expected };
        assert_eq!(h.reread(user).await, renamed);
        let without_zone = UserPatch { zone: Some(None), ..unchanged.clone() };
        assert_eq!(update(without_zone).await, User { zone: None, ..renamed.clone() });
        let english = UserPatch { language: Some(Some(Language::English)), ..unchanged.clone() };
        assert_eq!(update(english).await.language, Some(Language::English));
        let without_language = UserPatch { language: Some(None), ..unchanged };
        let cleared = User { zone: None, language: None, ..renamed };
        assert_eq!(update(without_language).await, cleared);
    }
    let nobody = UserPatch { zone: Some(Some(Zone::UTC)), ..UserPatch::default() };
    assert!(!h.store().update_user(h.user_id(), &nobody, h.now()).await.unwrap());
}

pub async fn p66_a_new_password_takes_the_place_of_the_old_one(h: &StoreHarness) {
    let home = h.home().await;
    let member = h.reread(h.join(&home).await.actor()).await;
    let loner = h.user().await;
    for user in [&member, &loner] {
        assert!(h.store().set_password(user.id, "another hash", h.now()).await.unwrap());
        let credentials = h.store().find_credentials(&user.email).await.unwrap().unwrap();
        assert_eq!(credentials.user, user.id);
        assert_eq!(credentials.password_hash.as_deref(), Some("another hash"));
        assert_eq!(h.reread(user.id).await, *user);
    }
    let admin = h.store().find_credentials(&home.admin.email).await.unwrap().unwrap();
    assert_eq!(admin.password_hash.as_deref(), Some("hash"));
    assert!(!h.store().set_password(h.user_id(), "hash", h.now()).await.unwrap());
}
