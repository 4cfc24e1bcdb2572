//! Every list and every statement finds its rows by an index, at 100,000 items and with row-level security on.

mod across;
mod lists;
mod plan;
mod resources;
mod sessions;
mod shopping;
mod statements;
mod stock;
mod tags;
mod telemetry;
