//! `GET /tags/new` and `POST /tags`: choose an item, then create its tag.

use askama::Template;
use axum::response::Response;
use larder_app::AppError;
use larder_domain::{Item, ItemFilter, ItemId, ItemSort, SearchTerm, TagLabel, TagStep};
use serde::Deserialize;

use super::{only_admins, path_of};
use crate::{
    Failure, Form, Frame, Member, Query, Section, WebState, done, format, render,
    typed_number::amount, wrong,
};

/// The number of offered items; a search finds the others.
const OFFERED: usize = 30;

/// The first page: choose the item.
#[derive(Template)]
#[template(path = "tags/choose_item.html")]
struct ChooseItemPage {
    frame: Frame,
    search: String,
    items: Vec<Choice>,
    has_more: bool,
}

/// An item to choose.
struct Choice {
    id: String,
    name: String,
    left: String,
}

impl From<Item> for Choice {
    fn from(Item { id, details, .. }: Item) -> Self {
        Self {
            id: id.to_string(),
            left: format::amount(details.quantity, &details.unit),
            name: details.name.as_str().to_owned(),
        }
    }
}

/// The second page: the tag's properties.
#[derive(Template)]
#[template(path = "tags/make.html")]
struct MakePage {
    frame: Frame,
    item: Item,
    label: &'static str,
    step: &'static str,
    unit: String,
}

#[derive(Deserialize)]
pub(super) struct NewTagQuery {
    item: Option<String>,
    #[serde(default)]
    search: String,
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    Query(query): Query<NewTagQuery>,
) -> Result<Response, Failure> {
    let (caller, frame) = (&member.caller, member.frame(Section::Tags));
    only_admins(caller)?;
    if let Some(item) = query.item {
        let item = web.app.item(caller, item_id(&item)?).await?;
        let unit = item.details.unit.as_str().to_owned();
        return Ok(render(&MakePage { frame, item, label: "", step: "1", unit }));
    }
    let search = SearchTerm::parse(&query.search);
    // A depleted item can have a tag, too.
    let filter = ItemFilter { search, include_depleted: true, ..ItemFilter::default() };
    let found = web.app.list_items(caller, &filter, ItemSort::Name, None, OFFERED).await?;
    let items = found.items.into_iter().map(Choice::from).collect();
    let has_more = found.next.is_some();
    Ok(render(&ChooseItemPage { frame, search: query.search, items, has_more }))
}

#[derive(Deserialize)]
pub(super) struct NewTag {
    item: String,
    #[serde(default)]
    label: String,
    #[serde(default)]
    step: String,
}

pub(super) async fn make(
    web: WebState,
    member: Member,
    Form(new): Form<NewTag>,
) -> Result<Response, Failure> {
    let item = item_id(&new.item)?;
    let (label, step) = (label(&new.label)?, step(&new.step)?);
    let tag = web.app.add_tag(&member.caller, item, label, step, None).await?;
    Ok(done(&path_of(tag.item, tag.id), "tag-made"))
}

fn item_id(text: &str) -> Result<ItemId, Failure> {
    text.parse().map_err(|_| AppError::ItemNotFound.into())
}

/// The label; empty: none.
pub(super) fn label(text: &str) -> Result<Option<TagLabel>, Failure> {
    match text.trim() {
        "" => Ok(None),
        text => TagLabel::parse(text).map(Some).map_err(wrong("tags-field-label")),
    }
}

/// The amount of one tap; empty: as usual.
pub(super) fn step(text: &str) -> Result<Option<TagStep>, Failure> {
    match text.trim() {
        "" => Ok(None),
        text => amount(text, TagStep::parse).map(Some).map_err(wrong("tags-field-step")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::Rule;

    #[test]
    fn what_is_left_empty_is_no_label_and_one_step() {
        assert_eq!(label(" ").unwrap(), None);
        assert_eq!(label(" shelf ").unwrap().unwrap().as_str(), "shelf");
        assert_eq!(step(" ").unwrap(), None);
        assert_eq!(step(" 0.25 ").unwrap().map(TagStep::hundredths), Some(25));
        assert_eq!(step("0,25").unwrap().map(TagStep::hundredths), Some(25));
    }

    #[test]
    fn a_field_that_breaks_its_rule_is_named() {
        let long = label(&"x".repeat(51));
        assert!(matches!(long, Err(Failure::Wrong("tags-field-label", Rule::TooLong(50)))));
        for (text, rule) in [
            ("0", Rule::Step),
            ("-1", Rule::Step),
            ("1000.01", Rule::Step),
            ("0.001", Rule::TooPrecise),
            ("1,500", Rule::Separators),
            ("much", Rule::Number),
        ] {
            let refused = step(text).unwrap_err().view();
            assert_eq!((refused.field, refused.rule), (Some("tags-field-step"), rule), "{text}");
        }
    }
}
