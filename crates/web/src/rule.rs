//! Errors of form fields, in words that people can act on.

use larder_app::GuessablePassword;
use larder_domain::{
    Barcodes, DateError, InvalidBarcodes, InvalidEmail, InvalidGtin, InvalidId,
    InvalidPropertyName, InvalidShoppingField, InvalidStep, InvalidUniqueValue, InvalidUrn,
    NumberError, PasswordError, QuantityError, ShoppingName, ShoppingNotes, ShoppingQuantity,
    TextError, UnknownCurrency, UnknownZone,
};

use crate::Words;

/// The rule that a field violates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Another rule, which only the field's own hint states.
    Unstated,
    /// It is required.
    Missing,
    /// At least this many characters.
    TooShort(usize),
    /// At most this many characters.
    TooLong(usize),
    /// An easily guessed password.
    Guessable(GuessablePassword),
    /// From one to this many characters.
    Text(usize),
    /// Control characters.
    Control,
    /// A character that nobody sees.
    Invisible(char),
    /// An image URL.
    Url,
    Email,
    Date,
    /// From first to last day, and not too many.
    Span,
    /// One of the offered choices.
    Choice,
    /// Not a number.
    Number,
    /// An ambiguous number.
    Separators,
    Negative,
    Zero,
    /// More than two decimals.
    TooPrecise,
    /// Larger than any quantity.
    TooLarge,
    /// An integer in this range.
    Whole(u32, u32),
    /// The amount of a tap.
    Step,
    /// A scanned or typed code of a product, with its check digit.
    ScannedCode,
    /// The name of a unique value.
    Property,
    /// A URN.
    Urn,
    /// The digits of a barcode.
    Barcode,
    /// A barcode whose last digit does not follow from the others.
    CheckDigit,
    /// The same twice.
    Repeated,
    /// At most this many of them.
    TooMany(usize),
    /// JSON.
    Data,
    /// At least one field is required.
    Nothing,
}

impl Rule {
    /// The message: what to do about it.
    pub(crate) fn said(self, words: &Words) -> String {
        let count = |key, count: usize| words.with(key, &[("count", count.into())]);
        match self {
            Self::Unstated => words.get("rule-unstated").into_owned(),
            Self::Missing => words.get("rule-missing").into_owned(),
            Self::TooShort(least) => count("rule-too-short", least),
            Self::TooLong(most) => count("rule-too-long", most),
            Self::Guessable(reason) => words.get(guessable(reason)).into_owned(),
            Self::Text(most) => count("rule-text", most),
            Self::Control => words.get("rule-control").into_owned(),
            Self::Invisible(c) => {
                let code = format!("U+{:04X}", u32::from(c));
                words.with("rule-invisible", &[("code", code.into())])
            }
            Self::Url => words.get("rule-url").into_owned(),
            Self::Email => words.get("rule-email").into_owned(),
            Self::Date => words.get("rule-date").into_owned(),
            Self::Span => words.get("rule-span").into_owned(),
            Self::Choice => words.get("rule-choice").into_owned(),
            Self::Number => words.get("rule-number").into_owned(),
            Self::Separators => words.get("rule-separators").into_owned(),
            Self::Negative => words.get("rule-negative").into_owned(),
            Self::Zero => words.get("rule-zero").into_owned(),
            Self::TooPrecise => words.get("rule-too-precise").into_owned(),
            Self::TooLarge => words.get("rule-too-large").into_owned(),
            Self::Whole(least, most) => {
                words.with("rule-whole", &[("least", least.into()), ("most", most.into())])
            }
            Self::Step => words.get("rule-step").into_owned(),
            Self::ScannedCode => words.get("rule-scanned-code").into_owned(),
            Self::Property => words.get("rule-property").into_owned(),
            Self::Urn => words.get("rule-urn").into_owned(),
            Self::Barcode => words.get("rule-barcode").into_owned(),
            Self::CheckDigit => words.get("rule-check-digit").into_owned(),
            Self::Repeated => words.get("rule-repeated").into_owned(),
            Self::TooMany(most) => count("rule-too-many", most),
            Self::Data => words.get("rule-data").into_owned(),
            Self::Nothing => words.get("rule-nothing").into_owned(),
        }
    }

    /// The name of an entry of the shopping list.
    pub(crate) const SHOPPING_NAME: Self = Self::Text(ShoppingName::MAX_CHARS);
    /// The notes of an entry of the shopping list.
    pub(crate) const SHOPPING_NOTES: Self = Self::TooLong(ShoppingNotes::MAX_CHARS);
    /// The quantity of an entry of the shopping list.
    pub(crate) const SHOPPING_QUANTITY: Self = Self::Whole(1, ShoppingQuantity::MAX);
}

