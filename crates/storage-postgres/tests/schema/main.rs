//! The schema on a real server: what it promises without the program that uses it.

mod catalog;
mod explain;
mod feed;
mod isolation;
mod migrations;
mod names;
mod reference;
mod roles;
mod support;
