//! The keys of `InventoryManagement`.

use jiff::Timestamp;
use larder_domain::{
    Channel, DeletionId, HouseholdId, InviteCode, ItemId, NotificationId, Owner, PhotoId,
    ProductId, ProgramTokenId, SessionId, ShoppingItemId, ShoppingStatus, StorageLocationId,
    StoreId, TapNonce, UrlId, Urn, UserId,
};
use larder_storage::IdempotencyKey;

use crate::{Key, layout::fields::timestamp_text};

/// The prefix of all items of an inventory. The records of their tags share it.
pub(crate) const ITEM_PREFIX: &str = "ITEM#";
/// The prefix of the sessions of a person.
pub(crate) const SESSION_PREFIX: &str = "SESSION#";
/// The prefix of the tokens that a person has made for programs.
pub(crate) const PROGRAM_TOKEN_PREFIX: &str = "PROGRAMTOKEN#";
/// The sort key of the number of those.
pub(crate) const PROGRAM_TOKEN_COUNT: &str = "PROGRAMTOKENCOUNT";
/// The prefix of the idempotency keys that a person has used.
pub(crate) const IDEMPOTENCY_PREFIX: &str = "IDEMPOTENCY#";
/// The prefix of all products of an inventory.
pub(crate) const PRODUCT_PREFIX: &str = "PRODUCT#";
/// The prefix of the lots of products.
pub(crate) const PRODUCT_LOTS_PREFIX: &str = "PRODUCTLOTS#";
/// The sort key of the mark that every item of an inventory has its product.
pub(crate) const PRODUCTS_MADE: &str = "PRODUCTSMADE";
/// The prefix of the photos of an inventory, and of resources.
pub(crate) const PHOTO_PREFIX: &str = "PHOTO#";
/// The sort key of the number of photos of an inventory.
pub(crate) const PHOTO_COUNT: &str = "PHOTOCOUNT";
/// The prefix of all members of a household.
pub(crate) const MEMBER_PREFIX: &str = "MEMBER#";
/// The prefix of all storage locations of a household.
pub(crate) const LOCATION_PREFIX: &str = "LOCATION#";
/// The prefix of all shops of a household.
pub(crate) const STORE_PREFIX: &str = "STORE#";
/// The prefix of all entries of a household's shopping list.
pub(crate) const SHOPPING_PREFIX: &str = "SHOPPING#";
/// The prefix of the counts of pending entries per item.
pub(crate) const SHOPPING_LINK_PREFIX: &str = "SHOPPINGLINK#";
/// The prefix of work that continues after the transaction that started it.
pub(crate) const JOB_PREFIX: &str = "JOB#";
/// The prefix of erasures.
pub(crate) const ERASURE_PREFIX: &str = "ERASURE#";
/// The prefix of the notifications of a household.
pub(crate) const NOTIFICATION_PREFIX: &str = "NOTIFICATION#";
/// The prefix of pending deliveries.
pub(crate) const DELIVERY_PREFIX: &str = "DELIVERY#";
/// The prefix of the leases of jobs.
pub(crate) const LEASE_PREFIX: &str = "LEASE#";
/// The prefix of the progress of jobs.
pub(crate) const BOOKMARK_PREFIX: &str = "BOOKMARK#";
/// The prefix of the record that keeps the tree of an account free of cycles.
pub(crate) const TREE_PREFIX: &str = "TREE#";
/// The prefix of the taps that a tag has done.
pub(crate) const NONCE_PREFIX: &str = "NONCE#";
/// The prefix of a tag's URL in the index.
pub(crate) const URL_PREFIX: &str = "URL#";
/// Separates the item from the secret in the sort key of a tag.
pub(crate) const URL_INFIX: &str = "#URL#";

pub(crate) fn family_pk(household: HouseholdId) -> String {
    format!("FAMILY#{household}")
}

pub(crate) fn user_pk(user: UserId) -> String {
    format!("USER#{user}")
}

pub(crate) fn owner_pk(owner: Owner) -> String {
    match owner {
        Owner::Household(household) => family_pk(household),
        Owner::User(user) => user_pk(user),
    }
}

pub(crate) fn family(household: HouseholdId) -> Key {
    Key::new(family_pk(household), family_pk(household))
}

pub(crate) fn invite_pk(code: &InviteCode) -> String {
    format!("INVITE#{}", code.as_str())
}

