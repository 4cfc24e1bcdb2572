//! Cookies: validity, lifetime, and confusion with other tokens.

use jiff::{SignedDuration, Timestamp};
use larder_domain::SessionKind;

use super::world::{
    A_MOMENT, PASSWORD, World, email, is_authenticated, label, new_password, password,
};
use crate::{AppError, NewAccount};

const DAY: SignedDuration = SignedDuration::from_hours(24);

#[tokio::test]
async fn a_cookie_shows_who_logged_in() {
    let world = World::new();
    let first = world.register("mia").await;
    let second = world.log_in("mia", "Chrome on Android").await;
    assert_ne!(first.cookie, second.cookie);
    for login in [&first, &second] {
        let came = world.app.authenticate_browser(&login.cookie).await.unwrap();
        assert_eq!(came.caller.user(), &login.user);
        assert_eq!(came.renewed_until, None);
        assert_eq!(login.expires_at, world.app.now() + DAY * 90);
        assert!(!format!("{login:?}").contains(&login.cookie));
    }
    let sessions = world.sessions(&world.caller(&first).await).await;
    let mut shown: Vec<_> = sessions.iter().map(|s| (s.kind, s.label.as_str())).collect();
    shown.sort_by_key(|(_, label)| *label);
    let expected = ["Chrome on Android", "the first browser"].map(|l| (SessionKind::Browser, l));
    assert_eq!(shown, expected);
}

#[tokio::test]
async fn a_wrong_password_and_a_taken_address_begin_no_session() {
    let world = World::new();
    let mia = world.register("mia").await;
    let wrong = password("wrong horse");
    for (name, password) in [("mia", &wrong), ("nobody", &password(PASSWORD))] {
        let refused = world.app.login_in_browser(&email(name), password, label("")).await;
        assert!(matches!(refused, Err(AppError::InvalidCredentials)), "{name}");
    }
    let name = mia.user.name.clone();
    let again = NewAccount {
        email: email("MIA"),
        password: new_password("another horse"),
        name,
        invite_code: None,
    };
    let refused = world.app.register_in_browser(&again, label("")).await;
    assert!(matches!(refused, Err(AppError::EmailTaken)));
    assert_eq!(world.sessions(&world.caller(&mia).await).await.len(), 1);
}

#[tokio::test]
async fn a_browser_stays_in_for_90_days_after_its_last_use() {
    let world = World::new();
    let used = world.register("mia").await;
    let forgotten = world.log_in("mia", "in a drawer").await;
    let mut expires_at = used.expires_at;
    for _ in 0..3 {
        world.wait(DAY * 40);
        let came = world.app.authenticate_browser(&used.cookie).await.unwrap();
        assert_eq!(came.renewed_until, Some(world.app.now() + DAY * 90));
        expires_at = came.renewed_until.unwrap();
    }
    assert!(!world.is_in(&forgotten).await);
    world.wait(expires_at.duration_since(world.app.now()) - SignedDuration::from_secs(1));
    assert!(is_authenticated(&world.app.recognize_browser(&used.cookie).await));
    world.wait(SignedDuration::from_secs(1));
    assert!(!world.is_in(&used).await);
}

#[tokio::test]
async fn a_session_is_extended_once_a_day_and_only_where_the_cookie_can_be_sent_again() {
    let world = World::new();
    let mia = world.register("mia").await;
    let renewed = async || -> Option<Timestamp> {
        world.app.authenticate_browser(&mia.cookie).await.unwrap().renewed_until
    };
    world.wait(DAY - SignedDuration::from_secs(1));
    assert_eq!(renewed().await, None);
    world.wait(SignedDuration::from_secs(1));
    world.app.recognize_browser(&mia.cookie).await.unwrap();
    assert_eq!(renewed().await, Some(world.app.now() + DAY * 90));
    assert_eq!(renewed().await, None);
    let session = &world.sessions(&world.caller(&mia).await).await[0];
    assert_eq!(session.last_used_at, world.app.now());
    assert_eq!(session.expires_at, world.app.now() + DAY * 90);
}

#[tokio::test]
async fn whoever_logs_out_is_out_at_once_here_and_in_a_moment_elsewhere() {
    let world = World::new();
    let (mia, other) = (world.register("mia").await, world.log_in("mia", "other").await);
    assert!(is_authenticated(&world.elsewhere.recognize_browser(&mia.cookie).await));
    world.app.log_out_browser(&mia.cookie).await.unwrap();
    assert!(!world.is_in(&mia).await);
    world.wait(A_MOMENT);
    assert!(!is_authenticated(&world.elsewhere.recognize_browser(&mia.cookie).await));
    assert!(world.is_in(&other).await);
    for nothing in [mia.cookie.as_str(), "", "garbage"] {
        world.app.log_out_browser(nothing).await.unwrap();
    }
}

#[tokio::test]
async fn a_cookie_with_another_secret_or_of_another_person_proves_nothing() {
    let world = World::new();
    let (mia, ken) = (world.register("mia").await, world.register("ken").await);
    let parts = |cookie: &str| {
        let (person_and_session, secret) = cookie.split_at(2 + 43);
        (person_and_session.to_owned(), secret.to_owned())
    };
    assert!(world.is_in(&mia).await);
    let ((mias, _), (_, kens)) = (parts(&mia.cookie), parts(&ken.cookie));
    for cookie in [format!("{mias}{kens}"), String::new(), mia.cookie[2..].to_owned()] {
        let refused = world.app.authenticate_browser(&cookie).await;
        assert!(matches!(refused, Err(AppError::Unauthenticated)), "{cookie}");
        let refused = world.elsewhere.authenticate_browser(&cookie).await;
        assert!(matches!(refused, Err(AppError::Unauthenticated)), "{cookie}");
    }
    assert!(world.is_in(&mia).await);
}

#[tokio::test]
async fn a_cookie_is_no_refresh_token_and_trying_it_ends_nothing() {
    let world = World::new();
    let mia = world.register("mia").await;
    for text in [mia.cookie.as_str(), &mia.cookie[2..]] {
        assert!(!is_authenticated(&world.app.refresh(text).await));
        world.app.logout(text).await.unwrap();
    }
    world.wait(A_MOMENT);
    assert!(world.is_in(&mia).await);
}

#[tokio::test]
async fn a_refresh_token_is_no_cookie() {
    let world = World::new();
    world.register("mia").await;
    let login = world.app.login(&email("mia"), &password(PASSWORD)).await.unwrap();
    for text in [login.refresh_token.clone(), format!("b.{}", login.refresh_token)] {
        assert!(!is_authenticated(&world.app.authenticate_browser(&text).await));
        world.app.log_out_browser(&text).await.unwrap();
    }
    world.app.refresh(&login.refresh_token).await.unwrap();
}

#[tokio::test]
async fn forms_carry_the_token_of_their_cookie() {
    let world = World::new();
    let (mia, visitor) = (world.register("mia").await, world.app.visitor_cookie());
    assert_eq!(visitor.len(), 22);
    assert_ne!(visitor, world.app.visitor_cookie());
    for (cookie, other) in [(&mia.cookie, &visitor), (&visitor, &mia.cookie)] {
        let (one, another) = (
            world.app.csrf_token(cookie, larder_domain::Whose::Household),
            world.app.csrf_token(cookie, larder_domain::Whose::Household),
        );
        assert_ne!(one, another);
        assert!(world.elsewhere.is_csrf_token(cookie, &one));
        assert!(world.app.is_csrf_token(cookie, &another));
        assert!(!world.app.is_csrf_token(other, &one));
    }
}
