//! The first stage: one record of every kind, with the most and the fewest attributes.

use jiff::SignedDuration;
use larder_domain::{
    AutoList, CATEGORIES, Currency, DeviceReference, Email, Household, HouseholdName, ImageUrl,
    ItemDetails, ItemId, LocationName, Notes, PersonName, SessionKind, SortOrder, StorageLocation,
    Store, StoreAddress, StoreName, TokenScope, UserId, Zone,
};
use larder_storage::{
    Accounts, AddItem, Admission, CreateHousehold, CreateProgramToken, CreateUser,
    ExternalIdentity, Households, Inventory, JoinHousehold, NewUser, Places, ProgramToken,
    ProgramTokens, SavePlace, Scope, Write,
};
use larder_storage_item::{ReadingEngine, RecordEngine};

use super::{
    ANN, BAKERY, BOB, BUTTER, CELLAR, DASHBOARD, FREEZER, HOME, IN_BROWSER, KEN, LONG_NAME, MARKET,
    MIA, MILK, OATS, RICE, SALT_OF_ANN, SCRIPT, SESSION, SHELF, SOAP, Scenario, TEA_OF_MIA, WINE,
    first_code, home, item, own,
};
use crate::sample::{dated, details, location, quantity, shop};

impl<E: RecordEngine + ReadingEngine> Scenario<E> {
    /// The first stage: one record of every kind, with the most and the fewest attributes.
    pub async fn create(&self) {
        self.register(MIA, "Mia@Example.com", Some("$argon2id$of-mia"), None).await;
        self.register(KEN, "ken@example.com", None, Some("ken-7")).await;
        self.register(ANN, "ann@example.com", Some("$argon2id$of-ann"), Some("ann-8")).await;
        self.register(BOB, "bob@example.com", Some("$argon2id$of-bob"), None).await;
        let at = self.tick();
        for session in [
            self.session(SESSION, SessionKind::Tokens, ""),
            self.session(IN_BROWSER, SessionKind::Browser, "Chrome on Android"),
        ] {
            self.store.create_session(&session, at).await.unwrap();
        }
        let expires_at = Some(at + SignedDuration::from_hours(365 * 24));
        for token in [
            self.token(SCRIPT, "backup script", &[TokenScope::Read]),
            ProgramToken {
                expires_at, ..self.token(DASHBOARD, "台所の画面", &TokenScope::ALL)
            },
        ] {
            let created = self.store.create_program_token(&token, 2).await.unwrap();
            assert_eq!(created, CreateProgramToken::Created);
        }

        self.add(TEA_OF_MIA, own(MIA), details("Tea", "20", "bags"), self.write()).await;
        self.add(SALT_OF_ANN, own(ANN), dated("Salt", "0.5", "kg", "2035-01-31"), self.write())
            .await;

        self.found().await;
        let claim = self.claim("join");
        self.enter(KEN, self.claimed(&claim)).await;
        self.enter(BOB, self.write()).await;
        self.furnish().await;

        let claim = self.claim("add milk");
        self.add(MILK, home(MIA).inventory(), milk(), self.claimed(&claim)).await;
        let household = home(KEN).inventory();
        self.add(RICE, household, details("お米", "5", "kg"), self.write()).await;
        // Folding makes compatibility characters four times as long, beyond a key's limit.
        let long = "㍿".repeat(100);
        self.add(LONG_NAME, household, details(&long, "1", "個"), self.write()).await;
        let wine = ItemDetails { location: Some(CELLAR), ..details("Wine", "2", "bottles") };
        self.add(WINE, household, wine, self.write()).await;
        self.add(SOAP, household, dated("Soap", "3", "個", "2032-02-29"), self.write()).await;
        let low_stock_threshold = Some(quantity("1"));
        let butter =
            ItemDetails { low_stock_threshold, ..dated("Butter", "0.5", "kg", "2031-01-18") };
        self.add(BUTTER, household, butter, self.write()).await;
        self.add(OATS, household, details("Oats", "1", "kg"), self.write()).await;
        self.make_list().await;
        self.make_tags().await;
        self.make_notices().await;
        self.make_devices().await;
        self.make_resources().await;
    }

