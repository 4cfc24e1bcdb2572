//! Devices, charts and keys.

use serde_json::{Value, json};

use super::support::{Page, Reader};
use crate::it::support::{Client, Server, TestDevice, now_ms};

const MAC: &str = "AA:BB:CC:DD:EE:FF";
const DEVICE: &str = "/sensors/AA%3ABB%3ACC%3ADD%3AEE%3AFF";
const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;

/// The beginning of a quarter of an hour, as charts of a day are cut, so many of them ago.
fn quarters_ago(count: i64) -> i64 {
    let quarter = 15 * MINUTE_MS;
    (now_ms() / quarter - count) * quarter
}

/// A household with a device, and a browser of its admin.
struct Cellar {
    server: Server,
    anna: Client,
    device: TestDevice,
    reader: Reader,
}

impl Cellar {
    async fn new() -> Self {
        let server = Server::start().await;
        let anna = server.with_household("anna").await;
        let device = anna.add_device(&server, MAC).await;
        let reader = Reader::of(&server, &anna).await;
        Self { server, anna, device, reader }
    }

    /// The device measured this at that time.
    async fn measured(&self, ms: i64, sensors: Value) {
        let mut reading = self.device.reading(ms, &format!("at-{ms}"));
        reading["sensors"] = sensors;
        self.device.send(&[reading]).await.expect(200);
    }

    async fn page(&self, query: &str) -> Page {
        self.reader.get(&format!("{DEVICE}{query}")).await.expect(200)
    }

    /// The household's own places with the device that watches each.
    async fn places(&self) -> Vec<(String, Value)> {
        let all = self.anna.get("/storage-locations").await.expect(200);
        let own = all["items"].as_array().unwrap().iter().filter(|place| place["isOwn"] == true);
        let mut places: Vec<_> = own
            .map(|place| (place["name"].as_str().unwrap().to_owned(), place["deviceId"].clone()))
            .collect();
        places.sort_by(|a, b| a.0.cmp(&b.0));
        places
    }
}

#[tokio::test]
async fn a_household_without_devices_is_told_how_to_begin() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let page = Reader::of(&server, &anna).await.get("/sensors").await.expect(200);
    assert!(page.says("No sensors yet"), "{}", page.visible());
    assert!(page.says("larder simulate --url http"), "{}", page.visible());
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let page = Reader::of(&server, &ben).await.get("/sensors").await.expect(200);
    assert!(page.says("An admin of the household can make the key"), "{}", page.visible());
    assert!(!page.text.contains("/sensors/keys"), "{}", page.text);
}

#[tokio::test]
async fn the_list_shows_what_devices_said_last_with_units_and_who_is_broken() {
    let cellar = Cellar::new().await;
    let page = cellar.reader.get("/sensors").await.expect(200);
    assert!(page.says("It has registered, but has not sent a reading yet."), "{}", page.visible());

    cellar.measured(now_ms() - HOUR_MS, json!({ "temperature_c": 21.5 })).await;
    let sensors = json!({
        "temperature_c": -18.25, "humidity_pct": 45, "pressure_hpa": 1013.25, "people": 3, "zone_a": 7,
    });
    let mut reading = cellar.device.reading(now_ms() - MINUTE_MS, "newest");
    reading["sensors"] = sensors;
    reading["sensor_status"] = json!({ "bme280": "ok", "ds18b20": "error" });
    cellar.device.send(&[reading]).await.expect(200);

    let page = cellar.reader.get("/sensors").await.expect(200);
    for text in [
        "Temperature −18.3 °C",
        "Humidity 45%",
        "Pressure 1013.3 hPa",
        "people 3",
        "zone_a 7",
        "ds18b20: error",
        "just now",
    ] {
        assert!(page.says(text), "{text} in {}", page.visible());
    }
    assert!(!page.says("bme280: "), "{}", page.visible());
    let line = page
        .between("aria-label=\"Temperature in the last 24 hours: −18.3 °C to 21.5 °C\"", "</svg>");
    assert!(line.unwrap().contains(" d=\"M"), "{}", page.text);

    let japanese = Reader::speaking(&cellar.server, "ja");
    japanese.log_in(&cellar.anna).await;
    let page = japanese.get("/sensors").await.expect(200);
    assert!(page.says("温度 −18.3 °C") && page.says("ds18b20：異常"), "{}", page.visible());
}

