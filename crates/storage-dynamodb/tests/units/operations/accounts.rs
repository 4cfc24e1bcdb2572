//! People and their logins.

use jiff::SignedDuration;
use larder_domain::{Email, SessionId};
use larder_storage::{Accounts, CreateUser, ExternalIdentity, Operations, Rotation, Session};

use crate::family::{Family, KEN, MIA, new_user};

const SESSION: SessionId = SessionId::fixed(0x2222_2222_2222_4222_8222_2222_2222_0001);

pub(crate) async fn measure(family: &Family) {
    let at = family.write().at;
    let mia = new_user(MIA, "mia@example.com");
    let created = family
        .measure("register", "create_user", async |store| store.create_user(&mia, at).await)
        .await;
    assert_eq!(created, CreateUser::Created);

    let identity =
        ExternalIdentity { issuer: "https://id.example.com".to_owned(), subject: "7".to_owned() };
    let mut ken = new_user(KEN, "ken@example.com");
    ken.identity = Some(identity.clone());
    let created = family
        .measure("register with an external identity", "create_user", async |store| {
            store.create_user(&ken, at).await
        })
        .await;
    assert_eq!(created, CreateUser::Created);

    let created = family
        .measure("register with a taken address", "create_user", async |store| {
            store.create_user(&mia, at).await
        })
        .await;
    assert_eq!(created, CreateUser::EmailTaken);

    let found = family
        .measure("authenticate a request", "find_user", async |store| store.find_user(MIA).await)
        .await;
    assert_eq!(found.map(|user| user.id), Some(MIA));

    let email = Email::parse("mia@example.com").unwrap();
    let found = family
        .measure("check a password", "find_credentials", async |store| {
            store.find_credentials(&email).await
        })
        .await;
    assert_eq!(found.map(|found| found.user), Some(MIA));

    let found = family
        .measure("log in elsewhere", "find_user_by_identity", async |store| {
            store.find_user_by_identity(&identity).await
        })
        .await;
    assert_eq!(found, Some(KEN));

    let session = |token: &str| Session {
        id: SESSION,
        user: MIA,
        token_hash: token.repeat(64),
        expires_at: at + SignedDuration::from_hours(30 * 24),
    };
    let (first, second) = (session("1"), session("2"));
    family
        .measure("begin a session", "create_session", async |store| {
            store.create_session(&first, at).await
        })
        .await;
    let rotated = family
        .measure("refresh a session", "rotate_session", async |store| {
            store.rotate_session(&first.token_hash, &second, at).await
        })
        .await;
    assert_eq!(rotated, Rotation::Rotated);
    family
        .measure("log out", "end_session", async |store| {
            store.end_session(MIA, SESSION, &second.token_hash, at).await
        })
        .await;

    let ready =
        family.measure("ask whether it can serve", "ready", async |store| store.ready().await);
    ready.await;
}
