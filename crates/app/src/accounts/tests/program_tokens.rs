//! Tokens for programs, at a time of the test's choosing.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use larder_domain::{ProgramTokenId, TokenName, TokenNeed, TokenScope, TokenScopes, User};

use super::world::{A_MOMENT, PASSWORD, World, is_authenticated, new_password, password};
use crate::{App, AppError, Caller, MadeProgramToken, NewProgramToken, tokens::ProgramTokenText};

const ANYTHING: TokenNeed = TokenNeed::Scope(TokenScope::Read);
const HOUR: SignedDuration = SignedDuration::from_hours(1);

fn new(expires_at: Option<Timestamp>) -> NewProgramToken {
    let scopes = TokenScopes::of([TokenScope::Read]).unwrap();
    NewProgramToken { name: TokenName::parse("script").unwrap(), scopes, expires_at }
}

async fn make(world: &World, caller: &Caller) -> MadeProgramToken {
    world.app.make_program_token(caller, new(None)).await.unwrap()
}

/// Whether a server accepts the token.
async fn is_good(app: &App, token: &MadeProgramToken) -> bool {
    is_authenticated(&app.authenticate(&token.text, ANYTHING).await)
}

async fn someone(world: &World, name: &str) -> (User, Caller) {
    let login = world.register(name).await;
    let caller = world.caller(&login).await;
    (login.user, caller)
}

#[tokio::test]
async fn a_revoked_token_is_refused_at_once_here_and_within_a_moment_elsewhere() {
    let world = World::new();
    let (_, mia) = someone(&world, "mia").await;
    let (token, other) = (make(&world, &mia).await, make(&world, &mia).await);
    assert!(is_good(&world.app, &token).await && is_good(&world.elsewhere, &token).await);
    world.app.revoke_program_token(&mia, token.token.id).await.unwrap();
    assert!(!is_good(&world.app, &token).await);
    assert!(is_good(&world.elsewhere, &token).await, "not asked again yet");
    world.wait(A_MOMENT);
    assert!(!is_good(&world.elsewhere, &token).await);
    assert!(is_good(&world.app, &other).await);
    let again = world.app.revoke_program_token(&mia, token.token.id).await;
    assert!(matches!(again, Err(AppError::ProgramTokenNotFound)));
}

#[tokio::test]
async fn a_token_that_was_seen_is_accepted_without_the_store() {
    let world = World::new();
    let (user, mia) = someone(&world, "mia").await;
    let token = make(&world, &mia).await;
    assert!(is_good(&world.app, &token).await);
    // Behind the server's back, as another one does it.
    let (storage, now) = (&world.app.storage, world.app.now());
    assert!(storage.revoke_program_token(user.id, token.token.id, now).await.unwrap());
    world.wait(A_MOMENT - SignedDuration::from_millis(1));
    assert!(is_good(&world.app, &token).await);
    world.wait(SignedDuration::from_millis(1));
    assert!(!is_good(&world.app, &token).await);
}

#[tokio::test]
async fn a_token_expires_to_the_millisecond_also_where_it_is_remembered() {
    let world = World::new();
    let (_, mia) = someone(&world, "mia").await;
    let end = world.app.now() + HOUR;
    let token = world.app.make_program_token(&mia, new(Some(end))).await.unwrap();
    world.wait(HOUR - SignedDuration::from_millis(1));
    assert!(is_good(&world.app, &token).await);
    world.wait(SignedDuration::from_millis(1));
    assert!(!is_good(&world.app, &token).await);
    assert!(!is_good(&world.elsewhere, &token).await);
    for end in [world.app.now(), world.app.now() - HOUR] {
        let refused = world.app.make_program_token(&mia, new(Some(end))).await;
        assert!(matches!(refused, Err(AppError::ExpiryPassed)));
    }
}

#[tokio::test]
async fn nobody_revokes_or_sees_the_tokens_of_others() {
    let world = World::new();
    let ((_, mia), (_, ken)) = (someone(&world, "mia").await, someone(&world, "ken").await);
    let token = make(&world, &mia).await;
    for id in [token.token.id, ProgramTokenId::fixed(9)] {
        let refused = world.app.revoke_program_token(&ken, id).await;
        assert!(matches!(refused, Err(AppError::ProgramTokenNotFound)));
    }
    assert!(is_good(&world.app, &token).await);
    assert!(world.app.program_tokens(&ken, None, 10).await.unwrap().items.is_empty());
}

