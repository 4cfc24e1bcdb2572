//! Resources and their relationships: one verb per file, except for the lists in `related.rs` and
//! the photo.

mod add;
mod add_member;
mod attach;
mod delete;
mod detach;
pub(crate) mod dto;
pub(crate) mod fields;
mod get;
mod if_match;
mod list;
mod parent;
mod path;
mod photo;
mod related;
mod remove_member;
mod replace;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::ApiState;

pub(crate) use path::{PathUrn, not_utf8};

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(list::list_resources, add::add_resource))
        .routes(routes!(get::get_resource, replace::replace_resource, delete::delete_resource))
        .routes(routes!(
            photo::put_resource_photo,
            photo::get_resource_photo,
            photo::delete_resource_photo
        ))
        .routes(routes!(photo::get_resource_thumbnail))
        .routes(routes!(related::list_children))
        .routes(routes!(related::list_ancestors))
        .routes(routes!(parent::get_parent, attach::attach_resource, detach::detach_resource))
        .routes(routes!(related::list_collections))
        .routes(routes!(related::list_collection_members))
        .routes(routes!(add_member::add_collection_member, remove_member::remove_collection_member))
}
