//! Sign-on with an identity provider whose answers the tests set, over a real store.

use std::collections::HashMap;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use jiff::SignedDuration;
use larder_domain::{DeletionId, Email, Password, PersonName, SessionLabel};
use larder_storage::{ManualClock, Store};
use larder_storage_embedded::{EmbeddedEngine, EmbeddedOptions};
use larder_storage_item::ItemStore;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use url::Url;

use super::*;
use crate::{
    AppSettings, BrowserCaller, BrowserLogin, Entropy, ExternalIssuer, IssuerKeySource, NewAccount,
    NewPassword, OwnerProof, PasswordCost, Registration,
    entropy::tests::Counting,
    tokens::testing::{FakeIssuer, ec_jwk, es256},
};

const REDIRECT: &str = "https://larder.example/login/callback";
const TOKEN: &str = "https://id.example/token";
const USER_INFO: &str = "https://id.example/me";

struct World {
    app: App,
    issuer: Arc<FakeIssuer>,
    clock: Arc<ManualClock>,
    _directory: TempDir,
}

/// What is known at the provider while somebody logs in there.
struct Away {
    cookie: String,
    asked: HashMap<String, String>,
}

impl Away {
    fn answer(&self) -> ProviderAnswer {
        let state = Some(self.asked["state"].clone());
        ProviderAnswer { state, code: Some("code".to_owned()), ..ProviderAnswer::default() }
    }
}

impl World {
    fn new(client_secret: Option<&str>) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new("2026-03-01T00:00:00Z".parse().unwrap()));
        let options = EmbeddedOptions::default();
        let engine = EmbeddedEngine::open(directory.path(), Arc::clone(&clock) as _, options);
        let store: Arc<dyn Store> =
            Arc::new(ItemStore::new(Arc::new(engine.unwrap()), Arc::clone(&clock) as _));
        let entropy: Arc<dyn Entropy> = Arc::new(Counting::default());
        let issuer = FakeIssuer::publishing(&[ec_jwk("e")]);
        let settings = AppSettings {
            password_cost: PasswordCost::LEAST,
            registration: Registration::Open,
            external_issuer: Some(ExternalIssuer {
                issuer: FakeIssuer::ISSUER.to_owned(),
                audience: None,
                keys: IssuerKeySource::Discovery(Arc::clone(&issuer) as _),
            }),
            sign_on: Some(SignOnSettings {
                client_id: "the larder".to_owned(),
                client_secret: client_secret.map(str::to_owned),
                name: "Example".to_owned(),
            }),
            ..AppSettings::new(vec![7; 32], vec![8; 32])
        };
        let app = App::new(store, Arc::clone(&clock) as _, entropy, settings).unwrap();
        Self { app, issuer, clock, _directory: directory }
    }

    async fn begin(&self, purpose: SignOnPurpose) -> Away {
        let begun = self.app.begin_sign_on(purpose, REDIRECT.to_owned(), "/stock").await.unwrap();
        let asked = Url::parse(&begun.address).unwrap();
        let asked = asked.query_pairs().into_owned().collect();
        Away { cookie: begun.cookie, asked }
    }

    /// The provider issues an ID token with these claims in answer to what it was asked.
    fn issue(&self, away: &Away, claims: &Value) {
        let now = self.app.now().as_second();
        let mut token = json!({
            "iss": FakeIssuer::ISSUER, "aud": "the larder", "sub": "mia-1", "exp": now + 60,
            "nonce": away.asked["nonce"],
        });
        token.as_object_mut().unwrap().extend(claims.as_object().unwrap().clone());
        let answer = json!({ "id_token": es256("e", &token), "access_token": "for me" });
        self.issuer.answer(TOKEN, 200, &answer);
    }

    async fn finish(
        &self,
        away: &Away,
        browser: Option<&BrowserCaller>,
    ) -> Result<SignedOn, SignOnFailure> {
        let label = SessionLabel::default();
        self.app.finish_sign_on(&away.cookie, away.answer(), browser, label).await
    }

    /// Logs in with these claims.
    async fn log_in(&self, claims: &Value) -> Result<BrowserLogin, SignOnFailure> {
        let away = self.begin(SignOnPurpose::LogIn).await;
        self.issue(&away, claims);
        match self.finish(&away, None).await? {
            SignedOn::LoggedIn { login, next } => {
                assert_eq!(next, "/stock");
                Ok(login)
            }
            other => panic!("nobody is logged in: {other:?}"),
        }
    }

    /// Registers with a password.
    async fn register(&self, email: &str) -> BrowserCaller {
        let password = Password::parse("correct horse battery").unwrap();
        let new = NewAccount {
            email: Email::parse(email).unwrap(),
            password: NewPassword::choose(password, &[]).unwrap(),
            name: PersonName::parse("Ben").unwrap(),
            invite_code: None,
        };
        let login = self.app.register_in_browser(&new, SessionLabel::default()).await.unwrap();
        self.browser(&login).await
    }

    async fn browser(&self, login: &BrowserLogin) -> BrowserCaller {
        self.app.recognize_browser(&login.cookie).await.unwrap()
    }
}

