//! The jobs on the embedded engine, with a clock that the test moves.

mod days;
mod deliveries;
mod leases;
mod sweeping;
mod upcasting;
mod world;
