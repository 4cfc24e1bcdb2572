//! The rows of a dump: tab-separated values with a header, or JSON Lines; perhaps compressed with
//! gzip. Each is read as a stream, row by row.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};

use flate2::bufread::MultiGzDecoder;
use larder_app::CatalogEntry;
use larder_domain::Gtin;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::ImportError;

/// The longest row that is read; a product in JSON with all its photos has a hundred kilobytes.
const MAX_ROW_BYTES: usize = 4 << 20;
/// How much is read from the disk at once.
const READ_AHEAD: usize = 1 << 18;

/// A row of a dump.
pub(crate) enum Row {
    /// What it says of a barcode.
    Entry(Gtin, CatalogEntry),
    /// It is damaged, or has no valid barcode or no name.
    Skipped,
}

/// A dump, read to the end of its header.
pub(crate) struct Dump {
    source: Box<dyn BufRead>,
    format: Format,
    line: Vec<u8>,
    /// Whether the line was already read, to recognise the format.
    is_first_read: bool,
}

enum Format {
    TabSeparated(Columns),
    JsonLines,
}

/// Where the columns are that matter.
struct Columns {
    code: usize,
    name: usize,
    brands: Option<usize>,
    quantity: Option<usize>,
}

impl Dump {
    /// Recognises the format by the first bytes and the first line.
    pub(crate) fn open(file: File) -> Result<Self, ImportError> {
        let mut file = BufReader::with_capacity(READ_AHEAD, file);
        let is_compressed = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
        let source: Box<dyn BufRead> = if is_compressed {
            Box::new(BufReader::with_capacity(READ_AHEAD, MultiGzDecoder::new(file)))
        } else {
            Box::new(file)
        };
        let mut dump =
            Self { source, format: Format::JsonLines, line: Vec::new(), is_first_read: true };
        if dump.read_line()? != Line::Whole {
            return Err(ImportError::Format);
        }
        let first = dump.line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&dump.line);
        if first.trim_ascii_start().first() != Some(&b'{') {
            dump.format = Format::TabSeparated(Columns::of(first).ok_or(ImportError::Format)?);
            dump.is_first_read = false;
        }
        Ok(dump)
    }

    /// The next row; `None` after the last.
    pub(crate) fn next_row(&mut self) -> io::Result<Option<Row>> {
        let line =
            if std::mem::take(&mut self.is_first_read) { Line::Whole } else { self.read_line()? };
        Ok(match line {
            Line::End => None,
            Line::TooLong => Some(Row::Skipped),
            Line::Whole => {
                Some(self.row().map_or(Row::Skipped, |(gtin, entry)| Row::Entry(gtin, entry)))
            }
        })
    }

    fn row(&self) -> Option<(Gtin, CatalogEntry)> {
        let line = self.line.trim_ascii_end();
        match &self.format {
            Format::TabSeparated(columns) => columns.row(&self.line),
            Format::JsonLines => json_row(line),
        }
    }

    /// Reads a line into the buffer, and skips one that does not fit.
    fn read_line(&mut self) -> io::Result<Line> {
        self.line.clear();
        let limit = MAX_ROW_BYTES as u64;
        if self.source.by_ref().take(limit).read_until(b'\n', &mut self.line)? == 0 {
            return Ok(Line::End);
        }
        if self.line.len() < MAX_ROW_BYTES || self.line.ends_with(b"\n") {
            return Ok(Line::Whole);
        }
        while !self.line.ends_with(b"\n") {
            self.line.clear();
            if self.source.by_ref().take(limit).read_until(b'\n', &mut self.line)? == 0 {
                break;
            }
        }
        Ok(Line::TooLong)
    }
}

#[derive(PartialEq)]
enum Line {
    Whole,
    TooLong,
    End,
}

impl Columns {
    fn of(header: &[u8]) -> Option<Self> {
        let header = without_line_break(header);
        let names: Vec<_> = header.split(|byte| *byte == b'\t').map(unquoted).collect();
        let column = |name: &str| names.iter().position(|it| **it == *name.as_bytes());
        Some(Self {
            code: column("code")?,
            name: column("product_name")?,
            brands: column("brands"),
            quantity: column("quantity"),
        })
    }

    fn row(&self, line: &[u8]) -> Option<(Gtin, CatalogEntry)> {
        let [mut code, mut name, mut brands, mut quantity] = [None; 4];
        for (at, field) in without_line_break(line).split(|byte| *byte == b'\t').enumerate() {
            let at = Some(at);
            if at == Some(self.code) {
                code = Some(field);
            } else if at == Some(self.name) {
                name = Some(field);
            } else if at == self.brands {
                brands = Some(field);
            } else if at == self.quantity {
                quantity = Some(field);
            }
        }
        let text = |field: Option<&[u8]>| {
            let field = unquoted(field.unwrap_or_default()).into_owned();
            String::from_utf8(field).ok()
        };
        row(&text(code)?, &text(name)?, &text(brands)?, &text(quantity)?)
    }
}

fn without_line_break(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// A field without the quotation marks that some tools put around it.
fn unquoted(field: &[u8]) -> Cow<'_, [u8]> {
    let Some(inner) = field.strip_prefix(b"\"").and_then(|field| field.strip_suffix(b"\"")) else {
        return Cow::Borrowed(field);
    };
    let mut text = Vec::with_capacity(inner.len());
    let mut bytes = inner.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        text.push(byte);
        if byte == b'"' {
            bytes.next_if_eq(&b'"');
        }
    }
    Cow::Owned(text)
}

/// A product in JSON, as dumps and services write it.
#[derive(Deserialize)]
pub(crate) struct Product<'a> {
    #[serde(borrow, default)]
    code: Loose<'a>,
    #[serde(borrow, default, rename = "product_name")]
    name: Loose<'a>,
    #[serde(borrow, default)]
    brands: Loose<'a>,
    #[serde(borrow, default)]
    quantity: Loose<'a>,
}

/// A text. Dumps are written by many hands, and one odd field is no reason to skip a product.
#[derive(Deserialize)]
#[serde(untagged)]
enum Loose<'a> {
    Text(#[serde(borrow)] Cow<'a, str>),
    Number(u64),
    Other(IgnoredAny),
}

impl Default for Loose<'_> {
    fn default() -> Self {
        Self::Other(IgnoredAny)
    }
}

impl Loose<'_> {
    fn get(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Number(number) => Cow::Owned(number.to_string()),
            Self::Other(_) => Cow::Borrowed(""),
        }
    }
}

impl Product<'_> {
    /// What a catalog says of it, if it has a name.
    pub(crate) fn entry(&self) -> Option<CatalogEntry> {
        entry(&self.name.get(), &self.brands.get(), &self.quantity.get())
    }
}

fn json_row(line: &[u8]) -> Option<(Gtin, CatalogEntry)> {
    let product: Product<'_> = serde_json::from_slice(line).ok()?;
    Some((Gtin::parse(product.code.get().trim()).ok()?, product.entry()?))
}

fn row(code: &str, name: &str, brands: &str, quantity: &str) -> Option<(Gtin, CatalogEntry)> {
    Some((Gtin::parse(code.trim()).ok()?, entry(name, brands, quantity)?))
}

/// The first of several brands is enough.
fn entry(name: &str, brands: &str, quantity: &str) -> Option<CatalogEntry> {
    let brand = brands.split(',').find(|brand| !brand.trim().is_empty()).unwrap_or_default();
    CatalogEntry::new(name, brand, quantity)
}

#[cfg(test)]
#[path = "dump_tests.rs"]
mod tests;
