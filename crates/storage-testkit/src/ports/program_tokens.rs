//! Tokens for programs: description, use, limit, and revocation.

use std::cmp::Reverse;

use futures_util::future::{join, join_all};
use jiff::SignedDuration;
use larder_domain::{TokenName, TokenScope, TokenScopes, UserId};
use larder_storage::{CreateProgramToken, ProgramToken};

use crate::StoreHarness;

const LIMIT: u32 = 5;
const HOUR: SignedDuration = SignedDuration::from_hours(1);

/// A token that is made now and does not expire.
fn new(h: &StoreHarness, user: UserId) -> ProgramToken {
    ProgramToken {
        id: h.program_token_id(),
        user,
        name: TokenName::parse("Home Assistant — 台所 🏠").unwrap(),
        scopes: TokenScopes::of([TokenScope::Read]).unwrap(),
        token_hash: "digest".to_owned(),
        created_at: h.now(),
        last_used_at: None,
        expires_at: None,
    }
}

async fn create(h: &StoreHarness, token: &ProgramToken) -> CreateProgramToken {
    h.store().create_program_token(token, LIMIT).await.unwrap()
}

/// A token of this person.
async fn made(h: &StoreHarness, user: UserId) -> ProgramToken {
    let token = new(h, user);
    assert_eq!(create(h, &token).await, CreateProgramToken::Created);
    token
}

async fn find(h: &StoreHarness, token: &ProgramToken) -> Option<ProgramToken> {
    h.store().find_program_token(token.user, token.id).await.unwrap()
}

async fn note_use(h: &StoreHarness, token: &ProgramToken) {
    h.store().note_program_token_use(token.user, token.id, h.now()).await.unwrap();
}

async fn revoke(h: &StoreHarness, token: &ProgramToken) -> bool {
    h.store().revoke_program_token(token.user, token.id, h.now()).await.unwrap()
}

/// All tokens of someone, read a page at a time.
async fn listed(h: &StoreHarness, user: UserId, limit: usize) -> Vec<ProgramToken> {
    let (mut tokens, mut after) = (Vec::new(), None);
    loop {
        let page = h.store().list_program_tokens(user, after.as_ref(), limit).await.unwrap();
        assert!(page.items.len() <= limit);
        assert!(page.next.is_none() || page.items.len() == limit);
        tokens.extend(page.items);
        match page.next {
            Some(next) => after = Some(next),
            None => return tokens,
        }
    }
}

pub async fn p80_a_token_is_found_at_once_and_exactly_as_it_was_made(h: &StoreHarness) {
    let user = h.user().await.id;
    let plain = made(h, user).await;
    let full = ProgramToken {
        scopes: TokenScopes::of(TokenScope::ALL).unwrap(),
        expires_at: Some(h.now() + HOUR),
        token_hash: "another digest".to_owned(),
        ..new(h, user)
    };
    assert_eq!(find(h, &full).await, None);
    assert_eq!(create(h, &full).await, CreateProgramToken::Created);
    assert_eq!(find(h, &plain).await, Some(plain.clone()));
    assert_eq!(find(h, &full).await, Some(full));
    let stranger = ProgramToken { user: h.user().await.id, ..plain };
    assert_eq!(find(h, &stranger).await, None);
}

pub async fn p80_an_expired_token_stays_until_it_is_revoked(h: &StoreHarness) {
    let token = ProgramToken { expires_at: Some(h.now() + HOUR), ..new(h, h.user().await.id) };
    assert_eq!(create(h, &token).await, CreateProgramToken::Created);
    h.advance_seconds(7_200);
    assert_eq!(find(h, &token).await, Some(token.clone()));
    assert_eq!(listed(h, token.user, 10).await, std::slice::from_ref(&token));
    assert!(revoke(h, &token).await);
    assert_eq!(find(h, &token).await, None);
}

