//! Filters and orders of product lists.

use std::cmp::Ordering;

use crate::{ItemDetails, Product, ProductId, Quantity, SearchTerm, StockSum};

/// Which products a list shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProductFilter {
    /// Only these names.
    pub search: Option<SearchTerm>,
    /// Only products of which something useful is unknown.
    pub with_gaps: bool,
}

impl ProductFilter {
    /// Whether the list shows this product.
    pub fn matches(&self, product: &Product) -> bool {
        let name = product.details.name.as_str();
        self.search.as_ref().is_none_or(|term| term.matches(name))
            && (!self.with_gaps || product.details.gaps().next().is_some())
    }

    /// Whether the list shows every product.
    pub const fn is_open(&self) -> bool {
        self.search.is_none() && !self.with_gaps
    }
}

/// The order of a list of products.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ProductSort {
    /// By folded name.
    #[default]
    Name,
    /// By the sum of the lots, the least first, those without a sum last.
    Total,
}

/// The position of a product in a list: the exclusive start of the next page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProductPosition {
    /// In [`ProductSort::Name`].
    Name(String, ProductId),
    /// In [`ProductSort::Total`].
    Total(Option<Quantity>, ProductId),
}

impl ProductPosition {
    /// The position of this product with these lots.
    pub fn of<'a>(
        product: &Product,
        lots: impl IntoIterator<Item = &'a ItemDetails>,
        sort: ProductSort,
    ) -> Self {
        match sort {
            ProductSort::Name => Self::Name(product.details.folded_name(), product.id),
            ProductSort::Total => {
                let sum = StockSum::of(&product.details.unit, lots);
                Self::Total(sum.map(StockSum::quantity), product.id)
            }
        }
    }

    /// The order that the position belongs to.
    pub const fn sort(&self) -> ProductSort {
        match self {
            Self::Name(..) => ProductSort::Name,
            Self::Total(..) => ProductSort::Total,
        }
    }
}

/// Positions of one order compare as the list shows them; those of different orders don't.
impl PartialOrd for ProductPosition {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Name(a, a_id), Self::Name(b, b_id)) => Some((a, a_id).cmp(&(b, b_id))),
            (Self::Total(a, a_id), Self::Total(b, b_id)) => {
                let key =
                    |total: &Option<Quantity>| (total.is_none(), total.map(Quantity::hundredths));
                Some((key(a), a_id).cmp(&(key(b), b_id)))
            }
            _ => None,
        }
    }
}
