//! `GET /notifications` and its forms: low stock, expiry, and other channels.

use askama::Template;
use axum::response::Response;
use jiff::Timestamp;
use larder_app::{AppError, Caller};
use larder_domain::{
    Channel, Notification, NotificationFilter, NotificationId, NotificationKind,
    NotificationStatus, NotificationSubject, NotificationTopic, StockCounts, StockView,
};
use serde::Deserialize;

use crate::{
    Failure, Form, Frame, Member, PathId, Query, Section, Web, WebState, Words, address, back_or,
    done, format, render,
};

/// The number of notifications of a list on a page, and per read when all are needed.
const PER_PAGE: usize = 50;

#[derive(Template)]
#[template(path = "household/notifications.html")]
struct NotificationsPage {
    frame: Frame,
    /// What the stock says, if nothing is to be acknowledged.
    due: Vec<Due>,
    /// Not acknowledged.
    active: List,
    /// Acknowledged, and still applicable.
    acknowledged: List,
    /// No longer applicable.
    resolved: List,
    email: String,
    /// Mail is configured, but the reader's address is not confirmed yet.
    is_unconfirmed: bool,
    has_mail: bool,
    has_webhook: bool,
}

/// A view of the stock that is not empty, although everything was acknowledged.
struct Due {
    text: String,
    address: String,
}

impl Due {
    /// The views in which something is due or low.
    fn of(frame: &Frame, counts: &StockCounts) -> Vec<Self> {
        let views = [
            (StockView::Soon, "stock-view-soon"),
            (StockView::Expired, "stock-view-expired"),
            (StockView::Low, "stock-view-low"),
        ];
        let views = views.into_iter().filter(|(view, _)| counts.of(*view) > 0);
        views
            .map(|(view, key)| Self {
                text: frame.t1(key, "count", counts.of(view)),
                address: address::with_query("/stock", &[("show", view.as_str())]),
            })
            .collect()
    }
}

/// A page of the notifications so far.
struct List {
    rows: Vec<Row>,
    /// The URL of the next page.
    more: Option<String>,
    /// Whether the reader has paged through this list, so that it is unfolded.
    is_wanted: bool,
}

/// One notification.
struct Row {
    id: NotificationId,
    /// The URL of its product or item.
    address: String,
    name: String,
    kind: NotificationKind,
    /// The details.
    what: String,
    since: String,
    ended: String,
}

impl Row {
    fn of(words: &Words, notification: &Notification, now: Timestamp) -> Self {
        let ago = |at| format::ago(words, at, now);
        Self {
            id: notification.id,
            // Lots come and go; their product stays.
            address: match notification.topic() {
                NotificationTopic::Stock(product) => format!("/products/{product}"),
                NotificationTopic::Dates(item) => format!("/stock/{item}"),
            },
            name: notification.item_name.to_string(),
            kind: notification.subject.kind(),
            what: what(words, &notification.subject),
            since: ago(notification.created_at),
            ended: notification.resolved_at.map(ago).unwrap_or_default(),
        }
    }
}

fn what(words: &Words, subject: &NotificationSubject) -> String {
    match subject {
        NotificationSubject::LowStock { quantity, threshold, unit } if quantity.is_zero() => words
            .with(
                "notifications-used-up-what",
                &[("wanted", format::amount(*threshold, unit).into())],
            ),
        NotificationSubject::LowStock { quantity, threshold, unit } => words.with(
            "notifications-low-what",
            &[
                ("left", format::amount(*quantity, unit).into()),
                ("wanted", format::amount(*threshold, unit).into()),
            ],
        ),
        NotificationSubject::ExpiringSoon(date) => words
            .with("notifications-soon-what", &[("day", format::day(words, date.date()).into())]),
        NotificationSubject::Expired(date) => words
            .with("notifications-expired-what", &[("day", format::day(words, date.date()).into())]),
    }
}

