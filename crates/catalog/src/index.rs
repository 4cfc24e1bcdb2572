//! The sorted index of a dump, in one file: a header, the texts in the order of the dump, then a
//! table of barcodes in order, each with the place of its text.
//!
//! All numbers are little-endian. The header is written last, so that a file without one is
//! unfinished.

use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Write as _};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};

use larder_app::CatalogEntry;
use larder_domain::Gtin;

/// The last character is the version of the format.
const MAGIC: &[u8; 8] = b"LARBARC1";
/// Magic, stamp of the dump (3 numbers), number of barcodes, place of the table.
const HEADER_BYTES: usize = 6 * 8;
/// A barcode and the place of its text.
const ROW_BYTES: usize = 2 * 8;

/// The most rows. Sixteen bytes of each are in memory during an import; the largest dump has a
/// fifth of them.
pub(crate) const MAX_ROWS: usize = 1 << 24;

/// Which state of a dump an index was made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DumpStamp {
    bytes: u64,
    modified_s: i64,
    modified_ns: i64,
}

impl DumpStamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self {
            bytes: metadata.size(),
            modified_s: metadata.mtime(),
            modified_ns: metadata.mtime_nsec(),
        }
    }

    fn words(self) -> [u64; 3] {
        [self.bytes, self.modified_s.cast_unsigned(), self.modified_ns.cast_unsigned()]
    }
}

/// A barcode as it is sorted and compared: its digits as a number.
fn number(gtin: Gtin) -> u64 {
    gtin.as_str().bytes().fold(0, |number, digit| number * 10 + u64::from(digit - b'0'))
}

/// Writes an index.
pub(crate) struct IndexWriter {
    file: BufWriter<File>,
    /// Where the next text begins.
    end: u64,
    rows: Vec<(u64, u64)>,
}

impl IndexWriter {
    /// Starts an index in an empty file.
    pub(crate) fn new(file: File) -> io::Result<Self> {
        let mut file = BufWriter::with_capacity(1 << 18, file);
        file.write_all(&[0; HEADER_BYTES])?;
        Ok(Self { file, end: HEADER_BYTES as u64, rows: Vec::new() })
    }

    /// Adds what is known of a barcode. Of several entries for one barcode the last one counts.
    /// `false` if the index is full.
    pub(crate) fn add(&mut self, gtin: Gtin, entry: &CatalogEntry) -> io::Result<bool> {
        if self.rows.len() == MAX_ROWS {
            return Ok(false);
        }
        self.rows.push((number(gtin), self.end));
        for text in texts(entry) {
            let length = u16::try_from(text.len()).map_err(io::Error::other)?;
            self.file.write_all(&length.to_le_bytes())?;
            self.file.write_all(text.as_bytes())?;
            self.end += 2 + text.len() as u64;
        }
        Ok(true)
    }

    /// Writes the table and the header, down to the disk. Returns the number of barcodes.
    pub(crate) fn finish(mut self, stamp: DumpStamp) -> io::Result<u64> {
        // Later texts have greater places.
        self.rows.sort_unstable();
        let mut count = 0;
        for (at, (number, text_at)) in self.rows.iter().enumerate() {
            if self.rows.get(at + 1).is_some_and(|(next, _)| next == number) {
                continue;
            }
            self.file.write_all(&number.to_le_bytes())?;
            self.file.write_all(&text_at.to_le_bytes())?;
            count += 1;
        }
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        let [bytes, seconds, nanos] = stamp.words();
        let magic = u64::from_le_bytes(*MAGIC);
        let header = [magic, bytes, seconds, nanos, count, self.end];
        file.write_all_at(header.map(u64::to_le_bytes).as_flattened(), 0)?;
        file.sync_all()?;
        Ok(count)
    }
}

fn texts(entry: &CatalogEntry) -> [&str; 3] {
    let optional = [entry.brand(), entry.quantity()].map(Option::unwrap_or_default);
    [entry.name().as_str(), optional[0], optional[1]]
}

/// A finished index.
#[derive(Debug)]
pub(crate) struct Index {
    file: File,
    pub(crate) stamp: DumpStamp,
    pub(crate) count: u64,
    table_at: u64,
}

impl Index {
    /// The index in a file; `None` if it is unfinished, of another version, or of another state of
    /// the dump.
    pub(crate) fn open(file: File, stamp: DumpStamp) -> io::Result<Option<Self>> {
        let length = file.metadata()?.len();
        if length < HEADER_BYTES as u64 {
            return Ok(None);
        }
        let header: [u64; 6] = read_words(&file, 0)?;
        let [magic, bytes, seconds, nanos, count, table_at] = header;
        let table_bytes = count.checked_mul(ROW_BYTES as u64);
        let is_whole = table_bytes.and_then(|table| table.checked_add(table_at)) == Some(length);
        let is_right =
            magic == u64::from_le_bytes(*MAGIC) && [bytes, seconds, nanos] == stamp.words();
        Ok((is_whole && is_right).then_some(Self { file, stamp, count, table_at }))
    }

