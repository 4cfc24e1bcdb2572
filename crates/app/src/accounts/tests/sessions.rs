//! The list of one's sessions, and ending them.

use larder_domain::{SessionId, SessionKind, TokenNeed};

use super::world::{A_MOMENT, PASSWORD, World, email, is_authenticated, new_password, password};
use crate::AppError;

#[tokio::test]
async fn ending_a_session_shuts_its_browser_out_at_once_and_nobody_else() {
    let world = World::new();
    let (here, lost) = (world.register("mia").await, world.log_in("mia", "lost phone").await);
    let caller = world.caller(&here).await;
    let session = world.session_of(&lost).await;
    world.app.end_session(&caller, session).await.unwrap();
    assert!(!world.is_in(&lost).await);
    assert!(world.is_in(&here).await);
    let again = world.app.end_session(&caller, session).await;
    assert!(matches!(again, Err(AppError::SessionNotFound)));
}

#[tokio::test]
async fn nobody_ends_or_sees_the_sessions_of_others() {
    let world = World::new();
    let (mia, ken) = (world.register("mia").await, world.register("ken").await);
    let caller = world.caller(&ken).await;
    let session = world.session_of(&mia).await;
    for id in [session, SessionId::fixed(9)] {
        let refused = world.app.end_session(&caller, id).await;
        assert!(matches!(refused, Err(AppError::SessionNotFound)));
    }
    assert!(world.is_in(&mia).await);
    let listed: Vec<_> = world.sessions(&caller).await.iter().map(|s| s.user).collect();
    assert_eq!(listed, [ken.user.id]);
}

#[tokio::test]
async fn ending_all_others_leaves_one() {
    let world = World::new();
    let here = world.register("mia").await;
    let others = [world.log_in("mia", "phone").await, world.log_in("mia", "tablet").await];
    let script = world.app.login(&email("mia"), &password(PASSWORD)).await.unwrap();
    let ken = world.register("ken").await;
    for other in &others {
        assert!(world.is_in(other).await);
        assert!(is_authenticated(&world.elsewhere.recognize_browser(&other.cookie).await));
    }
    let caller = world.caller(&here).await;
    let keep = world.session_of(&here).await;
    assert_eq!(world.app.end_other_sessions(&caller, keep).await.unwrap(), 3);
    for other in &others {
        assert!(!world.is_in(other).await);
    }
    world.wait(A_MOMENT);
    for other in &others {
        assert!(!is_authenticated(&world.elsewhere.recognize_browser(&other.cookie).await));
    }
    assert!(!is_authenticated(&world.app.refresh(&script.refresh_token).await));
    assert!(world.is_in(&here).await && world.is_in(&ken).await);
    assert_eq!(world.app.end_other_sessions(&caller, keep).await.unwrap(), 0);
}

#[tokio::test]
async fn an_access_token_dies_at_once_here_and_within_a_moment_elsewhere() {
    let world = World::new();
    let mia = world.register("mia").await;
    let caller = world.caller(&mia).await;
    let log_in = async || world.app.login(&email("mia"), &password(PASSWORD)).await.unwrap();
    for way in ["logout", "reuse", "revocation", "all others", "password"] {
        let script = log_in().await;
        let token = &script.access_token;
        assert!(is_authenticated(&world.app.authenticate(token, TokenNeed::Login).await));
        assert!(is_authenticated(&world.elsewhere.authenticate(token, TokenNeed::Login).await));
        match way {
            "logout" => world.app.logout(&script.refresh_token).await.unwrap(),
            "reuse" => {
                let next = world.app.refresh(&script.refresh_token).await.unwrap();
                assert!(is_authenticated(&world.app.authenticate(token, TokenNeed::Login).await));
                assert!(is_authenticated(
                    &world.app.authenticate(&next.access_token, TokenNeed::Login).await
                ));
                assert!(!is_authenticated(&world.app.refresh(&script.refresh_token).await));
                assert!(!is_authenticated(
                    &world.app.authenticate(&next.access_token, TokenNeed::Login).await
                ));
            }
            "revocation" => {
                let sessions = world.sessions(&caller).await;
                let found = sessions.iter().find(|s| s.kind == SessionKind::Tokens).unwrap();
                world.app.end_session(&caller, found.id).await.unwrap();
            }
            "all others" => {
                let keep = world.session_of(&mia).await;
                assert_eq!(world.app.end_other_sessions(&caller, keep).await.unwrap(), 1);
            }
            _ => {
                let (old, new) = (password(PASSWORD), new_password("staple battery"));
                let keep = world.session_of(&mia).await;
                world.app.change_password(&caller, &old, new, Some(keep)).await.unwrap();
            }
        }
        assert!(!is_authenticated(&world.app.authenticate(token, TokenNeed::Login).await), "{way}");
        world.wait(A_MOMENT);
        assert!(
            !is_authenticated(&world.elsewhere.authenticate(token, TokenNeed::Login).await),
            "{way}"
        );
    }
    assert!(world.is_in(&mia).await);
}

#[tokio::test]
async fn a_token_that_names_the_session_of_a_browser_or_of_somebody_else_is_refused() {
    let world = World::new();
    let mia = world.register("mia").await;
    let ken = world.register("ken").await;
    let script = world.app.login(&email("ken"), &password(PASSWORD)).await.unwrap();
    let sessions = world.sessions(&world.caller(&ken).await).await;
    let of_ken = sessions.iter().find(|s| s.kind == SessionKind::Tokens).unwrap().id;
    assert!(is_authenticated(
        &world.app.authenticate(&script.access_token, TokenNeed::Login).await
    ));
    let of_browser = world.session_of(&mia).await;
    for session in [of_ken, of_browser, SessionId::fixed(9)] {
        let app = &world.app;
        let token = app.tokens.issue(&mia.user, session, app.now(), [1; 16]).unwrap();
        assert!(!is_authenticated(&app.authenticate(&token, TokenNeed::Login).await), "{session}");
    }
}
