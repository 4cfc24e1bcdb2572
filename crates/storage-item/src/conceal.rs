//! Keys for logs and errors. Some contain a secret, because the URL of a tag permits taps: it stays
//! out of logs, errors and `Debug`. So do the hashes of API keys.

use std::{borrow::Cow, fmt};

use crate::{
    API_KEY_HASH, Key, Position, Query, Record, SortKeys, Value,
    layout::{
        api_key,
        keys::{CREATED_PREFIX, NONCE_PREFIX, URL_INFIX, URL_PREFIX, is_tag_sk},
    },
};

const SECRET: &str = "(secret)";

/// The attributes that are secret as a whole: the address of a tag, the hash of an API key.
const SECRET_ATTRIBUTES: [&str; 2] = ["urlId", api_key::HASH];

/// A key for logs and errors, without its secrets.
pub fn key_label(pk: &str, sk: &str) -> String {
    format!("{} {}", concealed(pk), concealed(sk))
}

/// A part of a key, or any other text, without the URL or nonce that it contains as a key.
fn concealed(part: &str) -> Cow<'_, str> {
    let shown = if part.starts_with(NONCE_PREFIX) {
        Some(NONCE_PREFIX.len())
    } else if part.starts_with(URL_PREFIX) {
        Some(URL_PREFIX.len())
    } else if is_tag_sk(part) || part.starts_with(CREATED_PREFIX) {
        part.find(URL_INFIX).map(|at| at + URL_INFIX.len())
    } else {
        None
    };
    shown.map_or(Cow::Borrowed(part), |shown| format!("{}{SECRET}", &part[..shown]).into())
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pk, sk } = self;
        f.debug_struct("Key").field("pk", &concealed(pk)).field("sk", &concealed(sk)).finish()
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sort, key } = self;
        f.debug_struct("Position").field("sort", &concealed(sort)).field("key", key).finish()
    }
}

impl fmt::Debug for SortKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("Any"),
            Self::BeginsWith(prefix) => {
                f.debug_tuple("BeginsWith").field(&concealed(prefix)).finish()
            }
            Self::Between(first, last) => {
                f.debug_tuple("Between").field(&concealed(first)).field(&concealed(last)).finish()
            }
        }
    }
}

impl fmt::Debug for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_hash = self.index == Some(API_KEY_HASH);
        let pk = if is_hash { Cow::Borrowed(SECRET) } else { concealed(&self.pk) };
        f.debug_struct("Query")
            .field("table", &self.table)
            .field("index", &self.index)
            .field("pk", &pk)
            .field("sort", &self.sort)
            .field("forward", &self.forward)
            .field("limit", &self.limit)
            .field("start_after", &self.start_after)
            .finish()
    }
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for (name, value) in self.iter() {
            match value {
                Value::S(_) if SECRET_ATTRIBUTES.contains(&name) => map.entry(&name, &SECRET),
                Value::S(text) => map.entry(&name, &concealed(text)),
                value => map.entry(&name, value),
            };
        }
        map.finish()
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use larder_domain::{
        ApiKey, ApiKeyHash, ApiKeyId, HouseholdId, ItemId, KeyDescription, Owner, TapNonce, UrlId,
    };

    use super::*;
    use crate::{GSI1, Table, layout::keys};

    fn url() -> UrlId {
        UrlId::from_random([7; 16])
    }

    #[test]
    fn a_key_in_words_conceals_addresses_and_nonces_and_nothing_else() {
        let (family, item) = (HouseholdId::fixed(1), ItemId::fixed(2));
        let Key { pk, sk } = keys::tag(family, item, url());
        assert_eq!(key_label(&pk, &sk), format!("FAMILY#{family} ITEM#{item}#URL#(secret)"));
        let Key { pk, sk } = keys::nonce(family, url(), &TapNonce::parse("12345678").unwrap());
        assert_eq!(key_label(&pk, &sk), "NONCE#(secret) NONCE#(secret)");
        let created = keys::tag_created_sk(Timestamp::UNIX_EPOCH, url());
        assert_eq!(
            key_label(&keys::url_pk(url()), &created),
            "URL#(secret) CREATED#1970-01-01T00:00:00.000Z#URL#(secret)"
        );
        let Key { pk, sk } = keys::item(Owner::Household(family), item);
        assert_eq!(key_label(&pk, &sk), format!("FAMILY#{family} ITEM#{item}"));
        assert_eq!(key_label("STORE#URL#1", "name#URL#2"), "STORE#URL#1 name#URL#2");
    }

    #[test]
    fn nothing_that_holds_a_key_prints_an_address() {
        let key = keys::tag(HouseholdId::fixed(1), ItemId::fixed(2), url());
        let sort = keys::tag_created_sk(Timestamp::UNIX_EPOCH, url());
        let tag = Record::new()
            .with("PK", key.pk.as_str())
            .with("SK", key.sk.as_str())
            .with("urlId", url().reveal())
            .with("itemName", "Milk");
        let embedding = Record::new().with("result", Value::M(tag));
        let query = Query {
            table: Table::InventoryManagement,
            index: Some(GSI1),
            pk: keys::url_pk(url()),
            sort: SortKeys::Between(sort.clone(), sort.clone()),
            forward: true,
            limit: 1,
            start_after: Some(Position { sort, key }),
        };
        let printed = format!("{embedding:?} {query:?}");
        assert!(printed.contains("Milk"), "{printed}");
        assert!(!printed.contains(&url().reveal()), "{printed}");
    }

    #[test]
    fn nothing_that_holds_a_key_of_devices_prints_its_hash() {
        let hash = ApiKeyHash::from_bytes([0xab; 32]);
        let key = ApiKey {
            id: ApiKeyId::from_random([1; 16]),
            household: None,
            hash,
            created_at: Timestamp::UNIX_EPOCH,
            last_used_at: None,
            is_active: true,
            description: KeyDescription::parse("Cellar").ok(),
        };
        let record = api_key::to_record(&key);
        let query = api_key::with_hash(&hash);
        let printed = format!("{key:?} {record:?} {query:?}");
        assert!(printed.contains("Cellar"), "{printed}");
        assert!(!printed.contains(&hash.to_string()), "{printed}");
        assert!(!printed.contains(&format!("{:?}", hash.as_bytes())), "{printed}");
    }
}
