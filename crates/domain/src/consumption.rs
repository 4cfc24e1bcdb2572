//! How much of a product was used, week by week.

use std::collections::BTreeMap;

use jiff::{Span, Timestamp, civil::Date};

use crate::{Item, ItemDetails, Quantity, StockSum, Unit, Versions, Zone};

/// How many weeks are looked at, the current one included.
pub const CONSUMPTION_WEEKS: usize = 12;

/// What was used in one week.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeekConsumption {
    /// Its Monday.
    pub begin: Date,
    /// In the unit of the product.
    pub used: Quantity,
}

/// The Mondays of the last weeks until this day, oldest first.
pub fn weeks_until(today: Date) -> [Date; CONSUMPTION_WEEKS] {
    let since_monday = i64::from(today.weekday().to_monday_zero_offset());
    std::array::from_fn(|index| {
        let weeks_ago = i64::try_from(CONSUMPTION_WEEKS - 1 - index).unwrap_or(0);
        today.saturating_sub(Span::new().days(since_monday + 7 * weeks_ago))
    })
}

/// What one moment did to the lots together.
struct Moment {
    decreased: StockSum,
    increased: StockSum,
}

/// What these changes of a product's lots used in each of the last weeks, oldest first.
///
/// A lot that became less was used; one that was deleted was not, because deleting corrects a
/// mistake or follows a merge. What another lot gained at the same moment was only moved, as when
/// part of a lot is opened. Amounts in units that do not convert are left out. A day belongs to the
/// week that it has in the household's time zone.
pub fn weekly_consumption<'a>(
    changes: impl IntoIterator<Item = (Timestamp, &'a Versions<Item>)>,
    unit: &Unit,
    zone: &Zone,
    today: Date,
) -> [WeekConsumption; CONSUMPTION_WEEKS] {
    let mut moments: BTreeMap<Timestamp, Moment> = BTreeMap::new();
    for (at, versions) in changes {
        let Some((before, after)) = amounts(versions, unit) else { continue };
        let nothing = Moment { decreased: StockSum::ZERO, increased: StockSum::ZERO };
        let moment = moments.entry(at).or_insert(nothing);
        moment.decreased = moment.decreased.plus(before.without(after));
        moment.increased = moment.increased.plus(after.without(before));
    }
    let weeks = weeks_until(today);
    let mut sums = [StockSum::ZERO; CONSUMPTION_WEEKS];
    for (at, Moment { decreased, increased }) in moments {
        let day = zone.day_of(at);
        let week = weeks.partition_point(|begin| *begin <= day).checked_sub(1);
        if let Some(sum) = week.and_then(|week| sums.get_mut(week)).filter(|_| day <= today) {
            *sum = sum.plus(decreased.without(increased));
        }
    }
    std::array::from_fn(|week| WeekConsumption { begin: weeks[week], used: sums[week].quantity() })
}

