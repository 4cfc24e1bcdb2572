//! The errors of a request, by their place in it.

use larder_http::{FieldError, Problem};

use std::{borrow::Cow, mem};

/// One for each reading that fits in a request; more would only help an attacker.
const MAX_NAMED: usize = 100;

/// The list, as a field of the request.
const READINGS: &str = "readings";

/// The errors found so far, and the position of the parser.
#[derive(Default)]
pub(super) struct Mistakes {
    reading: Option<usize>,
    field: Option<&'static str>,
    named: Vec<FieldError>,
}

impl Mistakes {
    /// The parser has reached this reading.
    pub(super) fn enter_reading(&mut self, index: usize) {
        (self.reading, self.field) = (Some(index), None);
    }

    /// The parser has reached this field of the reading.
    pub(super) fn enter_field(&mut self, name: &'static str) {
        self.field = Some(name);
    }

    /// The parser has passed all fields of the reading.
    pub(super) fn leave_fields(&mut self) {
        self.field = None;
    }

    /// The parser has passed all readings.
    pub(super) fn leave_readings(&mut self) {
        (self.reading, self.field) = (None, None);
    }

    /// Records an error of the list of readings.
    pub(super) fn of_body(&mut self, message: impl Into<Cow<'static, str>>) {
        self.add(|_| Cow::Borrowed(READINGS), message);
    }

    /// Records an error of the reading, or of its current field.
    pub(super) fn of_reading(&mut self, message: impl Into<Cow<'static, str>>) {
        self.add(|mistakes| Cow::Owned(mistakes.place()), message);
    }

    /// Records an error of this field of the reading.
    pub(super) fn of_field(&mut self, name: &str, message: impl Into<Cow<'static, str>>) {
        self.add(|mistakes| Cow::Owned(format!("{}.{name}", mistakes.place())), message);
    }

    fn add(
        &mut self,
        place: impl FnOnce(&Self) -> Cow<'static, str>,
        message: impl Into<Cow<'static, str>>,
    ) {
        if self.named.len() < MAX_NAMED {
            let field = place(self);
            self.named.push(FieldError { field, message: message.into() });
        }
    }

    /// `readings[3].sensors`, as far as the parser has come.
    fn place(&self) -> String {
        match (self.reading, self.field) {
            (Some(index), Some(field)) => format!("{READINGS}[{index}].{field}"),
            (Some(index), None) => format!("{READINGS}[{index}]"),
            (None, _) => READINGS.to_owned(),
        }
    }

    /// The text is malformed JSON from here on, for example because a value is `NaN`.
    pub(super) fn malformed(&self, error: &serde_json::Error) -> Problem {
        let problem = Problem::bad_request("MALFORMED_JSON", "The body is not JSON")
            .detail(format!("malformed at line {}, column {}", error.line(), error.column()));
        match self.reading {
            Some(_) => problem.field_error(self.place(), "is not JSON"),
            None => problem,
        }
    }

    /// All errors as one problem, if there are any.
    pub(super) fn take_problem(&mut self) -> Result<(), Problem> {
        let named = mem::take(&mut self.named);
        if named.is_empty() {
            return Ok(());
        }
        let problem = Problem::bad_request("INVALID_FIELDS", "Validation failed");
        let problem = if named.len() == MAX_NAMED {
            problem.detail(format!("no more than {MAX_NAMED} mistakes are named"))
        } else {
            problem
        };
        Err(problem.field_errors(named))
    }
}