pub async fn p80_a_use_is_recorded_and_changes_nothing_else(h: &StoreHarness) {
    let user = h.user().await.id;
    let (token, other) = (made(h, user).await, made(h, user).await);
    for _ in 0..2 {
        h.advance_seconds(60);
        note_use(h, &token).await;
        let noted = ProgramToken { last_used_at: Some(h.now()), ..token.clone() };
        assert_eq!(find(h, &token).await, Some(noted));
    }
    assert_eq!(find(h, &other).await, Some(other.clone()));
    let stranger = ProgramToken { user: h.user().await.id, ..other.clone() };
    note_use(h, &stranger).await;
    assert_eq!(find(h, &other).await, Some(other));
    assert_eq!(find(h, &stranger).await, None);
}

pub async fn p80_a_revoked_token_is_gone_at_once_and_answered_once(h: &StoreHarness) {
    let (user, other) = (h.user().await.id, h.user().await.id);
    let (token, kept) = (made(h, user).await, made(h, other).await);
    let stranger = ProgramToken { user: other, ..token.clone() };
    assert!(!revoke(h, &stranger).await, "nobody revokes the tokens of others");
    let outcomes = join_all((0..8).map(|_| revoke(h, &token))).await;
    assert_eq!(outcomes.iter().filter(|was_there| **was_there).count(), 1, "{outcomes:?}");
    assert_eq!(find(h, &token).await, None);
    assert_eq!(find(h, &kept).await, Some(kept));
}

pub async fn p80_a_use_does_not_bring_a_revoked_token_back(h: &StoreHarness) {
    let token = made(h, h.user().await.id).await;
    let uses = join_all((0..8).map(|_| note_use(h, &token)));
    let (_, revoked) = join(uses, revoke(h, &token)).await;
    assert!(revoked, "it was there");
    assert_eq!(find(h, &token).await, None);
    note_use(h, &token).await;
    assert_eq!(listed(h, token.user, 10).await, []);
}

pub async fn p80_tokens_are_listed_newest_first_in_pages(h: &StoreHarness) {
    let (user, other) = (h.user().await.id, h.user().await.id);
    made(h, other).await;
    assert_eq!(listed(h, user, 10).await, []);
    let mut expected = Vec::new();
    for n in 0..5 {
        // Two are made at each moment.
        h.advance_seconds(n % 2);
        expected.push(made(h, user).await);
    }
    expected.sort_by_key(|token| Reverse(token.position()));
    for limit in [1, 2, 5, 100] {
        assert_eq!(listed(h, user, limit).await, expected, "pages of {limit}");
    }

    let first = h.store().list_program_tokens(user, None, 3).await.unwrap();
    assert!(revoke(h, &expected[2]).await);
    let rest = h.store().list_program_tokens(user, first.next.as_ref(), 10).await.unwrap();
    assert_eq!((rest.items, rest.next), (expected[3..].to_vec(), None));
}

pub async fn p80_nobody_has_more_tokens_than_the_limit_however_many_are_made_at_once(
    h: &StoreHarness,
) {
    let (user, other) = (h.user().await.id, h.user().await.id);
    let tokens: Vec<_> = (0..12).map(|_| new(h, user)).collect();
    let outcomes = join_all(tokens.iter().map(|token| create(h, token))).await;
    let is_made = |outcome: &&CreateProgramToken| **outcome == CreateProgramToken::Created;
    assert_eq!(outcomes.iter().filter(is_made).count(), LIMIT as usize, "{outcomes:?}");
    assert_eq!(listed(h, user, 100).await.len(), LIMIT as usize);
    for (token, outcome) in tokens.iter().zip(outcomes) {
        let is_there = find(h, token).await.is_some();
        assert_eq!(is_there, outcome == CreateProgramToken::Created);
    }
    made(h, other).await;
}

pub async fn p80_a_revoked_token_makes_room_for_another(h: &StoreHarness) {
    let user = h.user().await.id;
    let expiring = ProgramToken { expires_at: Some(h.now() + HOUR), ..new(h, user) };
    assert_eq!(create(h, &expiring).await, CreateProgramToken::Created);
    for _ in 1..LIMIT {
        made(h, user).await;
    }
    h.advance_seconds(7_200);
    assert_eq!(create(h, &new(h, user)).await, CreateProgramToken::LimitReached);
    assert!(revoke(h, &expiring).await);
    assert!(!revoke(h, &expiring).await);
    made(h, user).await;
    assert_eq!(create(h, &new(h, user)).await, CreateProgramToken::LimitReached);
}
