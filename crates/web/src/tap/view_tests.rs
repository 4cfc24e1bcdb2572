use jiff::Timestamp;
use larder_domain::{
    HouseholdId, ItemDetails, ItemId, ItemName, Language, Owner, Quantity, Unit, UserId,
};

use super::*;

fn item(name: &str, quantity: &str, unit: &str) -> Item {
    let details = ItemDetails {
        low_stock_threshold: Some(Quantity::parse("2").unwrap()),
        ..ItemDetails::new(
            ItemName::parse(name).unwrap(),
            Quantity::parse(quantity).unwrap(),
            Unit::parse(unit).unwrap(),
        )
    };
    let owner = Owner::Household(HouseholdId::fixed(1));
    Item::new(ItemId::fixed(2), owner, details, UserId::fixed(3), Timestamp::UNIX_EPOCH)
}

fn rendered(item: &Item, language: Language, script: Option<&str>) -> String {
    rendered_for(None, item, language, script)
}

fn rendered_for(
    member: Option<MemberView>,
    item: &Item,
    language: Language,
    script: Option<&str>,
) -> String {
    let (take, put_back) =
        (TapNonce::parse("nonce-to-take").unwrap(), TapNonce::parse("nonce-to-put").unwrap());
    let view = TapView {
        words: Words::of(language),
        item,
        member,
        is_low: !item.details.is_enough_alone(),
        step: TagStep::parse("0.5").unwrap(),
        message: "Took it.",
        action: "adjust",
        nonces: [&take, &put_back],
        script,
    };
    view.render().unwrap()
}

#[test]
fn the_page_says_what_there_is_and_what_can_be_done() {
    let page = rendered(&item("Rice", "2.5", "kg"), Language::English, Some("../tap.js"));
    for part in [
        r#"<html lang="en">"#,
        "<h1 dir=\"auto\">Rice</h1>",
        "Took it.",
        "2.5 kg left",
        r#"<p id="low" hidden>"#,
        "Take 0.5 kg",
        "Put back 0.5 kg",
        r#"name="nonce" value="nonce-to-take""#,
        r#"name="nonce" value="nonce-to-put""#,
        r#"<script type="module" src="../tap.js"></script>"#,
    ] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
    assert!(!rendered(&item("Rice", "1", "kg"), Language::English, None).contains("<script"));
}

#[test]
fn what_is_used_up_is_not_running_low() {
    let empty = item("Rice", "0", "kg");
    let page = rendered(&empty, Language::English, None);
    assert!(page.contains(r#"<p id="left">Used up</p>"#), "{page}");
    assert!(page.contains(r#"<p id="low" hidden>"#) && !page.contains("0 kg left"), "{page}");
    let page = rendered(&empty, Language::Japanese, None);
    assert!(page.contains(r#"<p id="left">なくなりました</p>"#), "{page}");
}

#[test]
fn members_see_label_and_date_and_where_to_go_on() {
    let rice = item("Rice", "1", "kg");
    let member = MemberView {
        label: Some("<b>Door</b>".into()),
        until: Some("Good until 5 Jan 2026".into()),
        link: "../stock/7".into(),
    };
    let page = rendered_for(Some(member), &rice, Language::English, None);
    for part in [
        "&#60;b&#62;Door&#60;/b&#62;</p>",
        "<p>Good until 5 Jan 2026</p>",
        r#"<a href="../stock/7">Open in Larder</a>"#,
    ] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
    let link = MemberView { link: "../stock/7".into(), ..MemberView::default() };
    let page = rendered_for(Some(link), &rice, Language::Japanese, None);
    assert!(page.contains(r#"<a href="../stock/7">Larderで開く</a>"#), "{page}");
    assert!(!rendered(&rice, Language::English, None).contains("href"));
}

#[test]
fn japanese_is_whole() {
    let page = rendered(&item("米", "1.5", "袋"), Language::Japanese, None);
    for part in [
        r#"<html lang="ja">"#,
        "残り1.5袋",
        "0.5袋 使う",
        "0.5袋戻す",
        r#"<p id="low">残りわずかです"#,
    ] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
    assert!(!page.contains("left\">\n"), "{page}");
}

#[test]
fn names_and_units_are_text_and_never_markup() {
    let evil = item("<script>alert(1)</script>\" onload=\"x", "1", "<b>'&");
    let page = rendered(&evil, Language::English, None);
    assert!(!page.contains("<script>alert"), "{page}");
    assert!(!page.contains("<b>"), "{page}");
    assert!(!page.contains("\" onload"), "{page}");
}

#[test]
fn the_policy_allows_our_style_by_its_hash_and_nothing_inline_beside_it() {
    let page = rendered(&item("Rice", "1", "kg"), Language::English, None);
    let style = page.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
    let hash = STANDARD.encode(Sha256::digest(style));
    let policy = POLICY.to_str().unwrap();
    assert!(policy.contains(&format!("style-src 'sha256-{hash}';")), "{policy}");
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; "), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
    assert!(!page.contains("style=") && !page.contains(" on"), "{page}");
}

#[test]
fn every_notice_is_a_page_in_its_language() {
    for language in Language::ALL {
        let words = Words::of(language);
        for notice in [UNKNOWN, ROTATED, ITEM_DELETED, OVERFLOW, RATE_LIMITED, INVALID, FAILED] {
            let page = NoticeView { words, notice, link: None }.render().unwrap();
            assert!(page.contains(&format!("<html lang=\"{}\">", language.tag())), "{page}");
            for text in [words.get(notice.title), words.get(notice.text)] {
                assert!(page.contains(&*text), "{text} is not in {page}");
            }
            assert!(!page.contains("<script") && !page.contains("<form"), "{page}");
        }
    }
}