#[tokio::test]
async fn the_list_is_by_name_and_has_one_temperature_of_each_device_with_its_extremes() {
    let cellar = Cellar::new().await;
    let key = cellar.anna.api_key().await;
    for (id, name) in [("AA:BB:CC:DD:EE:01", "wine"), ("AA:BB:CC:DD:EE:02", "Attic")] {
        let device = cellar.server.device(&key, id);
        device.register().await.expect(200);
        let path = format!("/devices/{}", crate::it::support::encode(id));
        cellar.anna.patch(&path, json!({ "friendly_name": name })).await.expect(200);
    }
    let rename = json!({ "friendly_name": "Freezer" });
    cellar.anna.patch(&cellar.device.path(), rename).await.expect(200);
    for (minutes, value) in [(90, -20.04), (30, -17.66)] {
        let sensors = json!({ "bme280_temp_c": value, "ds18b20_temp_c": 3.0, "humidity_pct": 40 });
        cellar.measured(now_ms() - minutes * MINUTE_MS, sensors).await;
    }
    let page = cellar.reader.get("/sensors").await.expect(200);
    let at = |name: &str| page.text.find(&format!(">{name}</a>")).expect(name);
    assert!(["Attic", "Freezer", "wine"].map(at).is_sorted(), "{}", page.visible());
    assert!(page.says("Temperature (bme280) −17.7 °C Humidity 40%"), "{}", page.visible());
    assert!(!page.says("ds18b20"), "{}", page.visible());
    let extremes = page.between("<small class=\"ends\" aria-hidden=\"true\">", "</small>");
    assert_eq!(extremes, Some("<span>−17.7 °C</span><span>−20 °C</span>"));
    let all = cellar.page("").await;
    assert!(all.says("Temperature (ds18b20) 3 °C"), "{}", all.visible());
}

#[tokio::test]
async fn devices_are_listed_page_by_page() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let key = anna.api_key().await;
    for n in 0..21 {
        server.device(&key, &format!("AA:BB:CC:DD:EE:{n:02X}")).register().await.expect(200);
    }
    let reader = Reader::of(&server, &anna).await;
    let first = reader.get("/sensors").await.expect(200);
    assert_eq!(first.text.matches("id=\"device-").count(), 20);
    let more = first.between("<p id=\"more\"><a class=\"button\" href=\"", "\"").unwrap();
    let second = reader.get(more).await.expect(200);
    assert_eq!(second.text.matches("id=\"device-").count(), 1);
    assert!(!second.text.contains("id=\"more\""), "{}", second.text);
    reader.get("/sensors?after=forged").await.expect(400);
}

#[tokio::test]
async fn a_chart_shows_what_was_measured_in_numbers_too() {
    let cellar = Cellar::new().await;
    let quarters = [20, 8].map(quarters_ago);
    for (ms, value) in [(quarters[0], 20.0), (quarters[0] + MINUTE_MS, 22.0), (quarters[1], 30.5)] {
        cellar.measured(ms, json!({ "temperature_c": value })).await;
    }
    let page = cellar.page("").await;
    assert!(page.says("lowest 20 °C, average 24.17 °C, highest 30.5 °C"), "{}", page.visible());
    assert_eq!(page.text.matches("<title>").count(), 3, "two buckets and the page: {}", page.text);
    assert!(page.says(": 20 to 22 °C, average 21 °C"), "{}", page.visible());
    assert!(page.says(": 30.5 °C"), "{}", page.visible());
    assert!(page.text.contains("<td>20</td><td>21</td><td>22</td>"), "{}", page.text);
    assert!(page.text.contains("<td>30.5</td><td>30.5</td><td>30.5</td>"), "{}", page.text);
    let line = page.between("class=\"line\" d=\"", "\"").unwrap();
    assert_eq!(line.matches('M').count(), 1, "a pause that is usual is no gap: {line}");

    // Readings at short intervals make it a gap.
    for ms in [9, 10].map(quarters_ago) {
        cellar.measured(ms, json!({ "temperature_c": 30 })).await;
    }
    let page = cellar.page("").await;
    let line = page.between("class=\"line\" d=\"", "\"").unwrap();
    assert_eq!(line.matches('M').count(), 2, "{line}");
}

