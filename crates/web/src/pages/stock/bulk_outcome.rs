//! The result of changing several items, shown on the next page.

use crate::Frame;

/// The number of items by result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct BulkOutcome {
    /// Changed as requested.
    pub(super) done: u32,
    /// Unchanged because of a concurrent change.
    pub(super) conflicts: u32,
    /// Deleted meanwhile.
    pub(super) gone: u32,
    /// Already on the shopping list.
    pub(super) already: u32,
}

/// The prefix of the notice's name; the numbers follow.
const NAME: &str = "stock-several";

impl BulkOutcome {
    /// The notice for a URL.
    pub(super) fn notice(self) -> String {
        format!("{NAME}-{}-{}-{}-{}", self.done, self.conflicts, self.gone, self.already)
    }

    /// Parses a notice of this kind.
    pub(super) fn read(notice: &str) -> Option<Self> {
        let numbers = notice.strip_prefix(NAME)?.strip_prefix('-')?;
        let numbers: Result<Vec<u32>, _> = numbers.split('-').map(str::parse).collect();
        let [done, conflicts, gone, already] = numbers.ok()?.try_into().ok()?;
        Some(Self { done, conflicts, gone, already })
    }

    /// The text of the notice.
    pub(super) fn told(self, frame: &Frame) -> String {
        let parts = [
            (self.done, frame.t1("stock-several-done", "count", self.done)),
            (self.conflicts, frame.t1("stock-several-conflicts", "count", self.conflicts)),
            (self.gone, frame.t1("stock-several-gone", "count", self.gone)),
            (self.already, frame.t1("stock-several-already", "count", self.already)),
        ];
        let told: Vec<_> =
            parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect();
        if told.is_empty() { frame.t("stock-several-none").into_owned() } else { told.join(" ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_survives_the_address_and_nothing_else_is_one() {
        let outcome = BulkOutcome { done: 5, conflicts: 1, gone: 0, already: 2 };
        assert_eq!(outcome.notice(), "stock-several-5-1-0-2");
        assert_eq!(BulkOutcome::read(&outcome.notice()), Some(outcome));
        for other in
            ["", "stock-added", "stock-several", "stock-several-1-2-3", "stock-several-1-2-3-x"]
        {
            assert_eq!(BulkOutcome::read(other), None, "{other}");
        }
    }
}
