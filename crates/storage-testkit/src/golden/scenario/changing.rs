//! The second stage: changes and deletions.

use jiff::SignedDuration;
use larder_domain::{
    AutoList, HouseholdName, HouseholdPatch, InviteCode, ItemId, PersonName, Role, UserPatch, Zone,
};
use larder_storage::{
    Accounts, AddItem, AdjustItem, ChangeMember, Households, Inventory, MoveReport, NextToken,
    Places, ProgramTokens, RemoveMember, ReplaceInviteCode, ReplaceItem, Rotation, SavePlace,
    StorageError,
};
use larder_storage_item::{ReadingEngine, RecordEngine};

use super::{
    ANN, BAKERY, BOB, CELLAR, DASHBOARD, FREEZER, IN_BROWSER, KEN, MIA, MILK, RICE, SCRIPT,
    SESSION, SHELF, SOAP, Scenario, WINE, home, item,
};
use crate::sample::{dated, delta, location, shop};

impl<E: RecordEngine + ReadingEngine> Scenario<E> {
    /// The second stage: names, roles, quantities and tokens change, people join and leave, and
    /// deletions, a renaming and a change of a product are interrupted. Every released unique key is gone.
    pub async fn change(&self) {
        self.change_account().await;
        self.change_people().await;
        self.change_household().await;
        self.change_items().await;
        self.change_places().await;
        self.change_list().await;
        self.change_notices().await;
        self.change_tags().await;
        self.change_products().await;
        self.change_devices().await;
        self.change_resources().await;
    }

    async fn change_account(&self) {
        let at = self.tick();
        let name = Some(PersonName::parse("Mia M.").unwrap());
        let patch = UserPatch { name, ..UserPatch::default() };
        assert!(self.store.update_user(MIA, &patch, at).await.unwrap());
        assert!(self.store.set_password(MIA, "$argon2id$anew", at).await.unwrap());
        let expires_at = at + SignedDuration::from_hours(30 * 24);
        let token_hash = "digest of the second token".to_owned();
        let next = NextToken { session: SESSION, user: MIA, token_hash, expires_at };
        let rotated = self.store.rotate_session("digest of the first token", &next, at);
        assert_eq!(rotated.await.unwrap(), Rotation::Rotated);
        assert!(self.store.extend_session(MIA, IN_BROWSER, expires_at, at).await.unwrap());
        self.store.note_program_token_use(MIA, SCRIPT, at).await.unwrap();
        assert!(self.store.revoke_program_token(MIA, DASHBOARD, at).await.unwrap());
    }

    async fn change_people(&self) {
        let moved = self.store.move_personal_items(home(MIA), self.write()).await.unwrap();
        assert_eq!(moved, MoveReport { moved: 1, merged: 0, kept: 0 });
        self.enter(ANN, self.write()).await;
        let changed = self.store.change_role(home(MIA), KEN, Role::Admin, self.write()).await;
        assert!(matches!(changed.unwrap(), ChangeMember::Done(_)), "Ken is a member");
        let code = InviteCode::parse("VWXYZ2345678").unwrap();
        let removed = self.store.remove_member(home(MIA), BOB, &code, self.write()).await;
        assert!(matches!(removed.unwrap(), RemoveMember::Removed(_)), "Bob is a member");
    }

    async fn change_household(&self) {
        let patch = HouseholdPatch {
            name: Some(HouseholdName::parse("Our Home").unwrap()),
            zone: Some(Zone::parse("Europe/Berlin").unwrap()),
            auto_list: Some(AutoList::OFF),
            ..HouseholdPatch::default()
        };
        let updated = self.store.update_household(home(MIA), &patch, self.write()).await.unwrap();
        assert_eq!(updated.expect("there is a household").name.as_str(), "Our Home");
        let code = InviteCode::parse("MNPQRSTU6789").unwrap();
        let claim = self.claim("new code");
        let replaced = self.store.replace_invite_code(home(MIA), &code, self.claimed(&claim)).await;
        assert!(matches!(replaced.unwrap(), ReplaceInviteCode::Replaced(_)), "the code is free");
    }

    async fn change_items(&self) {
        let scope = home(KEN).inventory();
        let claim = self.claim("more milk");
        let write = self.claimed(&claim);
        let more = dated("ＭＩＬＫ", "500", "mL", "2031-02-01");
        let more = item(ItemId::from_bytes([0x77; 16]), scope, more, write);
        let AddItem::Merged(milk) = self.store.add_item(scope, &more, write).await.unwrap() else {
            panic!("there is milk of that date");
        };
        assert_eq!((milk.id, milk.version), (MILK, 2));

        let brown = dated("玄米", "4.75", "kg", "2033-03-03");
        let replaced = self.store.replace_item(scope, RICE, 1, &brown, false, self.write()).await;
        assert!(matches!(replaced.unwrap(), ReplaceItem::Replaced(_)), "the version is right");

        // Within the stock, beyond it, and from an empty one: three forms of a stored result.
        self.take(RICE, "-0.25", -25).await;
        self.take(WINE, "-5", -200).await;
        self.take(WINE, "-1", 0).await;

        let deleted = self.store.delete_item(scope, SOAP, None, self.write()).await.unwrap();
        assert_eq!(deleted.deleted().map(|item| item.id), Some(SOAP));
    }

    async fn take(&self, id: ItemId, amount: &str, applied: i64) {
        let scope = home(KEN).inventory();
        let claim = self.claim(&format!("{applied} hundredths"));
        let adjusted = self.store.adjust_item(scope, id, delta(amount), self.claimed(&claim)).await;
        let AdjustItem::Adjusted { applied_hundredths, .. } = adjusted.unwrap() else {
            panic!("the item is there");
        };
        assert_eq!(applied_hundredths, applied);
    }

    async fn change_places(&self) {
        let renamed = location(SHELF, "Tall Shelf");
        let saved = self.store.replace_location(home(MIA), &renamed, self.write()).await.unwrap();
        assert_eq!(saved, SavePlace::Saved(renamed));
        let renamed = shop(BAKERY, "Old Bakery");
        let saved = self.store.replace_store(home(MIA), &renamed, self.write()).await.unwrap();
        assert_eq!(saved, SavePlace::Saved(renamed));
        assert!(self.store.delete_location(home(MIA), CELLAR, self.write()).await.unwrap());

        // The first transaction of a deletion marks the place; the rest is interrupted.
        let deleting = self.store.delete_location(home(MIA), FREEZER, self.write());
        let deleted = self.stopped_after_one(deleting).await;
        assert!(matches!(deleted, Err(StorageError::Unavailable(_))), "{deleted:?}");
    }
}
