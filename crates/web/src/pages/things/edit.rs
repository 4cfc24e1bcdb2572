//! `GET` and `POST /things/{urn}/edit`: edit a thing. An edit conflict shows both versions first.

use askama::Template;
use axum::{http::StatusCode, response::Response};
use larder_app::{
    AppError, Precondition, RESOURCE_KIND, RESOURCE_NAME, ResourceChange, ResourceTag, is_named,
};
use larder_domain::{Attributes, KindName, Resource, SchemaVersion};
use serde::Deserialize;

use super::{
    PathUrn, address_of,
    attributes::{Draft, Field, Shape, Unreadable, readable},
    naming,
};
use crate::{
    Failure, Form, Frame, Member, Section, WebState, Words, done, render, render_with, wrong,
};

/// The number of fields for new attributes.
const NEW_FIELDS: usize = 3;

/// An attribute with conflicting values.
struct Difference {
    name: String,
    mine: Option<String>,
    theirs: Option<String>,
}

#[derive(Template)]
#[template(path = "things/edit.html")]
struct EditPage {
    frame: Frame,
    address: String,
    title: String,
    /// The state that the form is based on.
    tag: ResourceTag,
    name: Option<String>,
    kind: Option<String>,
    /// Suggested kinds.
    usual_kinds: Vec<String>,
    fields: Vec<Field>,
    /// The error message.
    message: Option<String>,
    /// The invalid attribute, and its error.
    wrong: Option<(String, String)>,
    differences: Option<Vec<Difference>>,
}

impl EditPage {
    fn new(frame: Frame, thing: &Resource, tag: ResourceTag, draft: Draft) -> Self {
        let is_filled =
            |field: &Field| !field.is_new || !field.name.is_empty() || !field.value.is_empty();
        let filled = draft.fields.into_iter().filter(is_filled);
        let new = std::iter::repeat_with(Field::empty).take(NEW_FIELDS);
        Self {
            address: address_of(&thing.urn),
            title: naming::title(frame.words, thing),
            tag,
            name: draft.name,
            kind: draft.kind,
            usual_kinds: Vec::new(),
            fields: filled.chain(new).collect(),
            message: None,
            wrong: None,
            differences: None,
            frame,
        }
    }

    /// The error of an attribute, if there is one.
    fn why(&self, field: &Field) -> Option<&str> {
        let (name, why) = self.wrong.as_ref()?;
        let is_filled = !field.name.is_empty() || !field.value.is_empty();
        (is_filled && field.name.trim() == name).then_some(why)
    }
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    PathUrn(urn): PathUrn,
) -> Result<Response, Failure> {
    let thing = web.app.resource(&member.caller, &urn).await?;
    let frame = member.frame(Section::Things);
    let usual_kinds =
        naming::kinds_to_choose(frame.words, &web.app.thing_kinds(&member.caller).await?);
    let draft = Draft::of_thing(&thing);
    let page = EditPage::new(frame, &thing, ResourceTag::of(&thing), draft);
    Ok(render(&EditPage { usual_kinds, ..page }))
}

#[derive(Deserialize)]
pub(super) struct Edited {
    version: u64,
    schema: u32,
    name: Option<String>,
    kind: Option<String>,
    #[serde(default)]
    attribute: Vec<String>,
    #[serde(default)]
    shape: Vec<String>,
    #[serde(default)]
    value: Vec<String>,
    #[serde(default)]
    remove: Vec<String>,
}

pub(super) async fn save(
    web: WebState,
    member: Member,
    PathUrn(urn): PathUrn,
    Form(form): Form<Edited>,
) -> Result<Response, Failure> {
    let schema_version = SchemaVersion::new(form.schema).ok_or(Failure::Malformed)?;
    let tag = ResourceTag { version: form.version, schema_version };
    let thing = web.app.resource(&member.caller, &urn).await?;
    let lists = (form.attribute, form.shape, form.value);
    let draft = Draft::sent(form.name, lists, &form.remove, &thing.attributes);
    let draft = draft.map_err(|_| Failure::Malformed)?;
    let kind = form.kind.filter(|_| is_named(&urn));
    let word = kind.as_deref().map(|kind| KindName::parse(kind.trim())).transpose();
    word.map_err(wrong("things-field-kind"))?;
    let draft = Draft { kind, ..draft };
    let attributes = match draft.attributes(&thing.attributes) {
        Ok(attributes) => attributes,
        Err(reason) => return Ok(unreadable(&member, &thing, tag, draft, &reason)),
    };
    let change = ResourceChange { attributes, unique_keys: None };
    let expected = Precondition::OneOf(vec![tag]);
    match web.app.replace_resource(&member.caller, &urn, &expected, &change).await {
        Ok(_) => Ok(done(&address_of(&urn), "thing-saved")),
        Err(AppError::ResourceVersionConflict(Some(current))) => {
            Ok(conflict(&member, &current, draft, &change.attributes))
        }
        Err(error) => Err(error.into()),
    }
}

fn unreadable(
    member: &Member,
    thing: &Resource,
    tag: ResourceTag,
    draft: Draft,
    reason: &Unreadable,
) -> Response {
    let mut page = EditPage::new(member.frame(Section::Things), thing, tag, draft);
    page.message = Some(reason.message(&page.frame));
    let wrong = reason.wrong(page.frame.words);
    page.wrong = wrong.map(|(name, why)| (name.to_owned(), why));
    render_with(StatusCode::BAD_REQUEST, &page)
}

/// Both versions side by side, and my form on top of the current state.
fn conflict(member: &Member, current: &Resource, mut draft: Draft, mine: &Attributes) -> Response {
    let frame = member.frame(Section::Things);
    let differences = differences(frame.words, mine, &current.attributes);
    // My form must not remove attributes that were added concurrently.
    let added = Draft::of_thing(current).fields.into_iter();
    let is_known = |field: &Field| draft.fields.iter().any(|mine| mine.name == field.name);
    let added: Vec<_> = added.filter(|field| !is_known(field)).collect();
    draft.fields.extend(added);
    let mut page = EditPage::new(frame, current, ResourceTag::of(current), draft);
    page.differences = Some(differences);
    render_with(StatusCode::CONFLICT, &page)
}

fn differences(words: &Words, mine: &Attributes, theirs: &Attributes) -> Vec<Difference> {
    let mut names: Vec<_> = mine.iter().chain(theirs).map(|(name, _)| name).collect();
    names.sort_unstable();
    names.dedup();
    let shown =
        |values: &Attributes, name: &str| values.get(name).map(|value| readable(words, value));
    let differing = names.into_iter().filter(|name| mine.get(name) != theirs.get(name));
    let difference = |name: &String| Difference {
        name: label(words, name),
        mine: shown(mine, name),
        theirs: shown(theirs, name),
    };
    differing.map(difference).collect()
}

/// The label of an attribute.
pub(super) fn label(words: &Words, name: &str) -> String {
    match name {
        RESOURCE_NAME => words.get("field-name").into_owned(),
        RESOURCE_KIND => words.get("things-field-kind").into_owned(),
        other => other.to_owned(),
    }
}
