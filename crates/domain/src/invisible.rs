//! Characters that nobody sees, with which two different names look the same.

/// The first character of the text that cannot be seen and has no visible effect where it stands.
///
/// What joins or varies visible characters is allowed where it does so: in emoji, in scripts that
/// join their letters, and behind ideographs.
pub(crate) fn find_invisible(text: &str) -> Option<char> {
    first_invisible(text).map(|(_, c)| c)
}

/// The text without such characters, for names from elsewhere that nobody can correct.
pub fn without_invisible(text: &str) -> String {
    let mut kept = text.to_owned();
    while let Some((at, _)) = first_invisible(&kept) {
        kept.remove(at);
    }
    kept
}

fn first_invisible(text: &str) -> Option<(usize, char)> {
    let mut before = None;
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let is_allowed = match c {
            ZERO_WIDTH_NON_JOINER => before.is_some_and(is_joining),
            ZERO_WIDTH_JOINER => {
                let is_emoji = |c: Option<char>| c.is_some_and(is_pictographic);
                before.is_some_and(is_joining)
                    || is_emoji(before) && is_emoji(rest.peek().map(|(_, c)| *c))
            }
            // Digits have them in "1️⃣".
            c if is_variation_selector(c) => {
                before.is_some_and(|c| !c.is_ascii() || matches!(c, '0'..='9' | '#' | '*'))
                    && !before.is_some_and(|c| is_ignorable(c) || c.is_whitespace())
            }
            // The flags of England, Scotland and Wales.
            '\u{e0020}'..='\u{e007f}' => before.is_some_and(|c| c == FLAG || is_tag(c)),
            c => !is_ignorable(c),
        };
        if !is_allowed {
            return Some((at, c));
        }
        before = Some(c);
    }
    None
}

const ZERO_WIDTH_NON_JOINER: char = '\u{200c}';
const ZERO_WIDTH_JOINER: char = '\u{200d}';
const FLAG: char = '\u{1f3f4}';

const fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0020}'..='\u{e007f}')
}

const fn is_variation_selector(c: char) -> bool {
    matches!(
        c,
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' | '\u{180b}'..='\u{180d}' | '\u{180f}'
    )
}

/// `Default_Ignorable_Code_Point` of Unicode 17, which includes the controls of direction, and the
/// separators and annotations that are not shown either.
const fn is_ignorable(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Letters of scripts in which joiners choose between forms, such as Arabic and those of India: the
/// blocks from Arabic to Vedic Extensions, and those of the same kind behind them.
const fn is_joining(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{1cff}' | '\u{a800}'..='\u{abff}') && !is_ignorable(c)
}

/// What emoji sequences are joined from: symbols, skin tones, and the selector of the emoji form.
const fn is_pictographic(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_has_nothing_invisible() {
        for text in [
            "Milk",
            "北海道産じゃがいも ｶﾞ ー々〆",
            "葛\u{e0100}城市", // An ideographic variation.
            "👩‍🍳 👨‍👩‍👧‍👦 🧑🏽‍🌾 🏳️‍🌈 ❤️‍🔥 🐈‍⬛ 👁️‍🗨️",
            "☕️ 1️⃣ #️⃣ ☎︎",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "می\u{200c}خواهم",      // Persian: "I want".
            "ക്\u{200d} ශ්\u{200d}රී", // Malayalam and Sinhala.
            "חלב 3% טרי",
            "زيت الزيتون",
            "e\u{301}",
            "안녕하세요",
        ] {
            assert_eq!(find_invisible(text), None, "{text}");
        }
    }

    #[test]
    fn what_only_makes_a_name_look_like_another_is_found() {
        for (text, found) in [
            ("Mi\u{200b}lk", '\u{200b}'),
            ("\u{feff}Milk", '\u{feff}'),
            ("Milk\u{202e}", '\u{202e}'),
            ("\u{2066}Milk\u{2069}", '\u{2066}'),
            ("Milk\u{200e}", '\u{200e}'),
            ("Mi\u{ad}lk", '\u{ad}'),
            ("Mi\u{200d}lk", '\u{200d}'),
            ("Mi\u{200c}lk", '\u{200c}'),
            ("\u{200d}", '\u{200d}'),
            ("牛乳\u{200d}", '\u{200d}'),
            ("🧀\u{200d}", '\u{200d}'),
            ("🧀\u{200d}\u{200d}🧀", '\u{200d}'),
            ("Milk\u{fe0f}", '\u{fe0f}'),
            (" \u{fe0f}", '\u{fe0f}'),
            ("\u{fe0f}", '\u{fe0f}'),
            ("☕\u{fe0f}\u{fe0f}", '\u{fe0f}'),
            ("\u{3164}", '\u{3164}'),
            ("a\u{e0067}", '\u{e0067}'),
            ("a\u{2028}b", '\u{2028}'),
            ("\u{2063}", '\u{2063}'),
        ] {
            assert_eq!(find_invisible(text), Some(found), "{}", text.escape_unicode());
            assert_eq!(find_invisible(&without_invisible(text)), None);
        }
        assert_eq!(without_invisible("\u{feff}Mi\u{ad}lk 👩‍🍳\u{200d}"), "Milk 👩‍🍳");
    }
}
