//! Settings of the use cases.

use std::{fmt, io, path::PathBuf, sync::Arc};

use jiff::{SignedDuration, Timestamp};
use larder_domain::{Channel, SchemaRegistry};
use thiserror::Error;

use crate::{
    AccountMailer, BarcodeCatalog, IssuerHttp, SignOnSettings, accounts::Passwords, tokens::Tokens,
};

/// Who may register. Users of an external issuer always may: the issuer decides about them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Registration {
    /// Anyone.
    Open,
    /// The first user, and then anyone with the invite code of a household.
    #[default]
    Invite,
    /// No one, not even the first user.
    Closed,
}

/// Settings of the use cases.
#[derive(Clone)]
pub struct AppSettings {
    /// Signs our access tokens: at least 32 secret bytes.
    pub jwt_secret: Vec<u8>,
    /// The pepper of API key hashes: at least 32 bytes that are in no database.
    pub api_key_pepper: Vec<u8>,
    /// The operator's token; `None`: there is no operator.
    pub operator_token: Option<Vec<u8>>,
    /// Who may register.
    pub registration: Registration,
    /// The issuer whose tokens are accepted in place of ours.
    pub external_issuer: Option<ExternalIssuer>,
    /// The identity provider that people log in with on the pages.
    pub sign_on: Option<SignOnSettings>,
    /// The cost of hashing a password.
    pub password_cost: PasswordCost,
    /// Settings of mails about accounts; `None`: no mails.
    pub account_mail: Option<AccountMail>,
    /// Over which channels new notifications go out.
    pub channels: Vec<Channel>,
    /// Retention of readings after their own time.
    pub reading_retention: SignedDuration,
    /// The shapes of resources, and how older ones become newer ones.
    pub schemas: SchemaRegistry,
    /// Catalogs that suggest names for unknown barcodes, in the order in which they are asked.
    pub barcode_catalogs: Vec<Arc<dyn BarcodeCatalog>>,
}

/// The default limit of mails per address and day: enough for a busy household.
pub const DEFAULT_MAILS_PER_DAY: u32 = 20;

/// How mails about accounts are sent.
#[derive(Clone)]
pub struct AccountMail {
    /// The sender.
    pub mailer: Arc<dyn AccountMailer>,
    /// The public URL, without a final slash.
    pub public_url: String,
    /// The limit of mails per address and day, except for those that replace a forgotten password.
    pub per_day: u32,
}

/// Three months of readings.
const USUAL_RETENTION: SignedDuration = SignedDuration::from_hours(90 * 24);

impl AppSettings {
    /// Settings with these secrets and defaults otherwise.
    pub fn new(jwt_secret: Vec<u8>, api_key_pepper: Vec<u8>) -> Self {
        Self {
            jwt_secret,
            api_key_pepper,
            operator_token: None,
            registration: Registration::default(),
            external_issuer: None,
            sign_on: None,
            password_cost: PasswordCost::default(),
            account_mail: None,
            channels: Vec::new(),
            reading_retention: USUAL_RETENTION,
            schemas: SchemaRegistry::new(),
            barcode_catalogs: Vec::new(),
        }
    }

    /// Fails if [`crate::App::new`] would, before there is a store.
    pub fn check(&self, now: Timestamp) -> Result<(), SettingsError> {
        Tokens::new(&self.jwt_secret, self.external_issuer.clone(), now)?;
        Passwords::new(self.password_cost)?;
        Ok(())
    }
}

/// The secrets stay out of logs.
impl fmt::Debug for AppSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AppSettings")
            .field("jwt_secret", &"[redacted]")
            .field("api_key_pepper", &"[redacted]")
            .field("operator_token", &self.operator_token.as_ref().map(|_| "[redacted]"))
            .field("registration", &self.registration)
            .field("external_issuer", &self.external_issuer)
            .field("sign_on", &self.sign_on)
            .field("password_cost", &self.password_cost)
            .field("account_mail", &self.account_mail.as_ref().map(|mail| &mail.public_url))
            .field("channels", &self.channels)
            .field("reading_retention", &self.reading_retention)
            .field("schemas", &self.schemas)
            .field("barcode_catalogs", &self.barcode_catalogs.len())
            .finish()
    }
}

/// An identity provider whose RS256 and ES256 tokens are accepted in place of ours.
#[derive(Debug, Clone)]
pub struct ExternalIssuer {
    /// The `iss` of its tokens, compared as it is.
    pub issuer: String,
    /// The required `aud` of tokens that programs send; `None`: programs cannot use its tokens.
    pub audience: Option<String>,
    /// Where its public keys are.
    pub keys: IssuerKeySource,
}

/// Where the public keys of an issuer are.
#[derive(Clone)]
pub enum IssuerKeySource {
    /// In a file (JWKS), read again when a token names a key that is not in it yet.
    File(PathBuf),
    /// Where the issuer's own configuration says, at its well-known URL.
    Discovery(Arc<dyn IssuerHttp>),
}

impl fmt::Debug for IssuerKeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => f.debug_tuple("File").field(path).finish(),
            Self::Discovery(_) => f.write_str("Discovery"),
        }
    }
}

/// The cost of hashing a password (argon2id).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasswordCost {
    /// Memory in KiB.
    pub memory_kib: u32,
    /// The number of passes over the memory.
    pub passes: u32,
    /// The number of lanes.
    pub lanes: u32,
}

impl PasswordCost {
    /// The least that the algorithm allows, for tests that log in often.
    pub const LEAST: Self = Self { memory_kib: 8, passes: 1, lanes: 1 };
}

/// 19 MiB, two passes, one lane: the first choice of the OWASP password storage cheat sheet.
impl Default for PasswordCost {
    fn default() -> Self {
        Self { memory_kib: 19_456, passes: 2, lanes: 1 }
    }
}

/// Why the settings cannot be used.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// A shorter secret could be guessed.
    #[error("the JWT secret must have at least 32 bytes")]
    ShortSecret,
    /// Reserved: the issuer decides who verifies a token.
    #[error("the external issuer must not be empty or \"larder\", which is our own name")]
    ReservedIssuer,
    /// The file with the issuer's keys cannot be read.
    #[error("cannot read the JWKS file {}: {source}", path.display())]
    UnreadableKeys {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file has no key that we could use.
    #[error("the JWKS file {} has no RSA or P-256 signing key with a kid", path.display())]
    NoKeys {
        /// Which.
        path: PathBuf,
    },
    /// A key of the file is so short that others can sign with it.
    #[error(
        "the RSA key {kid:?} in {} has {bits} bits, but anything below 2048 can be broken: let the \
         issuer sign with another key",
        path.display()
    )]
    WeakKey {
        /// Which file.
        path: PathBuf,
        /// The key.
        kid: String,
        /// The length of its modulus.
        bits: usize,
    },
    /// The algorithm rejects these parameters.
    #[error("the password cost is out of range: {0}")]
    PasswordCost(String),
}
