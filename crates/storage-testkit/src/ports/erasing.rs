//! Erasing households, accounts and devices.

use larder_domain::{
    Barcodes, DeletionId, Erasure, ErasureKind, HardwareId, Household, LAST_LOOK_AFTER,
    NotificationFilter, SessionKind, SessionLabel, TapDirection, Urn, User,
};
use larder_storage::{
    AccountScope, EraseAccount, FleetScope, IdempotencyClaim, Ingest, JoinHousehold,
    RegisterDevice, Session,
};

use crate::sample::{barcode, details, location, shop, watched};
use crate::store_harness::{OPERATOR, personal, unique};
use crate::{Home, StoreHarness};

/// A household with something of everything.
struct Full {
    home: Home,
    device: HardwareId,
    member: User,
    former: User,
    /// Ids and names that nothing else has.
    texts: Vec<String>,
}

impl Full {
    fn account(&self) -> AccountScope {
        AccountScope::assume_authorized(
            Urn::of_household(self.home.household.id),
            self.home.admin.id,
        )
    }
}

async fn full_home(h: &StoreHarness) -> Full {
    let home = h.home().await;
    let Household { id, .. } = &home.household;
    let (scope, inventory) = (home.scope, home.inventory());
    let mut texts = vec![id.to_string()];

    let member = h.user().await;
    h.join_as(&home, &member).await;
    let former = h.user().await;
    h.join_as(&home, &former).await;
    h.remove_from_household(scope, former.id).await.unwrap();

    let place = location(h.location_id(), "Cellar");
    h.store().add_location(scope, &place, h.write()).await.unwrap();
    let store = shop(h.store_id(), "Corner shop");
    h.store().add_store(scope, &store, h.write()).await.unwrap();
    let claim: IdempotencyClaim = h.claim("erased-household");
    let milk = h.item(inventory, details("Milk", "1", "L"));
    h.store().add_item(inventory, &milk, h.claimed(&claim)).await.unwrap();
    let low = h.add(inventory, watched("Bread", "1", "2")).await;
    texts.extend([milk.id.to_string(), low.id.to_string()]);
    texts.extend([place.id.to_string(), store.id.to_string()]);
    let product = h.product(inventory, low.product.unwrap()).await.product;
    let mut known = product.details.clone();
    known.barcodes = Barcodes::new(vec![barcode(7)]).unwrap();
    h.store()
        .replace_product(inventory, product.id, product.version, &known, false, h.write())
        .await
        .unwrap();
    texts.push(product.id.to_string());
    let told = h.settle(&home, low.id).await;
    assert!(!told.is_empty());
    texts.extend(told.iter().map(|notification| notification.id.to_string()));
    let gone = h.add(inventory, details("Gone", "1", "個")).await;
    h.store().delete_item(inventory, gone.id, None, h.write()).await.unwrap();
    texts.push(gone.id.to_string());
    let tag = h.tag(scope, low.id, "1").await;
    h.tap(tag.id, TapDirection::Take, &h.nonce()).await;
    texts.push(tag.id.reveal());

    let device = h.device(home.fleet()).await;
    let key = h.key(home.fleet()).await;
    let boot = h.reading(device, 0, "x").boot_id;
    let window = format!("{device}_{boot}_1_2");
    let readings = [window.as_str(), "odd-id"].map(|batch| h.reading(device, -1000, batch));
    h.send(home.fleet(), &readings).await;
    texts.extend([device.to_string(), key.id.to_string()]);

    let account = AccountScope::assume_authorized(Urn::of_household(*id), scope.actor());
    let parent = h.keyed(&account, vec![unique("serialNumber", &h.mark(), true)]).await;
    let child = h.made(&account, Some(&parent.urn)).await;
    let collection = h.made(&account, None).await;
    h.put_into(&account, &collection.urn, &child.urn, false).await;
    let guest = h.principal();
    h.grant(&account, &guest, &child.urn, &["read"]).await;
    h.grant(&account, &guest, account.account(), &["read"]).await;
    texts.extend([&parent, &child, &collection].map(|it| it.urn.id().to_string()));
    texts.push(guest.id().to_string());
    Full { home, device, member, former, texts }
}

async fn readings_of(h: &StoreHarness, scope: FleetScope, device: HardwareId) -> usize {
    h.batch_ids(scope, device).await.len()
}

/// Continues until nothing more can be done at this time.
async fn go_on(h: &StoreHarness, id: DeletionId) -> Option<Erasure> {
    let mut before: Option<Erasure> = None;
    loop {
        let now = h.patiently(async || h.store().continue_erasure(id, h.now()).await).await;
        if now == before || now.as_ref().is_none_or(|now| now.finished_at.is_some()) {
            return now;
        }
        before = now;
    }
}

/// Continues to the end. Lists of a store that lag may show something once more.
async fn finish(h: &StoreHarness, id: DeletionId) -> Erasure {
    h.advance_seconds(LAST_LOOK_AFTER.as_secs());
    loop {
        let erasure = go_on(h, id).await.expect("it is known");
        if erasure.finished_at.is_some() {
            return erasure;
        }
        h.move_on().await;
    }
}

