//! Catalogs of barcodes, behind `app`'s port `BarcodeCatalog`: [`FileCatalog`] reads a local dump
//! of Open Food Facts, [`EndpointCatalog`] asks a service in its format.
//!
//! A real dump has three million rows in nine gigabytes. It is read once, as a stream, into a
//! sorted index file, and looked up there by binary search; neither is ever in memory as a whole.

mod dump;
mod endpoint;
mod file;
mod import;
mod index;

pub use endpoint::EndpointCatalog;
pub use file::{FileCatalog, Refresh};
pub use import::{ImportError, ImportReport};
