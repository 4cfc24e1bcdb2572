//! A user's own sessions: description, lifetime, and ending them.

use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use larder_domain::{SessionKind, SessionLabel, UserId};
use larder_storage::{NextToken, Rotation, Session};

use crate::StoreHarness;

const HOUR: SignedDuration = SignedDuration::from_hours(1);

/// A session of a browser that begins now and lasts an hour.
fn in_browser(h: &StoreHarness, user: UserId) -> Session {
    Session {
        id: h.session_id(),
        user,
        kind: SessionKind::Browser,
        label: SessionLabel::parse("Firefox — ノートPC 💻").unwrap(),
        token_hash: "secret".to_owned(),
        began_at: h.now(),
        last_used_at: h.now(),
        expires_at: h.now() + HOUR,
    }
}

async fn begin(h: &StoreHarness, session: &Session) {
    h.store().create_session(session, session.began_at).await.unwrap();
}

/// A browser session of a new user.
async fn begun(h: &StoreHarness) -> Session {
    let session = in_browser(h, h.user().await.id);
    begin(h, &session).await;
    session
}

async fn find(h: &StoreHarness, session: &Session) -> Option<Session> {
    h.store().find_session(session.user, session.id, h.now()).await.unwrap()
}

async fn extend(h: &StoreHarness, session: &Session, expires_at: Timestamp) -> bool {
    h.store().extend_session(session.user, session.id, expires_at, h.now()).await.unwrap()
}

async fn revoke(h: &StoreHarness, session: &Session) -> bool {
    h.store().revoke_session(session.user, session.id, h.now()).await.unwrap()
}

/// All sessions of someone, read a page at a time.
async fn listed(h: &StoreHarness, user: UserId, limit: usize) -> Vec<Session> {
    let (mut sessions, mut after) = (Vec::new(), None);
    loop {
        let page = h.store().list_sessions(user, after.as_ref(), limit, h.now()).await.unwrap();
        assert!(page.items.len() <= limit);
        assert!(page.next.is_none() || page.items.len() == limit);
        sessions.extend(page.items);
        match page.next {
            Some(next) => after = Some(next),
            None => return sessions,
        }
    }
}

pub async fn p64_a_session_is_found_at_once_and_exactly_as_it_began(h: &StoreHarness) {
    let browser = begun(h).await;
    let tokens = Session {
        id: h.session_id(),
        kind: SessionKind::Tokens,
        label: SessionLabel::default(),
        ..browser.clone()
    };
    assert_eq!(find(h, &tokens).await, None);
    begin(h, &tokens).await;
    assert_eq!(find(h, &browser).await, Some(browser.clone()));
    assert_eq!(find(h, &tokens).await, Some(tokens));
    let stranger = Session { user: h.user().await.id, ..browser };
    assert_eq!(find(h, &stranger).await, None);
}

pub async fn p64_a_session_lasts_until_the_end_that_was_set_last(h: &StoreHarness) {
    let session = begun(h).await;
    h.advance_seconds(3_000);
    let expires_at = h.now() + HOUR;
    assert!(extend(h, &session, expires_at).await);
    let extended = Session { last_used_at: h.now(), expires_at, ..session };
    assert_eq!(find(h, &extended).await, Some(extended.clone()));
    h.advance_to(expires_at, SignedDuration::from_secs(1));
    assert_eq!(find(h, &extended).await, Some(extended.clone()));
    h.advance_to(expires_at, SignedDuration::ZERO);
    assert_eq!(find(h, &extended).await, None);
    assert!(!extend(h, &extended, h.now() + HOUR).await, "what has expired does not come back");
    assert!(!revoke(h, &extended).await);
    assert_eq!(find(h, &extended).await, None);
}