fn mia() -> Value {
    json!({ "email": "mia@example.com", "email_verified": true, "name": "Mia" })
}

#[tokio::test]
async fn the_provider_is_asked_with_a_challenge_that_the_code_is_exchanged_with() {
    let world = World::new(Some("hunter 2"));
    let away = world.begin(SignOnPurpose::LogIn).await;
    let asked = |name: &str| away.asked.get(name).map(String::as_str);
    for (name, value) in [
        ("tenant", "1"),
        ("response_type", "code"),
        ("client_id", "the larder"),
        ("redirect_uri", REDIRECT),
        ("scope", "openid email profile"),
        ("code_challenge_method", "S256"),
    ] {
        assert_eq!(asked(name), Some(value), "{name}");
    }
    assert_eq!((asked("prompt"), asked("max_age")), (None, None));
    world.issue(&away, &mia());
    assert!(matches!(world.finish(&away, None).await, Ok(SignedOn::LoggedIn { .. })));
    let call = world.issuer.last_call(TOKEN);
    // `the+larder:hunter+2`
    assert_eq!(call.authorization.as_deref(), Some("Basic dGhlK2xhcmRlcjpodW50ZXIrMg=="));
    let form = call.form.unwrap();
    let form: HashMap<_, _> = url::form_urlencoded::parse(form.as_bytes()).into_owned().collect();
    assert_eq!(form["grant_type"], "authorization_code");
    assert_eq!((&*form["code"], &*form["redirect_uri"]), ("code", REDIRECT));
    assert_eq!(form.get("client_id"), None);
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&form["code_verifier"]));
    assert_eq!(asked("code_challenge"), Some(&*challenge));
}

#[tokio::test]
async fn a_client_without_a_secret_names_itself() {
    let world = World::new(None);
    world.log_in(&mia()).await.unwrap();
    let call = world.issuer.last_call(TOKEN);
    assert_eq!(call.authorization, None);
    assert!(call.form.unwrap().contains("client_id=the+larder"));
}

#[tokio::test]
async fn the_first_time_makes_an_account_and_every_other_time_logs_in_to_it() {
    let world = World::new(None);
    let first = world.log_in(&mia()).await.unwrap();
    assert_eq!(first.user.email.as_str(), "mia@example.com");
    assert_eq!(first.user.name.as_str(), "Mia");
    // Their address there may change: the subject does not.
    let again = world.log_in(&json!({ "email": "new@example.com" })).await.unwrap();
    assert_eq!(again.user.id, first.user.id);
    assert_eq!(again.user.email.as_str(), "mia@example.com");
    let browser = world.browser(&again).await;
    assert_eq!(browser.caller.user_id(), first.user.id);
}

#[tokio::test]
async fn an_account_with_the_address_is_never_linked_by_itself() {
    let world = World::new(None);
    let ben = world.register("mia@example.com").await;
    let refused = world.log_in(&mia()).await.unwrap_err();
    assert!(matches!(refused, SignOnFailure::AddressTaken(Some(_))), "{refused:?}");
    assert_eq!(world.app.identity_issuer(&ben.caller).await.unwrap(), None);
}

#[tokio::test]
async fn without_a_verified_address_there_is_no_account() {
    let world = World::new(None);
    world.issuer.answer(USER_INFO, 404, &json!({}));
    for claims in [json!({}), json!({ "email": "mia@example.com", "email_verified": false })] {
        let refused = world.log_in(&claims).await.unwrap_err();
        assert!(matches!(refused, SignOnFailure::NoAddress), "{refused:?}");
    }
}

