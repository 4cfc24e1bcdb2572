//! The sender address of mail.

use lettre::Address;

/// An address such as `larder@example.org`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailAddress(Address);

impl MailAddress {
    /// The accepted values, for error messages.
    pub const ACCEPTED: &str = "an e-mail address, such as larder@example.org";

    /// Parses an address; `None` if it is invalid.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }

    /// The part after the `@`.
    pub fn domain(&self) -> &str {
        self.0.domain()
    }

    pub(super) const fn address(&self) -> &Address {
        &self.0
    }
}

impl std::fmt::Display for MailAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_two_sides_and_one_line() {
        let address = MailAddress::parse("larder@example.org").unwrap();
        assert_eq!(address.domain(), "example.org");
        assert_eq!(address.to_string(), "larder@example.org");
        for text in [
            "",
            "larder",
            "@example.org",
            "larder@",
            "Larder <larder@example.org>",
            "larder@example.org\r\nBcc: eve@example.org",
            "larder@exam ple.org",
        ] {
            assert_eq!(MailAddress::parse(text), None, "{text:?}");
        }
    }
}
