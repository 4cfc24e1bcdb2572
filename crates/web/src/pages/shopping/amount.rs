//! `POST /shopping/{id}/amount`: more or less of an entry, whatever else of it changes meanwhile.

use axum::response::Response;
use larder_app::AppError;
use larder_domain::{ShoppingChange, ShoppingItemId, ShoppingPatch, ShoppingQuantity};
use serde::Deserialize;

use crate::{Failure, Form, Member, PathId, WebState, form::EDIT_ATTEMPTS, see_other};

#[derive(Deserialize)]
pub(super) struct Step {
    delta: i32,
}

pub(super) async fn change_amount(
    web: WebState,
    member: Member,
    PathId(id): PathId<ShoppingItemId>,
    Form(Step { delta }): Form<Step>,
) -> Result<Response, Failure> {
    let mut current = web.app.shopping_item(&member.caller, id).await?;
    for _ in 0..EDIT_ATTEMPTS {
        let quantity = after(current.details.quantity, delta);
        if quantity == current.details.quantity {
            return Ok(see_other("/shopping"));
        }
        let patch = ShoppingPatch { quantity: Some(quantity), ..ShoppingPatch::default() };
        let change = ShoppingChange::Edit(patch);
        match web.app.change_shopping_item(&member.caller, id, current.version, &change).await {
            Ok(_) => return Ok(see_other("/shopping")),
            Err(AppError::ShoppingVersionConflict(now)) => current = *now,
            Err(error) => return Err(error.into()),
        }
    }
    Err(AppError::ShoppingVersionConflict(Box::new(current)).into())
}

/// The amount after a step. None at all is where amounts begin, and the largest is where they end.
fn after(quantity: Option<ShoppingQuantity>, delta: i32) -> Option<ShoppingQuantity> {
    let now = quantity.map_or(0, ShoppingQuantity::get);
    let reached = now.saturating_add_signed(delta).min(ShoppingQuantity::MAX);
    ShoppingQuantity::new(reached.into()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_begins_with_none_and_ends_with_the_largest() {
        let reached = |now: Option<u64>, delta| {
            let now = now.map(|now| ShoppingQuantity::new(now).unwrap());
            after(now, delta).map(ShoppingQuantity::get)
        };
        assert_eq!(reached(None, 1), Some(1));
        assert_eq!(reached(Some(2), 1), Some(3));
        assert_eq!(reached(Some(1), -1), None);
        assert_eq!(reached(Some(2), -5), None);
        assert_eq!(reached(None, -1), None);
        assert_eq!(reached(Some(99_999_999), 1), Some(99_999_999));
    }
}