#[tokio::test]
async fn what_the_id_token_lacks_is_asked_for_and_taken_of_the_same_person_only() {
    let world = World::new(None);
    let mut info = mia();
    info["sub"] = json!("someone else");
    world.issuer.answer(USER_INFO, 200, &info);
    assert!(matches!(world.log_in(&json!({})).await, Err(SignOnFailure::NoAddress)));
    info["sub"] = json!("mia-1");
    world.issuer.answer(USER_INFO, 200, &info);
    let login = world.log_in(&json!({})).await.unwrap();
    assert_eq!(login.user.email.as_str(), "mia@example.com");
    let call = world.issuer.last_call(USER_INFO);
    assert_eq!(call.authorization.as_deref(), Some("Bearer for me"));
}

#[tokio::test]
async fn an_answer_counts_once_for_its_attempt_and_for_ten_minutes() {
    let world = World::new(None);
    let (away, other) =
        (world.begin(SignOnPurpose::LogIn).await, world.begin(SignOnPurpose::LogIn).await);
    world.issue(&away, &mia());
    let label = SessionLabel::default();
    for (cookie, answer) in [
        (&*other.cookie, away.answer()),
        (&*away.cookie, other.answer()),
        (&*away.cookie, ProviderAnswer { state: None, ..away.answer() }),
        ("", away.answer()),
        ("made up", away.answer()),
    ] {
        let refused = world.app.finish_sign_on(cookie, answer, None, label.clone()).await;
        assert!(matches!(refused, Err(SignOnFailure::Outdated)), "{refused:?}");
    }
    assert_eq!(world.issuer.count(TOKEN), 0, "the provider is not asked");
    world.clock.advance(SignedDuration::from_mins(10));
    let late = world.finish(&away, None).await;
    assert!(matches!(late, Err(SignOnFailure::Outdated)), "{late:?}");
}

#[tokio::test]
async fn errors_of_the_provider_are_told_apart() {
    let world = World::new(None);
    let away = world.begin(SignOnPurpose::LogIn).await;
    let label = SessionLabel::default();
    let finish = async |answer| {
        world.app.finish_sign_on(&away.cookie, answer, None, label.clone()).await.unwrap_err()
    };
    let error = |error: &str| ProviderAnswer { error: Some(error.to_owned()), ..away.answer() };
    assert!(matches!(finish(error("access_denied")).await, SignOnFailure::Denied));
    assert!(matches!(finish(error("server_error")).await, SignOnFailure::Unavailable));
    assert!(matches!(finish(error("invalid_scope\n")).await, SignOnFailure::Refused));
    let iss = Some("https://evil.example".to_owned());
    let mixed_up = finish(ProviderAnswer { iss, ..away.answer() }).await;
    assert!(matches!(mixed_up, SignOnFailure::Refused));
    let no_code = finish(ProviderAnswer { code: None, ..away.answer() }).await;
    assert!(matches!(no_code, SignOnFailure::Refused));
    world.issuer.answer(TOKEN, 400, &json!({ "error": "invalid_grant" }));
    assert!(matches!(finish(away.answer()).await, SignOnFailure::Refused));
    world.issuer.answer(TOKEN, 503, &json!({}));
    assert!(matches!(finish(away.answer()).await, SignOnFailure::Unavailable));
    // A token for somebody else's question.
    let other = world.begin(SignOnPurpose::LogIn).await;
    world.issue(&other, &mia());
    assert!(matches!(finish(away.answer()).await, SignOnFailure::Refused));
}

#[tokio::test]
async fn a_provider_that_is_down_is_said_to_be() {
    let world = World::new(None);
    assert!(world.app.identity_provider().unwrap().is_reachable);
    world.issuer.go_down();
    let begun = world.app.begin_sign_on(SignOnPurpose::LogIn, REDIRECT.to_owned(), "/").await;
    assert!(matches!(begun, Err(SignOnFailure::Unavailable)));
    let down = ProviderStatus { name: "Example", is_reachable: false };
    assert_eq!(world.app.identity_provider(), Some(down));
    assert_eq!(world.app.refresh_identity_provider().await, Some(false));
}

/// Connects this browser's account with `mia-1`, up to the question whether to.
async fn offered(world: &World, browser: &BrowserCaller) -> Result<String, SignOnFailure> {
    let away = world.begin(SignOnPurpose::Connect(browser.session)).await;
    world.issue(&away, &mia());
    match world.finish(&away, Some(browser)).await? {
        SignedOn::ToConnect(SignOnProof { cookie, .. }) => {
            let who = world.app.offered_identity(browser.session, &cookie);
            assert_eq!(who.as_deref(), Some("mia@example.com"));
            Ok(cookie)
        }
        other => panic!("nothing is offered: {other:?}"),
    }
}