pub(crate) fn user(user: UserId) -> Key {
    Key::new(user_pk(user), user_pk(user))
}

pub(crate) fn session(user: UserId, session: SessionId) -> Key {
    Key::new(user_pk(user), format!("{SESSION_PREFIX}{session}"))
}

pub(crate) fn program_token(user: UserId, token: ProgramTokenId) -> Key {
    Key::new(user_pk(user), format!("{PROGRAM_TOKEN_PREFIX}{token}"))
}

pub(crate) fn program_token_count(user: UserId) -> Key {
    Key::new(user_pk(user), PROGRAM_TOKEN_COUNT)
}

pub(crate) fn idempotency(user: UserId, key: &IdempotencyKey) -> Key {
    Key::new(user_pk(user), format!("{IDEMPOTENCY_PREFIX}{}", key.as_str()))
}

pub(crate) fn member_sk(user: UserId) -> String {
    format!("{MEMBER_PREFIX}{user}")
}

pub(crate) fn member(household: HouseholdId, user: UserId) -> Key {
    Key::new(family_pk(household), member_sk(user))
}

pub(crate) fn item_sk(item: ItemId) -> String {
    format!("{ITEM_PREFIX}{item}")
}

pub(crate) fn item(owner: Owner, item: ItemId) -> Key {
    Key::new(owner_pk(owner), item_sk(item))
}

pub(crate) fn product(owner: Owner, product: ProductId) -> Key {
    Key::new(owner_pk(owner), format!("{PRODUCT_PREFIX}{product}"))
}

/// The names of a product's lots.
pub(crate) fn product_lots(owner: Owner, product: ProductId) -> Key {
    Key::new(owner_pk(owner), format!("{PRODUCT_LOTS_PREFIX}{product}"))
}

/// The same for several products.
pub(crate) fn lots_of_products(owner: Owner, products: &[ProductId]) -> Vec<Key> {
    let pk = owner_pk(owner);
    let key = |product| Key::new(pk.as_str(), format!("{PRODUCT_LOTS_PREFIX}{product}"));
    products.iter().map(key).collect()
}

pub(crate) fn products_made(owner: Owner) -> Key {
    Key::new(owner_pk(owner), PRODUCTS_MADE)
}

pub(crate) fn photo(owner: Owner, photo: PhotoId) -> Key {
    Key::new(owner_pk(owner), format!("{PHOTO_PREFIX}{photo}"))
}

/// The photo of a resource.
pub(crate) fn resource_photo(urn: &Urn) -> Key {
    let name = format!("{PHOTO_PREFIX}{urn}");
    Key::new(name.clone(), name)
}

pub(crate) fn photo_count(owner: Owner) -> Key {
    Key::new(owner_pk(owner), PHOTO_COUNT)
}

pub(crate) fn items_pk(owner: Owner) -> String {
    format!("{}#ITEMS", owner_pk(owner))
}

/// The sort key prefix of records listed by creation.
pub(crate) const CREATED_PREFIX: &str = "CREATED#";

pub(crate) fn item_created_sk(created_at: Timestamp, item: ItemId) -> String {
    format!("{CREATED_PREFIX}{}#ITEM#{item}", timestamp_text(created_at))
}

pub(crate) fn location(household: HouseholdId, location: StorageLocationId) -> Key {
    Key::new(family_pk(household), format!("{LOCATION_PREFIX}{location}"))
}

pub(crate) fn store(household: HouseholdId, store: StoreId) -> Key {
    Key::new(family_pk(household), format!("{STORE_PREFIX}{store}"))
}

pub(crate) fn shopping_item(household: HouseholdId, item: ShoppingItemId) -> Key {
    Key::new(family_pk(household), format!("{SHOPPING_PREFIX}{item}"))
}

pub(crate) fn shopping_pk(household: HouseholdId) -> String {
    format!("{}#SHOPPING", family_pk(household))
}

/// The part of the shopping list for this shop, or for none in particular.
pub(crate) fn shopping_store_prefix(store: Option<StoreId>) -> String {
    match store {
        Some(store) => format!("STORE#{store}#STATUS#"),
        None => "STORE#UNASSIGNED#STATUS#".to_owned(),
    }
}

pub(crate) fn shopping_sk(store: Option<StoreId>, status: ShoppingStatus) -> String {
    format!("{}{}", shopping_store_prefix(store), status.as_str())
}

