//! A file for each part of the app, and their fixtures.

mod api_by_cookie;
mod confirmation;
mod demo;
mod downloads;
mod forgotten;
mod guarding;
mod household;
mod links;
mod me;
mod notifications;
mod products;
mod putting_away;
mod refusals;
mod registration;
mod scanning;
mod searching;
mod sensors;
mod shopping;
mod shopping_page;
mod stock;
pub(crate) mod support;
mod tags;
mod templates;
mod things;
mod today;
mod typed_numbers;
mod welcome;
