//! What both faces of the server, the JSON API and the pages, share: where a request comes from, how often it may
//! come, whose cookie it carries, by which address it came, where in a list it goes on, and how an address is drawn for a phone's camera.
//!
//! Nothing here answers a request: the two say what is wrong in their own ways.

mod account_limits;
mod client_address;
mod cookies;
mod cursor;
mod link_base;
mod paging;
mod public_url;
mod qr_svg;
mod rate_limit;
mod trusted_proxies;

pub use account_limits::AccountLimits;
pub use client_address::ClientAddress;
pub use cookies::{CSRF_HEADER, SessionCookies, comes_from_another_site};
pub use cursor::{CursorKey, InvalidCursor};
pub use link_base::{LinkBase, LinkSettings};
pub use paging::{ListCursors, PagePosition};
pub use public_url::PublicUrl;
pub use qr_svg::{TextTooLong, qr_svg};
pub use rate_limit::{Quota, RateLimited, RateLimiter};
pub use trusted_proxies::{AddressRange, TrustedProxies};