#[tokio::test]
async fn an_account_is_connected_when_its_owner_confirms_it_and_disconnected_again() {
    let world = World::new(None);
    let ben = world.register("ben@example.com").await;
    let proof = offered(&world, &ben).await.unwrap();
    assert_eq!(world.app.identity_issuer(&ben.caller).await.unwrap(), None, "not yet");
    world.app.connect_identity(&ben.caller, ben.session, &proof).await.unwrap();
    let issuer = world.app.identity_issuer(&ben.caller).await.unwrap();
    assert_eq!(issuer.as_deref(), Some(FakeIssuer::ISSUER));
    let login = world.log_in(&mia()).await.unwrap();
    assert_eq!(login.user.id, ben.caller.user_id());

    let cleo = world.register("cleo@example.com").await;
    let taken = offered(&world, &cleo).await;
    assert!(matches!(taken, Err(SignOnFailure::IdentityTaken)), "{taken:?}");
    // A question that was asked before somebody else answered theirs.
    let late = world.app.connect_identity(&cleo.caller, cleo.session, &proof).await;
    assert!(matches!(late, Err(SignOnFailure::Outdated)), "{late:?}");

    assert!(world.app.disconnect_identity(&ben.caller).await.unwrap());
    assert!(!world.app.disconnect_identity(&ben.caller).await.unwrap());
    assert_ne!(world.log_in(&mia()).await.unwrap().user.id, ben.caller.user_id());
}

#[tokio::test]
async fn a_connection_is_confirmed_in_the_session_that_asked_within_minutes() {
    let world = World::new(None);
    let ben = world.register("ben@example.com").await;
    let away = world.begin(SignOnPurpose::Connect(ben.session)).await;
    world.issue(&away, &mia());
    let cleo = world.register("cleo@example.com").await;
    for browser in [None, Some(&cleo)] {
        let refused = world.finish(&away, browser).await;
        assert!(matches!(refused, Err(SignOnFailure::Outdated)), "{refused:?}");
    }
    let proof = offered(&world, &ben).await.unwrap();
    world.clock.advance(SignedDuration::from_mins(5));
    for proof in [&*proof, "", "made up"] {
        let refused = world.app.connect_identity(&ben.caller, ben.session, proof).await;
        assert!(matches!(refused, Err(SignOnFailure::Outdated)), "{refused:?}");
    }
}

#[tokio::test]
async fn the_only_way_to_log_in_is_not_disconnected() {
    let world = World::new(None);
    let mia = world.browser(&world.log_in(&mia()).await.unwrap()).await;
    assert!(!world.app.disconnect_identity(&mia.caller).await.unwrap());
    assert!(world.app.can_prove_by_sign_on(&mia.caller).await.unwrap());
}

#[tokio::test]
async fn an_account_without_a_password_is_deleted_after_a_fresh_login() {
    let world = World::new(None);
    let browser = world.browser(&world.log_in(&mia()).await.unwrap()).await;
    let now = world.app.now().as_second();
    let prove = async |claims: Value| {
        let away = world.begin(SignOnPurpose::Prove(browser.session)).await;
        assert_eq!((&*away.asked["prompt"], &*away.asked["max_age"]), ("login", "0"));
        world.issue(&away, &claims);
        world.finish(&away, Some(&browser)).await
    };
    for (claims, is_right) in [
        (json!({}), false),
        (json!({ "auth_time": now - 301 }), false),
        (json!({ "auth_time": now, "sub": "ben-1" }), false),
        (json!({ "auth_time": now - 300 }), true),
    ] {
        let proved = prove(claims.clone()).await;
        assert_eq!(matches!(proved, Ok(SignedOn::Proved(_))), is_right, "{claims}");
    }
    let Ok(SignedOn::Proved(SignOnProof { cookie: proof, .. })) =
        prove(json!({ "auth_time": now })).await
    else {
        panic!("it is fresh");
    };
    let other = world.browser(&world.log_in(&mia()).await.unwrap()).await;
    for (session, proof) in [(other.session, &*proof), (browser.session, "")] {
        let proof = OwnerProof::SignedOn { session, proof: proof.to_owned() };
        let refused = world.app.erase_account(&browser.caller, &proof).await;
        assert!(matches!(refused, Err(AppError::InvalidCredentials)), "{refused:?}");
    }
    let proof = OwnerProof::SignedOn { session: browser.session, proof };
    let erasure = world.app.erase_account(&browser.caller, &proof).await.unwrap();
    assert_ne!(erasure.id, DeletionId::fixed(0));
}
