//! Logging in with a real identity provider, as people do: through its pages and back.

use larder_test_servers::IdentityProvider;
use serde_json::Value;

use super::support::{Browser, Options};
use crate::it::support::{Client, Server, ServerSettings};
use crate::web::support::Reader;

struct Home {
    provider: IdentityProvider,
    server: Server,
}

impl Home {
    async fn new() -> Self {
        Self::with_client(IdentityProvider::CLIENT_ID, Some(IdentityProvider::CLIENT_SECRET)).await
    }

    async fn with_client(id: &str, secret: Option<&str>) -> Self {
        let provider = IdentityProvider::start();
        let settings = ServerSettings::default()
            .with("LARDER_OIDC_ISSUER", &provider.issuer())
            .with("LARDER_OIDC_CLIENT_ID", id)
            .with("LARDER_OIDC_NAME", "Family ID");
        let settings = match secret {
            Some(secret) => settings.with("LARDER_OIDC_CLIENT_SECRET", secret),
            None => settings,
        };
        Self { server: Server::start_with(settings).await, provider }
    }

    async fn browser(&self) -> Browser {
        Browser::open(&self.server).await
    }

    /// The provider signs with other keys from now on.
    async fn rotate_keys(&self) {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let answer = http.post(self.provider.rotation_url()).send().await.unwrap();
        assert_eq!(answer.status(), 200);
    }
}

/// Goes to the provider and back, as this person there.
async fn sign_on(browser: &Browser, button: &str, login: &str) {
    browser.press(button).await;
    browser.sees("Who are you?").await;
    browser.fill("input[name=login]", login).await;
    browser.press("Sign in").await;
}

/// Who the pages say that it is.
async fn me(browser: &Browser) -> Value {
    browser.run("return fetch('/api/v1/me').then((answer) => answer.json())").await
}

async fn log_out(browser: &Browser) {
    browser.go("/me").await;
    browser.press("Log out").await;
    browser.sees("Continue with Family ID").await;
}

#[tokio::test]
async fn the_first_time_makes_an_account_and_the_next_one_logs_in_to_it() {
    let home = Home::new().await;
    let first = home.browser().await;
    first.go("/shopping").await;
    sign_on(&first, "Continue with Family ID", "mia").await;
    // She has no household yet.
    first.sees("Welcome, mia!").await;
    let mia = me(&first).await;
    assert_eq!(mia["email"], "mia@example.org");
    first.fill("#name", "Villa").await;
    first.press("Create household").await;
    first.sees("Villa is ready").await;

    // Elsewhere, after the provider has changed its keys.
    home.rotate_keys().await;
    let second = home.browser().await;
    second.go("/household?from=a&to=b").await;
    sign_on(&second, "Continue with Family ID", "mia").await;
    second.sees("mia@example.org").await;
    assert_eq!(second.path().await, "/household?from=a&to=b", "where she wanted to go");
    assert_eq!(me(&second).await["id"], mia["id"]);

    log_out(&second).await;
    // Another person, who the provider asks for because it still knows the first.
    let other = home.browser().await;
    other.go("/login").await;
    sign_on(&other, "Continue with Family ID", "ben").await;
    other.sees("Welcome, ben!").await;
    assert_ne!(me(&other).await["id"], mia["id"]);
    let log = home.server.log();
    for secret in [IdentityProvider::CLIENT_SECRET, "mia@example.org", "subject-of-mia"] {
        assert!(!log.contains(secret), "{log}");
    }
}

#[tokio::test]
async fn a_client_without_a_secret_and_a_browser_without_script_do() {
    let home = Home::with_client(IdentityProvider::PUBLIC_CLIENT_ID, None).await;
    let options = Options::default().japanese().without_script();
    let phone = Browser::with(&home.server, options).await;
    phone.go("/login").await;
    sign_on(&phone, "Family IDで続ける", "yui").await;
    phone.sees("ようこそ、yuiさん").await;
}

