//! The texts of mails, in English and Japanese: one mail for families that read either.

use larder_app::{LinkPurpose, Message};
use larder_domain::NotificationSubject;

pub(super) fn subject(message: &Message) -> String {
    let item = one_line(message.notification.item_name.as_str());
    match &message.notification.subject {
        NotificationSubject::LowStock { .. } => format!("Low stock: {item} / 残りわずか: {item}"),
        NotificationSubject::ExpiringSoon(_) => format!("Expiring soon: {item} / 期限間近: {item}"),
        NotificationSubject::Expired(_) => format!("Expired: {item} / 期限切れ: {item}"),
    }
}

/// The whole text.
pub(super) fn body(message: &Message) -> String {
    let item = one_line(message.notification.item_name.as_str());
    let household = one_line(message.household.name.as_str());
    let (english, japanese) = match &message.notification.subject {
        NotificationSubject::LowStock { quantity, threshold, unit } if quantity.is_zero() => (
            format!(
                "\"{item}\" is used up, and there should be {threshold} {unit}.",
                unit = unit.as_str()
            ),
            format!(
                "「{item}」がなくなりました。目安は {threshold} {unit} です。",
                unit = unit.as_str()
            ),
        ),
        NotificationSubject::LowStock { quantity, threshold, unit } => {
            let unit = unit.as_str();
            (
                format!(
                    "There is little left of \"{item}\": {quantity} {unit}, and there should be {threshold} {unit}."
                ),
                format!(
                    "「{item}」の残りが少なくなりました。残り {quantity} {unit}、目安は {threshold} {unit} です。"
                ),
            )
        }
        NotificationSubject::ExpiringSoon(date) => (
            format!("\"{item}\" should be used soon: its date is {date}."),
            format!("「{item}」の期限が近づいています。期限は {date} です。"),
        ),
        NotificationSubject::Expired(date) => (
            format!("The date of \"{item}\" has passed: it was {date}."),
            format!("「{item}」の期限が過ぎました。期限は {date} でした。"),
        ),
    };
    format!("{household}\n\n{english}\n\n{japanese}\n\n-- \nLarder\n")
}

/// The subject of a mail with a link.
pub(super) const fn link_subject(purpose: LinkPurpose) -> &'static str {
    match purpose {
        LinkPurpose::ConfirmAddress => "Confirm your email address / メールアドレスの確認",
        LinkPurpose::ResetPassword => "Choose a new password / パスワードの再設定",
    }
}

/// The text of a mail with a link. It contains no user input: the address may be someone else's.
pub(super) fn link(purpose: LinkPurpose, link: &str) -> String {
    match purpose {
        LinkPurpose::ConfirmAddress => format!(
            "This address was given for an account in Larder. To get notifications by mail, open this link within \
             two days and press the button:\n\n\
             {link}\n\n\
             If it was not you, ignore this mail: you will get no notifications.\n\n\
             このメールアドレスが Larder のアカウントに登録されました。お知らせをメールで受け取るには、2日以内に\
             上のリンクを開いて、ボタンを押してください。\n\n\
             心当たりがない場合は、このメールを無視してください。お知らせは届きません。\n\n\
             -- \nLarder\n"
        ),
        LinkPurpose::ResetPassword => format!(
            "Somebody asked for a new password for your account in Larder. If it was you, open this link within 30 \
             minutes:\n\n\
             {link}\n\n\
             If it was not you, ignore this mail: your password stays as it is.\n\n\
             Larder のアカウントのパスワード再設定が申し込まれました。ご本人の場合は、30分以内に上のリンクを\
             開いてください。\n\n\
             心当たりがない場合は、このメールを無視してください。パスワードは変わりません。\n\n\
             -- \nLarder\n"
        ),
    }
}

/// Names cannot contain line breaks, but protection against header injection must not depend on
/// that.
pub(super) fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'), " ")
}

#[cfg(test)]
mod tests {
    use larder_domain::ExpirationDate;

    use super::*;
    use crate::samples;

    #[test]
    fn what_is_used_up_is_not_told_as_a_little() {
        let mut message = samples::low_stock();
        let NotificationSubject::LowStock { quantity, .. } = &mut message.notification.subject
        else {
            panic!("the sample is low")
        };
        *quantity = larder_domain::Quantity::ZERO;
        let body = body(&message);
        assert!(body.contains("\"りんご\" is used up, and there should be 2 kg."), "{body}");
        assert!(body.contains("「りんご」がなくなりました。目安は 2 kg です。"), "{body}");
    }

    #[test]
    fn low_stock_is_told_with_its_numbers_in_both_languages() {
        let message = samples::low_stock();
        assert_eq!(subject(&message), "Low stock: りんご / 残りわずか: りんご");
        assert_eq!(
            body(&message),
            "Home\n\n\
             There is little left of \"りんご\": 0.5 kg, and there should be 2 kg.\n\n\
             「りんご」の残りが少なくなりました。残り 0.5 kg、目安は 2 kg です。\n\n\
             -- \nLarder\n"
        );
    }

    #[test]
    fn dates_are_told_as_they_are_stored() {
        let expired = samples::expired();
        assert_eq!(subject(&expired), "Expired: りんご / 期限切れ: りんご");
        assert!(body(&expired).contains("it was 2026-02-28."), "{}", body(&expired));

        let date = ExpirationDate::parse("2026-03-02").unwrap();
        let soon = samples::message(NotificationSubject::ExpiringSoon(date));
        assert_eq!(subject(&soon), "Expiring soon: りんご / 期限間近: りんご");
        assert!(body(&soon).contains("期限は 2026-03-02 です。"), "{}", body(&soon));
    }

    #[test]
    fn nothing_can_end_a_line() {
        assert_eq!(one_line("a\r\nBcc: b\u{2028}c\u{0}d"), "a  Bcc: b c d");
    }
}
