//! NFC tags as admins see them.

mod accesses;
mod changing;
mod listing;
mod making;
mod qr;
mod rotating;
