//! An item as a row of the list, with its badges.

use jiff::civil::Date;
use larder_domain::{ExpirationDate, ExpirationStatus, Item, ItemDetails, StorageLocation};

use crate::{Frame, format};

/// A warning or hint about an item.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::pages) struct Badge {
    /// The CSS class of its colour.
    pub(in crate::pages) tone: &'static str,
    pub(in crate::pages) text: String,
}

/// A row of the list.
pub(super) struct Row {
    pub(super) id: String,
    pub(super) version: u64,
    pub(super) name: String,
    pub(super) quantity: String,
    pub(super) unit: String,
    /// The amount of one press.
    pub(super) step: String,
    /// The labels of the buttons for screen readers.
    pub(super) take: String,
    pub(super) put: String,
    /// The label of the button that puts it on the shopping list.
    pub(super) to_list: String,
    pub(super) place: String,
    pub(super) category: String,
    pub(super) badges: Vec<Badge>,
}

impl Row {
    pub(super) fn of(
        frame: &Frame,
        item: &Item,
        own: &[StorageLocation],
        today: Date,
        is_low: bool,
    ) -> Self {
        let details = &item.details;
        let place = details.location.map(|id| unbroken(&frame.location(id, own)));
        let (name, step) = (details.name.as_str(), details.unit.usual_step().to_string());
        Self {
            id: item.id.to_string(),
            version: item.version,
            name: name.to_owned(),
            quantity: details.quantity.to_string(),
            unit: details.unit.as_str().to_owned(),
            take: frame.t2("stock-take", ("amount", step.as_str()), ("name", name)),
            put: frame.t2("stock-put", ("amount", step.as_str()), ("name", name)),
            to_list: frame.t1("stock-to-list", "name", name),
            step,
            place: place.unwrap_or_default(),
            category: unbroken(&frame.category(details.category)),
            badges: badges(frame, details, today, is_low),
        }
    }
}

/// A name that stays on the same line as its emoji.
pub(in crate::pages) fn unbroken(text: &str) -> String {
    text.replacen(' ', "\u{a0}", 1)
}

/// The badges of an item today. `is_low` is about all lots of its product together.
pub(in crate::pages) fn badges(
    frame: &Frame,
    details: &ItemDetails,
    today: Date,
    is_low: bool,
) -> Vec<Badge> {
    if details.is_depleted() {
        return vec![Badge { tone: "bad", text: frame.t("stock-badge-depleted").into_owned() }];
    }
    let mut badges = Vec::new();
    badges.extend(details.good_until().map(|date| expiry(frame, date, today)));
    if is_low {
        badges.push(Badge { tone: "warn", text: frame.t("stock-badge-low").into_owned() });
    }
    badges
}

/// The same where there is little room: a date has no year, and one that is a year away is told only
/// where there is room.
pub(super) fn short_badges(
    frame: &Frame,
    details: &ItemDetails,
    today: Date,
    is_low: bool,
) -> Vec<Badge> {
    let mut badges = badges(frame, details, today, is_low);
    if let (Some(date), Some(badge)) = (details.good_until(), badges.first_mut()) {
        let days = (date.date() - today).get_days();
        match badge.tone {
            "bad" if days < 0 && !details.is_depleted() => {
                badge.text = frame.t("stock-badge-over").into_owned();
            }
            "plain" if days > FAR_DAYS => {
                badge.text = format::day(frame.words, date.date());
                badge.tone = "plain far";
            }
            "plain" => badge.text = format::near_day(frame.words, date.date()),
            _ => {}
        }
    }
    badges
}

/// A date after so many days matters to nobody today.
const FAR_DAYS: i32 = 300;

fn expiry(frame: &Frame, date: ExpirationDate, today: Date) -> Badge {
    let days = (date.date() - today).get_days();
    let (tone, text) = match ExpirationStatus::of(Some(date), today) {
        ExpirationStatus::Expired => ("bad", frame.t1("stock-badge-expired", "count", -days)),
        ExpirationStatus::ExpiringSoon if days == 0 => {
            ("warn", frame.t("stock-badge-today").into_owned())
        }
        ExpirationStatus::ExpiringSoon => ("warn", frame.t1("stock-badge-soon", "count", days)),
        _ => {
            let day = format::day(frame.words, date.date());
            ("plain", frame.t1("stock-badge-until", "day", day))
        }
    };
    Badge { tone, text }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use larder_domain::{ItemName, Language, Quantity, Unit};

    use super::*;
    use crate::{
        frame::{Section, Theme},
        words::Words,
    };

    fn frame(language: Language) -> Frame {
        Frame {
            words: Words::of(language),
            theme: Theme::Auto,
            section: Section::Stock,
            csrf: String::new(),
            at: String::new(),
            notice: None,
            resident: None,
        }
    }

    fn told(
        quantity: &str,
        until: Option<&str>,
        language: Language,
    ) -> Vec<(&'static str, String)> {
        let is_low = Quantity::parse(quantity).unwrap() < Quantity::ONE;
        let details = ItemDetails {
            expiration: until.map(|until| ExpirationDate::parse(until).unwrap()),
            ..ItemDetails::new(
                ItemName::parse("Milk").unwrap(),
                Quantity::parse(quantity).unwrap(),
                Unit::parse("L").unwrap(),
            )
        };
        let badges = badges(&frame(language), &details, date(2026, 2, 28), is_low);
        badges.into_iter().map(|badge| (badge.tone, badge.text)).collect()
    }

    #[test]
    fn a_date_is_told_by_how_near_it_is() {
        for (until, tone, english, japanese) in [
            ("2026-02-26", "bad", "expired 2 days ago", "2日前に期限切れ"),
            ("2026-02-27", "bad", "expired yesterday", "1日前に期限切れ"),
            ("2026-02-28", "warn", "today", "今日まで"),
            ("2026-03-01", "warn", "tomorrow", "あと1日"),
            ("2026-03-03", "warn", "in 3 days", "あと3日"),
            ("2026-03-04", "plain", "until 4 Mar 2026", "2026年3月4日まで"),
        ] {
            for (language, text) in [(Language::English, english), (Language::Japanese, japanese)] {
                assert_eq!(told("1", Some(until), language), [(tone, text.to_owned())]);
            }
        }
    }

    #[test]
    fn what_is_low_says_so_and_what_is_used_up_says_nothing_else() {
        let told = |quantity, until| told(quantity, until, Language::English);
        assert_eq!(told("1", None), []);
        assert_eq!(told("0.5", None), [("warn", "low".to_owned())]);
        assert_eq!(told("0.5", Some("2026-02-28")).len(), 2);
        assert_eq!(told("0", Some("2026-02-28")), [("bad", "used up".to_owned())]);
    }
}
