//! A new migration is a new file, which cargo does not track by itself.

fn main() {
    println!("cargo::rerun-if-changed=migrations");
}
