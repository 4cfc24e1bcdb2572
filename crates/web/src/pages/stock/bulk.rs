//! `POST /stock/bulk`: change several items. Each is changed by itself, unless it was changed
//! concurrently, and the results are shown.

use axum::response::Response;
use larder_app::{App, AppError, Caller, ItemEdit, VersionedEdit};
use larder_domain::{InvalidId, ItemId, ItemPatch};
use serde::Deserialize;

use super::{
    bulk_outcome::BulkOutcome,
    changes::wish_for,
    details_form::{optional, quantity},
};
use crate::{Failure, Form, Keeper, Rule, WebState, back_or, see_other};

/// The value of a choice that clears a field; an empty one leaves it unchanged.
const CLEAR: &str = "none";

#[derive(Deserialize)]
pub(super) struct Several {
    /// `id:version` of each selected item.
    #[serde(default)]
    item: Vec<String>,
    /// The button that was pressed. (The name `action` would hide the form's own property from
    /// JavaScript.)
    #[serde(rename = "do")]
    action: String,
    #[serde(default)]
    category: String,
    #[serde(default)]
    location: String,
    #[serde(default)]
    store: String,
    #[serde(default)]
    threshold: String,
    back: Option<String>,
}

/// The action for each item.
enum Action {
    Edit(ItemEdit),
    Buy,
}

pub(super) async fn change(
    web: WebState,
    keeper: Keeper,
    Form(several): Form<Several>,
) -> Result<Response, Failure> {
    let action = read(&several)?;
    let chosen = several.item.iter().map(|text| chosen(text)).collect::<Result<Vec<_>, _>>()?;
    let mut outcome = BulkOutcome::default();
    for done in apply(&web.app, &keeper.caller, &action, chosen).await? {
        let counter = match done {
            Ok(()) => &mut outcome.done,
            Err(AppError::VersionConflict(_)) => &mut outcome.conflicts,
            Err(AppError::ItemNotFound | AppError::UnknownItem) => &mut outcome.gone,
            Err(AppError::DuplicateShoppingItem(_)) => &mut outcome.already,
            Err(error) => return Err(error.into()),
        };
        *counter += 1;
    }
    let back = back_or(several.back.as_deref(), "/stock");
    let join = if back.contains('?') { '&' } else { '?' };
    Ok(see_other(&format!("{back}{join}notice={}", outcome.notice())))
}

fn read(several: &Several) -> Result<Action, Failure> {
    match several.action.as_str() {
        "set" => {
            let threshold = optional(&several.threshold, quantity, "stock-threshold")?;
            let patch = ItemPatch {
                category: optional(&several.category, str::parse, "stock-category")?,
                location: change_to(&several.location, "stock-location")?,
                preferred_store: change_to(&several.store, "stock-store")?,
                // A threshold of 0 clears it: no quantity is below 0.
                low_stock_threshold: threshold.map(|it| Some(it).filter(|it| !it.is_zero())),
                ..ItemPatch::default()
            };
            let says_nothing = patch == ItemPatch::default();
            if says_nothing {
                Err(Failure::Wrong("stock-several-set", Rule::Nothing))
            } else {
                Ok(Action::Edit(ItemEdit::Update { patch: Box::new(patch), merge: false }))
            }
        }
        "buy" => Ok(Action::Buy),
        "delete" => Ok(Action::Edit(ItemEdit::Delete)),
        _ => Err(Failure::Malformed),
    }
}

/// A choice that leaves a field unchanged, clears it, or sets it.
#[expect(clippy::option_option, reason = "as in a patch: the outer leaves, the inner clears")]
fn change_to<T: std::str::FromStr<Err = InvalidId>>(
    text: &str,
    label: &'static str,
) -> Result<Option<Option<T>>, Failure> {
    if text == CLEAR { Ok(Some(None)) } else { Ok(optional(text, str::parse, label)?.map(Some)) }
}

fn chosen(text: &str) -> Result<(ItemId, u64), Failure> {
    let read = text
        .split_once(':')
        .and_then(|(id, version)| Some((id.parse().ok()?, version.parse().ok()?)));
    read.ok_or(Failure::Malformed)
}

/// Applies the action to each item.
async fn apply(
    app: &App,
    caller: &Caller,
    action: &Action,
    chosen: Vec<(ItemId, u64)>,
) -> Result<Vec<Result<(), AppError>>, Failure> {
    let mut done = Vec::new();
    match action {
        Action::Edit(edit) => {
            let edit = |(id, version)| VersionedEdit { id, version, edit: edit.clone() };
            let edited =
                app.edit_items(caller, chosen.into_iter().map(edit).collect(), None).await?;
            done.extend(edited.into_iter().map(|edited| edited.map(drop)));
        }
        Action::Buy => {
            for (id, _) in chosen {
                let wish = async { wish_for(app, caller, &app.item(caller, id).await?).await };
                done.push(match wish.await {
                    Ok(()) => Ok(()),
                    Err(Failure::App(error)) => Err(error),
                    Err(failure) => return Err(failure),
                });
            }
        }
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use larder_domain::StoreId;

    use super::*;

    #[test]
    fn a_choice_leaves_clears_or_sets() {
        let id = StoreId::fixed(7);
        let read = |text: &str| change_to::<StoreId>(text, "stock-store");
        assert_eq!(read("").unwrap(), None);
        assert_eq!(read("none").unwrap(), Some(None));
        assert_eq!(read(&id.to_string()).unwrap(), Some(Some(id)));
        assert_eq!(read("x").unwrap_err().view().field, Some("stock-store"));
    }

    #[test]
    fn what_is_chosen_comes_with_its_version() {
        let id = ItemId::fixed(7);
        assert_eq!(chosen(&format!("{id}:3")).unwrap(), (id, 3));
        for other in ["", ":", "x:1", &id.to_string(), &format!("{id}:x")] {
            assert!(matches!(chosen(other), Err(Failure::Malformed)), "{other}");
        }
    }
}
