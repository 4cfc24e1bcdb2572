//! `POST /things/{urn}/numbers` and `/remove`: unique values.

use axum::response::Response;
use larder_app::{AppError, Precondition, ResourceChange, ResourceTag};
use larder_domain::{PropertyName, UniqueKey, UniqueKeys, UniqueValue, Urn};
use serde::Deserialize;

use super::{PathUrn, address_of, naming, refused};
use crate::{Failure, Form, Member, Section, Web, WebState, done, wrong};

/// The number of attempts when the thing is changed concurrently.
const ATTEMPTS: usize = 5;

#[derive(Deserialize)]
pub(super) struct NewNumber {
    property: String,
    value: String,
    /// Whether it is case-sensitive; otherwise values that differ only in case are equal.
    exact: Option<String>,
}

pub(super) async fn add(
    web: WebState,
    member: Member,
    PathUrn(urn): PathUrn,
    Form(form): Form<NewNumber>,
) -> Result<Response, Failure> {
    let frame = member.frame(Section::Things);
    let property = naming::read_property(frame.words, &form.property);
    let value = UniqueValue::parse(form.value.trim());
    let key = UniqueKey {
        property: property.map_err(wrong("things-field-property"))?,
        value: value.map_err(wrong("things-field-number"))?,
        case_insensitive: form.exact.is_none(),
    };
    let with_it = |mut keys: Vec<UniqueKey>| {
        // A value that is entered again replaces the old one.
        keys.retain(|own| own.property != key.property || own.compared() != key.compared());
        keys.push(key.clone());
        keys
    };
    let back = address_of(&urn);
    match change(&web, &member, &urn, with_it).await {
        Ok(()) => Ok(done(&back, "thing-number-added")),
        Err(Failure::App(AppError::UniqueKeyTaken(key))) => {
            refused::taken((&web, &member.caller), frame, &key, back).await
        }
        Err(failure) => Err(failure),
    }
}

#[derive(Deserialize)]
pub(super) struct OldNumber {
    property: String,
    value: String,
}

pub(super) async fn remove(
    web: WebState,
    member: Member,
    PathUrn(urn): PathUrn,
    Form(form): Form<OldNumber>,
) -> Result<Response, Failure> {
    let property = PropertyName::parse(&form.property).map_err(|_| Failure::Malformed)?;
    let without_it = |mut keys: Vec<UniqueKey>| {
        keys.retain(|own| own.property != property || own.value.as_str() != form.value);
        keys
    };
    change(&web, &member, &urn, without_it).await?;
    Ok(done(&address_of(&urn), "thing-number-removed"))
}

/// Changes only the unique values, preserving concurrent changes of other fields.
async fn change(
    web: &Web,
    member: &Member,
    urn: &Urn,
    changed: impl Fn(Vec<UniqueKey>) -> Vec<UniqueKey>,
) -> Result<(), Failure> {
    for _ in 0..ATTEMPTS {
        let thing = web.app.resource(&member.caller, urn).await?;
        let expected = Precondition::OneOf(vec![ResourceTag::of(&thing)]);
        let keys = UniqueKeys::new(changed(thing.unique_keys.iter().cloned().collect()));
        let keys = keys.map_err(|_| Failure::Invalid("things-field-number"))?;
        let change = ResourceChange { attributes: thing.attributes, unique_keys: Some(keys) };
        match web.app.replace_resource(&member.caller, urn, &expected, &change).await {
            Ok(_) => return Ok(()),
            Err(AppError::ResourceVersionConflict(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(AppError::ResourceVersionConflict(None).into())
}
