use std::fmt::Write as _;
use std::fs::FileTimes;
use std::time::{Duration, Instant, SystemTime};

use tempfile::TempDir;

use super::*;

fn gtin(text: &str) -> Gtin {
    Gtin::parse(text).unwrap()
}

/// The barcode of a row of a generated dump.
fn nth(n: u64) -> Gtin {
    let body = 400_000_000_000 + n;
    let digits = format!("{body}");
    let weights = [1, 3].into_iter().cycle();
    let sum: u32 =
        digits.bytes().zip(weights).map(|(d, weight)| u32::from(d - b'0') * weight).sum();
    gtin(&format!("{body}{}", (10 - sum % 10) % 10))
}

struct Fixture {
    directory: TempDir,
    catalog: FileCatalog,
}

impl Fixture {
    fn new(dump: &str) -> Self {
        let directory = TempDir::new().unwrap();
        fs::write(directory.path().join("dump"), dump).unwrap();
        let catalog = Self::catalog_in(&directory);
        Self { directory, catalog }
    }

    fn catalog_in(directory: &TempDir) -> FileCatalog {
        FileCatalog::new(&directory.path().join("dump"), &directory.path().join("data"))
    }

    fn refresh(&self) -> Refresh {
        self.catalog.refresh(|_| {}).unwrap()
    }

    async fn name(&self, gtin: Gtin) -> Option<String> {
        Some(self.catalog.find(gtin).await?.name().to_string())
    }

    fn files(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.directory.path().join("data"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

const MILK: &str = "code\tproduct_name\n96385074\tMilk\nnonsense\n";

#[tokio::test]
async fn a_dump_is_imported_once_and_again_when_it_changes() {
    let fixture = Fixture::new(MILK);
    assert_eq!(fixture.name(gtin("96385074")).await, None, "nothing is known before the import");
    let report = ImportReport { rows: 2, skipped: 1, barcodes: 1 };
    assert_eq!(fixture.refresh(), Refresh::Imported(report));
    assert_eq!(fixture.name(gtin("96385074")).await.as_deref(), Some("Milk"));
    assert_eq!(fixture.name(gtin("4006381333931")).await, None);
    assert_eq!(fixture.refresh(), Refresh::Unchanged);
    assert_eq!(fixture.files(), ["barcode-catalog.index"]);

    let next_start = Fixture { catalog: Fixture::catalog_in(&fixture.directory), ..fixture };
    assert_eq!(next_start.refresh(), Refresh::Opened(1), "the index outlives the process");
    assert_eq!(next_start.name(gtin("96385074")).await.as_deref(), Some("Milk"));

    // The same length, and another time.
    let dump = next_start.directory.path().join("dump");
    fs::write(&dump, MILK.replace("Milk", "Cake")).unwrap();
    let times = FileTimes::new().set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(7));
    File::options().write(true).open(&dump).unwrap().set_times(times).unwrap();
    assert_eq!(next_start.name(gtin("96385074")).await.as_deref(), Some("Milk"));
    assert_eq!(next_start.refresh(), Refresh::Imported(report));
    assert_eq!(next_start.name(gtin("96385074")).await.as_deref(), Some("Cake"));
}

#[tokio::test]
async fn a_dump_that_cannot_be_read_leaves_the_previous_index() {
    let fixture = Fixture::new(MILK);
    fixture.refresh();
    let dump = fixture.directory.path().join("dump");
    fs::write(&dump, "<html>Too many requests</html>").unwrap();
    let refused = fixture.catalog.refresh(|_| {});
    assert!(matches!(refused, Err(ImportError::Format)), "{refused:?}");
    assert_eq!(fixture.name(gtin("96385074")).await.as_deref(), Some("Milk"));
    assert_eq!(fixture.files(), ["barcode-catalog.index"]);
    fs::remove_file(&dump).unwrap();
    let missing = fixture.catalog.refresh(|_| {});
    assert!(matches!(missing, Err(ImportError::Io(_))), "{missing:?}");
    assert_eq!(fixture.name(gtin("96385074")).await.as_deref(), Some("Milk"));
}

#[tokio::test]
async fn one_process_imports_at_a_time() {
    let fixture = Fixture::new(MILK);
    let data = fixture.directory.path().join("data");
    fs::create_dir(&data).unwrap();
    let held = File::create(data.join("barcode-catalog.unfinished")).unwrap();
    held.lock().unwrap();
    assert_eq!(fixture.refresh(), Refresh::Busy);
    held.unlock().unwrap();
    assert!(matches!(fixture.refresh(), Refresh::Imported(_)));
}

/// Prints how long it took; the rate of a release build is what counts.
#[tokio::test]
async fn a_hundred_thousand_rows_are_imported_and_found() {
    const ROWS: u64 = 100_000;
    let mut dump = "code\tcreator\tproduct_name\tbrands\tquantity\trest\n".to_owned();
    let rest = "x".repeat(1_000);
    // From the end, so that sorting has something to do.
    for n in (0..ROWS).rev() {
        writeln!(dump, "{}\tmia\tProduct {n}\tBrand\t1 L\t{rest}", nth(n)).unwrap();
    }
    let fixture = Fixture::new(&dump);
    let started = Instant::now();
    let report = ImportReport { rows: ROWS, skipped: 0, barcodes: ROWS };
    assert_eq!(fixture.refresh(), Refresh::Imported(report));
    let took = started.elapsed();
    let started = Instant::now();
    for n in (0..ROWS).step_by(1_009) {
        assert_eq!(fixture.name(nth(n)).await, Some(format!("Product {n}")));
    }
    let looked_up = started.elapsed() / 100;
    println!("{ROWS} rows of {} MB in {took:?}; a look-up {looked_up:?}", dump.len() >> 20);
    assert_eq!(fixture.name(nth(ROWS)).await, None);
}

#[tokio::test]
async fn progress_is_reported_on_the_way() {
    let line = format!("{}\tMilk\n", nth(1));
    let dump = format!("code\tproduct_name\n{}", line.repeat(500_001));
    let fixture = Fixture::new(&dump);
    let mut reports = Vec::new();
    let refreshed = fixture.catalog.refresh(|report| reports.push(report.rows)).unwrap();
    assert_eq!(reports, [500_000]);
    let report = ImportReport { rows: 500_001, skipped: 0, barcodes: 1 };
    assert_eq!(refreshed, Refresh::Imported(report));
}
