//! The jobs of a day in taps and keys. The table in `docs/daily-loop.md` says how many each takes,
//! and may not promise more than they do.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};

use crate::browser::support::{Browser, Key};
use crate::it::support::{Client, Server, amount, eventually, id_of};

const TABLE: &str = include_str!("../../../../../docs/daily-loop.md");

/// A tap is a press of a finger, or Enter; a key is a character.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Effort {
    taps: u32,
    keys: u32,
}

impl Effort {
    /// As the table writes it.
    fn parse(text: &str) -> Self {
        let mut numbers = text.trim_end_matches(" keys").split(" + ").map(|it| it.parse().unwrap());
        Self { taps: numbers.next().unwrap(), keys: numbers.next().unwrap_or(0) }
    }

    fn is_at_most(self, limit: Self) -> bool {
        self.taps <= limit.taps && self.keys <= limit.keys
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { taps, keys } = self;
        if *keys == 0 { write!(f, "{taps}") } else { write!(f, "{taps} + {keys} keys") }
    }
}

/// A hand that counts.
struct Hand<'a> {
    phone: &'a Browser,
    effort: Effort,
}

impl Hand<'_> {
    async fn tap(&mut self, selector: &str) {
        self.phone.click(selector).await;
        self.effort.taps += 1;
    }

    async fn enter(&mut self) {
        self.phone.key(Key::Enter).await;
        self.effort.taps += 1;
    }

    async fn type_in(&mut self, field: &str, text: &str) {
        let is_ready = format!("document.activeElement.id === '{field}'");
        self.phone.wait_for(&is_ready).await;
        self.phone.type_text(text).await;
        self.effort.keys += u32::try_from(text.chars().count()).unwrap();
    }
}

/// What was counted, by job.
struct Counted<'a> {
    phone: &'a Browser,
    efforts: BTreeMap<&'static str, Effort>,
}

impl Counted<'_> {
    /// Does a job, from a page that is open.
    async fn job(&mut self, name: &'static str, page: &str, work: impl AsyncFnOnce(&mut Hand<'_>)) {
        self.phone.go(page).await;
        let mut hand = Hand { phone: self.phone, effort: Effort::default() };
        work(&mut hand).await;
        assert_eq!(self.efforts.insert(name, hand.effort), None, "{name}");
    }
}

/// The names, and what was reached and is allowed, of the table's rows.
fn rows() -> Vec<(&'static str, Effort, Effort)> {
    let rows = TABLE.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let rows = rows.map(|row| row.split(" | ").map(str::trim).collect::<Vec<_>>());
    let rows = rows.skip_while(|row| row[0] != "job").skip(1);
    rows.map(|row| match row[..] {
        [name, _, now, limit, _] => (name, Effort::parse(now), Effort::parse(limit)),
        _ => panic!("a row has five cells: {row:?}"),
    })
    .collect()
}

/// Selects a button in the row of an item.
fn in_row(item: &Value, what: &str) -> String {
    format!("#item-{} {what}", id_of(item))
}

/// Whether the first match of a selector is completely between the bar and the navigation.
fn in_sight(selector: &str) -> String {
    format!(
        "(() => {{
            const {{ top, bottom }} = document.querySelector('{selector}').getBoundingClientRect();
            const nav = document.querySelector('.sections').getBoundingClientRect().top;
            return scrollY === 0 && top >= 0 && bottom > top && bottom <= nav;
        }})()"
    )
}

async fn find(anna: &Client, name: &str) -> Value {
    eventually(&format!("{name} is in stock"), async || {
        anna.items("").await.into_iter().find(|item| item["name"] == name)
    })
    .await
}

async fn has(anna: &Client, item: &Value, quantity: &str) {
    eventually(&format!("{quantity} are left"), async || {
        (amount(&anna.item(id_of(item)).await["quantity"]) == quantity).then_some(())
    })
    .await;
}

/// The statuses of entries by their names.
async fn entry(anna: &Client, name: &str, status: &str) {
    eventually(&format!("{name} is {status}"), async || {
        let entries = anna.all_pages("/shopping-list", "").await;
        entries.iter().any(|it| it["name"] == name && it["status"] == status).then_some(())
    })
    .await;
}

/// Thirty things, of which some are due and one is far down.
struct Cupboard {
    today: jiff::civil::Date,
    eggs: Value,
    paprika: Value,
}

async fn fill(anna: &Client) -> Cupboard {
    let rack = anna.post("/storage-locations", json!({ "name": "Rack" })).await.expect(201);
    let paprika = json!({
        "name": "Paprika", "quantity": 2, "unit": "pcs", "storageLocationId": rack["id"],
    });
    let paprika = anna.add_item(paprika).await;
    let today: jiff::civil::Date = paprika["createdAt"].as_str().unwrap()[..10].parse().unwrap();
    for n in 0..30 {
        let date = today + jiff::Span::new().days(n + 10);
        let food = json!({
            "name": format!("Food {n}"), "quantity": 1, "unit": "pcs", "expirationDate": date.to_string(),
        });
        anna.add_item(food).await;
    }
    let due = async |name: &str, days: i64| {
        let date = today + jiff::Span::new().days(days);
        let food = json!({ "name": name, "quantity": 6, "unit": "pcs", "expirationDate": date.to_string() });
        anna.add_item(food).await
    };
    due("Yoghurt", -2).await;
    let eggs = due("Eggs", 1).await;
    Cupboard { today, eggs, paprika }
}

