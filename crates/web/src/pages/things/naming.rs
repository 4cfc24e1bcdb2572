//! Names of things for people. A thing has a name. Its kind is a word of the family's, or a type such
//! as `LivingRoom`, which is shown in words here: “Living room”, 部屋. So are the names of its unique
//! values.

use std::collections::{BTreeMap, BTreeSet};

use larder_app::{ThingKind, resource_name};
use larder_domain::{
    InvalidPropertyName, KindName, Language, PropertyName, Resource, ResourceType, Urn, text,
};

use crate::{Rule, Words};

/// An identifier, and the key of its word.
type KnownName = (&'static str, &'static str);

/// Predefined kinds.
const KINDS: [KnownName; 17] = [
    ("House", "things-kind-house"),
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

/// Kinds of other programs, and of demo data of older versions, that have one of these words.
const OTHER_KINDS: [KnownName; 2] =
    [("Clothes", "things-kind-clothing"), ("Thing", "things-kind-thing")];

/// Predefined unique values.
const PROPERTIES: [KnownName; 4] = [
    ("serialNumber", "things-property-serial-number"),
    ("barcode", "things-property-barcode"),
    ("registrationNumber", "things-property-registration-number"),
    ("inventoryNumber", "things-property-inventory-number"),
];

/// The title of a thing: its name, or else its kind and the end of its id.
pub(in crate::pages) fn title(words: &Words, resource: &Resource) -> String {
    let name = resource_name(resource).map(str::to_owned);
    name.unwrap_or_else(|| title_of_kind(&kind(words, resource), &resource.urn))
}

/// The same if only the URN is known.
pub(super) fn title_without_name(words: &Words, urn: &Urn) -> String {
    title_of_kind(&type_in_words(words, urn.resource_type()), urn)
}

fn title_of_kind(kind: &str, urn: &Urn) -> String {
    let id = urn.id().to_string();
    // Ids begin with the time, so that things of one day only differ at the end.
    let (_, end) = id.split_at(id.len() - 6);
    format!("{kind} {end}")
}

/// The kind of a thing in words.
pub(in crate::pages) fn kind(words: &Words, resource: &Resource) -> String {
    kind_in_words(words, &ThingKind::of(resource))
}

/// A kind in words.
pub(super) fn kind_in_words(words: &Words, kind: &ThingKind) -> String {
    match kind {
        ThingKind::Type(resource_type) => type_in_words(words, resource_type),
        // A known word in the reader's language.
        ThingKind::Word(word) => match find(words, &KINDS, word.as_str()) {
            Some((_, key)) => words.get(key).into_owned(),
            None => word.as_str().to_owned(),
        },
    }
}

/// A type in words. Only its last part is about the thing.
pub(super) fn type_in_words(words: &Words, resource_type: &ResourceType) -> String {
    let name = resource_type.as_str();
    let last = name.rsplit('.').next().unwrap_or(name);
    shown(words, KINDS.iter().chain(&OTHER_KINDS), last)
}

/// Parses a kind: a predefined one, one that the family has, or a new word.
pub(super) fn read_kind<'a>(
    words: &Words,
    text: &str,
    used: impl IntoIterator<Item = &'a ThingKind>,
) -> Result<ThingKind, Rule> {
    let text = text.trim();
    let known = find(words, &KINDS, text).and_then(|(name, _)| ResourceType::parse(name).ok());
    if let Some(resource_type) = known {
        return Ok(ThingKind::Type(resource_type));
    }
    let is_called = |kind: &&ThingKind| text::fold(&kind_in_words(words, kind)) == text::fold(text);
    match used.into_iter().find(is_called) {
        Some(kind) => Ok(kind.clone()),
        None => KindName::parse(text).map(ThingKind::Word).map_err(Rule::from),
    }
}

/// Kinds with the same word: types of different programs, or ways to write it.
pub(super) struct KindGroup {
    pub(super) word: String,
    /// At least one.
    pub(super) kinds: Vec<ThingKind>,
}

impl KindGroup {
    /// Its name in addresses, in every language.
    pub(super) fn name(&self) -> &str {
        self.kinds.first().map_or(&self.word, name_of)
    }

    /// Whether this is the word or the name of one of them.
    pub(super) fn has(&self, text: &str) -> bool {
        text::fold(&self.word) == text::fold(text)
            || self.kinds.iter().any(|kind| name_of(kind) == text)
    }
}

fn name_of(kind: &ThingKind) -> &str {
    match kind {
        ThingKind::Type(resource_type) => resource_type.as_str(),
        ThingKind::Word(word) => word.as_str(),
    }
}

/// The kinds by their words, each word once.
pub(super) fn kinds_by_word(words: &Words, kinds: &BTreeSet<ThingKind>) -> Vec<KindGroup> {
    let mut groups: BTreeMap<String, KindGroup> = BTreeMap::new();
    for kind in kinds {
        let word = kind_in_words(words, kind);
        let group = groups.entry(text::fold(&word)).or_insert(KindGroup { word, kinds: vec![] });
        group.kinds.push(kind.clone());
    }
    groups.into_values().collect()
}

