//! Every message that the sources name exists in every language, with the same values, and none is
//! unused.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use super::*;

/// The messages of a language by key, each with its placeholders.
fn messages(language: Language) -> BTreeMap<String, BTreeSet<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("i18n").join(language.tag());
    let mut messages = BTreeMap::new();
    for file in files_below(&folder) {
        let mut current = None;
        for line in fs::read_to_string(&file).unwrap().lines() {
            if let Some((key, _)) = line.split_once(" =").filter(|(key, _)| is_key(key)) {
                let twice = messages.insert(key.to_owned(), BTreeSet::new());
                assert_eq!(twice, None, "{key} is in {} again", file.display());
                current = Some(key.to_owned());
            }
            let values = line.split('$').skip(1).map(|rest| {
                rest.chars()
                    .take_while(|c| c.is_ascii_alphanumeric() || *c == '-')
                    .collect::<String>()
            });
            if let Some(found) = current.as_ref().and_then(|key| messages.get_mut(key)) {
                found.extend(values);
            }
        }
    }
    messages
}

fn is_key(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut unvisited = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(path) = unvisited.pop() {
        if path.is_dir() {
            unvisited.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            files.push(path);
        }
    }
    files
}

/// All templates and sources except this one.
fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = [root.join("templates"), root.join("src")]
        .iter()
        .flat_map(|folder| files_below(folder))
        .collect::<Vec<_>>();
    let files = files.into_iter().filter(|path| !path.ends_with("words_tests.rs"));
    files.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// The string literals.
fn literals(source: &str) -> impl Iterator<Item = &str> {
    source.split('"').skip(1).step_by(1)
}

/// The arguments of a call whose opening parenthesis was removed.
fn arguments(call: &str) -> &str {
    let mut depth = 1;
    let end = call.char_indices().find(|(_, character)| {
        depth += match character {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0
    });
    &call[..end.map_or(call.len(), |(at, _)| at)]
}

#[test]
fn every_language_has_the_same_messages_with_the_same_values() {
    let english = messages(Language::English);
    assert!(english.len() > 50, "only {} messages were found", english.len());
    for language in Language::ALL {
        let other = messages(language);
        let keys =
            |messages: &BTreeMap<String, _>| messages.keys().cloned().collect::<BTreeSet<_>>();
        let (here, there) = (keys(&english), keys(&other));
        assert_eq!(
            here.symmetric_difference(&there).collect::<Vec<_>>(),
            Vec::<&String>::new(),
            "{language:?}"
        );
        let differing = english.iter().filter(|(key, values)| other[*key] != **values);
        assert_eq!(differing.collect::<Vec<_>>(), [], "{language:?}");
    }
}

#[test]
fn every_message_that_is_asked_for_is_there() {
    let known = messages(Language::English);
    let mut missing = Vec::new();
    for (path, source) in sources() {
        for call in [".t(\"", ".t1(\"", ".t2(\"", "words.get(\"", "words.with(\""] {
            for rest in source.split(call).skip(1) {
                let key = rest.split('"').next().unwrap_or_default();
                if !known.contains_key(key) {
                    missing.push(format!("{key} in {}", path.display()));
                }
            }
        }
        // Notices are named without their prefix.
        let calls = source.split(" done(").chain(source.split("(done(").skip(1)).skip(1);
        for notice in calls.flat_map(|call| literals(arguments(call))).filter(|text| is_key(text)) {
            if !known.contains_key(&format!("notice-{notice}")) {
                missing.push(format!("notice-{notice} in {}", path.display()));
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn no_message_is_left_over() {
    let sources = sources();
    let used: BTreeSet<&str> = sources.iter().flat_map(|(_, source)| literals(source)).collect();
    let is_used = |key: &str| {
        used.contains(key) || key.strip_prefix("notice-").is_some_and(|name| used.contains(name))
    };
    let unused: Vec<_> =
        messages(Language::English).into_keys().filter(|key| !is_used(key)).collect();
    assert_eq!(unused, Vec::<String>::new());
}

#[test]
fn every_message_can_be_said() {
    for language in Language::ALL {
        let words = Words::of(language);
        for (key, values) in messages(language) {
            let mut args = FluentArgs::new();
            for value in &values {
                args.set(value.clone(), 2);
            }
            let message = words.bundle.get_message(&key).and_then(|message| message.value());
            let pattern = message.unwrap_or_else(|| panic!("{key} has no text in {language:?}"));
            let mut errors = Vec::new();
            let text = words.bundle.format_pattern(pattern, Some(&args), &mut errors);
            assert!(errors.is_empty() && !text.is_empty(), "{key} in {language:?}: {errors:?}");
        }
    }
}
