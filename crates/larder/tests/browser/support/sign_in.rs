//! Browsers with an existing session.

use super::{Browser, Options};
use crate::it::support::{Client, Server};
use crate::web::support::Reader;

/// The name of the session cookie without TLS.
const SESSION_COOKIE: &str = "larder_session";

impl Browser {
    /// A phone with which this person has logged in.
    pub(crate) async fn signed_in(server: &Server, person: &Client) -> Self {
        Self::signed_in_with(server, person, Options::default()).await
    }

    /// Any other browser.
    pub(crate) async fn signed_in_with(server: &Server, person: &Client, options: Options) -> Self {
        let browser = Self::with(server, options).await;
        browser.adopt(&Reader::of(server, person).await).await;
        browser
    }

    /// Takes over the session of the other one.
    pub(crate) async fn adopt(&self, reader: &Reader) {
        let session = reader.cookie(SESSION_COOKIE).expect("somebody has logged in");
        self.set_cookie(SESSION_COOKIE, &session).await;
    }
}
