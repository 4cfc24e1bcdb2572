//! The life of one small household, written through the ports: every kind of record, then every kind of
//! change to one.

mod changing;
mod creating;
mod notices;
mod products;
mod resources;
mod shopping;
mod tags;
mod telemetry;

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use larder_domain::{
    HouseholdId, InviteCode, Item, ItemDetails, ItemId, Owner, ProgramTokenId, SessionId,
    SessionKind, SessionLabel, StorageLocationId, StoreId, TokenName, TokenScope, TokenScopes,
    User, UserId,
};
use larder_storage::{
    Accounts, Clock, HouseholdScope, IdempotencyClaim, IdempotencyKey, ManualClock, ProgramToken,
    Scope, Session, Write,
};
use larder_storage_item::{ItemStore, ReadingEngine, Record, RecordEngine, Table};

use super::Recorder;

/// Creates the household, and has personal items.
const MIA: UserId = UserId::fixed(0x1111_1111_1111_4111_8111_1111_1111_0001);
/// Logs in elsewhere, has no password.
const KEN: UserId = UserId::fixed(0x1111_1111_1111_4111_8111_1111_1111_0002);
/// Has both kinds of login, and no household at first.
const ANN: UserId = UserId::fixed(0x1111_1111_1111_4111_8111_1111_1111_0003);
/// Moves out again.
const BOB: UserId = UserId::fixed(0x1111_1111_1111_4111_8111_1111_1111_0004);

const SESSION: SessionId = SessionId::fixed(0x2222_2222_2222_4222_8222_2222_2222_0001);
const IN_BROWSER: SessionId = SessionId::fixed(0x2222_2222_2222_4222_8222_2222_2222_0002);
const SCRIPT: ProgramTokenId = ProgramTokenId::fixed(0x2222_2222_2222_4222_8222_2222_2222_0003);
const DASHBOARD: ProgramTokenId = ProgramTokenId::fixed(0x2222_2222_2222_4222_8222_2222_2222_0004);
const HOME: HouseholdId = HouseholdId::fixed(0x3333_3333_3333_4333_8333_3333_3333_0001);

const FREEZER: StorageLocationId =
    StorageLocationId::fixed(0x4444_4444_4444_4444_8444_4444_4444_0001);
const SHELF: StorageLocationId =
    StorageLocationId::fixed(0x4444_4444_4444_4444_8444_4444_4444_0002);
const CELLAR: StorageLocationId =
    StorageLocationId::fixed(0x4444_4444_4444_4444_8444_4444_4444_0003);

const MARKET: StoreId = StoreId::fixed(0x5555_5555_5555_4555_8555_5555_5555_0001);
const BAKERY: StoreId = StoreId::fixed(0x5555_5555_5555_4555_8555_5555_5555_0002);

const MILK: ItemId = ItemId::fixed(0x6666_6666_6666_4666_8666_6666_6666_0001);
const RICE: ItemId = ItemId::fixed(0x6666_6666_6666_4666_8666_6666_6666_0002);
const LONG_NAME: ItemId = ItemId::fixed(0x6666_6666_6666_4666_8666_6666_6666_0003);
const WINE: ItemId = ItemId::fixed(0x6666_6666_6666_4666_8666_6666_6666_0004);
const SOAP: ItemId = ItemId::fixed(0x6666_6666_6666_4666_8666_6666_6666_0005);
const TEA_OF_MIA: ItemId = ItemId::fixed(0x6666_6666_6666_4666_8666_6666_6666_0006);
const SALT_OF_ANN: ItemId = ItemId::fixed(0x6666_6666_6666_4666_8666_6666_6666_0007);
const BUTTER: ItemId = ItemId::fixed(0x6666_6666_6666_4666_8666_6666_6666_0008);
const OATS: ItemId = ItemId::fixed(0x6666_6666_6666_4666_8666_6666_6666_0009);

/// The limit of actions in a transaction without journaled changes: the narrowest engine's, so that
/// all engines write the same records.
const FEW_ACTIONS: usize = 10;

/// The ports over an engine, with a household to be written: first [`Scenario::create`], then
/// [`Scenario::change`]. Every id, time and text is fixed.
pub struct Scenario<E> {
    recorder: Arc<Recorder<E>>,
    store: ItemStore<Recorder<E>>,
    clock: Arc<ManualClock>,
}

impl<E: RecordEngine + ReadingEngine> Scenario<E> {
    /// A scenario for an empty engine with this clock, which must show [`crate::START`].
    pub fn new(engine: Arc<E>, clock: Arc<ManualClock>) -> Self {
        let recorder = Arc::new(Recorder::new(engine).taking(FEW_ACTIONS));
        let store = ItemStore::new(Arc::clone(&recorder), Arc::clone(&clock) as _);
        Self { recorder, store, clock }
    }

    /// Every record of every partition that was written so far.
    pub async fn records(&self) -> Vec<(Table, Record)> {
        self.recorder.records().await
    }

    /// Does something and stops it after its first transaction, as a kill of the process does.
    async fn stopped_after_one<T>(&self, doing: impl Future<Output = T>) -> T {
        self.recorder.allow(Some(1));
        let outcome = doing.await;
        self.recorder.allow(None);
        outcome
    }

    /// A second and a bit later than the last, so that the decimals of times show.
    fn tick(&self) -> Timestamp {
        self.clock.advance(SignedDuration::from_millis(1_001));
        self.clock.now()
    }

    fn write(&self) -> Write<'static> {
        Write::at(self.tick())
    }

    /// A write that leaves an idempotency record.
    fn claimed<'a>(&self, claim: &'a IdempotencyClaim) -> Write<'a> {
        Write { at: self.tick(), claim: Some(claim) }
    }

    /// The request's digest is its key, so that the record's key can be derived from its
    /// attributes.
    fn claim(&self, key: &str) -> IdempotencyClaim {
        IdempotencyClaim {
            key: IdempotencyKey::parse(key).unwrap(),
            request_hash: key.to_owned(),
            expires_at: self.clock.now() + SignedDuration::from_hours(24),
        }
    }

    fn session(&self, id: SessionId, kind: SessionKind, label: &str) -> Session {
        let now = self.clock.now();
        Session {
            id,
            user: MIA,
            kind,
            label: SessionLabel::parse(label).unwrap(),
            token_hash: "digest of the first token".to_owned(),
            began_at: now,
            last_used_at: now,
            expires_at: now + SignedDuration::from_hours(30 * 24),
        }
    }

    fn token(&self, id: ProgramTokenId, name: &str, scopes: &[TokenScope]) -> ProgramToken {
        ProgramToken {
            id,
            user: MIA,
            name: TokenName::parse(name).unwrap(),
            scopes: TokenScopes::of(scopes.iter().copied()).expect("there are some"),
            token_hash: "digest of a token for a program".to_owned(),
            created_at: self.clock.now(),
            last_used_at: None,
            expires_at: None,
        }
    }

    async fn user(&self, id: UserId) -> User {
        self.store.find_user(id).await.unwrap().expect("the user is registered")
    }
}

/// An item that is created by this write.
fn item(id: ItemId, scope: Scope, details: ItemDetails, write: Write<'_>) -> Item {
    Item::new(id, scope.owner(), details, scope.actor(), write.at)
}

fn first_code() -> InviteCode {
    InviteCode::parse("ABCDEFGH2345").unwrap()
}

const fn home(actor: UserId) -> HouseholdScope {
    HouseholdScope::assume_authorized(HOME, actor)
}

const fn own(user: UserId) -> Scope {
    Scope::assume_authorized(Owner::User(user), user)
}
