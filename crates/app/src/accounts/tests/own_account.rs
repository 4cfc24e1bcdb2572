//! Another name, another password.

use larder_domain::PersonName;

use super::world::{PASSWORD, World, email, label, password};
use crate::AppError;

#[tokio::test]
async fn a_new_name_is_seen_at_once() {
    let world = World::new();
    let mia = world.register("mia").await;
    let caller = world.caller(&mia).await;
    let name = PersonName::parse("Mia M.").unwrap();
    world.app.rename_me(&caller, name.clone()).await.unwrap();
    assert_eq!(world.caller(&mia).await.user().name, name);
}

#[tokio::test]
async fn a_new_password_replaces_the_old_and_ends_all_other_sessions() {
    let world = World::new();
    let (here, other) = (world.register("mia").await, world.log_in("mia", "other").await);
    let (caller, keep) = (world.caller(&here).await, world.session_of(&here).await);
    let (old, new) = (password(PASSWORD), || password("staple battery"));
    world.app.change_password(&caller, &old, new(), Some(keep)).await.unwrap();
    assert!(world.is_in(&here).await);
    assert!(!world.is_in(&other).await);
    let refused = world.app.login_in_browser(&email("mia"), &old, label("")).await;
    assert!(matches!(refused, Err(AppError::InvalidCredentials)));
    world.app.login_in_browser(&email("mia"), &new(), label("")).await.unwrap();
}

#[tokio::test]
async fn without_the_current_password_nothing_changes() {
    let world = World::new();
    let (here, other) = (world.register("mia").await, world.log_in("mia", "other").await);
    let (caller, keep) = (world.caller(&here).await, world.session_of(&here).await);
    let guess = password("wrong horse");
    let refused =
        world.app.change_password(&caller, &guess, password("staple battery"), Some(keep)).await;
    assert!(matches!(refused, Err(AppError::InvalidCredentials)));
    assert!(world.is_in(&here).await && world.is_in(&other).await);
    world.log_in("mia", "still the same").await;
}
