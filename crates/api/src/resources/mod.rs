//! Resources and their relationships: one verb per file.

mod add;
mod add_member;
mod ancestors;
mod attach;
mod children;
mod collections;
mod delete;
mod detach;
pub(crate) mod dto;
pub(crate) mod fields;
mod get;
mod if_match;
mod list;
mod members;
mod parent;
mod path;
mod remove_member;
mod replace;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::state::ApiState;

pub(crate) use path::{PathUrn, not_utf8};

pub(crate) fn routes() -> OpenApiRouter<ApiState> {
    OpenApiRouter::new()
        .routes(routes!(list::list_resources, add::add_resource))
        .routes(routes!(get::get_resource, replace::replace_resource, delete::delete_resource))
        .routes(routes!(children::list_children))
        .routes(routes!(ancestors::list_ancestors))
        .routes(routes!(parent::get_parent, attach::attach_resource, detach::detach_resource))
        .routes(routes!(collections::list_collections))
        .routes(routes!(members::list_collection_members))
        .routes(routes!(add_member::add_collection_member, remove_member::remove_collection_member))
}
