//! The stock: the list and its items, as pages without script.

mod adding;
mod changing;
mod conflicting;
mod history;
mod listing;
mod several;

use serde_json::Value;

use crate::{
    it::support::{Client, Server, id_of},
    web::support::{Page, Reader},
};

/// A household's admin, and the browser that they read its pages with.
async fn home(server: &Server) -> (Client, Reader) {
    let anna = server.with_household("anna").await;
    let reader = Reader::of(server, &anna).await;
    // Forms carry the token of a page.
    reader.get("/stock").await.expect(200);
    (anna, reader)
}

/// The page of an item.
fn path_of(item: &Value) -> String {
    format!("/stock/{}", id_of(item))
}

/// The names in the list, in its order.
fn listed(page: &Page) -> Vec<String> {
    let titles = page.text.split("class=\"title\"").skip(1);
    titles
        .map(|rest| {
            let start = rest.find('>').unwrap() + 1;
            rest[start..rest.find("</span>").unwrap()].to_owned()
        })
        .collect()
}

/// All fields of an item's form as they are, but for these.
fn form_of<'a>(
    item: &'a Value,
    changes: &[(&'static str, &'a str)],
) -> Vec<(&'static str, String)> {
    let text = |name: &str| match &item[name] {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let fields = [
        ("version", "version"),
        ("name", "name"),
        ("quantity", "quantity"),
        ("unit", "unit"),
        ("expiration", "expirationDate"),
        ("category", "categoryId"),
        ("location", "storageLocationId"),
        ("threshold", "lowStockThreshold"),
        ("store", "preferredStoreId"),
        ("opened", "openedOn"),
        ("price", "pricePaid"),
        ("notes", "notes"),
    ];
    let wanted = |name: &str| changes.iter().find(|(field, _)| *field == name);
    fields
        .into_iter()
        .map(|(field, name)| {
            (field, wanted(field).map_or_else(|| text(name), |(_, to)| (*to).to_owned()))
        })
        .collect()
}

/// Fields in the form's type.
fn borrowed<'a>(fields: &'a [(&'static str, String)]) -> Vec<(&'a str, &'a str)> {
    fields.iter().map(|(name, value)| (*name, value.as_str())).collect()
}
