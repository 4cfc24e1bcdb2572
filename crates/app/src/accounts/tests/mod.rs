//! Accounts and sessions over a real store.

mod browsers;
mod own_account;
mod sessions;
mod world;
