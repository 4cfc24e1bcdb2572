//! Logins: only the newest token of a session is good.

use futures_util::future::join_all;
use jiff::SignedDuration;
use larder_domain::{SessionKind, SessionLabel};
use larder_storage::{NextToken, Rotation, Session};

use crate::StoreHarness;

async fn begin(h: &StoreHarness) -> Session {
    let session = Session {
        id: h.session_id(),
        user: h.user().await.id,
        kind: SessionKind::Tokens,
        label: SessionLabel::default(),
        token_hash: "token 0".to_owned(),
        began_at: h.now(),
        last_used_at: h.now(),
        expires_at: h.now() + SignedDuration::from_hours(1),
    };
    h.store().create_session(&session, h.now()).await.unwrap();
    session
}

async fn rotate(h: &StoreHarness, session: &Session, presented: &str, next: &str) -> Rotation {
    let next = NextToken {
        session: session.id,
        user: session.user,
        token_hash: next.to_owned(),
        expires_at: session.expires_at,
    };
    h.store().rotate_session(presented, &next, h.now()).await.unwrap()
}

pub async fn p02_each_token_is_good_once(h: &StoreHarness) {
    let session = begin(h).await;
    assert_eq!(rotate(h, &session, "token 0", "token 1").await, Rotation::Rotated);
    assert_eq!(rotate(h, &session, "token 1", "token 2").await, Rotation::Rotated);
}

pub async fn p02_a_token_that_comes_back_ends_the_session(h: &StoreHarness) {
    let session = begin(h).await;
    rotate(h, &session, "token 0", "token 1").await;
    assert_eq!(rotate(h, &session, "token 0", "token x").await, Rotation::Reused);
    assert_eq!(rotate(h, &session, "token 1", "token 2").await, Rotation::Unknown);
}

pub async fn p02_of_many_who_present_one_token_one_succeeds_and_the_session_ends(h: &StoreHarness) {
    let session = begin(h).await;
    let names: Vec<_> = (0..8).map(|n| format!("next {n}")).collect();
    let outcomes = join_all(names.iter().map(|next| rotate(h, &session, "token 0", next))).await;
    let rotated: Vec<_> = (0..8).filter(|n| outcomes[*n] == Rotation::Rotated).collect();
    assert_eq!(rotated.len(), 1, "{outcomes:?}");
    assert!(outcomes.contains(&Rotation::Reused), "{outcomes:?}");
    let after = rotate(h, &session, &names[rotated[0]], "late").await;
    assert_eq!(after, Rotation::Unknown);
}

pub async fn p02_an_ended_or_expired_session_is_unknown(h: &StoreHarness) {
    let session = begin(h).await;
    let (user, id) = (session.user, session.id);
    h.store().end_session(user, id, "token 0", h.now()).await.unwrap();
    assert_eq!(rotate(h, &session, "token 0", "token 1").await, Rotation::Unknown);
    h.store().end_session(user, id, "token 0", h.now()).await.unwrap();

    let session = begin(h).await;
    h.advance_seconds(2 * 3600);
    assert_eq!(rotate(h, &session, "token 0", "token 1").await, Rotation::Unknown);
}

pub async fn p02_only_a_token_of_the_session_ends_it(h: &StoreHarness) {
    let (session, other) = (begin(h).await, begin(h).await);
    h.store().end_session(session.user, session.id, "guess", h.now()).await.unwrap();
    h.store().end_session(other.user, session.id, "token 0", h.now()).await.unwrap();
    assert_eq!(rotate(h, &session, "token 0", "token 1").await, Rotation::Rotated);
    assert_eq!(rotate(h, &other, "token 0", "token 1").await, Rotation::Rotated);
}