/// The amounts before and after a change; `None` if it does not count.
fn amounts(versions: &Versions<Item>, unit: &Unit) -> Option<(StockSum, StockSum)> {
    let amount = |details: &ItemDetails| StockSum::of(unit, [details]);
    match (&versions.old, &versions.new) {
        (Some(old), Some(new)) => Some((amount(&old.details)?, amount(&new.details)?)),
        (None, Some(new)) => Some((StockSum::ZERO, amount(&new.details)?)),
        (_, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::{ItemId, Owner, UserId, item::tests::details};

    fn lot(quantity: &str, unit: &str) -> Item {
        let by = UserId::fixed(1);
        let details = details("Milk", quantity, unit);
        Item::new(ItemId::fixed(1), Owner::User(by), details, by, Timestamp::UNIX_EPOCH)
    }

    /// A change of a lot in litres, from one quantity to another; `-` is no lot.
    fn change(at: &str, old: &str, new: &str) -> (Timestamp, Versions<Item>) {
        changed(at, (old, "L"), (new, "L"))
    }

    fn changed(at: &str, old: (&str, &str), new: (&str, &str)) -> (Timestamp, Versions<Item>) {
        let version = |(quantity, unit)| (quantity != "-").then(|| lot(quantity, unit));
        (at.parse().unwrap(), Versions { old: version(old), new: version(new) })
    }

    /// What was used, by week, in weeks that have any; seen from Wednesday, 18 Nov 2026 in Tokyo.
    fn used(changes: &[(Timestamp, Versions<Item>)]) -> Vec<(String, String)> {
        let (unit, zone) = (Unit::parse("L").unwrap(), Zone::parse("Asia/Tokyo").unwrap());
        let changes = changes.iter().map(|(at, versions)| (*at, versions));
        let weeks = weekly_consumption(changes, &unit, &zone, date(2026, 11, 18));
        let weeks = weeks.into_iter().filter(|week| !week.used.is_zero());
        weeks.map(|week| (week.begin.to_string(), week.used.to_string())).collect()
    }

    fn weeks(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        let owned = |(week, used): &(&str, &str)| ((*week).to_owned(), (*used).to_owned());
        expected.iter().map(owned).collect()
    }

    #[test]
    fn weeks_begin_on_mondays_and_the_current_one_is_the_last() {
        let weeks = weeks_until(date(2026, 11, 18));
        assert_eq!(weeks.first(), Some(&date(2026, 8, 31)));
        assert_eq!(weeks.last(), Some(&date(2026, 11, 16)));
        assert_eq!(weeks_until(date(2026, 11, 16)), weeks);
        assert_eq!(weeks_until(date(2026, 11, 22)), weeks);
        assert_eq!(weeks_until(date(2026, 11, 23)).last(), Some(&date(2026, 11, 23)));
    }

    #[test]
    fn what_became_less_was_used_and_what_was_added_or_deleted_was_not() {
        let at = |hour| format!("2026-11-17T0{hour}:00:00Z");
        let changes = [
            change(&at(0), "-", "5"),
            change(&at(1), "5", "3.5"),
            change(&at(2), "3.5", "9"),
            change(&at(3), "9", "8.75"),
            change(&at(4), "8.75", "8.75"),
            change(&at(5), "8.75", "-"),
        ];
        assert_eq!(used(&changes), weeks(&[("2026-11-16", "1.75")]));
    }

    #[test]
    fn a_day_is_in_the_week_that_it_has_at_home() {
        let changes = [
            // Sunday, 23:59 in Tokyo.
            change("2026-11-15T14:59:59Z", "5", "4"),
            // Monday, 0:00 in Tokyo.
            change("2026-11-15T15:00:00Z", "4", "2"),
        ];
        assert_eq!(used(&changes), weeks(&[("2026-11-09", "1"), ("2026-11-16", "2")]));
    }

    #[test]
    fn what_is_older_or_dated_after_today_is_left_out() {
        let changes = [
            change("2026-08-30T14:59:59Z", "5", "4"),
            change("2026-08-30T15:00:00Z", "4", "3"),
            change("2026-11-18T14:59:59Z", "3", "2"),
            change("2026-11-18T15:00:00Z", "2", "1"),
        ];
        assert_eq!(used(&changes), weeks(&[("2026-08-31", "1"), ("2026-11-16", "1")]));
    }

    #[test]
    fn units_convert_exactly_and_those_that_do_not_are_left_out() {
        let at = "2026-11-17T00:00:00Z";
        let changes = [
            changed("2026-11-17T00:00:01Z", ("500", "ml"), ("495", "ml")),
            changed("2026-11-17T00:00:02Z", ("495", "ml"), ("490", "ml")),
            // Another way to say the same.
            changed("2026-11-17T00:00:03Z", ("1", "L"), ("1000", "ml")),
            changed("2026-11-17T00:00:04Z", ("3", "個"), ("1", "個")),
            changed(at, ("3", "個"), ("1", "L")),
        ];
        assert_eq!(used(&changes), weeks(&[("2026-11-16", "0.01")]));
    }

    #[test]
    fn what_another_lot_gains_at_the_same_moment_was_moved() {
        let at = "2026-11-17T00:00:00Z";
        // A litre of five was opened.
        assert_eq!(used(&[change(at, "5", "4"), change(at, "-", "1")]), weeks(&[]));
        // Two lots became one.
        assert_eq!(used(&[change(at, "1", "3"), change(at, "2", "-")]), weeks(&[]));
        // Taken from two lots.
        let both = [change(at, "1", "0"), change(at, "5", "4")];
        assert_eq!(used(&both), weeks(&[("2026-11-16", "2")]));
    }
}
