//! Fixtures: a server process, its clients, and readers of their answers.

mod answer;
mod client;
mod codes;
mod documented;
pub(crate) mod forge;
mod grants;
pub(crate) mod mailbox;
mod process;
mod qr;
mod random;
mod raw;
pub(crate) mod receiver;
mod resources;
mod server;
mod sse;
pub(crate) mod store;
mod tags;
mod telemetry;
mod values;
pub(crate) mod waiting;

pub(crate) use answer::Answer;
pub(crate) use client::Client;
pub(crate) use codes::GreyPicture;
pub(crate) use grants::grant_path;
pub(crate) use process::{binary, refused, succeeds};
pub(crate) use qr::decode_qr;
pub(crate) use random::Random;
pub(crate) use raw::RawConnection;
pub(crate) use receiver::Receiver;
pub(crate) use resources::{member_path, resource_path, urn_of, urns};
pub(crate) use server::{JWT_SECRET, Server, ServerSettings};
pub(crate) use sse::{Event, EventStream};
pub(crate) use store::{FreshStore, StoreUnderTest};
pub(crate) use tags::{adjustment_of, page_of, rotation_of, tag_path, tags_of, url_id};
pub(crate) use telemetry::{BOOT_ID, TestDevice, batch_ids, now_ms, told};
pub(crate) use values::{amount, encode, hundredths, id_of, ids, names, without_request_id};
pub(crate) use waiting::{eventually, eventually_within, until};

use std::time::Duration;

/// The time limit of any single step, after which the test fails instead of hanging. Generous,
/// because debug builds share two cores with the rest of the suite.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);
