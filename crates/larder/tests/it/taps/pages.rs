//! The page itself.

use reqwest::Method;
use serde_json::json;

use crate::it::support::{Answer, Client, Server, id_of, page_of, url_id};

fn assert_headers(page: &Answer) {
    for (name, value) in [
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "no-store"),
        ("referrer-policy", "no-referrer"),
        ("x-robots-tag", "noindex, nofollow"),
        ("x-content-type-options", "nosniff"),
        ("vary", "Cookie, Accept-Language"),
        ("etag", ""),
    ] {
        assert_eq!(page.header(name), value, "{name}");
    }
    let policy = page.header("content-security-policy");
    for part in [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'sha256-",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ] {
        assert!(policy.contains(part), "{part} is not in {policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
}

async fn in_language(phone: &Client, path: &str, accepted: &str) -> Answer {
    let request = phone.request_root(Method::GET, path);
    phone.send(request.header("Accept-Language", accepted)).await
}

#[tokio::test]
async fn looking_changes_nothing_however_one_looks() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let eggs = anna.add("Eggs", 6, "個").await;
    let tag = anna.add_tag(&eggs, json!({})).await;
    for (method, purpose) in [
        (Method::GET, None),
        (Method::HEAD, None),
        (Method::GET, Some("prefetch")),
        (Method::GET, Some("prefetch;prerender")),
    ] {
        let mut request = phone.request_root(method, &page_of(&tag));
        if let Some(purpose) = purpose {
            request = request.header("Sec-Purpose", purpose);
        }
        let page = phone.send(request).await;
        assert_eq!(page.status, 200);
        assert_headers(&page);
    }
    let head = phone.send(phone.request_root(Method::HEAD, &page_of(&tag))).await;
    assert_eq!(head.text, "");
    let item = anna.item(id_of(&eggs)).await;
    assert_eq!((&item["quantity"], &item["version"]), (&json!(6), &json!(1)));
}

#[tokio::test]
async fn page_and_script_are_small_and_need_no_other_host() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    // As long as names and units can be, and each character as long as it can be as HTML.
    let longest =
        json!({ "name": "\"".repeat(200), "quantity": 99_999_999.99, "unit": "&".repeat(20) });
    let tag = anna.add_tag(&anna.add_item(longest).await, json!({})).await;
    let page = phone.page(&tag).await;
    let sources: Vec<_> =
        page.text.split("src=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let [script] = sources[..] else { panic!("one script: {sources:?}") };
    let script = phone.get_root(script.strip_prefix("..").expect("relative to the page")).await;
    assert_eq!(script.status, 200);
    assert_eq!(script.header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!(script.header("cache-control"), "public, max-age=31536000, immutable");
    let total = page.text.len() + script.text.len();
    assert!(total < 15_000, "{total} bytes in all");
    for text in [&page.text, &script.text] {
        assert!(!text.contains("//larder") && !text.contains("http:"), "{text}");
        assert!(!text.contains("https:") && !text.contains("src=\"//"), "{text}");
    }
    assert!(!page.text.contains("href="), "{}", page.text);
}

#[tokio::test]
async fn a_chosen_language_comes_before_what_the_browser_prefers() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let tag = anna.add_tag(&anna.add("Eggs", 6, "個").await, json!({})).await;
    let request = phone.request_root(Method::GET, &page_of(&tag)).header("Accept-Language", "en");
    let page = phone.send(request.header("Cookie", "larder_language=ja")).await;
    assert!(page.text.contains("<html lang=\"ja\">"), "{}", page.text);
}

#[tokio::test]
async fn the_page_speaks_english_and_japanese() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let body = json!({ "name": "卵", "quantity": 3, "unit": "個", "lowStockThreshold": 4 });
    let tag = anna.add_tag(&anna.add_item(body).await, json!({})).await;
    let english = in_language(&phone, &page_of(&tag), "fr, en;q=0.9, ja;q=0.8").await;
    let japanese = in_language(&phone, &page_of(&tag), "en;q=0.8, ja-JP;q=0.9").await;
    for (page, parts) in [
        (english, ["<html lang=\"en\">", "3個 left", "Running low", "Take 1個", "Put back 1個"]),
        (japanese, ["<html lang=\"ja\">", "残り3個", "残りわずかです", "1個 使う", "1個戻す"]),
    ] {
        for part in parts {
            assert!(page.text.contains(part), "{part} is not in {}", page.text);
        }
        assert!(page.text.contains("<h1 dir=\"auto\">卵</h1>"), "{}", page.text);
        assert!(!page.text.contains("id=\"low\" hidden"), "{}", page.text);
    }
}

#[tokio::test]
async fn unknown_replaced_and_deleted_have_pages_of_their_own() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let (eggs, milk) = (anna.add("Eggs", 6, "個").await, anna.add("Milk", 2, "L").await);
    let (rotated, deleted) =
        (anna.add_tag(&eggs, json!({})).await, anna.add_tag(&milk, json!({})).await);
    anna.rotate(&rotated).await.expect(200);
    anna.delete(&format!("/inventory/items/{}", id_of(&milk))).await.expect(204);
    for (path, status, english, japanese) in [
        ("/t/0000000000000000000000".to_owned(), 404, "Unknown tag", "不明なタグです"),
        ("/t/".to_owned(), 404, "Unknown tag", "不明なタグです"),
        (page_of(&rotated), 410, "This tag was replaced", "このタグは交換されました"),
        (page_of(&deleted), 410, "This item is gone", "この品物は削除されました"),
    ] {
        for (accepted, title) in [("en", english), ("ja", japanese)] {
            let page = in_language(&phone, &path, accepted).await;
            assert_eq!(page.status, status);
            assert_headers(&page);
            assert!(page.text.contains(&format!("<h1>{title}</h1>")), "{}", page.text);
            assert!(!page.text.contains("Milk") && !page.text.contains("<form"), "{}", page.text);
            assert!(!page.text.contains(url_id(&rotated)), "{}", page.text);
        }
    }
}

#[tokio::test]
async fn names_never_become_markup() {
    let server = Server::start().await;
    let (anna, phone) = (server.with_household("anna").await, server.anonymous());
    let name = "</title><script>alert(1)</script><img src=x onerror=\"alert(2)\">";
    let tag = anna.add_tag(&anna.add(name, 6, "<b>").await, json!({})).await;
    for page in [phone.page(&tag).await, phone.submit(&tag, "-1", "nonce-001").await] {
        assert_eq!(page.status, 200);
        for markup in ["<script>", "<img", "<b>"] {
            assert!(!page.text.contains(markup), "{markup} in {}", page.text);
        }
    }
}