/// The counter of the pending entries linked to an item.
pub(crate) fn shopping_link(household: HouseholdId, item: ItemId) -> Key {
    Key::new(family_pk(household), format!("{SHOPPING_LINK_PREFIX}{item}"))
}

/// The prefix of all tags of an item.
pub(crate) fn item_tags_prefix(item: ItemId) -> String {
    format!("{ITEM_PREFIX}{item}{URL_INFIX}")
}

pub(crate) fn tag(household: HouseholdId, item: ItemId, url: UrlId) -> Key {
    Key::new(family_pk(household), format!("{}{}", item_tags_prefix(item), url.reveal()))
}

/// Whether this is the sort key of a tag.
pub(crate) fn is_tag_sk(sk: &str) -> bool {
    sk.strip_prefix(ITEM_PREFIX).is_some_and(|rest| rest.contains(URL_INFIX))
}

/// The index partition of a tag, by its URL only.
pub(crate) fn url_pk(url: UrlId) -> String {
    format!("{URL_PREFIX}{}", url.reveal())
}

pub(crate) fn urls_pk(household: HouseholdId) -> String {
    format!("{}#URLS", family_pk(household))
}

pub(crate) fn tag_created_sk(created_at: Timestamp, url: UrlId) -> String {
    format!("{CREATED_PREFIX}{}{URL_INFIX}{}", timestamp_text(created_at), url.reveal())
}

/// A tap that a tag has done. By nonce before tag: the nonces of pages begin with the time, so that new ones lie side
/// by side.
pub(crate) fn nonce(household: HouseholdId, url: UrlId, nonce: &TapNonce) -> Key {
    let sk = format!("{NONCE_PREFIX}{}#{}", nonce.as_str(), url.reveal());
    Key::new(nonces_pk(household), sk)
}

/// Turning the shopping entries of a deleted item into free text.
pub(crate) fn unlink_job(household: HouseholdId, item: ItemId) -> Key {
    Key::new(family_pk(household), format!("{JOB_PREFIX}UNLINK#{item}"))
}

/// Telling the tags of an item its name.
pub(crate) fn rename_job(household: HouseholdId, item: ItemId) -> Key {
    Key::new(family_pk(household), format!("{JOB_PREFIX}RENAME#{item}"))
}

/// Telling the lots of a product what it says.
pub(crate) fn lots_job(owner: Owner, product: ProductId) -> Key {
    Key::new(owner_pk(owner), format!("{JOB_PREFIX}LOTS#{product}"))
}

/// Deleting a resource with all that is below it.
pub(crate) fn cascade_job(account: &Urn, deletion: DeletionId) -> Key {
    Key::new(account_pk(account), format!("{JOB_PREFIX}CASCADE#{deletion}"))
}

/// The partition of all open jobs, the oldest first.
pub(crate) const JOBS_PK: &str = "JOBS";

pub(crate) fn notification(household: HouseholdId, notification: NotificationId) -> Key {
    Key::new(family_pk(household), format!("{NOTIFICATION_PREFIX}{notification}"))
}

pub(crate) fn delivery(
    household: HouseholdId,
    notification: NotificationId,
    channel: Channel,
) -> Key {
    let sk = format!("{DELIVERY_PREFIX}{notification}#{}", channel.as_str());
    Key::new(family_pk(household), sk)
}

/// The record that keeps the tree of an account free of cycles.
pub(crate) fn tree(account: &Urn) -> Key {
    let name = format!("{TREE_PREFIX}{account}");
    Key::new(name.clone(), name)
}

/// Erasing a household, an account or a device. In a partition of its own: it outlives them.
pub(crate) fn erasure(id: DeletionId) -> Key {
    let name = format!("{ERASURE_PREFIX}{id}");
    Key::new(name.clone(), name)
}

/// The partition of the jobs of an account of resources.
pub(crate) fn account_pk(account: &Urn) -> String {
    format!("ACCOUNT#{account}")
}

/// The partition of the taps of a household's tags.
pub(crate) fn nonces_pk(household: HouseholdId) -> String {
    format!("{NONCE_PREFIX}{household}")
}

pub(crate) fn bookmark(job: &str) -> Key {
    let name = format!("{BOOKMARK_PREFIX}{job}");
    Key::new(name.clone(), name)
}

pub(crate) fn lease(job: &str) -> Key {
    let name = format!("{LEASE_PREFIX}{job}");
    Key::new(name.clone(), name)
}
