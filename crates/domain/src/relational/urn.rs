//! How resources are named: `urn:{domain}:{resourceType}::{resourceId}`.

use std::{fmt, str::FromStr, sync::Arc};

use thiserror::Error;
use uuid::Uuid;

use crate::{HouseholdId, UserId, ids};

/// The most characters of a domain.
const MAX_DOMAIN: usize = 32;
/// Maximum length of a resource type in characters: far below any engine's limit of keys.
const MAX_TYPE: usize = 200;
/// The prefix of the domain.
const SCHEME: &str = "urn:";
/// Separates type and id.
const BEFORE_ID: &str = "::";

/// Why a text is no URN of a resource. Each variant is a reason that can be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidUrn {
    /// It does not begin with `urn:`.
    #[error("must begin with \"urn:\" in lower case")]
    Scheme,
    /// The domain is missing or has other characters.
    #[error("the domain after \"urn:\" must have 1 to 32 of a-z, 0-9 and -, and not begin with -")]
    Domain,
    /// The resource type is missing or misspelt.
    #[error("the resource type after the domain {0}")]
    ResourceType(InvalidResourceType),
    /// There is no `::` between type and id.
    #[error("must have \"::\" between resource type and id")]
    Separator,
    /// The part after `::` is not a UUID.
    #[error("the id after \"::\" must be a UUID such as 01955556-3cd2-7df2-b839-693fa6fbd505")]
    Id,
}

/// Why a text is no resource type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidResourceType {
    /// A segment is empty or has other characters.
    #[error(
        "must be segments of letters and digits, each with a capital first, joined by dots, such as Home.Room"
    )]
    Segments,
    /// It is over the limit.
    #[error("must have at most 200 characters")]
    TooLong,
}

/// The domain of a URN: its namespace.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UrnDomain(Arc<str>);

/// The type of a resource: dotted segments such as `Home.Room`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceType(Arc<str>);

/// Domain and type: the common prefix of one kind of resources' URNs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ResourceKind {
    /// The domain.
    pub domain: UrnDomain,
    /// The type.
    pub resource_type: ResourceType,
}

/// The permanent name of a resource, ordered by its text. Small, and cheap to clone.
#[derive(Clone)]
pub struct Urn(Arc<Parts>);

struct Parts {
    text: Box<str>,
    domain: UrnDomain,
    resource_type: ResourceType,
    id: Uuid,
}

impl UrnDomain {
    /// The domain of everything that Larder names itself.
    pub fn larder() -> Self {
        Self("pp".into())
    }

    /// Validates the text.
    pub fn parse(text: &str) -> Result<Self, InvalidUrn> {
        let allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        let fits = (1..=MAX_DOMAIN).contains(&text.len())
            && !text.starts_with('-')
            && text.bytes().all(allowed);
        if fits { Ok(Self(text.into())) } else { Err(InvalidUrn::Domain) }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ResourceType {
    /// Types of the application's own unique values. Resources cannot have them: a resource of type
    /// `System.User` with someone's email address would prevent them from registering.
    const RESERVED: [&'static str; 7] = [
        "System",
        "System.Account",
        "System.Account.InventoryItem",
        "System.Account.Notification",
        "System.Account.StorageLocation",
        "System.Account.Store",
        "System.User",
    ];

    /// Validates the text.
    pub fn parse(text: &str) -> Result<Self, InvalidResourceType> {
        if text.len() > MAX_TYPE {
            return Err(InvalidResourceType::TooLong);
        }
        let is_segment = |segment: &str| {
            segment.starts_with(|first: char| first.is_ascii_uppercase())
                && segment.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        if text.split('.').all(is_segment) {
            Ok(Self(text.into()))
        } else {
            Err(InvalidResourceType::Segments)
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this type is reserved for the application.
    pub fn is_reserved(&self) -> bool {
        Self::RESERVED.contains(&self.as_str())
    }
}

impl ResourceKind {
    /// The prefix of the URNs of this kind, up to the id.
    pub fn prefix(&self) -> String {
        format!("{SCHEME}{}:{}{BEFORE_ID}", self.domain.0, self.resource_type.0)
    }
}

impl Urn {
    /// What it looks like, as a regular expression. The domain and the type are limited in length,
    /// too.
    pub const PATTERN: &str = concat!(
        r"^urn:[a-z0-9][a-z0-9-]{0,31}:[A-Z][A-Za-z0-9]*(\.[A-Z][A-Za-z0-9]*)*::",
        "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
    );

    /// The URN of a resource.
    pub fn new(domain: UrnDomain, resource_type: ResourceType, id: Uuid) -> Self {
        let text = format!("{SCHEME}{}:{}{BEFORE_ID}{id}", domain.0, resource_type.0).into();
        Self(Arc::new(Parts { text, domain, resource_type, id }))
    }

    /// The account that a household is.
    pub fn of_household(household: HouseholdId) -> Self {
        Self::of_ours("System.Account", Uuid::from_bytes(*household.as_bytes()))
    }

    /// The principal that a person is.
    pub fn of_user(user: UserId) -> Self {
        Self::of_ours("System.User", Uuid::from_bytes(*user.as_bytes()))
    }

    fn of_ours(resource_type: &str, id: Uuid) -> Self {
        Self::new(UrnDomain::larder(), ResourceType(resource_type.into()), id)
    }

    /// The person that this principal is, if it is one.
    pub fn to_user(&self) -> Option<UserId> {
        let user = UserId::from_bytes(*self.0.id.as_bytes());
        (*self == Self::of_user(user)).then_some(user)
    }

    /// The whole text.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// The domain.
    pub fn domain(&self) -> &UrnDomain {
        &self.0.domain
    }

    /// The resource type.
    pub fn resource_type(&self) -> &ResourceType {
        &self.0.resource_type
    }

    /// Domain and type.
    pub fn kind(&self) -> ResourceKind {
        let (domain, resource_type) = (self.0.domain.clone(), self.0.resource_type.clone());
        ResourceKind { domain, resource_type }
    }

    /// The id.
    pub fn id(&self) -> Uuid {
        self.0.id
    }
}

impl FromStr for Urn {
    type Err = InvalidUrn;

    /// Parses the id in either case and stores it in lower case, so that a resource has one name.
    fn from_str(text: &str) -> Result<Self, InvalidUrn> {
        let rest = text.strip_prefix(SCHEME).ok_or(InvalidUrn::Scheme)?;
        let (domain, rest) = rest.split_once(':').ok_or(InvalidUrn::Domain)?;
        let domain = UrnDomain::parse(domain)?;
        let (resource_type, spelling) = rest.split_once(BEFORE_ID).ok_or(InvalidUrn::Separator)?;
        let resource_type = ResourceType::parse(resource_type).map_err(InvalidUrn::ResourceType)?;
        let id = ids::parse(spelling).map_err(|_| InvalidUrn::Id)?;
        if spelling.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Ok(Self::new(domain, resource_type, id));
        }
        // Stores read a great many: the text need not be put together again.
        Ok(Self(Arc::new(Parts { text: text.into(), domain, resource_type, id })))
    }
}

impl fmt::Display for Urn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl fmt::Debug for Urn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

ids::serialize_as_text! { Urn }

impl PartialEq for Urn {
    fn eq(&self, other: &Self) -> bool {
        self.0.text == other.0.text
    }
}

impl Eq for Urn {}

impl std::hash::Hash for Urn {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.text.hash(state);
    }
}

/// By the bytes of the text, as every engine orders keys.
impl Ord for Urn {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.text.cmp(&other.0.text)
    }
}

impl PartialOrd for Urn {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
#[path = "urn_tests.rs"]
mod tests;