    /// What is known of a barcode.
    pub(crate) fn find(&self, gtin: Gtin) -> io::Result<Option<CatalogEntry>> {
        let wanted = number(gtin);
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            let [found, text_at] =
                read_words(&self.file, self.table_at + middle * ROW_BYTES as u64)?;
            match found.cmp(&wanted) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return self.entry(text_at),
            }
        }
        Ok(None)
    }

    fn entry(&self, mut at: u64) -> io::Result<Option<CatalogEntry>> {
        let mut texts: [String; 3] = Default::default();
        for text in &mut texts {
            let mut length = [0; 2];
            self.file.read_exact_at(&mut length, at)?;
            let mut bytes = vec![0; usize::from(u16::from_le_bytes(length))];
            self.file.read_exact_at(&mut bytes, at + 2)?;
            at += 2 + bytes.len() as u64;
            *text = String::from_utf8(bytes).map_err(io::Error::other)?;
        }
        let [name, brand, quantity] = &texts;
        Ok(CatalogEntry::new(name, brand, quantity))
    }
}

fn read_words<const N: usize>(file: &File, at: u64) -> io::Result<[u64; N]> {
    let mut words = [[0; 8]; N];
    file.read_exact_at(words.as_flattened_mut(), at)?;
    Ok(words.map(u64::from_le_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAMP: DumpStamp = DumpStamp { bytes: 7, modified_s: -1, modified_ns: 5 };

    fn gtin(text: &str) -> Gtin {
        Gtin::parse(text).unwrap()
    }

    fn entry(name: &str) -> CatalogEntry {
        CatalogEntry::new(name, "Brand", "").unwrap()
    }

    /// The file of an index with these entries.
    fn written(entries: &[(&str, &str)]) -> (File, u64) {
        let file = tempfile::tempfile().unwrap();
        let mut writer = IndexWriter::new(file.try_clone().unwrap()).unwrap();
        for (code, name) in entries {
            assert!(writer.add(gtin(code), &entry(name)).unwrap());
        }
        (file, writer.finish(STAMP).unwrap())
    }

    #[test]
    fn every_barcode_is_found_however_it_is_written_and_no_other() {
        let entries = [("4006381333931", "Pen"), ("96385074", "Gum"), ("036000291452", "Tissues")];
        let (file, count) = written(&entries);
        let index = Index::open(file, STAMP).unwrap().unwrap();
        assert_eq!((count, index.count), (3, 3));
        for (code, name) in entries {
            assert_eq!(index.find(gtin(code)).unwrap(), Some(entry(name)));
        }
        assert_eq!(index.find(gtin("0036000291452")).unwrap(), Some(entry("Tissues")));
        for unknown in ["00000000", "4902102072618", "99999999999997"] {
            assert_eq!(index.find(gtin(unknown)).unwrap(), None, "{unknown}");
        }
    }

    #[test]
    fn the_last_of_several_entries_counts() {
        let (file, count) =
            written(&[("96385074", "Old"), ("4006381333931", "Pen"), ("00000096385074", "New")]);
        let index = Index::open(file, STAMP).unwrap().unwrap();
        assert_eq!(count, 2);
        assert_eq!(index.find(gtin("96385074")).unwrap(), Some(entry("New")));
    }

    #[test]
    fn an_empty_index_knows_nothing() {
        let (file, count) = written(&[]);
        let index = Index::open(file, STAMP).unwrap().unwrap();
        assert_eq!((count, index.find(gtin("96385074")).unwrap()), (0, None));
    }

    #[test]
    fn an_index_that_is_unfinished_outdated_or_cut_is_none() {
        let open = |file: &File, stamp| Index::open(file.try_clone().unwrap(), stamp).unwrap();
        let (file, _) = written(&[("96385074", "Gum")]);
        assert!(open(&file, STAMP).is_some());
        assert!(open(&file, DumpStamp { bytes: 8, ..STAMP }).is_none(), "another dump");
        let length = file.metadata().unwrap().len();
        file.set_len(length - 1).unwrap();
        assert!(open(&file, STAMP).is_none(), "cut");
        file.set_len(3).unwrap();
        assert!(open(&file, STAMP).is_none(), "without a header");
        let unfinished = tempfile::tempfile().unwrap();
        let mut writer = IndexWriter::new(unfinished.try_clone().unwrap()).unwrap();
        writer.add(gtin("96385074"), &entry("Gum")).unwrap();
        drop(writer);
        assert!(open(&unfinished, STAMP).is_none(), "unfinished");
    }

    #[test]
    fn places_beyond_the_end_are_errors() {
        let (file, _) = written(&[("96385074", "Gum")]);
        let index = Index::open(file.try_clone().unwrap(), STAMP).unwrap().unwrap();
        file.write_all_at(&u64::MAX.to_le_bytes(), index.table_at + 8).unwrap();
        assert!(index.find(gtin("96385074")).is_err());
    }
}
