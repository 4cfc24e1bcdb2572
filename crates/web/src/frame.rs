//! The layout around every page, and rendering of templates.

use std::borrow::Cow;

use askama::Template;
use axum::{
    Extension,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use fluent_bundle::FluentValue;
use larder_domain::{
    CategoryId, DomainEvent, Language, StorageLocation, StorageLocationId, Whose, find_category,
    find_seeded_location,
};
use larder_http::RenderedPage;

use crate::{Words, assets};

/// The part of the app that a page belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    None,
    Today,
    Stock,
    Shopping,
    Tags,
    Sensors,
    Things,
    Household,
    Notifications,
    Me,
}

/// Light, dark, or same as device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Theme {
    Auto,
    Light,
    Dark,
}

impl Theme {
    pub(crate) const ALL: [Self; 3] = [Self::Auto, Self::Light, Self::Dark];

    /// The choice that a cookie or form names; by default same as device.
    pub(crate) fn chosen(name: Option<&str>) -> Self {
        Self::ALL.into_iter().find(|theme| Some(theme.as_str()) == name).unwrap_or(Self::Auto)
    }

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// The logged-in user, as shown in the layout.
#[derive(Debug, Clone)]
pub(crate) struct Resident {
    pub(crate) name: String,
    pub(crate) is_admin: bool,
    pub(crate) has_household: bool,
    /// The inventory that the page shows.
    pub(crate) whose: Whose,
    /// The number of unacknowledged notifications, up to [`MOST_UNSEEN`].
    pub(crate) unseen: usize,
}

/// The limit of counting notifications: one more than the bell shows.
pub(crate) const MOST_UNSEEN: usize = 100;

impl Resident {
    /// The number on the bell; empty if there is nothing new.
    pub(crate) fn bell(&self) -> String {
        match self.unseen {
            0 => String::new(),
            MOST_UNSEEN.. => format!("{}+", MOST_UNSEEN - 1),
            count => count.to_string(),
        }
    }
}

/// The layout of a page. Every template has one as `frame`.
pub(crate) struct Frame {
    pub(crate) words: &'static Words,
    pub(crate) theme: Theme,
    pub(crate) section: Section,
    /// The CSRF token, which every form sends in its field `csrf`.
    pub(crate) csrf: String,
    /// The path and query of this page, for forms that return to it.
    pub(crate) at: String,
    pub(crate) notice: Option<String>,
    pub(crate) resident: Option<Resident>,
}

impl Frame {
    /// A message. Templates name keys literally, so that a test can check all of them.
    pub(crate) fn t(&self, key: &str) -> Cow<'static, str> {
        self.words.get(key)
    }

    /// A message with one value.
    pub(crate) fn t1<'a>(
        &self,
        key: &str,
        name: &'static str,
        value: impl Into<FluentValue<'a>>,
    ) -> String {
        self.words.with(key, &[(name, value.into())])
    }

    /// A message with two values.
    pub(crate) fn t2<'a>(
        &self,
        key: &str,
        (name, value): (&'static str, impl Into<FluentValue<'a>>),
        (other, second): (&'static str, impl Into<FluentValue<'a>>),
    ) -> String {
        self.words.with(key, &[(name, value.into()), (other, second.into())])
    }

    pub(crate) fn lang(&self) -> &'static str {
        self.words.language.tag()
    }

    /// The URL of a file in `assets/`.
    #[expect(clippy::unused_self, reason = "templates reach everything through their frame")]
    pub(crate) fn asset(&self, name: &str) -> String {
        assets::address(name)
    }

    pub(crate) fn is_admin(&self) -> bool {
        self.resident.as_ref().is_some_and(|resident| resident.is_admin)
    }

    pub(crate) fn has_household(&self) -> bool {
        self.resident.as_ref().is_some_and(|resident| resident.has_household)
    }

    /// The names of the events that reload a page, including the one for missed events.
    #[expect(clippy::unused_self, reason = "templates reach everything through their frame")]
    pub(crate) fn live_events(&self) -> String {
        format!("{} TopicChanged Reset", DomainEvent::NAMES.join(" "))
    }

    /// What else to ask of the live stream: the topics without events that this part of the app
    /// shows, or another inventory.
    pub(crate) fn live_query(&self) -> &'static str {
        match self.section {
            _ if self.is_own() => "?inventory=personal",
            Section::Things => "?also=things",
            Section::Sensors | Section::Today => "?also=readings",
            Section::Tags => "?also=tags",
            _ => "",
        }
    }

    /// Whether the page shows the reader's own inventory.
    pub(crate) fn is_own(&self) -> bool {
        self.resident.as_ref().is_some_and(|resident| resident.whose == Whose::Personal)
    }

    /// `page` for the link to this part of the app, for `aria-current`.
    pub(crate) fn current(&self, section: Section) -> &'static str {
        if self.section == section { "page" } else { "false" }
    }

    /// A category in the reader's language, with its emoji.
    pub(crate) fn category(&self, id: CategoryId) -> String {
        find_category(id).map_or_else(String::new, |category| {
            let name = self.in_language(category.name_en, category.name);
            format!("{} {name}", category.icon)
        })
    }

    /// A storage location in the reader's language: a predefined one, or one of the household.
    pub(crate) fn location(&self, id: StorageLocationId, own: &[StorageLocation]) -> String {
        if let Some(seeded) = find_seeded_location(id) {
            let name = self.in_language(seeded.name_en, seeded.name);
            return format!("{} {name}", seeded.icon);
        }
        let own = own.iter().find(|location| location.id == id);
        own.map_or_else(String::new, |location| location.name.as_str().to_owned())
    }

    /// A text in the reader's language.
    pub(crate) const fn in_language<'a>(&self, english: &'a str, japanese: &'a str) -> &'a str {
        match self.words.language {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }
}

/// Renders a template.
pub(crate) fn render(template: &impl Template) -> Response {
    render_with(StatusCode::OK, template)
}

/// Renders a template with a status.
pub(crate) fn render_with(status: StatusCode, template: &impl Template) -> Response {
    match template.render() {
        Ok(page) => {
            let content_type = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
            (status, content_type, Extension(RenderedPage), page).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "template failed");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bell_shows_numbers_that_fit() {
        let bell = |unseen| {
            let name = String::new();
            let whose = Whose::Household;
            Resident { name, is_admin: false, has_household: true, whose, unseen }.bell()
        };
        assert_eq!([0, 1, 99, 100].map(bell), ["", "1", "99", "99+"]);
    }
}
