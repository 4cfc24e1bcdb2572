//! What came of changing several items, told on the page that follows.

use crate::frame::Frame;

/// How many items went which way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct BulkOutcome {
    /// As was wanted.
    pub(super) done: u32,
    /// Somebody else changed them meanwhile: they are as they were.
    pub(super) conflicts: u32,
    /// They are not there any more.
    pub(super) gone: u32,
    /// It was so already: they are on the shopping list.
    pub(super) already: u32,
}

/// What the name of the notice begins with; the numbers follow.
const NAME: &str = "stock-several";

impl BulkOutcome {
    /// The notice as it stands in an address.
    pub(super) fn notice(self) -> String {
        format!("{NAME}-{}-{}-{}-{}", self.done, self.conflicts, self.gone, self.already)
    }

    /// The outcome that a notice tells, if it is one.
    pub(super) fn read(notice: &str) -> Option<Self> {
        let numbers = notice.strip_prefix(NAME)?.strip_prefix('-')?;
        let numbers: Result<Vec<u32>, _> = numbers.split('-').map(str::parse).collect();
        let [done, conflicts, gone, already] = numbers.ok()?.try_into().ok()?;
        Some(Self { done, conflicts, gone, already })
    }

    /// What the page says.
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
