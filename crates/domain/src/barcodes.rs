//! The barcodes of a product.

use std::borrow::Cow;

use thiserror::Error;

use crate::{
    Gtin,
    entity::{Field, FieldError, FieldSink, FieldSource},
};

/// The barcodes of one product, in the order in which they were given, each once. Packages of
/// several sizes and makers have one each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Barcodes(Vec<Gtin>);

/// The codes cannot be those of one product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidBarcodes {
    /// More than one product may have.
    #[error("must be at most {} barcodes", Barcodes::MAX)]
    TooMany,
    /// One of them twice, perhaps in two spellings.
    #[error("must not contain a barcode twice")]
    Repeated,
}

impl Barcodes {
    /// The most codes of one product: with the claims of all of them, a change of a product fits
    /// into one transaction.
    pub const MAX: usize = 20;

    /// These codes, in this order.
    pub fn new(codes: Vec<Gtin>) -> Result<Self, InvalidBarcodes> {
        if codes.len() > Self::MAX {
            return Err(InvalidBarcodes::TooMany);
        }
        let repeats = codes.iter().enumerate().any(|(at, code)| codes[..at].contains(code));
        if repeats { Err(InvalidBarcodes::Repeated) } else { Ok(Self(codes)) }
    }

    /// The codes, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Gtin> {
        self.0.iter()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this code is one of them, however it is written.
    pub fn contains(&self, code: &Gtin) -> bool {
        self.0.contains(code)
    }

    /// These, and after them the others that are not among them.
    pub fn with(&self, others: impl IntoIterator<Item = Gtin>) -> Result<Self, InvalidBarcodes> {
        let mut codes = self.0.clone();
        for code in others {
            if !codes.contains(&code) {
                codes.push(code);
            }
        }
        Self::new(codes)
    }

    /// Those for which this holds.
    #[must_use]
    pub fn filtered(&self, keep: impl Fn(&Gtin) -> bool) -> Self {
        Self(self.0.iter().copied().filter(|code| keep(code)).collect())
    }

    /// Those that the other has not.
    pub fn missing_in<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a Gtin> {
        self.0.iter().filter(|code| !other.contains(code))
    }
}

/// An absent list is an empty one: entities from before there were barcodes have none.
impl Field for Barcodes {
    fn write(&self, name: &'static str, to: &mut (impl FieldSink + ?Sized)) {
        let codes: Vec<&str> = self.0.iter().map(Gtin::as_str).collect();
        to.texts(name, &codes);
    }

    fn read(
        name: &'static str,
        from: &(impl FieldSource + ?Sized),
    ) -> Result<Option<Self>, FieldError> {
        let error = |error: &dyn std::fmt::Display| FieldError::new(name, error);
        let texts = from.texts(name)?.unwrap_or_default();
        let codes = texts.iter().map(|text: &Cow<'_, str>| Gtin::parse(text));
        let codes = codes.collect::<Result<Vec<_>, _>>().map_err(|e| error(&e))?;
        Self::new(codes).map(Some).map_err(|e| error(&e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The EAN-8 of this number.
    fn code(n: u32) -> Gtin {
        let found = (0..10).find_map(|check| Gtin::parse(&format!("{n:07}{check}")).ok());
        found.expect("one check digit is right")
    }

    #[test]
    fn codes_keep_their_order_and_none_is_there_twice() {
        let codes = Barcodes::new(vec![code(2), code(1)]).unwrap();
        assert_eq!(codes.iter().copied().collect::<Vec<_>>(), [code(2), code(1)]);
        let long = Gtin::parse(&code(2).padded()).unwrap();
        assert!(codes.contains(&long));
        assert_eq!(Barcodes::new(vec![code(2), code(1), long]), Err(InvalidBarcodes::Repeated));
        let more = codes.with([long, code(3)]).unwrap();
        assert_eq!(Ok(&more), Barcodes::new(vec![code(2), code(1), code(3)]).as_ref());
        assert_eq!(more.missing_in(&codes).collect::<Vec<_>>(), [&code(3)]);
        assert_eq!(more.filtered(|it| *it == code(1)), Barcodes(vec![code(1)]));
    }

    #[test]
    fn a_product_has_at_most_twenty() {
        let most = Barcodes::new((0..20).map(code).collect()).unwrap();
        assert_eq!(Barcodes::new((0..21).map(code).collect()), Err(InvalidBarcodes::TooMany));
        assert_eq!(most.with([code(7)]), Ok(most.clone()));
        assert_eq!(most.with([code(20)]), Err(InvalidBarcodes::TooMany));
    }
}
