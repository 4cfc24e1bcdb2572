//! People and their logins.

use jiff::{SignedDuration, Timestamp, civil::date};
use larder_domain::{Email, PersonName, SessionId, SessionKind, SessionLabel, UserId, UserPatch};
use larder_storage::{
    Accounts, CreateUser, ExternalIdentity, LinkIdentity, NextToken, Operations, Rotation, Session,
};

use crate::family::{Family, KEN, MIA, new_user};

const FIRST: UserId = UserId::fixed(0x1111_1111_1111_4111_8111_1111_1111_0009);
const SESSION: SessionId = SessionId::fixed(0x2222_2222_2222_4222_8222_2222_2222_0001);

pub(crate) async fn measure(family: &Family) {
    // The very first registration costs more.
    family.register(FIRST, "first@example.com").await;
    let asked =
        family.measure("ask whether anybody has an account", "has_accounts", async |store| {
            store.has_accounts().await
        });
    assert!(asked.await);
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

    let own = ExternalIdentity { subject: "8".to_owned(), ..identity };
    let linked = family
        .measure("link an identity", "link_identity", async |store| {
            store.link_identity(MIA, &own, at).await
        })
        .await;
    assert_eq!(linked, LinkIdentity::Linked);
    let found = family
        .measure("show the linked identity", "find_identity", async |store| {
            store.find_identity(MIA).await
        })
        .await;
    assert_eq!(found, Some(own));
    let is_unlinked = family
        .measure("unlink an identity", "unlink_identity", async |store| {
            store.unlink_identity(MIA, at).await
        })
        .await;
    assert!(is_unlinked);

    let name = PersonName::parse("Mim").unwrap();
    assert_ne!(name, mia.name);
    let patch = UserPatch { name: Some(name), ..UserPatch::default() };
    let renamed = family
        .measure("change one's name, on one's own", "update_user", async |store| {
            store.update_user(MIA, &patch, at).await
        })
        .await;
    assert!(renamed);
    let changed = family
        .measure("change one's password", "set_password", async |store| {
            store.set_password(MIA, "$argon2id$anew", at).await
        })
        .await;
    assert!(changed);

    let confirmed = family
        .measure("confirm one's address", "confirm_email", async |store| {
            store.confirm_email(MIA, &email, at).await
        })
        .await;
    assert!(confirmed);
    let day = date(2026, 3, 1);
    let counted = family
        .measure("count a mail", "count_mail", async |store| {
            store.count_mail(MIA, day, 20, at).await
        })
        .await;
    assert!(counted);
    family
        .measure("take back a counted mail", "uncount_mail", async |store| {
            store.uncount_mail(MIA, day, at).await
        })
        .await;

    measure_sessions(family, at).await;

    let ready =
        family.measure("ask whether it can serve", "ready", async |store| store.ready().await);
    ready.await;
}

async fn measure_sessions(family: &Family, at: Timestamp) {
    let expires_at = at + SignedDuration::from_hours(30 * 24);
    let session = Session {
        id: SESSION,
        user: MIA,
        kind: SessionKind::Tokens,
        label: SessionLabel::parse("a script").unwrap(),
        token_hash: "1".repeat(64),
        began_at: at,
        last_used_at: at,
        expires_at,
    };
    family
        .measure("begin a session", "create_session", async |store| {
            store.create_session(&session, at).await
        })
        .await;
    let found = family
        .measure("recognise a session", "find_session", async |store| {
            store.find_session(MIA, SESSION, at).await
        })
        .await;
    assert_eq!(found.as_ref(), Some(&session));
    let listed = family
        .measure("list one's sessions", "list_sessions", async |store| {
            store.list_sessions(MIA, None, 20, at).await
        })
        .await;
    assert_eq!(listed.items, std::slice::from_ref(&session));
    let extended = family
        .measure("let a session last longer", "extend_session", async |store| {
            store.extend_session(MIA, SESSION, expires_at, at).await
        })
        .await;
    assert!(extended);
    let next = NextToken { session: SESSION, user: MIA, token_hash: "2".repeat(64), expires_at };
    let rotated = family
        .measure("refresh a session", "rotate_session", async |store| {
            store.rotate_session(&session.token_hash, &next, at).await
        })
        .await;
    assert_eq!(rotated, Rotation::Rotated);
    family
        .measure("log out", "end_session", async |store| {
            store.end_session(MIA, SESSION, &next.token_hash, at).await
        })
        .await;
    let ended = family
        .measure("end a session from elsewhere", "revoke_session", async |store| {
            store.revoke_session(MIA, SESSION, at).await
        })
        .await;
    assert!(!ended, "it was logged out");
}
