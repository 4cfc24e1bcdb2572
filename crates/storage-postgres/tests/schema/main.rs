//! The schema's own guarantees, on a real server, without Larder's code.

mod accounts;
mod catalog;
mod explain;
mod feed;
mod going_back;
mod isolation;
mod migrations;
mod names;
mod notifications;
mod products;
mod reference;
mod relational;
mod roles;
mod sessions;
mod shopping;
mod support;
mod taps;
mod telemetry;
mod weeks;