async fn erase(h: &StoreHarness, home: &Home) -> Erasure {
    let id = h.deletion_id();
    let begun = h.store().erase_household(home.scope, id, h.write().at).await.unwrap();
    begun.expect("the admin may")
}

pub async fn p81_nothing_is_left_of_an_erased_household(h: &StoreHarness) {
    let (full, other) = (full_home(h).await, full_home(h).await);
    assert!(!h.traces_of(&full.texts).await.is_empty());
    let begun = erase(h, &full.home).await;
    assert_eq!((begun.kind, begun.begun_by), (ErasureKind::Household, Some(full.home.admin.id)));
    for user in [&full.home.admin, &full.member] {
        assert_eq!(h.reread(user.id).await.membership, None);
    }
    let waiting = go_on(h, begun.id).await.unwrap();
    assert_eq!(h.find_device(OPERATOR, full.device).await, None);
    let other_fleet = other.home.fleet();
    if !h.is_shared() {
        assert_eq!(waiting.finished_at, None, "it looks once more when no server remembers it");
        let again = h.store().register_device(other_fleet, &h.registration(full.device)).await;
        assert_eq!(again.unwrap(), RegisterDevice::NotAllowed);
    }

    let done = finish(h, begun.id).await;
    assert!(done.removed > 20, "{done:?}");
    h.eventually(&Vec::new(), async || h.traces_of(&full.texts).await).await;
    let by = Some(full.home.admin.id);
    assert_eq!(h.store().find_erasure(by, begun.id).await.unwrap(), Some(done));
    assert_eq!(h.store().find_erasure(Some(full.member.id), begun.id).await.unwrap(), None);
    if !h.is_shared() {
        assert_eq!(h.store().resume_work(h.now(), 10).await.unwrap(), 0);
    }

    // What it had is free, and the people are free to go on.
    let _ = h.register(other_fleet, &h.registration(full.device)).await;
    assert_eq!(readings_of(h, other_fleet, full.device).await, 0);
    let code = &full.home.household.invite_code;
    assert_eq!(h.store().find_invited_household(code).await.unwrap(), None);
    h.found(&h.reread(full.former.id).await, false).await;
    h.found(&h.reread(full.member.id).await, false).await;
    // The other household has all that it had.
    assert!(h.find_device(other_fleet, other.device).await.is_some());
    assert_eq!(readings_of(h, other_fleet, other.device).await, 2);
    assert_eq!(h.resources(&other.account(), 10).await.len(), 3);
    let open = h.notifications(other.home.scope, NotificationFilter::Open, 10).await;
    assert!(!open.is_empty());
}

pub async fn p81_an_erasure_that_is_stopped_anywhere_goes_on(h: &StoreHarness) {
    if !h.can_be_stopped() {
        return;
    }
    for transactions in h.scaled(&[0, 1, 2, 5, 9, 14, 20, 27], &[0, 3, 12]) {
        let full = full_home(h).await;
        let id = h.deletion_id();
        let first = h.store().erase_household(full.home.scope, id, h.write().at);
        let begun = h.stopped_after(*transactions, first).await;
        if *transactions == 0 {
            begun.unwrap_err();
            assert!(h.reread(full.member.id).await.membership.is_some());
            continue;
        }
        let on = async {
            let mut before = None;
            while let Ok(Some(now)) = h.store().continue_erasure(id, h.now()).await {
                if before == Some(now.removed) {
                    break;
                }
                before = Some(now.removed);
            }
        };
        h.stopped_after(*transactions, on).await;
        h.advance_seconds(LAST_LOOK_AFTER.as_secs());
        // Whoever looks for interrupted work finds it.
        h.eventually(&true, async || {
            let _ = h.store().resume_work(h.now(), 10).await;
            let by = Some(full.home.admin.id);
            let found = h.store().find_erasure(by, id).await.unwrap();
            found.is_some_and(|erasure| erasure.finished_at.is_some())
        })
        .await;
        h.eventually(&Vec::new(), async || h.traces_of(&full.texts).await).await;
    }
}

pub async fn p81_only_an_admin_erases_a_household_and_once(h: &StoreHarness) {
    let home = h.home().await;
    let member = h.join(&home).await;
    let stranger = h.home().await;
    let at = h.write().at;
    let refused = h.store().erase_household(member, h.deletion_id(), at).await.unwrap();
    assert_eq!(refused, None);
    let foreign =
        larder_storage::HouseholdScope::assume_authorized(home.household.id, stranger.admin.id);
    assert_eq!(h.store().erase_household(foreign, h.deletion_id(), at).await.unwrap(), None);
    assert_eq!(
        h.reread(member.actor()).await.membership.map(|it| it.household),
        Some(home.household.id)
    );
    let begun = erase(h, &home).await;
    let again = h.store().erase_household(home.scope, h.deletion_id(), h.write().at).await;
    assert_eq!(again.unwrap(), None);
    // Nobody enters it any more.
    let late = h.user().await;
    let Household { id, invite_code, .. } = &home.household;
    let joined = h.store().join_household(*id, invite_code, &late, false, h.write()).await;
    assert_eq!(joined.unwrap(), JoinHousehold::InviteNotFound);
    finish(h, begun.id).await;
}

