//! Use cases: authorize → read → decide (domain) → commit.
//!
//! Everything that people do with Larder is a method of [`App`]. This crate knows no transport and no
//! engine: what stood in the way is an [`AppError`], and a store is whatever implements the ports. Scopes,
//! without which no port can be called, are made in `authorize` alone.

mod accounts;
mod app;
mod authorize;
mod barcode_catalog;
mod barcodes;
mod caller;
mod change_hints;
mod completion;
mod demo;
mod entropy;
mod erasures;
mod error;
mod export;
mod grants;
mod households;
mod idempotency;
mod images;
mod inventory;
mod keyed;
mod live;
mod members;
mod notifications;
mod notifier;
mod photos;
mod places;
mod products;
mod resources;
mod runs;
mod search;
mod settings;
mod settling;
mod shopping;
mod sign_on;
mod tags;
mod telemetry;
mod today;
mod tokens;
mod upkeep;

pub use accounts::{
    AskedForConfirmation, BrowserCaller, BrowserLogin, GuessablePassword, Login,
    MAX_PROGRAM_TOKENS, MadeProgramToken, NewAccount, NewPassword, NewProgramToken, ResetPassword,
};
pub use app::App;
pub(crate) use app::mail_day;
pub use barcode_catalog::{BarcodeCatalog, CatalogEntry};
pub use caller::Caller;
pub use change_hints::Topic;
pub use entropy::Entropy;
pub use erasures::OwnerProof;
pub use error::{AppError, ConflictingItem, ErrorKind, Result};
pub use export::{ExportTable, Interrupted, Pieces};
pub use grants::AccessQuestion;
pub use households::HouseholdEntered;
pub use idempotency::IdempotentRequest;
pub use inventory::{ItemEdit, StockOverview, VersionedEdit};
pub use larder_media::{Code, CodeFormat, ImageRefused, PreparedPhoto};
pub use notifier::{AccountMailer, LinkMail, LinkPurpose, Message, Notifier, SendError};
pub use photos::FoundPhoto;
pub use places::StoreChanges;
pub use products::{Consumption, ProductChoice, Timeline, TimelineEntry};
pub use resources::{
    DeletionSummary, FoundResources, NewResource, NewUrn, Precondition, RESOURCE_KIND,
    ResourceChange, ResourceDeletion, ResourceFilter, ResourceTag, ThingKind, is_named,
};
pub use search::{Found, FoundLocation, RESOURCE_NAME, SearchPosition, resource_name};
pub use settings::{
    AccountMail, AppSettings, DEFAULT_MAILS_PER_DAY, ExternalIssuer, IssuerKeySource, PasswordCost,
    Registration, SettingsError,
};
pub use shopping::{BoughtEntry, EntryStock, NewShoppingItem, Purchase};
pub use sign_on::{
    BegunSignOn, IssuerAnswer, IssuerCall, IssuerCallError, IssuerHttp, ProviderAnswer,
    ProviderStatus, SignOnFailure, SignOnProof, SignOnPurpose, SignOnSettings, SignedOn,
};
pub use tags::{OpenTag, TagAddress, TagDigest};
pub use telemetry::{
    DeviceCaller, DeviceIntroduction, DeviceLimits, FleetCaller, MadeApiKey, Operator,
};
pub use today::{Excerpt, Today};
pub use upkeep::{
    Caretaker, CaretakerParts, DaysBegun, Deliveries, DeliveryOutcome, Job, Reconciled, Stopping,
    Sweep, Upcast, UpcastProgress, UpkeepObserver,
};
