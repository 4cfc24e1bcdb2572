//! The port to catalogs of trade items, which know a name for a barcode that a household has not
//! used yet.

use async_trait::async_trait;
use larder_domain::{Gtin, ItemName, without_invisible};

use crate::App;

/// What a catalog says of a barcode. Somebody else wrote it: it is a suggestion for people to
/// accept or change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogEntry {
    name: ItemName,
    brand: Option<String>,
    quantity: Option<String>,
}

impl CatalogEntry {
    /// The most characters of a brand or quantity.
    pub const MAX_CHARS: usize = 100;

    /// Cleans the texts of a catalog: white space and control characters become single blanks,
    /// invisible characters go, and what is too long is cut. `None` without a name.
    pub fn new(name: &str, brand: &str, quantity: &str) -> Option<Self> {
        let name = ItemName::parse(&without_invisible(&clean(name, ItemName::MAX_CHARS)?)).ok()?;
        let short = |text| clean(text, Self::MAX_CHARS);
        Some(Self { name, brand: short(brand), quantity: short(quantity) })
    }

    /// The name.
    pub const fn name(&self) -> &ItemName {
        &self.name
    }

    /// Who makes it.
    pub fn brand(&self) -> Option<&str> {
        self.brand.as_deref()
    }

    /// How much is in a package, in the words of the catalog, such as "500 g".
    pub fn quantity(&self) -> Option<&str> {
        self.quantity.as_deref()
    }
}

/// `None` if nothing is left.
fn clean(text: &str, max_chars: usize) -> Option<String> {
    let mut kept = String::new();
    let (mut length, mut is_blank_due) = (0, false);
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() {
            is_blank_due = length > 0;
            continue;
        }
        let with_blank = length + usize::from(is_blank_due);
        if with_blank >= max_chars {
            break;
        }
        if is_blank_due {
            kept.push(' ');
        }
        kept.push(c);
        (length, is_blank_due) = (with_blank + 1, false);
    }
    (!kept.is_empty()).then_some(kept)
}

/// A catalog of barcodes.
#[async_trait]
pub trait BarcodeCatalog: Send + Sync + 'static {
    /// What is known of a barcode. `None` also if the catalog cannot answer now: a suggestion is
    /// a convenience, so no request fails for the lack of one.
    async fn find(&self, gtin: Gtin) -> Option<CatalogEntry>;
}

impl App {
    /// What the first catalog that knows this barcode says of it.
    pub async fn suggest_for_barcode(&self, gtin: Gtin) -> Option<CatalogEntry> {
        for catalog in &self.barcode_catalogs {
            if let Some(entry) = catalog.find(gtin).await {
                return Some(entry);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_a_catalog_are_cleaned_and_cut() {
        let entry = CatalogEntry::new(" Whole\t milk\u{0}\r\n", "", "  1 L ").unwrap();
        assert_eq!(entry.name().as_str(), "Whole milk");
        assert_eq!((entry.brand(), entry.quantity()), (None, Some("1 L")));
        let long = CatalogEntry::new(&"牛乳 ".repeat(200), &"a ".repeat(100), "").unwrap();
        assert_eq!(long.name().as_str().chars().count(), 200);
        assert!(long.name().as_str().ends_with("牛乳"), "{}", long.name());
        assert_eq!(long.brand().map(str::len), Some(99), "no blank at the end");
    }

    #[test]
    fn without_a_name_there_is_nothing_to_suggest() {
        for name in ["", " ", "\u{0}\n\u{3000}"] {
            assert_eq!(CatalogEntry::new(name, "Brand", "1 L"), None, "{name:?}");
        }
    }
}