#[tokio::test]
async fn a_guess_is_refused_and_neither_uses_nor_forgets_the_token() {
    let world = World::new();
    let ((user, mia), (stranger, _)) = (someone(&world, "mia").await, someone(&world, "ken").await);
    let token = make(&world, &mia).await;
    let text = ProgramTokenText::parse(&token.text).unwrap();
    let guesses = [
        ProgramTokenText { secret: [0; 30], ..text },
        ProgramTokenText { id: ProgramTokenId::fixed(9), ..text },
        ProgramTokenText { user: stranger.id, ..text },
    ];
    for is_remembered in [false, true] {
        for guess in guesses {
            let answer = world.app.authenticate(&guess.to_text(), ANYTHING).await;
            assert!(!is_authenticated(&answer), "{is_remembered}");
        }
        let found = world.app.storage.find_program_token(user.id, text.id).await.unwrap().unwrap();
        assert_eq!((is_remembered, found.last_used_at.is_some()), (is_remembered, is_remembered));
        assert!(is_good(&world.app, &token).await);
        last_use(&world, &token, world.app.now()).await;
    }
}

/// Waits until the token was last used at this time, as far as the store knows.
async fn last_use(world: &World, token: &MadeProgramToken, expected: Timestamp) {
    let (user, id) = (token.token.user, token.token.id);
    let noted = async {
        loop {
            let found = world.app.storage.find_program_token(user, id).await.unwrap().unwrap();
            if found.last_used_at == Some(expected) {
                return;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), noted).await.expect("the use is noted");
}

#[tokio::test]
async fn uses_are_noted_once_a_minute() {
    let world = World::new();
    let (_, mia) = someone(&world, "mia").await;
    let token = make(&world, &mia).await;
    let first = world.app.now();
    assert!(is_good(&world.app, &token).await);
    last_use(&world, &token, first).await;
    // Both servers read it again meanwhile, and find that nothing is to be noted.
    for _ in 0..5 {
        world.wait(SignedDuration::from_secs(11));
        assert!(is_good(&world.app, &token).await && is_good(&world.elsewhere, &token).await);
    }
    let found = world.app.storage.find_program_token(token.token.user, token.token.id).await;
    assert_eq!(found.unwrap().unwrap().last_used_at, Some(first));
    world.wait(SignedDuration::from_secs(5));
    let second = world.app.now();
    assert!(is_good(&world.app, &token).await);
    last_use(&world, &token, second).await;
}

#[tokio::test]
async fn a_new_password_revokes_all_of_ones_tokens_and_nobody_elses() {
    let world = World::new();
    let login = world.register("mia").await;
    let mia = world.caller(&login).await;
    let (_, ken) = someone(&world, "ken").await;
    let tokens = [make(&world, &mia).await, make(&world, &mia).await];
    let other = make(&world, &ken).await;
    let keep = world.session_of(&login).await;
    for token in &tokens {
        assert!(is_good(&world.app, token).await);
    }
    let (old, new) = (password(PASSWORD), new_password("staple battery"));
    world.app.change_password(&mia, &old, new, Some(keep)).await.unwrap();
    for token in &tokens {
        assert!(!is_good(&world.app, token).await);
    }
    assert!(is_good(&world.app, &other).await);
}

#[tokio::test]
async fn scopes_limit_what_a_token_can_do_and_logins_are_not_limited() {
    let world = World::new();
    let (_, mia) = someone(&world, "mia").await;
    let token = make(&world, &mia).await;
    let with = async |need| world.app.authenticate(&token.text, need).await;
    assert!(with(TokenNeed::ReadOr(TokenScope::Stock)).await.is_ok());
    let refused = with(TokenNeed::Scope(TokenScope::Stock)).await;
    assert!(matches!(refused, Err(AppError::ScopeRequired(TokenScope::Stock))));
    assert!(matches!(with(TokenNeed::Login).await, Err(AppError::LoginRequired)));
    let login = world.app.login(&super::world::email("mia"), &password(PASSWORD)).await.unwrap();
    for need in [TokenNeed::Login, TokenNeed::Scope(TokenScope::Admin)] {
        let caller = world.app.authenticate(&login.access_token, need).await.unwrap();
        assert_eq!(caller.user_id(), mia.user_id());
    }
}
