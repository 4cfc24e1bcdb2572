//! The real engines, for tests: [`DynamoDbLocal`] and [`PostgresServer`], each shared by a test
//! process or owned by one test that kills it; and intermediaries between a client and an engine:
//! [`FaultProxy`], which fails on demand, and [`PgBouncer`]. Also a mail server, [`SmtpServer`],
//! an [`IdentityProvider`], a proxy, [`Nginx`], and the driver of browsers, [`ChromeDriver`].
//!
//! Nothing here returns an error: the callers are tests, which fail with a sentence that says how
//! to fix it. The engines are installed by `tools/install-test-engines`, the browser by
//! `tools/install-browser`, and all end with the process that started them, however that ends.

pub mod certificate;
mod chromedriver;
mod dynamodb;
mod fault_proxy;
mod identity_provider;
mod install;
mod nginx;
mod pgbouncer;
mod port;
mod postgres;
mod smtp;
mod supervised;
mod unprivileged;

pub use chromedriver::ChromeDriver;
pub use dynamodb::DynamoDbLocal;
pub use fault_proxy::{Fault, FaultProxy};
pub use identity_provider::IdentityProvider;
pub use nginx::Nginx;
pub use pgbouncer::PgBouncer;
pub use postgres::{Database, PostgresServer};
pub use smtp::SmtpServer;
