//! `GET /products/{id}`: one product with its lots, what is known of it, its use and its history.

use askama::Template;
use axum::{http::StatusCode, response::Response};
use larder_domain::{Item, Product, ProductId, UsualStep};
use larder_storage::StockedProduct;
use serde::Deserialize;

use super::{
    address_of,
    chart::UseChart,
    history::History,
    knowledge_form::{KnowledgeForm, lines},
    lots::{LotRow, gaps, is_low, total},
    photo_address,
};
use crate::{
    Failure, Frame, Keeper, PathId, Query, Section, Web, WebState,
    form::base_of,
    pages::{
        stock::{
            choices::{Choice, Places, categories},
            details_form::{Difference, Line},
        },
        tags::quantity_of,
    },
    render_with,
};

#[derive(Template)]
#[template(path = "products/product.html")]
struct ProductPage {
    frame: Frame,
    product: Product,
    address: String,
    /// The URL of its photo.
    photo: Option<String>,
    total: Option<String>,
    is_low: bool,
    /// Lots with something left.
    lots: Vec<LotRow>,
    used_up: Vec<LotRow>,
    facts: Vec<Line>,
    gaps: String,
    /// How much is usually taken.
    usual_step: String,
    form: KnowledgeForm,
    /// The initial values of the form, without unsaved ones.
    base: String,
    obstacle: Option<Obstacle>,
    /// Whether the form is unfolded.
    is_editing: bool,
    categories: Vec<Choice>,
    locations: Vec<Choice>,
    stores: Vec<Choice>,
    chart: Option<UseChart>,
    history: History,
}

/// Why a change was not saved.
pub(super) enum Obstacle {
    /// The product was changed concurrently: typed (first) and current (second) values.
    Changed(Vec<Difference>),
    /// Another product has this name: the question.
    SameAs(String),
}

impl ProductPage {
    /// The differences, if the product was changed concurrently.
    fn both_versions(&self) -> &[Difference] {
        match &self.obstacle {
            Some(Obstacle::Changed(differences)) => differences,
            _ => &[],
        }
    }

    /// The question about another product, if there is one.
    fn other(&self) -> Option<&str> {
        match &self.obstacle {
            Some(Obstacle::SameAs(other)) => Some(other),
            _ => None,
        }
    }
}

#[derive(Deserialize)]
pub(super) struct ProductPageQuery {
    #[serde(default)]
    before: String,
    /// Whether the form is unfolded, because a link leads to it.
    #[serde(default)]
    edit: String,
}

pub(super) async fn page(
    web: WebState,
    keeper: Keeper,
    PathId(id): PathId<ProductId>,
    Query(query): Query<ProductPageQuery>,
) -> Result<Response, Failure> {
    let stocked = web.app.product(&keeper.caller, id).await?;
    show(&web, &keeper, &stocked, None, &query.before, !query.edit.is_empty()).await
}

/// The typed values, and why they were not saved.
pub(super) type Unsaved = (KnowledgeForm, Obstacle);

/// The page of a product, with unsaved values if there are any.
pub(super) async fn show(
    web: &Web,
    keeper: &Keeper,
    stocked: &StockedProduct,
    unsaved: Option<Unsaved>,
    before: &str,
    is_editing: bool,
) -> Result<Response, Failure> {
    let (frame, caller) = (keeper.frame(Section::Stock), &keeper.caller);
    let places = Places::of(&web.app, caller).await?;
    let StockedProduct { product, lots } = stocked;
    let (details, today) = (&product.details, caller.today(web.app.now()));
    let status = if unsaved.is_some() { StatusCode::CONFLICT } else { StatusCode::OK };
    let (form, obstacle) = unsaved.unzip();
    // The page shows name and photo themselves.
    let [_, _, facts @ ..] = lines(&frame, details, &places);
    let saved = KnowledgeForm::of(details);
    let base = base_of(&saved);
    let form = form.unwrap_or(saved);
    let consumption = web.app.consumption(caller, stocked).await?;
    let (used_up, at_hand): (Vec<&Item>, Vec<&Item>) =
        lots.iter().partition(|lot| lot.details.is_depleted());
    let row = |lot| LotRow::of(&frame, lot, &places.locations, today);
    let usual_step = match details.step {
        Some(UsualStep(step)) => quantity_of(step),
        None => details.unit.usual_step(),
    };
    let page = ProductPage {
        address: address_of(product.id),
        photo: details.photo.map(|photo| photo_address(product.id, photo, "photo")),
        total: total(&details.unit, lots),
        is_low: is_low(details, lots),
        lots: at_hand.into_iter().map(row).collect(),
        used_up: used_up.into_iter().map(row).collect(),
        facts: facts.into_iter().filter(|line| !line.text.is_empty()).collect(),
        gaps: gaps(&frame, details),
        usual_step: usual_step.to_string(),
        categories: categories(&frame, form.category.parse().ok()),
        locations: places.locations(&frame, form.location.parse().ok()),
        stores: places.stores(form.store.parse().ok()),
        form,
        base,
        obstacle,
        is_editing,
        chart: UseChart::of(&frame, &consumption, &details.unit),
        history: History::of(web, caller, &frame, stocked, &places, before).await?,
        product: product.clone(),
        frame,
    };
    Ok(render_with(status, &page))
}
