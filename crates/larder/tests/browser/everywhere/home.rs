//! A household that has something of everything.

use serde_json::{Value, json};

use crate::it::support::{Client, Server, id_of, now_ms, url_id, urn_of};

/// How the texts of a household are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wording {
    /// As people write.
    Plain,
    /// Attempts to break out of a text, an attribute or a script.
    Hostile,
}

/// The prefix of every hostile text. A page that treats it as markup would run it, or contain an
/// unknown element.
pub(super) const BREAKING_OUT: &str = "\"'><script>window.pwned=1</script><x-pwned>";

/// The same for short fields.
pub(super) const BREAKING_OUT_SHORT: &str = "\"'><x-pwned>";

impl Wording {
    fn text(self, plain: &str) -> String {
        match self {
            Self::Plain => plain.to_owned(),
            Self::Hostile => format!("{BREAKING_OUT}{plain}"),
        }
    }

    fn unit(self) -> &'static str {
        match self {
            Self::Plain => "袋",
            Self::Hostile => BREAKING_OUT_SHORT,
        }
    }
}

/// A server with one household, and a user without one.
pub(super) struct Home {
    pub(super) server: Server,
    pub(super) anna: Client,
    pub(super) newcomer: Client,
    pub(super) invite_code: String,
    pub(super) item: String,
    pub(super) product: String,
    pub(super) entry: String,
    pub(super) bought: String,
    pub(super) tag: String,
    pub(super) device: String,
    pub(super) thing: String,
    pub(super) group: String,
    /// Every user-written text.
    pub(super) texts: Vec<String>,
}

impl Home {
    /// A home with texts of everyday.
    pub(super) async fn ordinary() -> Self {
        Self::furnished(Wording::Plain).await
    }

    /// A home with something of everything.
    pub(super) async fn furnished(wording: Wording) -> Self {
        let server = Server::start().await;
        let mut texts = Texts { wording, written: Vec::new() };
        let anna = register(&server, "anna", &texts.write("Anna")).await;
        let newcomer = register(&server, "nina", &texts.write("Nina")).await;
        let home = anna.create_household(&texts.write("The house at the corner")).await;
        let invite_code = home["inviteCode"].as_str().unwrap().to_owned();
        let store = store(&anna, &mut texts).await;
        let place = json!({ "name": texts.write("Cellar") });
        let place = anna.post("/storage-locations", place).await.expect(201);
        let item = rice(&anna, &mut texts, &store, &place).await;
        let (entry, bought) = shopping(&anna, &mut texts, &store, &item).await;
        let tag = json!({ "label": texts.write("On bag"), "step": 0.5 });
        let tag = anna.add_tag(&item, tag).await;
        let token = json!({ "name": texts.write("Kitchen display"), "scopes": ["read"] });
        anna.post("/me/tokens", token).await.expect(201);
        let device = device(&server, &anna, &mut texts).await;
        let (thing, group) = things(&anna, &mut texts).await;
        Self {
            item: id_of(&item).to_owned(),
            product: item["productId"].as_str().unwrap().to_owned(),
            tag: url_id(&tag).to_owned(),
            texts: texts.written,
            server,
            anna,
            newcomer,
            invite_code,
            entry,
            bought,
            device,
            thing,
            group,
        }
    }
}

/// The texts of a household, as they are made up.
struct Texts {
    wording: Wording,
    written: Vec<String>,
}

impl Texts {
    fn write(&mut self, plain: &str) -> String {
        let text = self.wording.text(plain);
        self.written.push(text.clone());
        text
    }
}

async fn register(server: &Server, login: &str, name: &str) -> Client {
    let mut client = server.anonymous();
    client.email = format!("{login}@example.org");
    client.password = format!("{login} likes long passwords");
    let body = json!({ "email": client.email, "password": client.password, "name": name });
    let session = client.post("/auth/register", body).await.expect(201);
    id_of(&session["user"]).clone_into(&mut client.user_id);
    client.adopt(&session);
    client
}