#[tokio::test]
async fn an_existing_account_is_connected_by_its_owner_only() {
    let home = Home::new().await;
    let anna = home.server.with_household("anna").await;
    let browser = home.browser().await;
    browser.expect_complaint("status of 409");
    browser.go("/login").await;
    sign_on(&browser, "Continue with Family ID", "anna").await;
    browser.sees("There is an account with anna@example.org already.").await;
    assert_eq!(browser.axe().await, []);
    log_in_with_password(&browser, &anna).await;
    // That leads to where it can be connected, and the provider still knows her.
    browser.press("Connect Family ID").await;
    browser.sees("You have logged in with Family ID as anna@example.org.").await;
    assert_eq!(browser.axe().await, []);
    browser.go("/me").await;
    browser.sees("Connect Family ID").await;
    browser.press("Connect Family ID").await;
    browser.sees("Whoever can log in there").await;
    browser.click("main form button").await;
    browser.sees("Your account is connected. You can log in with either from now on.").await;
    assert_eq!(browser.axe().await, []);

    log_out(&browser).await;
    browser.press("Continue with Family ID").await;
    browser.wait_for("location.pathname === '/today'").await;
    assert_eq!(me(&browser).await["id"], anna.user_id.as_str());

    // Nobody else connects it, and she can disconnect it, because she has a password.
    let ben = home.server.with_household("ben").await;
    let of_ben = Browser::signed_in(&home.server, &ben).await;
    of_ben.go("/me").await;
    sign_on(&of_ben, "Connect Family ID", "anna").await;
    of_ben.sees("That login belongs to another account here.").await;
    browser.go("/me").await;
    browser.run("window.confirm = () => true").await;
    browser.press("Disconnect").await;
    browser.sees("Your account was disconnected.").await;
}

async fn log_in_with_password(browser: &Browser, person: &Client) {
    assert_eq!(browser.attribute("#email", "value").await.as_ref(), Some(&person.email));
    browser.fill("#password", &person.password).await;
    browser.click("main form button").await;
    browser.sees("Log in with Family ID").await;
    assert_eq!(browser.path().await, "/me");
}

#[tokio::test]
async fn whoever_cancels_or_has_no_verified_address_is_told_so() {
    let home = Home::new().await;
    let browser = home.browser().await;
    browser.expect_complaint("status of 403");
    browser.go("/login?next=%2Fstock").await;
    browser.press("Continue with Family ID").await;
    browser.sees("Who are you?").await;
    browser.press("Cancel").await;
    browser.sees("The login was cancelled.").await;
    sign_on(&browser, "Continue with Family ID", "unverified-mia").await;
    browser.sees("has no confirmed email address of yours").await;
    // The answer counts once.
    browser.expect_complaint("status of 400");
    browser.reload().await;
    browser.sees("That took too long, or was begun a second time.").await;
}

#[tokio::test]
async fn an_account_without_a_password_is_deleted_after_logging_in_once_more() {
    let home = Home::new().await;
    let browser = home.browser().await;
    browser.go("/login").await;
    sign_on(&browser, "Continue with Family ID", "mia").await;
    browser.sees("Welcome, mia!").await;
    browser.go("/me").await;
    browser.sees("this is its only way to log in").await;
    browser.press("Delete my account").await;
    browser.sees("log in once more with Family ID").await;
    assert_eq!(browser.axe().await, []);
    // The provider asks again, although it knows her.
    sign_on(&browser, "Continue with Family ID", "mia").await;
    browser.press("Delete my account for good").await;
    browser.sees("Your account is deleted.").await;
    browser.press("Continue with Family ID").await;
    browser.sees("Welcome, mia!").await;
}

#[tokio::test]
async fn passwords_work_while_the_provider_is_down() {
    let Home { provider, mut server } = Home::new().await;
    provider.stop();
    server.terminate().await;
    server.restart().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::new(&server);
    reader.log_in(&anna).await;
    crate::it::support::until("the log says so", async || {
        server.log().contains("identity provider not reached, will retry")
    })
    .await;
    let browser = Browser::open(&server).await;
    browser.expect_complaint("status of 503");
    browser.go("/login").await;
    browser.sees("Family ID does not answer at the moment.").await;
    assert_eq!(browser.axe().await, []);
    browser.press("Continue with Family ID").await;
    browser.sees("The service that you log in with does not answer at the moment.").await;
    browser.fill("#email", &anna.email).await;
    browser.fill("#password", &anna.password).await;
    browser.click("main form button").await;
    browser.sees("Add").await;
}
