//! A refused form with one invalid field, which can be corrected and sent again without retyping
//! the others.

use crate::{Rule, failure::FailureView};

/// Labels whose last word is not the name of their field.
const INPUTS: [(&str, &str); 6] = [
    ("sensors-new-place", "new_place"),
    ("stock-opened-life", "opened_life"),
    ("stock-several-set", "category"),
    ("stock-shelf-life", "shelf_life"),
    ("things-field-actions", "action"),
    ("things-field-number", "value"),
];

/// Fields that are never written into a page again.
const SECRETS: [&str; 3] = ["password", "current", "new"];

/// The name of the field with this label: the last word of its key.
pub(crate) fn input_of(label: &str) -> &str {
    let other = INPUTS.into_iter().find(|(known, _)| *known == label).map(|(_, name)| name);
    other.unwrap_or_else(|| label.rsplit('-').next().unwrap_or(label))
}

/// A form to send again.
pub(crate) struct Retry<'a> {
    /// Its target.
    pub(crate) action: &'a str,
    pub(crate) method: &'static str,
    /// The key of the label of the invalid field.
    pub(crate) label: &'static str,
    pub(crate) name: &'static str,
    pub(crate) value: String,
    /// All other fields.
    pub(crate) others: Vec<(String, String)>,
}

impl<'a> Retry<'a> {
    /// The refused form, if correcting one field is enough.
    pub(crate) fn of(
        view: &FailureView,
        form: &[u8],
        action: &'a str,
        method: &'static str,
    ) -> Option<Self> {
        let label = view.field?;
        let name = input_of(label);
        let mut others: Vec<(String, String)> = serde_html_form::from_bytes(form).ok()?;
        let is_typed = !matches!(view.rule, Rule::Choice | Rule::Nothing);
        let has_secret = others.iter().any(|(other, _)| SECRETS.contains(&&**other));
        let mut sent = others.iter().enumerate().filter(|(_, (other, _))| other == name);
        let (Some((at, _)), None) = (sent.next(), sent.next()) else { return None };
        if !is_typed || has_secret {
            return None;
        }
        let (_, value) = others.remove(at);
        // The page has its own token.
        others.retain(|(other, _)| other != "csrf");
        Some(Self { action, method, label, name, value, others })
    }

    /// Whether it has several lines.
    pub(crate) fn is_long(&self) -> bool {
        self.value.contains('\n')
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;
    use crate::failure::Failure;

    fn retry(failure: &Failure, form: &str) -> Option<(String, Vec<(String, String)>)> {
        let retry = Retry::of(&failure.view(), form.as_bytes(), "/stock/add", "post")?;
        Some((retry.value, retry.others))
    }

    #[test]
    fn everything_but_the_token_is_kept() {
        let failure = Failure::Wrong("field-quantity", Rule::Separators);
        let (value, others) =
            retry(&failure, "csrf=x&name=Rice&quantity=1%2C500&item=a&item=b").unwrap();
        assert_eq!(value, "1,500");
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(others, [pair("name", "Rice"), pair("item", "a"), pair("item", "b")]);
    }

    #[test]
    fn secrets_and_choices_are_not_offered_again() {
        let short = Failure::Wrong("me-password-new", Rule::TooShort(8));
        assert_eq!(retry(&short, "current=a&new=b"), None);
        let gone = Failure::Wrong("stock-category", Rule::Choice);
        assert_eq!(retry(&gone, "category=x"), None);
        assert_eq!(retry(&Failure::Malformed, "category=x"), None);
        // A repeated field is ambiguous.
        let twice = Failure::Wrong("things-field-number", Rule::Missing);
        assert_eq!(retry(&twice, "value=&value="), None);
    }

    /// The contents of all files in a directory of this crate, recursively.
    fn sources(directory: &str) -> Vec<String> {
        let mut unvisited = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(directory)];
        let mut sources = Vec::new();
        while let Some(path) = unvisited.pop() {
            if path.is_dir() {
                unvisited.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            } else {
                sources.push(fs::read_to_string(&path).unwrap());
            }
        }
        sources
    }

    #[test]
    fn every_label_that_a_failure_names_has_an_input() {
        let (sources, templates) = (sources("src"), sources("templates").concat());
        let calls = [concat!("wrong", "(\""), concat!("Wrong", "(\""), concat!("Invalid", "(\"")];
        let rest = sources.iter().flat_map(|source| calls.map(|call| source.split(call).skip(1)));
        let labels: Vec<_> = rest.flatten().filter_map(|rest| rest.split('"').next()).collect();
        assert!(labels.len() > 20, "only {labels:?} were found");
        for label in labels {
            let input = format!("name=\"{}\"", input_of(label));
            assert!(templates.contains(&input), "{label}: no template has {input}");
        }
    }
}