    async fn register(
        &self,
        id: UserId,
        email: &str,
        password_hash: Option<&str>,
        subject: Option<&str>,
    ) {
        let identity = subject.map(|subject| ExternalIdentity {
            issuer: "https://id.example.com".to_owned(),
            subject: subject.to_owned(),
        });
        let new = NewUser {
            id,
            email: Email::parse(email).unwrap(),
            name: PersonName::parse(email.split('@').next().unwrap_or_default()).unwrap(),
            password_hash: password_hash.map(str::to_owned),
            identity,
            admission: Admission::Anyone,
        };
        let created = self.store.create_user(&new, self.tick()).await.unwrap();
        assert_eq!(created, CreateUser::Created);
    }

    async fn add(&self, id: ItemId, scope: Scope, details: ItemDetails, write: Write<'_>) {
        let item = item(id, scope, details, write);
        let added = self.store.add_item(scope, &item, write).await.unwrap();
        assert_eq!(added, AddItem::Added(item));
    }

    /// Mia's own things are to follow her, so her record is marked.
    async fn found(&self) {
        let mia = self.user(MIA).await;
        let claim = self.claim("found");
        let write = self.claimed(&claim);
        let household = Household {
            id: HOME,
            name: HouseholdName::parse("Home").unwrap(),
            zone: Zone::parse("Asia/Tokyo").unwrap(),
            currency: Currency::EURO,
            auto_list: AutoList::ON,
            invite_code: first_code(),
            created_by: MIA,
            created_at: write.at,
        };
        let created = self.store.create_household(&household, &mia, true, write).await.unwrap();
        assert_eq!(created, CreateHousehold::Created);
    }

    pub(super) async fn enter(&self, id: UserId, write: Write<'_>) {
        let user = self.user(id).await;
        let joined = self.store.join_household(HOME, &first_code(), &user, false, write).await;
        assert!(matches!(joined.unwrap(), JoinHousehold::Joined(_)), "the code is good");
    }

    async fn furnish(&self) {
        let freezer = StorageLocation {
            id: FREEZER,
            name: LocationName::parse("Big Freezer").unwrap(),
            device: Some(DeviceReference::parse("esp32-a4cf12").unwrap()),
        };
        let market = Store {
            id: MARKET,
            name: StoreName::parse("Market Hall").unwrap(),
            address: Some(StoreAddress::parse("1 Market Square").unwrap()),
            sort_order: Some(SortOrder::new(1).unwrap()),
        };
        let claim = self.claim("add freezer");
        let saved = self.store.add_location(home(MIA), &freezer, self.claimed(&claim)).await;
        assert_eq!(saved.unwrap(), SavePlace::Saved(freezer));
        let claim = self.claim("add market");
        let saved = self.store.add_store(home(MIA), &market, self.claimed(&claim)).await;
        assert_eq!(saved.unwrap(), SavePlace::Saved(market));
        for plain in [location(SHELF, "Shelf"), location(CELLAR, "Cellar")] {
            let saved = self.store.add_location(home(MIA), &plain, self.write()).await;
            assert_eq!(saved.unwrap(), SavePlace::Saved(plain));
        }
        let bakery = shop(BAKERY, "Ｂakery");
        let saved = self.store.add_store(home(MIA), &bakery, self.write()).await;
        assert_eq!(saved.unwrap(), SavePlace::Saved(bakery));
    }
}

/// An item with every field set.
fn milk() -> ItemDetails {
    ItemDetails {
        category: CATEGORIES[4].id,
        location: Some(FREEZER),
        image_url: Some(ImageUrl::parse("https://example.com/milk.jpg").unwrap()),
        notes: Some(Notes::parse("Opened\non Monday").unwrap()),
        low_stock_threshold: Some(quantity("0.75")),
        preferred_store: Some(MARKET),
        ..dated("Milk", "1.5", "L", "2031-02-01")
    }
}
