//! The currency that a household pays in.

use std::fmt;

use thiserror::Error;

use crate::entity::{Field, FieldError, FieldSink, FieldSource};

/// The active codes of ISO 4217 that people pay in: no funds, metals or test codes.
const CODES: &str = "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN \
    BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP \
    GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF \
    KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR \
    MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG \
    SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU \
    UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG";

/// A currency by its code in ISO 4217.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Currency(&'static str);

/// The text is not a currency code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be a code of ISO 4217 in upper case, such as EUR")]
pub struct UnknownCurrency;

impl Currency {
    /// The default.
    pub const EURO: Self = Self("EUR");

    /// Every currency, by code.
    pub fn all() -> impl Iterator<Item = Self> {
        CODES.split(' ').map(Self)
    }

    /// Finds a currency by its code.
    pub fn parse(code: &str) -> Result<Self, UnknownCurrency> {
        Self::all().find(|currency| currency.0 == code).ok_or(UnknownCurrency)
    }

    /// The code.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl Default for Currency {
    fn default() -> Self {
        Self::EURO
    }
}

/// Households from before there were currencies pay in euros.
impl Field for Currency {
    fn write(&self, name: &'static str, to: &mut (impl FieldSink + ?Sized)) {
        if *self == Self::default() {
            to.default_text(name, self.0);
        } else {
            to.text(name, self.0);
        }
    }

    fn read(
        name: &'static str,
        from: &(impl FieldSource + ?Sized),
    ) -> Result<Option<Self>, FieldError> {
        let Some(code) = from.text(name)? else { return Ok(Some(Self::default())) };
        Self::parse(&code).map(Some).map_err(|error| FieldError::new(name, error))
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_currency_is_a_code_of_the_list_in_upper_case() {
        for code in ["EUR", "JPY", "USD", "AED", "ZWG"] {
            assert_eq!(Currency::parse(code).map(Currency::as_str), Ok(code));
        }
        for text in ["usd", "XXQ", "XXX", "XAU", "", "EU", "EURO", "EUR ", "UR ", "€"] {
            assert_eq!(Currency::parse(text), Err(UnknownCurrency), "{text}");
        }
    }

    #[test]
    fn every_code_is_three_letters_and_stands_once_in_its_order() {
        let codes: Vec<_> = Currency::all().map(Currency::as_str).collect();
        let is_code = |code: &&str| code.len() == 3 && code.bytes().all(|b| b.is_ascii_uppercase());
        assert!(codes.iter().all(is_code), "{codes:?}");
        assert!(codes.is_sorted_by(|one, next| one < next), "{codes:?}");
        assert!(codes.contains(&Currency::default().as_str()));
    }
}