pub async fn p81_nothing_is_left_of_an_erased_account(h: &StoreHarness) {
    let (user, other) = (h.user().await, h.home().await);
    let own = personal(user.id);
    let claim = h.claim("erased-account");
    let milk = h.item(own, details("Milk", "1", "L"));
    h.store().add_item(own, &milk, h.claimed(&claim)).await.unwrap();
    h.adjust(own, milk.id, "1").await;
    let at = h.write().at;
    let session = Session {
        id: h.session_id(),
        user: user.id,
        kind: SessionKind::Browser,
        label: SessionLabel::default(),
        token_hash: "digest".to_owned(),
        began_at: at,
        last_used_at: at,
        expires_at: at + LAST_LOOK_AFTER * 1000,
    };
    h.store().create_session(&session, at).await.unwrap();
    let account =
        AccountScope::assume_authorized(Urn::of_household(other.household.id), other.admin.id);
    let shown = h.made(&account, None).await;
    h.grant(&account, &Urn::of_user(user.id), &shown.urn, &["read"]).await;

    let member = h.store().erase_account(other.admin.id, h.deletion_id(), h.write().at).await;
    assert_eq!(member.unwrap(), EraseAccount::InHousehold);
    let id = h.deletion_id();
    let begun = h.store().erase_account(user.id, id, h.write().at).await.unwrap();
    assert!(matches!(&begun, EraseAccount::Begun(erasure) if erasure.kind == ErasureKind::Account));
    assert_eq!(h.store().find_user(user.id).await.unwrap(), None);
    assert!(h.store().find_credentials(&user.email).await.unwrap().is_none());
    let again = h.store().erase_account(user.id, h.deletion_id(), h.write().at).await.unwrap();
    assert_eq!(again, EraseAccount::NotFound);

    finish(h, id).await;
    assert_eq!(h.store().find_erasure(Some(user.id), id).await.unwrap(), None);
    let texts = [user.id.to_string(), milk.id.to_string(), session.id.to_string()];
    h.eventually(&Vec::new(), async || h.traces_of(&texts).await).await;
    // The thing can be deleted: nobody counts the grant any more.
    assert_eq!(h.delete_to_its_end(&account, &shown.urn).await, Some(1));
    // The address is free.
    let new = larder_storage::NewUser { email: user.email.clone(), ..h.new_user() };
    let created = h.store().create_user(&new, h.write().at).await.unwrap();
    assert_eq!(created, larder_storage::CreateUser::Created);
}

pub async fn p81_an_erased_device_is_nobodys_and_then_free(h: &StoreHarness) {
    let (home, other) = (h.home().await, h.home().await);
    let (fleet, others): (FleetScope, FleetScope) = (home.fleet(), other.fleet());
    let (device, kept) = (h.device(fleet).await, h.device(fleet).await);
    let many: Vec<_> =
        (0..60).map(|n| h.reading(device, -60_000 + n * 1000, &format!("id-{n}"))).collect();
    h.send(fleet, &many).await;
    h.send(fleet, &[h.reading(kept, -1000, "kept")]).await;
    assert!(h.latest(fleet, device).await.is_some());
    let (id, by) = (h.deletion_id(), Some(home.admin.id));
    let at = h.write().at;
    let foreign = h.store().erase_device(others, device, Some(other.admin.id), id, at).await;
    assert_eq!(foreign.unwrap(), None);
    let begun = h.store().erase_device(fleet, device, by, id, at).await.unwrap().unwrap();
    assert_eq!((begun.id, begun.kind), (id, ErasureKind::Device));
    let twice = h.store().erase_device(fleet, device, by, h.deletion_id(), at).await.unwrap();
    assert_eq!(twice, None);

    assert_eq!(h.find_device(fleet, device).await, None);
    h.eventually(&vec![kept], async || {
        h.devices(fleet, 10).await.iter().map(|it| it.hardware_id).collect()
    })
    .await;
    assert_eq!(h.latest(fleet, device).await, None);
    let late = h.ingest(fleet, vec![h.reading(device, 0, "late")]).await;
    assert_eq!(late, Ingest::NotAllowed(vec![0]));
    for scope in [fleet, others].into_iter().filter(|_| !h.is_shared()) {
        let refused = h.store().register_device(scope, &h.registration(device)).await.unwrap();
        assert_eq!(refused, RegisterDevice::NotAllowed);
    }
    let done = finish(h, id).await;
    assert!(done.removed >= 1, "{done:?}");
    assert_eq!(h.store().find_erasure(by, id).await.unwrap(), Some(done));
    h.eventually(&Vec::new(), async || h.traces_of(&[device.to_string()]).await).await;

    let _ = h.register(others, &h.registration(device)).await;
    assert_eq!(readings_of(h, others, device).await, 0);
    h.send(others, &[h.reading(device, 1000, "id-0")]).await;
    assert_eq!(readings_of(h, others, device).await, 1);
    assert_eq!(readings_of(h, fleet, kept).await, 1);
}
