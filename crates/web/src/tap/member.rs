//! A holder who is logged in as a member of the tag's household. They need not be: it only shows
//! them a little more, and where to go on.

use axum::http::HeaderMap;
use larder_app::{Caller, OpenTag, TagAddress};
use larder_domain::{HouseholdId, TagLabel};

use crate::{Web, Words, format};

/// What only members see.
#[derive(Debug, Default)]
pub(super) struct MemberView {
    /// The household's label for the tag.
    pub(super) label: Option<String>,
    /// Until when the item is good.
    pub(super) until: Option<String>,
    /// The item in the app, relative to the page.
    pub(super) link: String,
}

impl MemberView {
    /// What a member sees of this tag; `None` for everybody else. `up` leads from the page's URL to
    /// the root: a proxy may have added a prefix.
    pub(super) async fn of(
        web: &Web,
        headers: &HeaderMap,
        open: &OpenTag,
        up: &str,
        words: &Words,
    ) -> Option<Self> {
        caller_of(web, headers).await.filter(|caller| is_of(caller, open.tag.household))?;
        let until = open.item.details.good_until();
        let until = until.map(|date| format::day(words, date.date()));
        Some(Self {
            label: open.tag.label.as_ref().map(TagLabel::as_str).map(str::to_owned),
            until: until.map(|day| words.with("tap-until", &[("day", day.into())])),
            link: format!("{up}stock/{}", open.item.id),
        })
    }
}

/// Where a member can see to a tag that does not work: admins on its page, others in the stock.
pub(super) async fn way_on(
    web: &Web,
    headers: &HeaderMap,
    address: &TagAddress,
    up: &str,
) -> Option<String> {
    let caller = caller_of(web, headers).await?;
    let tag = web.app.find_own_tag(&caller, address).await.ok()??;
    Some(if caller.is_admin() {
        format!("{up}tags/{}/{}", tag.item, tag.id.reveal())
    } else {
        format!("{up}stock")
    })
}

/// The logged-in caller. If the session cannot be read, the page is shown as to anybody else.
async fn caller_of(web: &Web, headers: &HeaderMap) -> Option<Caller> {
    let cookie = web.cookies.session(headers)?;
    Some(web.app.recognize_browser(cookie).await.ok()?.caller)
}

fn is_of(caller: &Caller, household: HouseholdId) -> bool {
    caller.membership().is_some_and(|membership| membership.household == household)
}
