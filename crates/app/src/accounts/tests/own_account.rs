//! Another name, time zone or password.

use larder_domain::{HouseholdName, PersonName, UserPatch, Zone};

use super::world::{PASSWORD, World, email, label, new_password, password};
use crate::AppError;

#[tokio::test]
async fn a_new_name_is_seen_at_once() {
    let world = World::new();
    let mia = world.register("mia").await;
    let caller = world.caller(&mia).await;
    let name = PersonName::parse("Mia M.").unwrap();
    let patch = UserPatch { name: Some(name.clone()), ..UserPatch::default() };
    world.app.update_me(&caller, patch).await.unwrap();
    assert_eq!(world.caller(&mia).await.user().name, name);
}

#[tokio::test]
async fn a_time_zone_of_ones_own_counts_until_there_is_a_household() {
    let world = World::new();
    let mia = world.register("mia").await;
    let caller = world.caller(&mia).await;
    assert_eq!(*caller.zone(), Zone::UTC);
    let tokyo = Zone::parse("Asia/Tokyo").unwrap();
    let patch = UserPatch { zone: Some(Some(tokyo.clone())), ..UserPatch::default() };
    world.app.update_me(&caller, patch).await.unwrap();
    let caller = world.caller(&mia).await;
    assert_eq!(*caller.zone(), tokyo);
    let berlin = Zone::parse("Europe/Berlin").unwrap();
    let home = HouseholdName::parse("Home").unwrap();
    world.app.create_household(&caller, home, berlin.clone(), false, None).await.unwrap();
    assert_eq!(*world.caller(&mia).await.zone(), berlin);
}

#[tokio::test]
async fn a_new_password_replaces_the_old_and_ends_all_other_sessions() {
    let world = World::new();
    let (here, other) = (world.register("mia").await, world.log_in("mia", "other").await);
    let (caller, keep) = (world.caller(&here).await, world.session_of(&here).await);
    let (old, new) = (password(PASSWORD), "staple battery");
    world.app.change_password(&caller, &old, new_password(new), Some(keep)).await.unwrap();
    assert!(world.is_in(&here).await);
    assert!(!world.is_in(&other).await);
    let refused = world.app.login_in_browser(&email("mia"), &old, label("")).await;
    assert!(matches!(refused, Err(AppError::InvalidCredentials)));
    world.app.login_in_browser(&email("mia"), &password(new), label("")).await.unwrap();
}

#[tokio::test]
async fn without_the_current_password_nothing_changes() {
    let world = World::new();
    let (here, other) = (world.register("mia").await, world.log_in("mia", "other").await);
    let (caller, keep) = (world.caller(&here).await, world.session_of(&here).await);
    let guess = password("wrong horse");
    let new = new_password("staple battery");
    let refused = world.app.change_password(&caller, &guess, new, Some(keep)).await;
    assert!(matches!(refused, Err(AppError::InvalidCredentials)));
    assert!(world.is_in(&here).await && world.is_in(&other).await);
    world.log_in("mia", "still the same").await;
}
