//! All texts of the pages, in every language: Fluent messages from `i18n/`, compiled in.

use std::{borrow::Cow, sync::LazyLock};

use fluent_bundle::{FluentArgs, FluentResource, FluentValue, concurrent::FluentBundle};
use larder_domain::Language;

/// The messages of one language, one file for each part of the app.
pub(crate) struct Words {
    pub(crate) language: Language,
    bundle: FluentBundle<FluentResource>,
}

/// The files of a language.
macro_rules! files {
    ($language:literal) => {
        [
            include_str!(concat!("../i18n/", $language, "/common.ftl")),
            include_str!(concat!("../i18n/", $language, "/household.ftl")),
            include_str!(concat!("../i18n/", $language, "/me.ftl")),
            include_str!(concat!("../i18n/", $language, "/products.ftl")),
            include_str!(concat!("../i18n/", $language, "/search.ftl")),
            include_str!(concat!("../i18n/", $language, "/sensors.ftl")),
            include_str!(concat!("../i18n/", $language, "/shopping.ftl")),
            include_str!(concat!("../i18n/", $language, "/scan.ftl")),
            include_str!(concat!("../i18n/", $language, "/stock.ftl")),
            include_str!(concat!("../i18n/", $language, "/tags.ftl")),
            include_str!(concat!("../i18n/", $language, "/tap.ftl")),
            include_str!(concat!("../i18n/", $language, "/things.ftl")),
            include_str!(concat!("../i18n/", $language, "/today.ftl")),
            include_str!(concat!("../i18n/", $language, "/welcome.ftl")),
        ]
    };
}

static ENGLISH: LazyLock<Words> = LazyLock::new(|| Words::new(Language::English, &files!("en")));
static JAPANESE: LazyLock<Words> = LazyLock::new(|| Words::new(Language::Japanese, &files!("ja")));

impl Words {
    /// The messages of this language.
    pub(crate) fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &ENGLISH,
            Language::Japanese => &JAPANESE,
        }
    }

    fn new(language: Language, files: &[&str]) -> Self {
        let tag = language.tag().parse().expect("our tags are valid");
        let mut bundle = FluentBundle::new_concurrent(vec![tag]);
        // Direction marks around values are only needed in right-to-left languages.
        bundle.set_use_isolating(false);
        for file in files {
            let resource =
                FluentResource::try_new((*file).to_owned()).unwrap_or_else(|(_, errors)| {
                    panic!("a file of {language:?} is broken: {errors:?}")
                });
            bundle.add_resource(resource).unwrap_or_else(|errors| {
                panic!("a key of {language:?} is there twice: {errors:?}")
            });
        }
        Self { language, bundle }
    }

    /// Whether there is such a message.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.bundle.has_message(key)
    }

    /// A message without values.
    pub(crate) fn get(&self, key: &str) -> Cow<'_, str> {
        self.format(key, None)
    }

    /// A message with values.
    pub(crate) fn with(&self, key: &str, values: &[(&'static str, FluentValue<'_>)]) -> String {
        let mut args = FluentArgs::with_capacity(values.len());
        for (name, value) in values {
            args.set(*name, value.clone());
        }
        self.format(key, Some(&args)).into_owned()
    }

    fn format<'a>(&'a self, key: &str, args: Option<&'a FluentArgs<'_>>) -> Cow<'a, str> {
        let message = self.bundle.get_message(key).and_then(|message| message.value());
        let Some(pattern) = message else {
            // A test checks every key in the sources, so this cannot happen for those.
            tracing::error!(key, language = self.language.tag(), "message missing");
            return Cow::Owned(key.to_owned());
        };
        let mut errors = Vec::new();
        let text = self.bundle.format_pattern(pattern, args, &mut errors);
        if !errors.is_empty() {
            tracing::error!(key, ?errors, "message lacks a value");
        }
        text
    }
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
