//! The household under load: one admin, many items, and the requests that touch them.

use std::{net::SocketAddr, sync::Arc};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::{
    Error,
    connection::{Connection, request},
};

/// The password of all users.
pub(crate) const PASSWORD: &str = "a password for the benchmark";

/// How many connections fill the household.
const FILLERS: usize = 32;

const WORDS: [&str; 10] =
    ["Rice", "Milk", "Flour", "Olive oil", "Tomato", "りんご", "Butter", "Tea", "Soap", "Honey"];

/// Prepared requests against one household.
pub(crate) struct Household {
    pub(crate) token: String,
    hot_item: String,
    pub(crate) id: String,
    pub(crate) admin: String,
    /// The items but the hot one.
    pub(crate) items: Vec<String>,
    /// An adjustment by +1 of each item but the hot one.
    pub(crate) adjust_distinct: Arc<Vec<Vec<u8>>>,
    /// The same for a single item.
    pub(crate) adjust_hot: Arc<Vec<Vec<u8>>>,
    /// Taking a hundredth of the product of each of these items: ten units last for a long run.
    pub(crate) consume: Arc<Vec<Vec<u8>>>,
}

impl Household {
    /// Registers a person, creates a household and adds `count` items.
    pub(crate) async fn create(
        address: SocketAddr,
        name: &str,
        count: usize,
    ) -> Result<Self, Error> {
        let mut connection = Connection::open(address).await?;
        let person = json!({
            "email": format!("{name}@example.org"), "password": PASSWORD, "name": "Bench",
        });
        let session = post(&mut connection, "/api/v1/auth/register", "", &person).await?;
        let token = session["accessToken"].as_str().ok_or("no access token")?.to_owned();
        let household = json!({ "name": name });
        let household = post(&mut connection, "/api/v1/households", &token, &household).await?;
        let id = household["id"].as_str().ok_or("no household id")?.to_owned();
        let admin = household["createdBy"].as_str().ok_or("no creator")?.to_owned();

        let mut added = fill(address, &token, count).await?;
        let (hot_item, _) = added.pop().ok_or("a household needs items")?;
        let (items, products): (Vec<_>, Vec<_>) = added.into_iter().unzip();
        let consume = |product: &String| {
            let body = json!({ "productId": product, "quantity": 0.01 }).to_string();
            request("POST", "/api/v1/inventory/lots/consume", &token, &body)
        };
        let adjust = |id: &String| {
            let path = format!("/api/v1/inventory/items/{id}/adjust");
            request("POST", &path, &token, r#"{"delta":1}"#)
        };
        Ok(Self {
            adjust_distinct: Arc::new(items.iter().map(adjust).collect()),
            adjust_hot: Arc::new(vec![adjust(&hot_item)]),
            consume: Arc::new(products.iter().map(consume).collect()),
            token,
            hot_item,
            id,
            admin,
            items,
        })
    }

    /// Removes this many items from those that are adjusted, for another use.
    pub(crate) fn set_aside(&mut self, count: usize) -> Vec<String> {
        let kept = self.items.len().saturating_sub(count);
        Arc::make_mut(&mut self.adjust_distinct).truncate(kept);
        Arc::make_mut(&mut self.consume).truncate(kept);
        self.items.split_off(kept)
    }

    /// A page of a list, requested in so many spellings that differ only in trailing white space.
    pub(crate) fn page(&self, query: &str, spellings: usize) -> Arc<Vec<Vec<u8>>> {
        let spelled = |spaces: usize| {
            let path = format!("/api/v1/inventory/{query}{}", "+".repeat(spaces));
            request("GET", &path, &self.token, "")
        };
        Arc::new((0..spellings).map(spelled).collect())
    }

    /// The hot item must reflect every acknowledged adjustment, also after a restart.
    pub(crate) async fn check_nothing_lost(
        &self,
        address: SocketAddr,
        acknowledged: u64,
    ) -> Result<(), Error> {
        let mut connection = Connection::open(address).await?;
        let path = format!("/api/v1/inventory/items/{}", self.hot_item);
        let response = connection.send(&request("GET", &path, &self.token, "")).await?;
        let item: Value = serde_json::from_slice(response.body)?;
        let expected = json!(INITIAL_QUANTITY + acknowledged);
        if item["quantity"] != expected {
            return Err(format!("the hot item holds {}, not {expected}", item["quantity"]).into());
        }
        Ok(())
    }
}

/// The initial quantity of each item.
pub(crate) const INITIAL_QUANTITY: u64 = 10;

/// Adds the items over several connections; answers their ids and those of their products.
async fn fill(
    address: SocketAddr,
    token: &str,
    count: usize,
) -> Result<Vec<(String, String)>, Error> {
    let mut fillers = JoinSet::new();
    for first in 0..FILLERS {
        let token = token.to_owned();
        fillers.spawn(async move {
            let mut connection = Connection::open(address).await?;
            let mut ids = Vec::new();
            for number in (first..count).step_by(FILLERS) {
                let path = "/api/v1/inventory/items";
                let answer = post(&mut connection, path, &token, &item(number)).await?;
                let id = |field: &str| {
                    answer["item"][field].as_str().map(str::to_owned).ok_or("an id is missing")
                };
                ids.push((id("id")?, id("productId")?));
            }
            Ok::<_, Error>(ids)
        });
    }
    let mut ids = Vec::with_capacity(count);
    while let Some(filler) = fillers.join_next().await {
        ids.append(&mut filler??);
    }
    Ok(ids)
}

/// Names and dates spread as in a real (if very large) household.
fn item(number: usize) -> Value {
    let word = WORDS[number % WORDS.len()];
    let date = (!number.is_multiple_of(3))
        .then(|| format!("20{}-{:02}-{:02}", 30 + number % 7, 1 + number % 12, 1 + number % 28));
    json!({
        "name": format!("{word} {number}"),
        "quantity": INITIAL_QUANTITY,
        "unit": "kg",
        "expirationDate": date,
        "notes": "bought for the benchmark",
    })
}

pub(crate) async fn post(
    connection: &mut Connection,
    path: &str,
    token: &str,
    body: &Value,
) -> Result<Value, Error> {
    let response = connection.send(&request("POST", path, token, &body.to_string())).await?;
    if response.status != 201 {
        let body = String::from_utf8_lossy(response.body);
        return Err(format!("{path} answered {}: {body}", response.status).into());
    }
    Ok(serde_json::from_slice(response.body)?)
}
