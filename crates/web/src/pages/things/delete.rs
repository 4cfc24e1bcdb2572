//! `GET` and `POST /things/{urn}/delete`: a preview, then the deletion.

use std::collections::BTreeSet;

use askama::Template;
use axum::response::Response;
use larder_app::{DeletionSummary, ResourceDeletion};
use larder_domain::{Doomed, Resource, Urn};
use serde::Deserialize;

use super::{PathUrn, address_of, naming, read_optional_urn};
use crate::{
    Failure, Form, Frame, Member, Query, Section, WebState, address::with_query, done, render,
    see_other,
};

/// The number of things on a page of the preview.
const PAGE: usize = 50;

#[derive(Deserialize)]
pub(super) struct DeletionQuery {
    after: Option<String>,
}

/// A thing to be deleted.
struct DoomedRow {
    id: String,
    title: String,
    kind: String,
    place: Option<String>,
    numbers: String,
}

#[derive(Template)]
#[template(path = "things/delete.html")]
struct DeletePage {
    frame: Frame,
    address: String,
    title: String,
    parent: String,
    summary: DeletionSummary,
    rows: Vec<DoomedRow>,
    first: Option<String>,
    next: Option<String>,
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    PathUrn(urn): PathUrn,
    Query(query): Query<DeletionQuery>,
) -> Result<Response, Failure> {
    let frame = member.frame(Section::Things);
    let after = read_optional_urn(query.after.as_deref())?;
    let thing = web.app.resource(&member.caller, &urn).await?;
    let summary = web.app.summarize_deletion(&member.caller, &urn).await?;
    let doomed = web.app.preview_deletion(&member.caller, &urn, after.as_ref(), PAGE).await?;
    // The preview has URNs; people know things by name.
    let involved = doomed.items.iter().flat_map(|doomed| {
        let inside = doomed.parent.clone().filter(|_| doomed.urn != urn);
        std::iter::once(doomed.urn.clone()).chain(inside)
    });
    let involved: BTreeSet<Urn> = involved.collect();
    let known = web.app.resources_named(&member.caller, involved).await?;
    let title = |urn: &Urn| {
        let named = known.get(urn).map(|thing: &Resource| naming::title(frame.words, thing));
        named.unwrap_or_else(|| naming::title_without_name(frame.words, urn))
    };
    let row = |doomed: &Doomed| DoomedRow {
        id: format!("doomed-{}", doomed.urn.id()),
        title: title(&doomed.urn),
        kind: known.get(&doomed.urn).map_or_else(
            || naming::type_in_words(frame.words, doomed.urn.resource_type()),
            |thing| naming::kind(frame.words, thing),
        ),
        place: doomed.parent.as_ref().filter(|_| doomed.urn != urn).map(title),
        numbers: doomed
            .unique_keys
            .iter()
            .map(|key| key.value.as_str())
            .collect::<Vec<_>>()
            .join(", "),
    };
    let address = address_of(&urn);
    let at = |after: &str| with_query(&format!("{address}/delete"), &[("after", after)]);
    Ok(render(&DeletePage {
        title: naming::title(frame.words, &thing),
        parent: thing.parent.map_or_else(String::new, |parent| parent.to_string()),
        summary,
        rows: doomed.items.iter().map(row).collect(),
        first: after.map(|_| at("")),
        next: doomed.next.map(|next| at(next.as_str())),
        address,
        frame,
    }))
}

#[derive(Deserialize)]
pub(super) struct Deletion {
    /// Where to go afterwards: the former parent.
    #[serde(default)]
    parent: String,
}

pub(super) async fn delete(
    web: WebState,
    member: Member,
    PathUrn(urn): PathUrn,
    Form(form): Form<Deletion>,
) -> Result<Response, Failure> {
    let parent = read_optional_urn(Some(&form.parent))?;
    match web.app.delete_resource(&member.caller, &urn).await? {
        ResourceDeletion::Gone => {
            let back = parent.as_ref().map_or_else(|| "/things".to_owned(), address_of);
            Ok(done(&back, "thing-deleted"))
        }
        ResourceDeletion::Begun(deletion) => {
            Ok(see_other(&format!("/things/jobs/{}", deletion.id)))
        }
    }
}