#[tokio::test]
async fn the_span_of_the_charts_is_chosen_in_the_address() {
    let cellar = Cellar::new().await;
    for (days, value) in [(0, 1), (3, 3), (20, 20), (60, 60)] {
        let ms = now_ms() - days * DAY_MS - MINUTE_MS;
        cellar.measured(ms, json!({ "temperature_c": value })).await;
    }
    for (query, highest) in [("", 1), ("?days=7", 3), ("?days=30", 20), ("?days=90", 60)] {
        let page = cellar.page(query).await;
        let highest = format!("highest {highest} °C");
        assert!(page.says(&highest), "{highest} in {query}: {}", page.visible());
    }
    let current = cellar.page("?days=7").await;
    assert!(
        current.text.contains("?days=7#history\" aria-current=\"true\">7 days</a>"),
        "{}",
        current.text
    );
    let empty = cellar.page("?from=2001-02-03&to=2001-02-04").await;
    assert!(empty.says("Nothing was measured in this time."), "{}", empty.visible());
    assert!(empty.text.contains("type=\"date\" value=\"2001-02-03\""), "{}", empty.text);
    for query in ["?from=x", "?from=2026-02-02&to=2026-02-01", "?from=2020-01-01&to=2026-01-01"] {
        let page = cellar.reader.get(&format!("{DEVICE}{query}")).await.expect(400);
        // It is said at the field, on the page of the device.
        assert!(page.says("Now") && page.says("History"), "{}", page.visible());
        let field = page.between("name=\"from\"", ">").unwrap();
        assert!(field.contains("aria-invalid=\"true\" aria-describedby=\"why\""), "{field}");
        assert_eq!(page.text.matches("aria-invalid").count(), 1, "{}", page.text);
        assert!(
            page.text.contains("<details class=\"between\" id=\"between\" open>"),
            "{}",
            page.text
        );
    }
    let page = cellar.reader.get(&format!("{DEVICE}?from=2026-02-02&to=x")).await.expect(400);
    assert!(page.between("name=\"to\"", ">").unwrap().contains("aria-invalid"), "{}", page.text);
    let page = cellar.reader.get(&format!("{DEVICE}?from=2026-02-02&to=2026-02-01")).await;
    assert!(
        page.text.contains("name=\"from\" type=\"date\" value=\"2026-02-02\""),
        "{}",
        page.text
    );
    assert!(page.text.contains("name=\"to\" type=\"date\" value=\"2026-02-01\""), "{}", page.text);
    assert!(page.says("The first day must not be after the last"), "{}", page.visible());
    cellar.reader.get(&format!("{DEVICE}?days=0")).await.expect(404);
    cellar.reader.get(&format!("{DEVICE}?days=x")).await.expect(400);
}

#[tokio::test]
async fn a_device_with_many_values_shows_some_charts_at_a_time() {
    let cellar = Cellar::new().await;
    let sensors: serde_json::Map<String, Value> =
        (0..10).map(|n| (format!("value{n}"), json!(n))).collect();
    cellar.measured(now_ms(), Value::Object(sensors)).await;
    let page = cellar.page("?days=7").await;
    assert_eq!(page.text.matches("<figure").count(), 8);
    let more = page.between("<p id=\"more-charts\"><a class=\"button\" href=\"", "\"").unwrap();
    let more = more.replace("&amp;", "&").replace("&#38;", "&");
    assert!(more.ends_with("?days=7&after=value7"), "{more}");
    let rest = cellar.reader.get(&more).await.expect(200);
    assert_eq!(rest.text.matches("<figure").count(), 2);
    assert!(rest.text.contains("id=\"chart-value9\""), "{}", rest.text);
}

#[tokio::test]
async fn a_device_is_renamed_by_admins_alone() {
    let cellar = Cellar::new().await;
    cellar.page("").await;
    let page =
        cellar.reader.submit(&format!("{DEVICE}/name"), &[("name", " Wine <cellar> ")]).await;
    assert!(page.says("The device has its new name."), "{}", page.visible());
    assert!(page.text.contains("<h1 class=\"grow\">Wine &#60;cellar&#62;</h1>"), "{}", page.text);
    let long = "x".repeat(101);
    let refused =
        cellar.reader.post(&format!("{DEVICE}/name"), &[("name", &long)]).await.expect(400);
    assert!(refused.says("Please check “Name”"), "{}", refused.visible());
    let ben = cellar.server.register("ben").await;
    ben.join(&cellar.anna).await;
    let reader = Reader::of(&cellar.server, &ben).await;
    let page = reader.get(DEVICE).await.expect(200);
    assert!(!page.text.contains("/name\""), "{}", page.text);
    reader.post(&format!("{DEVICE}/name"), &[("name", "Ben's")]).await.expect(403);
    let device = cellar.anna.get(&cellar.device.path()).await.expect(200);
    assert_eq!(device["friendly_name"], "Wine <cellar>");
    cellar.page("").await;
    cellar.reader.submit(&format!("{DEVICE}/name"), &[("name", "")]).await;
    let device = cellar.anna.get(&cellar.device.path()).await.expect(200);
    assert_eq!(device["friendly_name"], json!(null));
}