pub async fn p64_the_next_token_counts_as_a_use_and_leaves_the_rest_as_it_was(h: &StoreHarness) {
    let user = h.user().await.id;
    let session = Session { kind: SessionKind::Tokens, ..in_browser(h, user) };
    begin(h, &session).await;
    h.advance_seconds(60);
    let token_hash = "next secret".to_owned();
    let expires_at = h.now() + HOUR;
    let next = NextToken { session: session.id, user, token_hash: token_hash.clone(), expires_at };
    let rotation = h.store().rotate_session("secret", &next, h.now()).await.unwrap();
    assert_eq!(rotation, Rotation::Rotated);
    let rotated = Session { token_hash, last_used_at: h.now(), expires_at, ..session };
    assert_eq!(find(h, &rotated).await, Some(rotated.clone()));
}

pub async fn p64_a_browsers_session_has_no_tokens_to_replace(h: &StoreHarness) {
    let session = begun(h).await;
    for presented in ["secret", "guess"] {
        let next = NextToken {
            session: session.id,
            user: session.user,
            token_hash: "next secret".to_owned(),
            expires_at: h.now() + HOUR + HOUR,
        };
        let rotation = h.store().rotate_session(presented, &next, h.now()).await.unwrap();
        assert_eq!(rotation, Rotation::Unknown, "{presented}");
        assert_eq!(find(h, &session).await, Some(session.clone()), "{presented}");
    }
}

pub async fn p65_an_ended_session_is_gone_at_once_and_answered_once(h: &StoreHarness) {
    let (session, other) = (begun(h).await, begun(h).await);
    let stranger = Session { user: other.user, ..session.clone() };
    assert!(!revoke(h, &stranger).await, "nobody ends the sessions of others");
    let outcomes = join_all((0..8).map(|_| revoke(h, &session))).await;
    assert_eq!(outcomes.iter().filter(|was_there| **was_there).count(), 1, "{outcomes:?}");
    assert_eq!(find(h, &session).await, None);
    assert_eq!(find(h, &other).await, Some(other));
}

pub async fn p65_using_a_session_does_not_bring_it_back(h: &StoreHarness) {
    let session = begun(h).await;
    let later = h.now() + HOUR + HOUR;
    let uses = join_all((0..8).map(|_| extend(h, &session, later)));
    let (_, ended) = futures_util::future::join(uses, revoke(h, &session)).await;
    assert!(ended, "it was there");
    assert_eq!(find(h, &session).await, None);
    assert!(!extend(h, &session, later).await);
    assert_eq!(listed(h, session.user, 10).await, []);
}

pub async fn p65_sessions_are_listed_newest_first_in_pages(h: &StoreHarness) {
    let (user, other) = (h.user().await.id, h.user().await.id);
    begin(h, &in_browser(h, other)).await;
    assert_eq!(listed(h, user, 10).await, []);
    let mut expected = Vec::new();
    for n in 0..7 {
        // Two begin at each moment.
        h.advance_seconds(n % 2);
        let session = in_browser(h, user);
        begin(h, &session).await;
        expected.push(session);
    }
    expected.sort_by_key(|session| std::cmp::Reverse(session.position()));
    for limit in [1, 2, 3, 7, 100] {
        assert_eq!(listed(h, user, limit).await, expected, "pages of {limit}");
    }

    let first = h.store().list_sessions(user, None, 3, h.now()).await.unwrap();
    assert!(revoke(h, &expected[2]).await);
    let rest = h.store().list_sessions(user, first.next.as_ref(), 10, h.now()).await.unwrap();
    assert_eq!((rest.items, rest.next), (expected[3..].to_vec(), None));
}

pub async fn p65_expired_sessions_are_not_listed(h: &StoreHarness) {
    let user = h.user().await.id;
    let short = in_browser(h, user);
    let long = Session { expires_at: h.now() + HOUR + HOUR, ..in_browser(h, user) };
    begin(h, &short).await;
    begin(h, &long).await;
    assert_eq!(listed(h, user, 1).await.len(), 2);
    h.advance_to(short.expires_at, SignedDuration::ZERO);
    assert_eq!(listed(h, user, 1).await, [long]);
}
