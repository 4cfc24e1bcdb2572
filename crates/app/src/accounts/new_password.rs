//! Passwords that somebody chooses. Those that are tried first are refused, with the reason.

use larder_domain::Password;
use thiserror::Error;
use zxcvbn::{
    Score,
    feedback::{Feedback, Warning},
    zxcvbn,
};

/// The estimate's time grows faster than the text. A password whose beginning is strong is strong.
const MAX_CHARS: usize = 64;

/// A password that an account may get.
#[derive(Debug)]
pub struct NewPassword(Password);

/// Why a password is easily guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum GuessablePassword {
    /// It is on lists of passwords, perhaps with other letters.
    #[error(
        "is easily guessed, because many people use it; three or four unrelated words are better"
    )]
    Common,
    /// It is the person's own name or address.
    #[error("is easily guessed from your name or email address")]
    Personal,
    /// A word, or a name of somebody.
    #[error(
        "is easily guessed, because it is a single word or name; add one or two unrelated ones"
    )]
    Word,
    /// Such as `aaaaaaaa` or `abcabcabc`.
    #[error("is easily guessed, because it repeats itself")]
    Repetition,
    /// Such as `abcdefgh` or `qwertyui`.
    #[error(
        "is easily guessed, because its characters follow each other in the alphabet or on the keyboard"
    )]
    Sequence,
    /// A date or year.
    #[error("is easily guessed, because it is a date")]
    Date,
    /// For none of these reasons.
    #[error("is easily guessed; add one or two unrelated words")]
    Short,
}

impl NewPassword {
    /// Refuses a password that could be guessed within some million attempts, by somebody who knows
    /// `about` the person. There are no other rules: they make passwords worse.
    pub fn choose(password: Password, about: &[&str]) -> Result<Self, GuessablePassword> {
        let text: String = password.reveal().chars().take(MAX_CHARS).collect();
        let words = about.iter().flat_map(|it| it.split(|c: char| !c.is_alphanumeric()));
        let known: Vec<&str> = about.iter().copied().chain(words).collect();
        let estimate = zxcvbn(&text, &known);
        if estimate.score() >= Score::Two {
            return Ok(Self(password));
        }
        if estimate.guesses() < zxcvbn(&text, &[]).guesses() {
            return Err(GuessablePassword::Personal);
        }
        let warning = estimate.feedback().and_then(Feedback::warning);
        Err(warning.map_or(GuessablePassword::Short, reason))
    }

    /// The password.
    pub fn password(&self) -> &Password {
        &self.0
    }
}

fn reason(warning: Warning) -> GuessablePassword {
    match warning {
        Warning::ThisIsATop10Password
        | Warning::ThisIsATop100Password
        | Warning::ThisIsACommonPassword
        | Warning::ThisIsSimilarToACommonlyUsedPassword => GuessablePassword::Common,
        Warning::AWordByItselfIsEasyToGuess
        | Warning::NamesAndSurnamesByThemselvesAreEasyToGuess
        | Warning::CommonNamesAndSurnamesAreEasyToGuess => GuessablePassword::Word,
        Warning::RepeatsLikeAaaAreEasyToGuess
        | Warning::RepeatsLikeAbcAbcAreOnlySlightlyHarderToGuess => GuessablePassword::Repetition,
        Warning::SequencesLikeAbcAreEasyToGuess
        | Warning::StraightRowsOfKeysAreEasyToGuess
        | Warning::ShortKeyboardPatternsAreEasyToGuess => GuessablePassword::Sequence,
        Warning::RecentYearsAreEasyToGuess | Warning::DatesAreOftenEasyToGuess => {
            GuessablePassword::Date
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOUT: [&str; 2] = ["mia.rosenbaum@example.com", "Mia Rosenbaum"];

    fn refusal(text: &str) -> Option<GuessablePassword> {
        NewPassword::choose(Password::parse(text).unwrap(), &ABOUT).err()
    }

    #[test]
    fn what_is_tried_first_is_refused_with_the_reason() {
        for (text, reason) in [
            ("password", GuessablePassword::Common),
            ("Passw0rd!", GuessablePassword::Common),
            ("iloveyou1", GuessablePassword::Common),
            ("mia.rosenbaum@example.com", GuessablePassword::Personal),
            ("RosenbaumMia", GuessablePassword::Personal),
            ("rosenbaum", GuessablePassword::Personal),
            ("sunshine", GuessablePassword::Common),
            ("elizabeth", GuessablePassword::Word),
            ("        ", GuessablePassword::Repetition),
            ("ねこねこねこねこ", GuessablePassword::Repetition),
            ("hunter2hunter2", GuessablePassword::Repetition),
            ("abcdefghijk", GuessablePassword::Sequence),
            ("19850312", GuessablePassword::Date),
        ] {
            assert_eq!(refusal(text), Some(reason), "{text}");
        }
    }

    #[test]
    fn ordinary_good_passwords_are_taken() {
        for text in [
            "four words in a row",
            "kitchen cupboard",
            "xkqzjvmw",
            "tr0ub4dor&3",
            "私の家族の台所です",
            "mia likes rosenbaum trees",
        ] {
            assert_eq!(refusal(text), None, "{text}");
        }
    }

    #[test]
    fn a_long_password_is_judged_by_its_beginning() {
        assert_eq!(refusal(&"a".repeat(256)), Some(GuessablePassword::Repetition));
        let long = format!("four words in a row{}", "a".repeat(237));
        assert_eq!(refusal(&long), None);
    }
}
