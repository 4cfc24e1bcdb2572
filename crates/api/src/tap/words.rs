//! What pages say, in each language. `{}` is where an amount goes.

use larder_app::TapDone;
use larder_domain::{Item, TagStep, Unit};

use super::language::Language;

/// What to tell somebody whose tap cannot be.
pub(super) struct Notice {
    pub(super) title: &'static str,
    pub(super) text: &'static str,
}

/// Every text of the pages in one language.
pub(super) struct Words {
    /// The language's own name for browsers and screen readers.
    pub(super) lang: &'static str,
    pub(super) take: &'static str,
    pub(super) put_back: &'static str,
    pub(super) left: &'static str,
    pub(super) low: &'static str,
    /// What a page without script says.
    pub(super) hint: &'static str,
    pub(super) working: &'static str,
    pub(super) offline: &'static str,
    pub(super) busy: &'static str,
    took: &'static str,
    took_last: &'static str,
    nothing_left: &'static str,
    was_put_back: &'static str,
    pub(super) unknown: Notice,
    pub(super) rotated: Notice,
    pub(super) item_deleted: Notice,
    pub(super) overflow: Notice,
    pub(super) rate_limited: Notice,
    pub(super) invalid: Notice,
    pub(super) failed: Notice,
}

const ENGLISH: Words = Words {
    lang: "en",
    take: "Take {}",
    put_back: "Put back {}",
    left: "{} left",
    low: "Running low",
    hint: "Press − to take one.",
    working: "One moment …",
    offline: "You are offline, will retry.",
    busy: "The server is busy, will retry.",
    took: "Took {}.",
    took_last: "Took {}, which was the last.",
    nothing_left: "Nothing was left to take.",
    was_put_back: "Put back {}.",
    unknown: Notice {
        title: "Unknown tag",
        text: "No tag has this address. Hold your phone to the tag again, or ask whoever put it up.",
    },
    rotated: Notice {
        title: "This tag was replaced",
        text: "It does not work any more. Look for the new tag, or ask an admin of the household for it.",
    },
    item_deleted: Notice {
        title: "This item is gone",
        text: "What this tag belongs to was deleted from the inventory.",
    },
    overflow: Notice {
        title: "That is too much",
        text: "An item cannot hold more than 99999999.99. Nothing was changed.",
    },
    rate_limited: Notice {
        title: "That was very often",
        text: "Please wait a moment, then try again. Nothing was changed.",
    },
    invalid: Notice {
        title: "That did not work",
        text: "The page sent something odd. Hold your phone to the tag again. Nothing was changed.",
    },
    failed: Notice {
        title: "That did not work",
        text: "Something is wrong on our side. Please try again in a moment.",
    },
};

const JAPANESE: Words = Words {
    lang: "ja",
    take: "{}取り出す",
    put_back: "{}戻す",
    left: "残り{}",
    low: "残りわずかです",
    hint: "「−」を押すと取り出せます。",
    working: "お待ちください…",
    offline: "オフラインです。自動的に再試行します。",
    busy: "混み合っています。自動的に再試行します。",
    took: "{}取り出しました。",
    took_last: "最後の{}を取り出しました。",
    nothing_left: "在庫がないため、取り出せませんでした。",
    was_put_back: "{}戻しました。",
    unknown: Notice {
        title: "不明なタグです",
        text: "このアドレスのタグは見つかりません。もう一度タグにかざすか、設置した人に確認してください。",
    },
    rotated: Notice {
        title: "このタグは交換されました",
        text: "このタグはもう使えません。新しいタグを使うか、世帯の管理者に確認してください。",
    },
    item_deleted: Notice {
        title: "この品目は削除されました",
        text: "このタグの品目は在庫から削除されています。",
    },
    overflow: Notice {
        title: "上限を超えます",
        text: "数量は99999999.99までです。何も変更されていません。",
    },
    rate_limited: Notice {
        title: "操作が多すぎます",
        text: "しばらく待ってから、もう一度お試しください。何も変更されていません。",
    },
    invalid: Notice {
        title: "処理できませんでした",
        text: "送信された内容が正しくありません。もう一度タグにかざしてください。何も変更されていません。",
    },
    failed: Notice {
        title: "処理できませんでした",
        text: "サーバーで問題が発生しています。しばらくしてからもう一度お試しください。",
    },
};

impl Words {
    /// The texts in this language.
    pub(super) const fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &ENGLISH,
            Language::Japanese => &JAPANESE,
        }
    }

    /// What a tap did.
    pub(super) fn done(&self, tap: &TapDone) -> String {
        let details = &tap.item.details;
        let pattern = match tap.applied_hundredths {
            0 => return self.nothing_left.to_owned(),
            1.. => self.was_put_back,
            _ if details.is_depleted() => self.took_last,
            _ => self.took,
        };
        fill(pattern, tap.applied_hundredths.abs(), &details.unit)
    }

    /// What there is now.
    pub(super) fn left_of(&self, item: &Item) -> String {
        fill(self.left, item.details.quantity.hundredths(), &item.details.unit)
    }

    /// What the button that takes says.
    pub(super) fn take_step(&self, step: TagStep, unit: &Unit) -> String {
        fill(self.take, step.hundredths(), unit)
    }

    /// What the button that puts back says.
    pub(super) fn put_back_step(&self, step: TagStep, unit: &Unit) -> String {
        fill(self.put_back, step.hundredths(), unit)
    }
}

fn fill(pattern: &str, hundredths: i64, unit: &Unit) -> String {
    pattern.replacen("{}", &amount(hundredths, unit.as_str()), 1)
}

/// `2 kg`, `0.5 L`, `3個`: units of Latin letters stand apart from their number. The script does the same.
fn amount(hundredths: i64, unit: &str) -> String {
    let (whole, rest) = (hundredths / 100, hundredths % 100);
    let number = match (rest, rest % 10) {
        (0, _) => whole.to_string(),
        (_, 0) => format!("{whole}.{}", rest / 10),
        _ => format!("{whole}.{rest:02}"),
    };
    let space = if unit.starts_with(|first: char| first.is_ascii()) { " " } else { "" };
    format!("{number}{space}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_as_people_do() {
        for (hundredths, unit, text) in [
            (100, "個", "1個"),
            (200, "kg", "2 kg"),
            (50, "L", "0.5 L"),
            (1_005, "g", "10.05 g"),
            (1, "kg", "0.01 kg"),
            (0, "袋", "0袋"),
            (9_999_999_999, "mL", "99999999.99 mL"),
        ] {
            assert_eq!(amount(hundredths, unit), text);
        }
    }

    #[test]
    fn a_unit_that_looks_like_a_pattern_stays_what_it_is() {
        let unit = Unit::parse("{}").unwrap();
        assert_eq!(fill("Took {}.", 100, &unit), "Took 1 {}.");
    }

    #[test]
    fn every_pattern_has_one_place_for_its_amount() {
        for words in [&ENGLISH, &JAPANESE] {
            for pattern in [
                words.take,
                words.put_back,
                words.left,
                words.took,
                words.took_last,
                words.was_put_back,
            ] {
                assert_eq!(pattern.matches("{}").count(), 1, "{pattern}");
            }
        }
    }
}
