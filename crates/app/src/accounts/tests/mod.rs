//! Accounts and sessions over a real store.

mod browsers;
mod own_account;
mod program_tokens;
mod sessions;
mod world;
