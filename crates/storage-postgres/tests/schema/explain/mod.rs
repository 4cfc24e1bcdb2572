//! Every list and every statement finds its rows by an index, at 100,000 items and with row-level security on.

mod lists;
mod plan;
mod statements;
mod stock;