/// The cursor of each list.
#[derive(Deserialize)]
pub(super) struct NotificationsQuery {
    active: Option<String>,
    acknowledged: Option<String>,
    resolved: Option<String>,
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    Query(query): Query<NotificationsQuery>,
) -> Result<Response, Failure> {
    let list = async |status, cursor| read(&web, &member, status, cursor).await;
    let (channels, user) = (web.app.channels(), member.caller.user());
    let frame = member.frame(Section::Notifications);
    let active = list(NotificationStatus::Active, query.active).await?;
    // What was said is not said again: it may be over and true again, or have been seen.
    let due = if active.rows.is_empty() {
        Due::of(&frame, &web.app.stock_overview(&member.caller).await?.counts)
    } else {
        Vec::new()
    };
    Ok(render(&NotificationsPage {
        frame,
        due,
        active,
        acknowledged: list(NotificationStatus::Acknowledged, query.acknowledged).await?,
        resolved: list(NotificationStatus::Resolved, query.resolved).await?,
        email: user.email.as_str().to_owned(),
        is_unconfirmed: web.app.sends_mail() && user.email_confirmed_at.is_none(),
        has_mail: channels.contains(&Channel::Mail),
        has_webhook: channels.contains(&Channel::Webhook),
    }))
}

async fn read(
    web: &Web,
    member: &Member,
    status: NotificationStatus,
    cursor: Option<String>,
) -> Result<List, Failure> {
    let (caller, name) = (&member.caller, status.as_str());
    let list = web.list(format_args!("page of {name} notifications {:?}", caller.owner()));
    let after = list.after(cursor.as_deref())?;
    let filter = NotificationFilter::Status(status);
    let page = web.app.notifications(caller, filter, after.as_ref(), PER_PAGE).await?;
    let more = list.seal(page.next.as_ref());
    let more = more.map(|cursor| address::with_query("/notifications", &[(name, &cursor)]));
    let (words, now) = (member.visit.words, web.app.now());
    let rows = page.items.iter().map(|one| Row::of(words, one, now)).collect();
    Ok(List { rows, more, is_wanted: cursor.is_some() })
}

#[derive(Deserialize)]
pub(super) struct Seen {
    back: Option<String>,
}

pub(super) async fn acknowledge(
    web: WebState,
    member: Member,
    PathId(id): PathId<NotificationId>,
    Form(form): Form<Seen>,
) -> Result<Response, Failure> {
    acknowledge_one(&web, &member.caller, id).await?;
    Ok(done(back_or(form.back.as_deref(), "/notifications"), "notification-seen"))
}

pub(super) async fn acknowledge_all(web: WebState, member: Member) -> Result<Response, Failure> {
    let filter = NotificationFilter::Status(NotificationStatus::Active);
    let mut after = None;
    loop {
        let page = web.app.notifications(&member.caller, filter, after.as_ref(), PER_PAGE).await?;
        for notification in &page.items {
            acknowledge_one(&web, &member.caller, notification.id).await?;
        }
        match page.next {
            None => return Ok(done("/notifications", "notifications-seen")),
            next => after = next,
        }
    }
}

/// Resolved and deleted notifications need no acknowledgement.
async fn acknowledge_one(web: &Web, caller: &Caller, id: NotificationId) -> Result<(), Failure> {
    match web.app.acknowledge_notification(caller, id, None).await {
        Ok(_) | Err(AppError::NotificationResolved(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use larder_domain::{ExpirationDate, Language, Quantity, Unit};

    use super::*;

    #[test]
    fn a_notification_says_how_much_there_is_or_until_when_it_is_good() {
        let low = |quantity: &str| NotificationSubject::LowStock {
            quantity: Quantity::parse(quantity).unwrap(),
            threshold: Quantity::parse("2").unwrap(),
            unit: Unit::parse("kg").unwrap(),
        };
        let (low, used_up) = (low("0.5"), low("0"));
        let date = ExpirationDate::parse("2026-02-28").unwrap();
        let soon = NotificationSubject::ExpiringSoon(date);
        let expired = NotificationSubject::Expired(date);
        let (en, ja) = (Words::of(Language::English), Words::of(Language::Japanese));
        assert_eq!(what(en, &low), "0.5 kg left, at least 2 kg wanted");
        assert_eq!(what(en, &used_up), "Used up, at least 2 kg wanted");
        assert_eq!(what(ja, &used_up), "なくなりました（目安2 kg）");
        assert_eq!(what(en, &soon), "Good until 28 Feb 2026");
        assert_eq!(what(en, &expired), "Was good until 28 Feb 2026");
        assert_eq!(what(ja, &low), "残り0.5 kg（目安2 kg）");
        assert_eq!(what(ja, &soon), "期限は2026年2月28日");
        assert_eq!(what(ja, &expired), "期限は2026年2月28日でした");
    }
}
