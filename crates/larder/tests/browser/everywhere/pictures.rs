//! Screenshots of the pages, for the documentation.
//!
//! They are taken at each run, to test the code that takes them; with `LARDER_UPDATE_SCREENSHOTS=1`
//! they are stored in `docs/screenshots`.

use std::fs;
use std::path::{Path, PathBuf};

use super::Home;
use crate::browser::support::{Browser, Options};
use crate::web::support::Reader;

/// Pictures are part of the repository.
const MOST_BYTES: u64 = 180 * 1024;

/// A screenshot: the file, the page, and the browser's options.
type Picture = (&'static str, fn(&Home) -> String, fn(Options) -> Options);

const PICTURES: &[Picture] = &[
    ("stock-phone", |_| "/stock".into(), |options| options),
    ("stock-phone-dark", |_| "/stock".into(), Options::dark),
    ("stock-laptop", |_| "/stock".into(), Options::laptop),
    ("shopping-phone", |_| "/shopping".into(), |options| options),
    ("shopping-phone-ja", |_| "/shopping".into(), Options::japanese),
    (
        "sensor-laptop-dark",
        |home| format!("/sensors/{}", home.device),
        |options| options.laptop().dark(),
    ),
    ("things-phone", |_| "/things".into(), |options| options),
    ("tags-laptop", |_| "/tags".into(), Options::laptop),
];

fn directory() -> PathBuf {
    if std::env::var_os("LARDER_UPDATE_SCREENSHOTS").is_some_and(|value| value == "1") {
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("docs/screenshots")
    } else {
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("screenshots")
    }
}

#[tokio::test]
async fn the_pages_have_their_pictures_taken() {
    let home = Home::ordinary().await;
    let reader = Reader::of(&home.server, &home.anna).await;
    reader.get("/household").await.expect(200);
    reader.post("/demo", &[]).await.expect(303);
    let directory = directory();
    fs::create_dir_all(&directory).unwrap();
    for (name, address, look) in PICTURES {
        let options = look(Options::default());
        let browser = Browser::signed_in_with(&home.server, &home.anna, options).await;
        browser.go(&address(&home)).await;
        let file = directory.join(format!("{name}.png"));
        browser.screenshot(&file).await;
        let picture = fs::read(&file).unwrap();
        assert!(picture.starts_with(b"\x89PNG"), "{name}");
        let size = u64::try_from(picture.len()).unwrap();
        assert!(size < MOST_BYTES, "{name} has {size} bytes");
    }
}