/// Ten things that were bought, without dates.
async fn buy_ten(anna: &Client) -> Vec<String> {
    let mut ids = Vec::new();
    for n in 0..10 {
        let body = json!({ "name": format!("Bought {n}"), "quantity": 1 });
        let entry = anna.post("/shopping-list", body).await.expect(201);
        let id = entry["shoppingItemId"].as_str().unwrap().to_owned();
        let status = json!({ "status": "purchased", "version": 1 });
        anna.patch(&format!("/shopping-list/{id}/status"), status).await.expect(200);
        ids.push(id);
    }
    ids
}

#[tokio::test]
async fn no_job_of_the_day_takes_more_than_the_table_says() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let Cupboard { today, eggs, paprika } = fill(&anna).await;
    let in_a_week = (today + jiff::Span::new().days(7)).to_string();
    let phone = Browser::signed_in(&server, &anna).await;
    let mut counted = Counted { phone: &phone, efforts: BTreeMap::new() };

    counted
        .job("add milk", "/stock", async |hand| {
            hand.tap("#adding > summary").await;
            hand.type_in("add-name", "Milk").await;
            hand.enter().await;
            assert_eq!(find(&anna, "Milk").await["expirationDate"], Value::Null);
        })
        .await;
    counted
        .job("add milk with its date", "/stock", async |hand| {
            hand.tap("#adding > summary").await;
            hand.type_in("add-name", "Brie").await;
            hand.tap("#add .chips label:nth-of-type(3)").await;
            hand.tap("#add button.primary").await;
            assert_eq!(find(&anna, "Brie").await["expirationDate"], *in_a_week);
        })
        .await;
    counted
        .job("use one that is in sight", "/stock", async |hand| {
            phone.wait_for(&in_sight(&in_row(&eggs, ".amount button"))).await;
            hand.tap(&in_row(&eggs, ".amount button")).await;
            has(&anna, &eggs, "5").await;
        })
        .await;
    counted
        .job("use one that is not", "/stock", async |hand| {
            assert_eq!(
                phone.run(&format!("return {}", in_sight(&in_row(&paprika, "")))).await,
                false
            );
            hand.tap("#search").await;
            hand.type_in("search", "pap").await;
            phone.wait_for("document.querySelectorAll('#items > li').length === 1").await;
            hand.tap(&in_row(&paprika, ".amount button")).await;
            has(&anna, &paprika, "1").await;
        })
        .await;
    counted
        .job("see what expires", "/today", async |_| {
            assert_eq!(phone.texts("#due li a").await, ["Yoghurt", "Eggs"]);
            phone.wait_for(&in_sight("#due li:nth-of-type(2)")).await;
        })
        .await;
    counted
        .job("put on the list", "/stock", async |hand| {
            hand.tap(&in_row(&eggs, ".to-list")).await;
            entry(&anna, "Eggs", "pending").await;
        })
        .await;
    counted
        .job("tick in the shop", "/shopping", async |hand| {
            hand.tap(".entry[data-name=Eggs] .check").await;
            entry(&anna, "Eggs", "purchased").await;
        })
        .await;
    anna.delete("/shopping-list?status=purchased").await.expect(200);
    let ten = put_away_ten(&mut counted, &anna).await;
    assert!(ten.iter().all(|item| item["expirationDate"] == *in_a_week), "{ten:?}");
    counted
        .job("find where something is", "/household", async |hand| {
            hand.tap("header a[href='/search']").await;
            hand.type_in("search", "pap").await;
            phone.says("#found li", "Paprika").await;
            phone.says("#found li", "Rack").await;
            phone.wait_for(&in_sight("#found li")).await;
        })
        .await;
    counted
        .job("set up a tag", &format!("/stock/{}", id_of(&paprika)), async |hand| {
            hand.tap("main a[href^='/tags?item=']").await;
            hand.tap("main a[href^='/tags/new?item=']").await;
            hand.tap("#make button.primary").await;
            phone.wait_for("document.querySelector('#address')").await;
            assert_eq!(anna.tags().await.len(), 1);
        })
        .await;

    let rows = rows();
    let efforts: Vec<_> =
        rows.iter().map(|(name, ..)| (*name, counted.efforts.remove(name))).collect();
    let promised: Vec<_> = rows.iter().map(|(name, now, _)| (*name, Some(*now))).collect();
    assert_eq!(efforts, promised, "docs/daily-loop.md says what a job takes now");
    assert_eq!(counted.efforts, BTreeMap::new(), "every job is in docs/daily-loop.md");
    for (name, now, limit) in rows {
        assert!(now.is_at_most(limit), "{name} takes {now}, and may take {limit}");
    }
}

async fn put_away_ten(counted: &mut Counted<'_>, anna: &Client) -> Vec<Value> {
    let bought = buy_ten(anna).await;
    let phone = counted.phone;
    counted
        .job("put ten things away with dates", "/shopping", async |hand| {
            hand.tap("a[href='/shopping/put-away']").await;
            for id in &bought {
                hand.tap(&format!("#row-{id} .dates label:nth-of-type(2)")).await;
            }
            hand.tap("#put-away").await;
            phone.wait_for("location.pathname === '/shopping'").await;
        })
        .await;
    let items = anna.items("limit=200").await;
    let ten: Vec<_> = items
        .into_iter()
        .filter(|item| item["name"].as_str().unwrap().starts_with("Bought"))
        .collect();
    assert_eq!(ten.len(), 10, "{ten:?}");
    ten
}
