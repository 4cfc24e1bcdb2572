//! Reads a dump into an index.

use std::fs::File;
use std::io;

use thiserror::Error;

use crate::dump::{Dump, Row};
use crate::index::{DumpStamp, IndexWriter, MAX_ROWS};

/// After how many rows progress is reported.
const REPORTED_EVERY: u64 = 500_000;

/// Why a dump cannot be used.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The dump or its index cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is something else.
    #[error(
        "it is neither JSON Lines nor tab-separated with a header that names code and product_name"
    )]
    Format,
    /// It has more rows than any known dump.
    #[error("it has more than {MAX_ROWS} products")]
    TooLarge,
}

/// What an import has read so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// Rows of the dump.
    pub rows: u64,
    /// Rows that were skipped: damaged, without a valid barcode, or without a name.
    pub skipped: u64,
    /// Barcodes in the index, once it is finished.
    pub barcodes: u64,
}

/// Reads a dump to its end into an empty file. Memory is bounded by the longest row and by a few
/// bytes for each row.
pub(crate) fn import(
    dump: File,
    index: File,
    mut progress: impl FnMut(&ImportReport),
) -> Result<ImportReport, ImportError> {
    let stamp = DumpStamp::of(&dump.metadata()?);
    let mut dump = Dump::open(dump)?;
    let mut writer = IndexWriter::new(index)?;
    let mut report = ImportReport::default();
    while let Some(row) = dump.next_row()? {
        report.rows += 1;
        match row {
            Row::Entry(gtin, entry) => {
                if !writer.add(gtin, &entry)? {
                    return Err(ImportError::TooLarge);
                }
            }
            Row::Skipped => report.skipped += 1,
        }
        if report.rows.is_multiple_of(REPORTED_EVERY) {
            progress(&report);
        }
    }
    report.barcodes = writer.finish(stamp)?;
    Ok(report)
}
