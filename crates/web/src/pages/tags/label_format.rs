//! The formats of printed labels. Their dimensions are in `assets/tags.css`, one class for each.

/// A sheet of labels, or a single label.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LabelFormat {
    /// Its name in forms, and its CSS class.
    pub(super) name: &'static str,
    /// The key of its name for people.
    pub(super) title: &'static str,
    /// The number of labels per page.
    pub(super) per_page: usize,
}

impl LabelFormat {
    /// Sheets of A4 first.
    pub(super) const ALL: [Self; 6] = [
        Self { name: "a4-24", title: "tags-format-a4-24", per_page: 24 },
        Self { name: "a4-21", title: "tags-format-a4-21", per_page: 21 },
        Self { name: "a4-14", title: "tags-format-a4-14", per_page: 14 },
        Self { name: "roll-62", title: "tags-format-roll-62", per_page: 1 },
        Self { name: "long-29", title: "tags-format-long-29", per_page: 1 },
        Self { name: "small-50", title: "tags-format-small-50", per_page: 1 },
    ];

    /// The format of this name.
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        const { &Self::ALL }.iter().find(|format| format.name == name)
    }

    /// Whether many labels share a page.
    pub(super) const fn is_sheet(&self) -> bool {
        self.per_page > 1
    }

    /// The pages of the labels, after the used places of the first sheet: `None` is an empty place.
    pub(super) fn pages<T>(&self, labels: Vec<T>, used_up: usize) -> Vec<Vec<Option<T>>> {
        let mut places = (0..used_up).map(|_| None).chain(labels.into_iter().map(Some)).peekable();
        let mut pages = Vec::new();
        while places.peek().is_some() {
            pages.push(places.by_ref().take(self.per_page).collect());
        }
        pages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_found_by_its_name_and_has_a_class() {
        let style = include_str!("../../../assets/tags.css");
        for format in &LabelFormat::ALL {
            assert_eq!(LabelFormat::find(format.name), Some(format));
            assert!(style.contains(&format!(".{} {{", format.name)), "{}", format.name);
        }
        assert_eq!(LabelFormat::find("a3"), None);
    }

    #[test]
    fn labels_begin_after_what_is_used_up_and_go_on_on_the_next_page() {
        let format = LabelFormat { name: "", title: "", per_page: 3 };
        assert_eq!(format.pages(vec!['a', 'b'], 2), [vec![None, None, Some('a')], vec![Some('b')]]);
        assert_eq!(format.pages(vec!['a', 'b', 'c'], 0), [[Some('a'), Some('b'), Some('c')]]);
    }
}