impl From<TextError> for Rule {
    fn from(error: TextError) -> Self {
        match error {
            TextError::Blank => Self::Missing,
            TextError::TooLong { max, .. } => Self::TooLong(max),
            TextError::Control => Self::Control,
            TextError::Invisible(c) => Self::Invisible(c),
            TextError::NotAUrl => Self::Url,
        }
    }
}

/// The rules of the name of an entry of the shopping list.
impl From<InvalidShoppingField> for Rule {
    fn from(error: InvalidShoppingField) -> Self {
        match error {
            InvalidShoppingField::InvisibleInName(c) => Self::Invisible(c),
            _ => Self::SHOPPING_NAME,
        }
    }
}

impl From<QuantityError> for Rule {
    fn from(error: QuantityError) -> Self {
        match error {
            QuantityError::NotANumber => Self::Number,
            QuantityError::Negative => Self::Negative,
            QuantityError::Zero => Self::Zero,
            QuantityError::TooPrecise => Self::TooPrecise,
            QuantityError::TooLarge => Self::TooLarge,
        }
    }
}

impl From<InvalidStep> for Rule {
    fn from(error: InvalidStep) -> Self {
        match error {
            InvalidStep::Number(QuantityError::Negative | QuantityError::TooLarge)
            | InvalidStep::OutOfRange => Self::Step,
            InvalidStep::Number(error) => error.into(),
        }
    }
}

impl From<NumberError> for Rule {
    fn from(_: NumberError) -> Self {
        Self::Number
    }
}

impl From<DateError> for Rule {
    fn from(_: DateError) -> Self {
        Self::Date
    }
}

impl From<InvalidGtin> for Rule {
    fn from(error: InvalidGtin) -> Self {
        match error {
            InvalidGtin::Digits => Self::Barcode,
            InvalidGtin::CheckDigit => Self::CheckDigit,
        }
    }
}

impl From<InvalidBarcodes> for Rule {
    fn from(error: InvalidBarcodes) -> Self {
        match error {
            InvalidBarcodes::TooMany => Self::TooMany(Barcodes::MAX),
            InvalidBarcodes::Repeated => Self::Repeated,
        }
    }
}

impl From<InvalidId> for Rule {
    fn from(_: InvalidId) -> Self {
        Self::Choice
    }
}

impl From<UnknownZone> for Rule {
    fn from(_: UnknownZone) -> Self {
        Self::Choice
    }
}

impl From<UnknownCurrency> for Rule {
    fn from(_: UnknownCurrency) -> Self {
        Self::Choice
    }
}

impl From<InvalidEmail> for Rule {
    fn from(error: InvalidEmail) -> Self {
        match error {
            InvalidEmail::Shape => Self::Email,
            InvalidEmail::Invisible(c) => Self::Invisible(c),
        }
    }
}

impl From<PasswordError> for Rule {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::TooShort => Self::TooShort(8),
            PasswordError::TooLong => Self::TooLong(256),
        }
    }
}

impl From<GuessablePassword> for Rule {
    fn from(reason: GuessablePassword) -> Self {
        Self::Guessable(reason)
    }
}

const fn guessable(reason: GuessablePassword) -> &'static str {
    match reason {
        GuessablePassword::Common => "rule-password-common",
        GuessablePassword::Personal => "rule-password-personal",
        GuessablePassword::Word => "rule-password-word",
        GuessablePassword::Repetition => "rule-password-repetition",
        GuessablePassword::Sequence => "rule-password-sequence",
        GuessablePassword::Date => "rule-password-date",
        GuessablePassword::Short => "rule-password-short",
    }
}

impl From<InvalidPropertyName> for Rule {
    fn from(_: InvalidPropertyName) -> Self {
        Self::Property
    }
}

impl From<InvalidUniqueValue> for Rule {
    fn from(error: InvalidUniqueValue) -> Self {
        match error {
            InvalidUniqueValue::Blank => Self::Missing,
            // The limit is in bytes; this many characters always fit.
            InvalidUniqueValue::TooLong => Self::TooLong(150),
            InvalidUniqueValue::Control => Self::Control,
        }
    }
}

impl From<InvalidUrn> for Rule {
    fn from(_: InvalidUrn) -> Self {
        Self::Urn
    }
}