/// The kinds to choose from, each once: the family's, then common ones.
pub(super) fn kinds_to_choose(words: &Words, kinds: &BTreeSet<ThingKind>) -> Vec<String> {
    let own = kinds_by_word(words, kinds);
    let common = KINDS.iter().map(|(_, key)| words.get(key).into_owned());
    let others: Vec<_> = common.filter(|word| !own.iter().any(|group| group.has(word))).collect();
    own.into_iter().map(|group| group.word).chain(others).collect()
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
    PropertyName::parse(&read(words, &PROPERTIES, text))
}

/// Common names of unique values to choose from.
pub(super) fn usual_properties(words: &Words) -> Vec<String> {
    PROPERTIES.iter().map(|(_, key)| words.get(key).into_owned()).collect()
}

fn shown<'a>(
    words: &Words,
    known: impl IntoIterator<Item = &'a KnownName>,
    identifier: &str,
) -> String {
    match known.into_iter().find(|(name, _)| *name == identifier) {
        Some((_, key)) => words.get(key).into_owned(),
        None => in_words(identifier),
    }
}

/// The known name that has this word.
fn find<'a>(words: &Words, known: &'a [KnownName], text: &str) -> Option<&'a KnownName> {
    let text = text.trim();
    let is_word = |key: &str, words: &Words| words.get(key).to_lowercase() == text.to_lowercase();
    // Words of the other language are understood too.
    let languages = std::iter::once(words).chain(Language::ALL.map(Words::of));
    let mut all = languages.flat_map(|words| known.iter().map(move |known| (known, words)));
    all.find(|((_, key), words)| is_word(key, words)).map(|(known, _)| known)
}

fn read(words: &Words, known: &[KnownName], text: &str) -> String {
    match find(words, known, text) {
        Some((identifier, _)) => (*identifier).to_owned(),
        None => joined(text),
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

/// “frame number” as `frameNumber`.
fn joined(text: &str) -> String {
    let is_gap = |c: char| c.is_whitespace() || c == '-';
    let words = text.split(is_gap).filter(|word| !word.is_empty()).enumerate();
    let capital = |word: &str| {
        let mut characters = word.chars();
        let first = characters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(characters).collect::<String>()
    };
    let word = |(at, word): (usize, &str)| if at == 0 { word.to_owned() } else { capital(word) };
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

    fn of_type(name: &str) -> ThingKind {
        ThingKind::Type(ResourceType::parse(name).unwrap())
    }

    fn word(text: &str) -> ThingKind {
        ThingKind::Word(KindName::parse(text).unwrap())
    }

    #[test]
    fn kinds_are_written_in_words_and_read_from_them() {
        let kinds = [
            ("LivingRoom", "Living room"),
            ("Home.SpareRoom", "Spare room"),
            ("USBCable", "USBCable"),
            ("MyTV", "My TV"),
            ("PlanB", "Plan b"),
            ("Box2", "Box2"),
        ];
        for (identifier, words) in kinds {
            let kind = of_type(identifier);
            assert_eq!(kind_in_words(english(), &kind), words);
            assert_eq!(read_kind(english(), &words.to_uppercase(), [&kind]), Ok(kind.clone()));
            assert_eq!(read_kind(english(), words, []), Ok(word(words)), "nobody has it");
        }
        // Parts of a type that only programs need are not shown.
        for name in ["Home.Box", "Box"] {
            assert_eq!(kind_in_words(english(), &of_type(name)), "Box");
            assert_eq!(kind_in_words(japanese(), &of_type(name)), "箱");
        }
    }

    #[test]
    fn kinds_are_named_in_any_letters() {
        for text in ["テント", "Möbel", "3D printer", "冬服の箱", "Коробка"] {
            assert_eq!(read_kind(english(), &format!(" {text} "), []), Ok(word(text)));
            assert_eq!(kind_in_words(japanese(), &word(text)), text);
        }
        // A word that Larder knows is said in the reader's language.
        assert_eq!(kind_in_words(japanese(), &word("Box")), "箱");
    }

    #[test]
    fn what_every_household_has_is_called_by_the_reader_s_word() {
        let room = of_type("Room");
        assert_eq!(kind_in_words(english(), &room), "Room");
        assert_eq!(kind_in_words(japanese(), &room), "部屋");
        for (words, text) in
            [(japanese(), "部屋"), (japanese(), "room"), (english(), "部屋"), (english(), "ROOM")]
        {
            assert_eq!(read_kind(words, text, []), Ok(room.clone()), "{text}");
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
        assert_eq!(read_kind(english(), " ", []), Err(Rule::Missing));
        assert_eq!(read_kind(english(), &"x".repeat(61), []), Err(Rule::TooLong(60)));
        assert_eq!(read_kind(english(), "a\u{7}b", []), Err(Rule::Control));
    }

    #[test]
    fn the_words_for_kinds_and_properties_mean_one_each() {
        for words in [english(), japanese()] {
            for (identifier, key) in KINDS {
                assert_eq!(read_kind(words, &words.get(key), []), Ok(of_type(identifier)));
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
