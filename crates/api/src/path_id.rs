//! Ids in paths.

use std::str::FromStr;

use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
    response::{IntoResponse, Response},
};
use larder_app::AppError;
use larder_domain::{
    ApiKeyId, DeletionId, HardwareId, ItemId, NotificationId, ProductId, ProgramTokenId, SessionId,
    StorageLocationId, StoreId, UserId,
};

use crate::ApiError;

/// The only id in a path. Extract it after the caller, so that an unauthenticated request learns
/// nothing about its path.
pub(crate) struct PathId<T>(pub(crate) T);

/// What a path can name.
pub(crate) trait NamedInPath: FromStr {
    /// The error of a malformed id. Usually that of an unknown one, so that probing reveals nothing.
    fn malformed() -> ApiError;
}

impl<S: Send + Sync, T: NamedInPath> FromRequestParts<S> for PathId<T> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        let Path(text) = path.map_err(IntoResponse::into_response)?;
        text.parse().map(Self).map_err(|_| T::malformed().into_response())
    }
}

macro_rules! named_in_path {
    ($($id:ty: $unknown:ident,)+) => {$(
        impl NamedInPath for $id {
            fn malformed() -> ApiError {
                AppError::$unknown.into()
            }
        }
    )+};
}

named_in_path! {
    ApiKeyId: ApiKeyNotFound,
    DeletionId: JobNotFound,
    HardwareId: DeviceNotFound,
    ItemId: ItemNotFound,
    NotificationId: NotificationNotFound,
    ProductId: ProductNotFound,
    ProgramTokenId: ProgramTokenNotFound,
    SessionId: SessionNotFound,
    StorageLocationId: LocationNotFound,
    StoreId: StoreNotFound,
    UserId: MemberNotFound,
}
