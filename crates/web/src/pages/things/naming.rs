//! Names of things for people. A thing has a name; its kind and the names of its unique values are
//! identifiers such as `LivingRoom`, which are converted here from and to words: “Living room”, 部屋.

use larder_app::resource_name;
use larder_domain::{
    InvalidPropertyName, InvalidResourceType, Language, PropertyName, Resource, ResourceType, Urn,
};

use crate::Words;

/// An identifier, and the key of its word.
type KnownName = (&'static str, &'static str);

/// Predefined kinds.
const KINDS: [KnownName; 16] = [
    ("Building", "things-kind-building"),
    ("Room", "things-kind-room"),
    ("Furniture", "things-kind-furniture"),
    ("Cupboard", "things-kind-cupboard"),
    ("Shelf", "things-kind-shelf"),
    ("Drawer", "things-kind-drawer"),
    ("Box", "things-kind-box"),
    ("Bag", "things-kind-bag"),
    ("Appliance", "things-kind-appliance"),
    ("Tool", "things-kind-tool"),
    ("Book", "things-kind-book"),
    ("Clothing", "things-kind-clothing"),
    ("Toy", "things-kind-toy"),
    ("Vehicle", "things-kind-vehicle"),
    ("Document", "things-kind-document"),
    ("Group", "things-kind-group"),
];

/// Predefined unique values.
const PROPERTIES: [KnownName; 4] = [
    ("serialNumber", "things-property-serial-number"),
    ("barcode", "things-property-barcode"),
    ("registrationNumber", "things-property-registration-number"),
    ("inventoryNumber", "things-property-inventory-number"),
];

/// The title of a thing: its name, or else its kind and the end of its id.
pub(super) fn title(words: &Words, resource: &Resource) -> String {
    let name = resource_name(resource).map(str::to_owned);
    name.unwrap_or_else(|| title_without_name(words, &resource.urn))
}

/// The same if only the URN is known.
pub(super) fn title_without_name(words: &Words, urn: &Urn) -> String {
    let id = urn.id().to_string();
    // Ids begin with the time, so that things of one day only differ at the end.
    let (_, end) = id.split_at(id.len() - 6);
    format!("{} {end}", kind(words, urn.resource_type()))
}

/// A kind in words.
pub(super) fn kind(words: &Words, resource_type: &ResourceType) -> String {
    shown(words, &KINDS, resource_type.as_str())
}

/// Parses a kind.
pub(super) fn read_kind(words: &Words, text: &str) -> Result<ResourceType, InvalidResourceType> {
    ResourceType::parse(&read(words, &KINDS, text, Case::Upper))
}

/// Common kinds to choose from.
pub(super) fn usual_kinds(words: &Words) -> impl Iterator<Item = String> {
    KINDS.iter().map(|(_, key)| words.get(key).into_owned())
}

/// The name of a unique value in words.
pub(super) fn property(words: &Words, property: &PropertyName) -> String {
    shown(words, &PROPERTIES, property.as_str())
}

/// Parses the name of a unique value.
pub(super) fn read_property(
    words: &Words,
    text: &str,
) -> Result<PropertyName, InvalidPropertyName> {
    PropertyName::parse(&read(words, &PROPERTIES, text, Case::Lower))
}

/// Common names of unique values to choose from.
pub(super) fn usual_properties(words: &Words) -> Vec<String> {
    PROPERTIES.iter().map(|(_, key)| words.get(key).into_owned()).collect()
}

fn shown(words: &Words, known: &[KnownName], identifier: &str) -> String {
    match known.iter().find(|(name, _)| *name == identifier) {
        Some((_, key)) => words.get(key).into_owned(),
        None => in_words(identifier),
    }
}

/// The case of an identifier's first letter.
#[derive(Clone, Copy)]
enum Case {
    Upper,
    Lower,
}

fn read(words: &Words, known: &[KnownName], text: &str, case: Case) -> String {
    let text = text.trim();
    let is_word = |key: &str, words: &Words| words.get(key).to_lowercase() == text.to_lowercase();
    // Words of the other language are understood too.
    let languages = std::iter::once(words).chain(Language::ALL.map(Words::of));
    let found = languages
        .flat_map(|words| known.iter().map(move |known| (known, words)))
        .find(|((_, key), words)| is_word(key, words));
    match found {
        Some(((identifier, _), _)) => (*identifier).to_owned(),
        None => joined(text, case),
    }
}