async fn store(anna: &Client, texts: &mut Texts) -> Value {
    let store =
        json!({ "name": texts.write("Corner shop"), "address": texts.write("Main street 1") });
    anna.post("/stores", store).await.expect(201)
}

/// Rice that is low and long expired, so that there are notifications.
async fn rice(anna: &Client, texts: &mut Texts, store: &Value, place: &Value) -> Value {
    let item = json!({
        "name": texts.write("Brown rice"),
        "quantity": 3,
        "unit": texts.wording.unit(),
        "expirationDate": "2026-01-31",
        "storageLocationId": place["id"],
        "notes": texts.write("The one from the market"),
        "lowStockThreshold": 2,
        "preferredStoreId": store["id"],
    });
    let item = anna.add_item(item).await;
    anna.adjust(id_of(&item), -2).await.expect(200);
    let product = format!("/products/{}", item["productId"].as_str().unwrap());
    let notes = json!({ "version": 1, "notes": texts.write("Rinse it first") });
    anna.patch(&product, notes).await.expect(200);
    item
}

/// One thing to buy, and one that was bought.
async fn shopping(
    anna: &Client,
    texts: &mut Texts,
    store: &Value,
    item: &Value,
) -> (String, String) {
    let put = async |entry: Value| anna.post("/shopping-list", entry).await.expect(201);
    let id = |entry: &Value| entry["shoppingItemId"].as_str().unwrap().to_owned();
    let entry = json!({
        "name": texts.write("Green tea"),
        "quantity": 2,
        "notes": texts.write("Loose, not in bags"),
        "storeId": store["id"],
    });
    let entry = put(entry).await;
    let bought = put(json!({ "name": texts.write("Candles") })).await;
    put(json!({ "name": item["name"], "itemId": item["id"] })).await;
    let status = json!({ "status": "purchased", "version": bought["version"] });
    anna.patch(&format!("/shopping-list/{}/status", id(&bought)), status).await.expect(200);
    (id(&entry), id(&bought))
}

async fn device(server: &Server, anna: &Client, texts: &mut Texts) -> String {
    let key = anna.add_api_key(json!({ "description": texts.write("Fridge in the cellar") })).await;
    let device = server.device(key["api_key"].as_str().unwrap(), "AA:BB:CC:DD:EE:FF");
    device.register().await.expect(200);
    let name = json!({ "friendly_name": texts.write("Freezer") });
    anna.patch(&device.path(), name).await.expect(200);
    let now = now_ms();
    let readings = (0..144).map(|step| {
        let mut reading = device.reading(now - i64::from(step) * 600_000, &step.to_string());
        reading["sensors"]["bme280_temp_c"] = json!(in_a_freezer(step));
        reading
    });
    for chunk in readings.collect::<Vec<_>>().chunks(100) {
        device.send(chunk).await.expect(200);
    }
    device.hardware_id
}

/// A day in a freezer, in steps of ten minutes: the compressor cycles, and once the door stays
/// open.
fn in_a_freezer(step: i32) -> f64 {
    let compressor = 4 * (step % 8 - 4).abs();
    let door = 5 * (9 - (step - 60).abs()).max(0);
    f64::from(compressor + door - 190) / 10.0
}

/// A box in a room, and a group that it belongs to.
async fn things(anna: &Client, texts: &mut Texts) -> (String, String) {
    let named =
        |kind: &str, name: String| json!({ "resourceType": kind, "attributes": { "name": name } });
    let room = anna.make_with(named("Home.Room", texts.write("Attic"))).await;
    let mut thing = named("Home.Box", texts.write("Box of letters"));
    thing["parentUrn"] = room["urn"].clone();
    thing["attributes"]["colour"] = texts.write("Dark green").into();
    thing["uniqueKeys"] = json!([{ "key": "serial", "value": texts.write("A-1") }]);
    let thing = anna.make_with(thing).await;
    let group = anna.make_with(named("Collection", texts.write("Keepsakes"))).await;
    let (thing, group) = (urn_of(&thing).to_owned(), urn_of(&group).to_owned());
    anna.add_member(&group, &thing, true).await.expect(201);
    (thing, group)
}
