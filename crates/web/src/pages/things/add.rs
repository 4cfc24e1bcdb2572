//! `POST /things`: create a thing, at the top or in another.

use axum::response::Response;
use larder_app::{NewResource, NewUrn, ThingKind};
use larder_domain::{Attributes, UniqueKeys};
use serde::Deserialize;

use super::{address_of, attributes::Draft, naming, read_optional_urn, refused};
use crate::{Failure, Form, Member, Section, WebState, back_or, done, wrong};

#[derive(Deserialize)]
pub(super) struct NewThing {
    kind: String,
    name: String,
    parent: Option<String>,
    #[serde(default)]
    attribute: Vec<String>,
    #[serde(default)]
    shape: Vec<String>,
    #[serde(default)]
    value: Vec<String>,
    back: Option<String>,
}

pub(super) async fn add(
    web: WebState,
    member: Member,
    Form(form): Form<NewThing>,
) -> Result<Response, Failure> {
    let frame = member.frame(Section::Things);
    let used = web.app.thing_kinds(&member.caller).await?;
    let kind = naming::read_kind(frame.words, &form.kind, &used);
    let kind = kind.map_err(wrong("things-field-kind"))?;
    let parent = read_optional_urn(form.parent.as_deref())?;
    let at = parent.as_ref().map_or_else(|| "/things".to_owned(), address_of);
    let back = back_or(form.back.as_deref(), &at);
    let nothing = Attributes::default();
    let lists = (form.attribute, form.shape, form.value);
    let draft = Draft::sent(Some(form.name), lists, &[], &nothing);
    let with_kind = |draft| match &kind {
        ThingKind::Type(_) => draft,
        ThingKind::Word(word) => Draft { kind: Some(word.to_string()), ..draft },
    };
    let attributes = match draft.map(with_kind).and_then(|draft| draft.attributes(&nothing)) {
        Ok(attributes) => attributes,
        Err(reason) => return Ok(refused::unreadable(frame, &reason, back.to_owned())),
    };
    let urn = NewUrn::OfType(kind.resource_type()?);
    let new = NewResource { urn, parent, unique_keys: UniqueKeys::default(), attributes };
    web.app.create_resource(&member.caller, new, None).await?;
    Ok(done(back, "thing-added"))
}
