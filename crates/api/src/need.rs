//! What each request needs of a program's token, as types: a handler that does not say it has no
//! caller.

use larder_domain::{TokenNeed, TokenScope};

/// A type that stands for a need.
pub(crate) trait Need: Send + Sync + 'static {
    /// The need.
    const NEED: TokenNeed;
}

macro_rules! needs {
    ($($(#[$doc:meta])* $name:ident = $need:expr;)+) => {$(
        $(#[$doc])*
        pub(crate) struct $name;

        impl Need for $name {
            const NEED: TokenNeed = $need;
        }
    )+};
}

needs! {
    /// Reading several areas at once.
    ReadAll = TokenNeed::Scope(TokenScope::Read);
    ReadStock = TokenNeed::ReadOr(TokenScope::Stock);
    ReadShopping = TokenNeed::ReadOr(TokenScope::Shopping);
    ReadDevices = TokenNeed::ReadOr(TokenScope::Devices);
    ReadThings = TokenNeed::ReadOr(TokenScope::Things);
    /// Reading about the household and the person themselves.
    ReadHousehold = TokenNeed::ReadOr(TokenScope::Admin);
    ChangeStock = TokenNeed::Scope(TokenScope::Stock);
    ChangeShopping = TokenNeed::Scope(TokenScope::Shopping);
    ChangeDevices = TokenNeed::Scope(TokenScope::Devices);
    ChangeThings = TokenNeed::Scope(TokenScope::Things);
    /// Changing the household or the person's own settings, and everything about tags: their URLs
    /// work like keys.
    Administrate = TokenNeed::Scope(TokenScope::Admin);
    /// What no program may do: passwords, sessions, and tokens themselves.
    LoggedIn = TokenNeed::Login;
}
