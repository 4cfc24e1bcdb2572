//! What a family does every day: how much it takes, and how it looks on every screen.

mod jobs;
mod screens;
