//! The subject of a mail, which contains what people chose.

use std::fmt::Write as _;

use lettre::message::header::{Header, HeaderName, HeaderValue};

/// How an encoded word begins (RFC 2047). Readers decode it wherever it stands in a subject.
pub(super) const ENCODED_WORD: &str = "=?";
/// So that the longest line, the first, has at most 76 characters with the name of the header.
const MAX_WORD_CHARS: usize = 54;

/// A subject that is shown as it is. The library encodes what is not ASCII, and passes on what looks
/// as if it had been encoded before: such a subject is encoded here, as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subject(pub(super) String);

impl Header for Subject {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Subject")
    }

    fn parse(text: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self(text.to_owned()))
    }

    fn display(&self) -> HeaderValue {
        let Self(text) = self;
        if text.contains(ENCODED_WORD) {
            let encoded = encoded(text);
            HeaderValue::dangerous_new_pre_encoded(Self::name(), text.clone(), encoded)
        } else {
            HeaderValue::new(Self::name(), text.clone())
        }
    }
}

/// The text as encoded words, each with whole characters.
fn encoded(text: &str) -> String {
    let mut words = vec![String::new()];
    for c in text.chars() {
        let mut piece = String::new();
        if c.is_ascii_alphanumeric() {
            piece.push(c);
        } else {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                write!(piece, "={byte:02X}").expect("writing into a string never fails");
            }
        }
        match words.last_mut() {
            Some(word) if word.len() + piece.len() <= MAX_WORD_CHARS => word.push_str(&piece),
            _ => words.push(piece),
        }
    }
    let words: Vec<_> = words.iter().map(|word| format!("=?utf-8?Q?{word}?=")).collect();
    words.join("\r\n ")
}

#[cfg(test)]
mod tests {
    use lettre::message::header::Headers;

    use super::*;

    fn line(subject: &str) -> String {
        let mut headers = Headers::new();
        headers.set(Subject(subject.to_owned()));
        headers.to_string()
    }

    /// What a reader shows of encoded words, between which white space does not count.
    fn decoded(header: &str) -> String {
        let mut bytes = Vec::new();
        for word in header.trim_start_matches("Subject: ").trim_end().split("\r\n ") {
            let word = word.strip_prefix("=?utf-8?Q?").unwrap().strip_suffix("?=").unwrap();
            let mut rest = word.as_bytes();
            while let Some((first, behind)) = rest.split_first() {
                if *first == b'=' {
                    let hex = std::str::from_utf8(&behind[..2]).unwrap();
                    bytes.push(u8::from_str_radix(hex, 16).unwrap());
                    rest = &behind[2..];
                } else {
                    bytes.push(*first);
                    rest = behind;
                }
            }
        }
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn what_looks_encoded_is_shown_as_it_is() {
        for name in ["=?utf-8?Q?Your_bank?=", "=?utf-8?B?WW91ciBiYW5r?=", "a =?x", "りんご =?=_?="]
        {
            let subject = format!("Low stock: {name} / 残りわずか: {name}");
            let header = line(&subject);
            assert!(!header.contains(name), "{header}");
            assert_eq!(decoded(&header), subject);
            assert!(header.is_ascii() && header.lines().all(|line| line.len() <= 76), "{header}");
        }
    }

    #[test]
    fn other_subjects_are_left_to_the_library() {
        assert_eq!(line("Low stock: Milk = 0?"), "Subject: Low stock: Milk = 0?\r\n");
    }
}
