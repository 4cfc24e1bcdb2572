//! `POST /products/{id}`: edit what is known of a product. Only changed fields are written, and only
//! fields that were also changed concurrently are a conflict. The name of another product joins the
//! two, after a question.

use axum::response::Response;
use larder_app::AppError;
use larder_domain::{Edit, ProductDetails, ProductId, ProductPatch};
use serde::Deserialize;

use super::{
    address_of,
    knowledge_form::{KnowledgeForm, lines},
    lots::total,
    product::{Obstacle, show},
};
use crate::{
    Failure, Form, Keeper, PathId, Section, WebState, done,
    form::{EDIT_ATTEMPTS, read_base},
    pages::stock::{choices::Places, details_form::differing},
};

#[derive(Deserialize)]
pub(super) struct Edited {
    /// The version of the form's initial values.
    version: u64,
    /// The initial values of the form.
    #[serde(default)]
    base: String,
    /// Whether to join another product of this name.
    #[serde(default)]
    merge: String,
    #[serde(flatten)]
    knowledge: KnowledgeForm,
}

pub(super) async fn save(
    web: WebState,
    keeper: Keeper,
    PathId(id): PathId<ProductId>,
    Form(edit): Form<Edited>,
) -> Result<Response, Failure> {
    let caller = &keeper.caller;
    let (mine, join) = (edit.knowledge.read()?, !edit.merge.is_empty());
    let base: Option<KnowledgeForm> = read_base(&edit.base)?;
    let base = base.map(|base| base.read()).transpose()?;
    let mut current = web.app.product(caller, id).await?;
    for _ in 0..EDIT_ATTEMPTS {
        let (known, version) = (&current.product.details, current.product.version);
        // The photo is not in this form.
        let mine = ProductDetails { photo: known.photo, ..mine.clone() };
        let Edit { changes, contested } = ProductPatch::of_edit(base.as_ref(), &mine, known);
        let form = KnowledgeForm::of(&changes.clone().apply(known));
        if contested != ProductPatch::default() && version != edit.version {
            let places = Places::of(&web.app, caller).await?;
            let frame = keeper.frame(Section::Stock);
            let wanted = lines(&frame, &contested.apply(known), &places);
            let both = differing(wanted, lines(&frame, known, &places));
            let unsaved = (form, Obstacle::Changed(both));
            return show(&web, &keeper, &current, Some(unsaved), "", true).await;
        }
        if changes == ProductPatch::default() {
            // Nothing was changed, or a concurrent edit was the same.
            return Ok(done(&address_of(id), "stock-saved"));
        }
        match web.app.update_product(caller, id, version, changes, join).await {
            Ok(now) if now.product.id == id => return Ok(done(&address_of(id), "stock-saved")),
            Ok(other) => return Ok(done(&address_of(other.product.id), "products-joined")),
            Err(AppError::ProductVersionConflict(now)) => current = *now,
            Err(AppError::DuplicateProduct(other)) => {
                let frame = keeper.frame(Section::Stock);
                let name = other.product.details.name.as_str();
                let text = match total(&other.product.details.unit, &other.lots) {
                    Some(total) => {
                        frame.t2("products-same-text", ("name", name), ("amount", total.as_str()))
                    }
                    None => frame.t1("products-same-text-empty", "name", name),
                };
                let unsaved = (form, Obstacle::SameAs(text));
                return show(&web, &keeper, &current, Some(unsaved), "", true).await;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(AppError::ProductVersionConflict(Box::new(current)).into())
}