#[tokio::test]
async fn a_device_watches_one_place_at_a_time() {
    let cellar = Cellar::new().await;
    let pantry = cellar.anna.post("/storage-locations", json!({ "name": "Big pantry" })).await;
    let pantry = pantry.expect(201)["id"].as_str().unwrap().to_owned();
    cellar.page("").await;
    let path = format!("{DEVICE}/place");
    let page = cellar.reader.submit(&path, &[("place", &pantry), ("new_place", "")]).await;
    assert!(page.says("The place is saved."), "{}", page.visible());
    assert_eq!(cellar.places().await, [("Big pantry".into(), json!(MAC))]);
    let list = cellar.reader.get("/sensors").await.expect(200);
    assert!(list.says("Big pantry"), "{}", list.visible());

    cellar.reader.submit(&path, &[("place", &pantry), ("new_place", "Freezer 2")]).await;
    let moved = [("Big pantry".into(), json!(null)), ("Freezer 2".into(), json!(MAC))];
    assert_eq!(cellar.places().await, moved);

    // An invalid change has no effect.
    let taken = cellar.reader.post(&path, &[("new_place", "Big pantry")]).await.expect(409);
    assert!(taken.says("Another one has this name."), "{}", taken.visible());
    cellar.reader.post(&path, &[("place", "nonsense")]).await.expect(400);
    let unknown = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";
    cellar.reader.post(&path, &[("place", unknown)]).await.expect(404);
    assert_eq!(cellar.places().await, moved);

    cellar.reader.submit(&path, &[("place", "")]).await;
    let none = [("Big pantry".into(), json!(null)), ("Freezer 2".into(), json!(null))];
    assert_eq!(cellar.places().await, none);
}

#[tokio::test]
async fn devices_of_others_are_not_there() {
    let cellar = Cellar::new().await;
    let stranger = cellar.server.with_household("stranger").await;
    let reader = Reader::of(&cellar.server, &stranger).await;
    assert!(reader.get("/sensors").await.expect(200).says("No sensors yet"));
    for address in [DEVICE, "/sensors/AA%3ABB%3ACC%3ADD%3AEE%3A00", "/sensors/nonsense"] {
        reader.get(address).await.expect(404);
    }
    reader.post(&format!("{DEVICE}/name"), &[("name", "Mine")]).await.expect(404);
    reader.post(&format!("{DEVICE}/place"), &[("new_place", "Mine")]).await.expect(404);
    assert_eq!(cellar.places().await, []);
}

#[tokio::test]
async fn a_key_is_shown_once_works_and_is_revoked() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    reader.get("/sensors/keys").await.expect(200);
    let made = reader.post("/sensors/keys", &[("description", "Freezer")]).await.expect(200);
    let key = made.between("id=\"made-key\">", "<").unwrap().to_owned();
    assert_eq!(key.len(), 64);
    assert_eq!(made.text.matches(&key).count(), 4, "itself and three examples: {}", made.text);
    let device = server.device(&key, MAC);
    device.register().await.expect(200);
    device.send(&[device.reading(now_ms(), "first")]).await.expect(200);

    let list = reader.get("/sensors/keys").await.expect(200);
    assert!(!list.text.contains(&key), "{}", list.text);
    assert!(list.says("Freezer") && list.says("last used just now"), "{}", list.visible());
    let revoke = list.between("action=\"/sensors/keys/", "\"").unwrap();
    let page = reader.submit(&format!("/sensors/keys/{revoke}"), &[]).await;
    assert!(
        page.says("The key does not work any more.") && page.says("revoked"),
        "{}",
        page.visible()
    );
    assert!(!page.text.contains("/revoke\""), "{}", page.text);
    device.send(&[device.reading(now_ms(), "second")]).await.expect_problem(401, "INVALID_API_KEY");
}

#[tokio::test]
async fn keys_are_for_admins_and_bad_descriptions_make_none() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let ben = server.register("ben").await;
    ben.join(&anna).await;
    let reader = Reader::of(&server, &ben).await;
    let refused = reader.get("/sensors/keys").await.expect(403);
    assert!(refused.says("Only an admin of the household may do this."), "{}", refused.visible());
    reader.post("/sensors/keys", &[("description", "mine")]).await.expect(403);
    let admin = Reader::of(&server, &anna).await;
    admin.get("/sensors/keys").await.expect(200);
    let long = "x".repeat(201);
    let refused = admin.post("/sensors/keys", &[("description", &long)]).await.expect(400);
    assert!(refused.says("Please check “What is the key for?”"), "{}", refused.visible());
    admin.post("/sensors/keys/nonsense/revoke", &[]).await.expect(404);
    assert_eq!(anna.all_pages("/api-keys", "").await, Vec::<Value>::new());
}