/// `LivingRoom` as “Living room”, which parses to the same identifier.
fn in_words(identifier: &str) -> String {
    let mut text = String::with_capacity(identifier.len() + 4);
    let mut characters = identifier.chars().peekable();
    let mut before = ' ';
    while let Some(character) = characters.next() {
        let begins_word = before.is_ascii_lowercase() && character.is_ascii_uppercase();
        if begins_word {
            text.push(' ');
        }
        // A word in capitals is kept.
        let in_capitals = characters.peek().is_some_and(char::is_ascii_uppercase);
        if begins_word && !in_capitals {
            text.push(character.to_ascii_lowercase());
        } else {
            text.push(character);
        }
        before = character;
    }
    text
}

/// “living room” as `LivingRoom`, or `livingRoom`.
fn joined(text: &str, case: Case) -> String {
    let is_gap = |c: char| c.is_whitespace() || c == '-';
    let words = text.split(is_gap).filter(|word| !word.is_empty()).enumerate();
    let capital = |word: &str| {
        let mut characters = word.chars();
        let first = characters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(characters).collect::<String>()
    };
    let word = |(at, word): (usize, &str)| match case {
        Case::Lower if at == 0 => word.to_owned(),
        _ => capital(word),
    };
    words.map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english() -> &'static Words {
        Words::of(Language::English)
    }

    fn japanese() -> &'static Words {
        Words::of(Language::Japanese)
    }

    #[test]
    fn kinds_are_written_in_words_and_read_from_them() {
        let kinds = [
            ("LivingRoom", "Living room"),
            ("Home.SpareRoom", "Home.Spare room"),
            ("USBCable", "USBCable"),
            ("MyTV", "My TV"),
            ("PlanB", "Plan b"),
            ("Box2", "Box2"),
        ];
        for (identifier, words) in kinds {
            let resource_type = ResourceType::parse(identifier).unwrap();
            assert_eq!(kind(english(), &resource_type), words);
            assert_eq!(read_kind(english(), words), Ok(resource_type), "{words}");
        }
        assert_eq!(read_kind(english(), "  camping gear ").unwrap().as_str(), "CampingGear");
        assert_eq!(read_kind(english(), "Home.Room").unwrap().as_str(), "Home.Room");
    }

    #[test]
    fn what_every_household_has_is_called_by_the_reader_s_word() {
        let room = ResourceType::parse("Room").unwrap();
        assert_eq!(kind(english(), &room), "Room");
        assert_eq!(kind(japanese(), &room), "部屋");
        for (words, text) in
            [(japanese(), "部屋"), (japanese(), "room"), (english(), "部屋"), (english(), "ROOM")]
        {
            assert_eq!(read_kind(words, text), Ok(room.clone()), "{text}");
        }
    }

    #[test]
    fn unique_values_are_named_in_words_too() {
        let serial = PropertyName::parse("serialNumber").unwrap();
        assert_eq!(property(english(), &serial), "Serial number");
        assert_eq!(property(japanese(), &serial), "製造番号");
        assert_eq!(read_property(english(), "serial number"), Ok(serial.clone()));
        assert_eq!(read_property(english(), "製造番号"), Ok(serial));
        assert_eq!(read_property(english(), "frame number").unwrap().as_str(), "frameNumber");
        assert_eq!(read_property(english(), "frame_no").unwrap().as_str(), "frame_no");
    }

    #[test]
    fn what_is_no_kind_is_refused() {
        for text in ["", " ", "3D printer", "Möbel", "a.", "テント", &"x".repeat(201)] {
            assert!(read_kind(english(), text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn the_words_for_kinds_and_properties_mean_one_each() {
        for words in [english(), japanese()] {
            for (identifier, key) in KINDS {
                assert_eq!(read_kind(words, &words.get(key)).unwrap().as_str(), identifier);
            }
            for (identifier, key) in PROPERTIES {
                assert_eq!(read_property(words, &words.get(key)).unwrap().as_str(), identifier);
            }
        }
    }

    #[test]
    fn a_thing_without_a_name_is_called_by_its_kind_and_the_end_of_its_id() {
        let urn: Urn = "urn:pp:Shelf::0195ff0e-e2e7-7408-8379-52f6cf939e7b".parse().unwrap();
        assert_eq!(title_without_name(english(), &urn), "Shelf 939e7b");
        assert_eq!(title_without_name(japanese(), &urn), "棚 939e7b");
    }
}
