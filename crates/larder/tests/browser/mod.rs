//! Everything that is tested in a browser, one module for each part of the pages.

mod support;

mod below_a_path;
mod daily;
mod everywhere;
mod harness;
mod household;
mod me;
mod products;
mod scan;
mod sensors;
mod shopping;
mod sign_on;
mod stock;
mod tags;
mod tap;
mod things;
mod welcome;
