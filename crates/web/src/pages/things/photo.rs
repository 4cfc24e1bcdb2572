//! The photo of a thing: chosen or taken with the camera, and removed.

use axum::response::Response;
use larder_domain::{PhotoId, Urn};
use serde::Deserialize;

use super::{PathUrn, address_of};
use crate::{Failure, Form, Member, Rule, WebState, address::escape, done, upload::Upload};

/// The URL of the photo of a thing. It changes with the photo, so that browsers keep it.
pub(super) fn photo_address(urn: &Urn, photo: PhotoId) -> String {
    format!("/api/v1/resources/{}/photo?v={photo}", escape(urn.as_str()))
}

/// `POST /things/{urn}/photo`: a form with a file.
pub(super) async fn set(
    web: WebState,
    member: Member,
    PathUrn(urn): PathUrn,
    upload: Upload,
) -> Result<Response, Failure> {
    if upload.file.is_empty() {
        return Err(Failure::Wrong("products-photo", Rule::Missing));
    }
    web.app.set_resource_photo(&member.caller, &urn, upload.file).await?;
    Ok(done(&address_of(&urn), "products-photo-set"))
}

#[derive(Deserialize)]
pub(super) struct Nothing {}

/// `POST /things/{urn}/photo/remove`
pub(super) async fn remove(
    web: WebState,
    member: Member,
    PathUrn(urn): PathUrn,
    Form(Nothing {}): Form<Nothing>,
) -> Result<Response, Failure> {
    web.app.remove_resource_photo(&member.caller, &urn).await?;
    Ok(done(&address_of(&urn), "products-photo-removed"))
}
