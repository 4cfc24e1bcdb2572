//! Goods as people type them into one line: "milk 2 L", "500 g mince", "牛乳2本".

use crate::{Quantity, Unit, text::fold};

/// What one line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedGoods {
    /// The name, as it was typed.
    pub name: String,
    /// How much; `None` if the line does not say.
    pub quantity: Option<Quantity>,
    /// The unit; `None` if the line does not say.
    pub unit: Option<Unit>,
}

/// Units that people count goods in, folded. Those that measure are known to [`Unit`].
const COUNTED: &[&str] = &[
    "pc",
    "pcs",
    "piece",
    "pieces",
    "pack",
    "packs",
    "bag",
    "bags",
    "bottle",
    "bottles",
    "can",
    "cans",
    "tin",
    "tins",
    "jar",
    "jars",
    "box",
    "boxes",
    "roll",
    "rolls",
    "個",
    "本",
    "袋",
    "枚",
    "缶",
    "箱",
    "束",
    "玉",
    "パック",
    "瓶",
    "丁",
    "斤",
];

/// The signs that say "times", folded.
const TIMES: [&str; 2] = ["x", "×"];

impl TypedGoods {
    /// Reads a line. A number counts only with a unit or a sign for "times" beside it, at the
    /// beginning or the end: "7 Up" and "Vitamin B12" are names.
    pub fn read(line: &str) -> Self {
        let line = line.trim();
        let found = amount_at_the_end(line).or_else(|| amount_at_the_beginning(line));
        found.unwrap_or_else(|| Self { name: line.to_owned(), quantity: None, unit: None })
    }
}

fn amount_at_the_end(line: &str) -> Option<TypedGoods> {
    let last_digit = line.rfind(is_digit)?;
    let (front, unit) = line.split_at(last_digit + line[last_digit..].chars().next()?.len_utf8());
    let name_end = front.trim_end_matches(|c| is_digit(c) || is_point(c)).len();
    let (name, number) = front.split_at(name_end);
    if unit.trim().is_empty() {
        let (name, sign) = name.trim_end().split_at_checked(sign_start(name.trim_end())?)?;
        let is_times = TIMES.contains(&fold(sign).as_str()) && name.ends_with(char::is_whitespace);
        return is_times.then(|| goods(name, number, None))?;
    }
    // The digits of "B12" belong to the word.
    let is_apart = !name.ends_with(|c: char| c.is_ascii_alphanumeric());
    is_apart.then(|| goods(name, number, Some(unit)))?
}

fn amount_at_the_beginning(line: &str) -> Option<TypedGoods> {
    let after = line.trim_start_matches(|c| is_digit(c) || is_point(c));
    let number = &line[..line.len() - after.len()];
    let (unit, name) = after.trim_start().split_once(char::is_whitespace)?;
    if TIMES.contains(&fold(unit).as_str()) {
        goods(name, number, None)
    } else {
        goods(name, number, Some(unit))
    }
}

/// Where the last character begins.
fn sign_start(text: &str) -> Option<usize> {
    text.char_indices().next_back().map(|(at, _)| at)
}

/// The goods, if the number is an amount and the unit is known.
fn goods(name: &str, number: &str, unit: Option<&str>) -> Option<TypedGoods> {
    let name = name.trim();
    let quantity = amount(number).filter(|quantity| !quantity.is_zero())?;
    let unit = match unit {
        Some(unit) => Some(known_unit(unit.trim())?),
        None => None,
    };
    (!name.is_empty()).then(|| TypedGoods { name: name.to_owned(), quantity: Some(quantity), unit })
}

/// A number with a point or a comma. "1,500" may be one and a half or a thousand and more: it is
/// not read.
fn amount(number: &str) -> Option<Quantity> {
    let plain = fold(number).replace(',', ".");
    let decimals = plain.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    if decimals > 2 { None } else { Quantity::parse(&plain).ok() }
}

fn known_unit(unit: &str) -> Option<Unit> {
    let folded = fold(unit);
    let parsed = Unit::parse(unit).ok()?;
    // A small l looks like a 1.
    if folded == "l" {
        return Unit::parse("L").ok();
    }
    (parsed.is_measure() || COUNTED.contains(&folded.as_str())).then_some(parsed)
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || ('０'..='９').contains(&c)
}

fn is_point(c: char) -> bool {
    matches!(c, '.' | ',' | '．' | '，')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(line: &str) -> (String, String, String) {
        let TypedGoods { name, quantity, unit } = TypedGoods::read(line);
        let quantity = quantity.map(|it| it.to_string()).unwrap_or_default();
        (name, quantity, unit.map(|it| it.as_str().to_owned()).unwrap_or_default())
    }

    #[test]
    fn an_amount_is_read_before_or_after_the_name() {
        for (line, name, quantity, unit) in [
            ("milk 2 L", "milk", "2", "L"),
            ("2 l milk", "milk", "2", "L"),
            (" Minced beef  500g ", "Minced beef", "500", "g"),
            ("0,5 kg Gouda", "Gouda", "0.5", "kg"),
            ("Rice 1.25 KG", "Rice", "1.25", "KG"),
            ("eggs x 10", "eggs", "10", ""),
            ("eggs ×10", "eggs", "10", ""),
            ("6 x yoghurt", "yoghurt", "6", ""),
            ("3 cans tuna in oil", "tuna in oil", "3", "cans"),
            ("牛乳2本", "牛乳", "2", "本"),
            ("牛乳　２００ｍｌ", "牛乳", "200", "ｍｌ"),
            ("2個 卵", "卵", "2", "個"),
        ] {
            let expected = (name.to_owned(), quantity.to_owned(), unit.to_owned());
            assert_eq!(read(line), expected, "{line}");
        }
    }

    #[test]
    fn numbers_of_names_stay_in_them() {
        for line in [
            "7 Up",
            "Vitamin B12",
            "Vitamin B12 g",
            "Omega 3",
            "Milk",
            "2 L",
            "Flour type 405",
            "Rice 1,500 g",
            "Rice 0 kg",
            "Rice 1..5 kg",
            "Rice 999999999999 kg",
            "Box 3 x",
            "x 3",
            "3",
            "",
        ] {
            assert_eq!(read(line), (line.to_owned(), String::new(), String::new()), "{line}");
        }
    }

    proptest! {
        #[test]
        fn any_line_has_the_name_that_is_in_it(line in "\\PC{0,40}") {
            let goods = TypedGoods::read(&line);
            prop_assert!(line.contains(&goods.name));
            prop_assert_eq!(goods.name.is_empty(), line.trim().is_empty());
        }
    }
}
