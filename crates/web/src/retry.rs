//! A form of which one field was refused, to be put right and sent again without typing anything else anew.

use crate::{failure::FailureView, rule::Rule};

/// What forms call the fields of these labels.
const INPUTS: &[(&str, &str)] = &[
    ("field-email", "email"),
    ("field-name", "name"),
    ("field-notes", "notes"),
    ("field-password", "password"),
    ("field-quantity", "quantity"),
    ("field-unit", "unit"),
    ("household-name", "name"),
    ("household-zone", "zone"),
    ("me-name", "name"),
    ("me-password-current", "current"),
    ("me-password-new", "new"),
    ("me-token-label", "label"),
    ("places-location-name", "name"),
    ("places-store-address", "address"),
    ("places-store-name", "name"),
    ("register-name", "name"),
    ("sensors-from", "from"),
    ("sensors-key-description", "description"),
    ("sensors-new-place", "new_place"),
    ("sensors-place", "place"),
    ("sensors-to", "to"),
    ("shopping-expiration", "expiration"),
    ("shopping-store", "store"),
    ("stock-category", "category"),
    ("stock-expiration", "expiration"),
    ("stock-location", "location"),
    ("stock-picture", "picture"),
    ("stock-several-set", "category"),
    ("stock-store", "store"),
    ("stock-threshold", "threshold"),
    ("tags-field-format", "format"),
    ("tags-field-label", "label"),
    ("tags-field-step", "step"),
    ("tags-field-used", "used"),
    ("things-field-actions", "action"),
    ("things-field-kind", "kind"),
    ("things-field-number", "value"),
    ("things-field-principal", "principal"),
    ("things-field-property", "property"),
];

/// Fields that are never written into a page again.
const SECRETS: [&str; 3] = ["password", "current", "new"];

/// What a form calls the field with this label.
pub(crate) fn input_of(label: &str) -> Option<&'static str> {
    INPUTS.iter().find(|(known, _)| *known == label).map(|(_, name)| *name)
}

/// A form to send again.
pub(crate) struct Retry<'a> {
    /// Where to.
    pub(crate) action: &'a str,
    /// The key of the label of the field that is wrong.
    pub(crate) label: &'static str,
    pub(crate) name: &'static str,
    pub(crate) value: String,
    /// Everything else, as it was.
    pub(crate) others: Vec<(String, String)>,
}

impl<'a> Retry<'a> {
    /// The form that was refused, if it can be put right by typing into one field.
    pub(crate) fn of(view: &FailureView, form: &[u8], action: &'a str) -> Option<Self> {
        let label = view.field?;
        let name = input_of(label)?;
        let mut others: Vec<(String, String)> = serde_html_form::from_bytes(form).ok()?;
        let is_typed = !matches!(view.rule, Rule::Choice | Rule::Nothing);
        let has_secret = others.iter().any(|(other, _)| SECRETS.contains(&&**other));
        let mut sent = others.iter().enumerate().filter(|(_, (other, _))| other == name);
        let (Some((at, _)), None) = (sent.next(), sent.next()) else { return None };
        if !is_typed || has_secret {
            return None;
        }
        let (_, value) = others.remove(at);
        // The page has a token of its own.
        others.retain(|(other, _)| other != "csrf");
        Some(Self { action, label, name, value, others })
    }

    /// Whether it takes several lines.
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
        let retry = Retry::of(&failure.view(), form.as_bytes(), "/stock/add")?;
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
        // A field that is there twice is not known.
        let twice = Failure::Wrong("things-field-number", Rule::Missing);
        assert_eq!(retry(&twice, "value=&value="), None);
    }

    #[test]
    fn every_label_that_a_failure_names_has_an_input() {
        let mut unvisited = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        let (mut found, mut missing) = (0, Vec::new());
        while let Some(path) = unvisited.pop() {
            if path.is_dir() {
                unvisited.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
                continue;
            }
            let source = fs::read_to_string(&path).unwrap();
            for call in
                [concat!("wrong", "(\""), concat!("Wrong", "(\""), concat!("Invalid", "(\"")]
            {
                for rest in source.split(call).skip(1) {
                    let label = rest.split('"').next().unwrap_or_default();
                    found += 1;
                    if input_of(label).is_none() {
                        missing.push(format!("{label} in {}", path.display()));
                    }
                }
            }
        }
        assert!(found > 20, "only {found} labels were found");
        assert_eq!(missing, Vec::<String>::new());
    }
}
