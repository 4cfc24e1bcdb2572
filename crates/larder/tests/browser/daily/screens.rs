//! The pages of the day on every screen, in both languages and themes: nothing is clipped, nothing
//! lies on something else, and nothing scrolls sideways.

use serde_json::json;

use crate::browser::everywhere::accessible::SMALL_TARGETS;
use crate::browser::stock::rows::{IN_SIGHT, fill};
use crate::browser::support::{Browser, Finding, Options};
use crate::it::support::{Client, Server};

/// Screens, and how many rows of the stock each shows at least.
const SCREENS: [(u32, u32, u64); 4] =
    [(320, 640, 5), (360, 740, 6), (390, 844, 8), (1280, 800, 14)];

const PAGES: [&str; 5] = [
    "/today",
    "/stock",
    "/shopping",
    "/shopping/put-away",
    "/search?q=%E3%83%88%E3%83%9E%E3%83%88",
];

/// Faults of the layout. A box is seen as far as its ancestors do not cut it. What scrolls by itself
/// or ends with an ellipsis may be cut; layers over the page (bars, messages) lie on it.
const FAULTS: &str = r"
const faults = [];
const { clientWidth: width, scrollWidth } = document.documentElement;
if (scrollWidth > width) faults.push(`${scrollWidth} wide`);
const cuts = (style) => style.overflowX !== 'visible' || style.overflowY !== 'visible';
const isFree = (style) => style.textOverflow === 'ellipsis' || /auto|scroll/.test(style.overflowX + style.overflowY);
const look = (element, box) => {
    const seen = { left: box.left, top: box.top, right: box.right, bottom: box.bottom, isFree: false, layer: null };
    for (let up = element; up && up !== document.body; up = up.parentElement) {
        const style = getComputedStyle(up);
        if (cuts(style)) {
            const edge = up.getBoundingClientRect();
            seen.left = Math.max(seen.left, edge.left);
            seen.right = Math.min(seen.right, edge.right);
            seen.top = Math.max(seen.top, edge.top);
            seen.bottom = Math.min(seen.bottom, edge.bottom);
            seen.isFree ||= isFree(style);
        }
        if (!seen.layer && ['fixed', 'sticky'].includes(style.position)) seen.layer = up;
    }
    return seen;
};
const isThere = ({ left, top, right, bottom }) => right - left > 1.5 && bottom - top > 1.5;
const isHidden = (element) => {
    for (let up = element; up; up = up.parentElement) if (getComputedStyle(up).clipPath !== 'none') return true;
    return !element.checkVisibility({ opacityProperty: true }) || element.closest('.skip');
};

const texts = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
    const { currentNode: node } = walk;
    const element = node.parentElement;
    if (!node.data.trim() || isHidden(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const what = `“${node.data.trim().slice(0, 40)}”`;
    if (/^[\d.]+$/.test(node.data.trim()) && range.getClientRects().length > 1) faults.push(`${what} is broken into lines`);
    for (const box of range.getClientRects()) {
        if (box.width <= 1.5 || box.height <= 1.5) continue;
        const seen = look(element, box);
        const isCut = seen.right - seen.left < box.width - 1.5 || seen.bottom - seen.top < box.height - 4;
        if (isCut && !seen.isFree) faults.push(`${what} is cut`);
        if (!isThere(seen)) continue;
        if (seen.left < -0.5 || seen.right > width + 0.5) faults.push(`${what} is beside the screen`);
        const holder = element.closest('button, .button, .badge, summary, label, .chips a, nav a, .card, li, td');
        const edge = holder?.getBoundingClientRect();
        if (edge && (seen.left < edge.left - 1.5 || seen.right > edge.right + 1.5)) faults.push(`${what} leaves ${holder.outerHTML.slice(0, 60)}`);
        texts.push({ what, element, ...seen });
    }
}

const pressable = 'a[href], button, input:not([type=hidden]), select, textarea, summary';
const targets = [...document.querySelectorAll(pressable)].filter((element) => !isHidden(element)).map((element) => {
    const seen = look(element, element.getBoundingClientRect());
    return { what: element.outerHTML.slice(0, 80), element, ...seen };
}).filter(isThere);
for (const { what, left, right } of targets) {
    if (left < -0.5 || right > width + 0.5) faults.push(`${what} is beside the screen`);
}

const overlaps = (a, b) => a.layer === b.layer
    && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
const isAround = (a, b) => a.contains(b) || b.contains(a);
const compare = (ones, others) => ones.forEach((one, place) => {
    for (const other of ones === others ? others.slice(place + 1) : others) {
        if (one.element !== other.element && !isAround(one.element, other.element) && overlaps(one, other)) {
            faults.push(`${one.what} lies on ${other.what}`);
        }
    }
});
compare(texts, texts);
compare(targets, targets);
compare(targets, texts);
return faults.slice(0, 12);
";

/// Unfolds the form that adds to the stock.
const ADDING: &str = "
    document.getElementById('adding')?.setAttribute('open', '');
    return [];
";

/// A list with everything that entries have, some of it bought.
async fn write_list(anna: &Client) {
    let shop = anna.post("/stores", json!({ "name": "Farmers’ market at the old town hall" }));
    let shop = shop.await.expect(201);
    let names =
        ["Milk", "Sauerkraut from the barrel, if there is any left", "豆腐（木綿）", "Apples"];
    for n in 0..12 {
        let entry = json!({
            "name": format!("{} {n}", names[n % names.len()]),
            "quantity": (n % 3 > 0).then_some(n * 100),
            "notes": (n % 4 == 1).then_some("The one in the blue box on the lowest shelf"),
            "storeId": (n % 2 == 0).then_some(&shop["id"]),
        });
        let entry = anna.post("/shopping-list", entry).await.expect(201);
        if n % 3 == 0 {
            let id = entry["shoppingItemId"].as_str().unwrap();
            let status = json!({ "status": "purchased", "version": 1 });
            anna.patch(&format!("/shopping-list/{id}/status"), status).await.expect(200);
        }
    }
}

#[tokio::test]
async fn nothing_is_cut_or_covered_on_any_screen_in_any_language_and_theme() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    fill(&anna, 499).await;
    write_list(&anna).await;
    let low = json!({ "name": "Low rice", "quantity": 1, "unit": "kg", "lowStockThreshold": 2 });
    anna.add_item(low).await;
    let browser = Browser::signed_in_with(&server, &anna, Options::default()).await;
    let mut found: Vec<String> = Vec::new();
    for language in ["en", "ja"] {
        browser.set_cookie("larder_language", language).await;
        for (width, height, rows) in SCREENS {
            browser.resize(width, height).await;
            for page in PAGES {
                browser.go(page).await;
                let at = format!("{page} at {width} px in {language}");
                assert_eq!(browser.run("return document.documentElement.lang").await, language);
                if page == "/stock" {
                    let seen = browser.run(IN_SIGHT).await;
                    assert!(seen[0].as_u64().unwrap() >= rows, "{at}: {seen}");
                }
                for script in [FAULTS, SMALL_TARGETS, ADDING, FAULTS, SMALL_TARGETS] {
                    let faults = browser.run(script).await;
                    let faults: Vec<String> = serde_json::from_value(faults).unwrap();
                    found.extend(faults.iter().map(|fault| format!("{at}: {fault}")));
                }
                let findings = [browser.axe().await, browser.axe_in_dark().await].concat();
                found.extend(
                    findings
                        .iter()
                        .map(|Finding { rule, elements, .. }| format!("{at}: {rule} {elements:?}")),
                );
            }
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

#[tokio::test]
async fn chips_that_go_on_beyond_the_edge_of_a_phone_fade_there() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    fill(&anna, 9).await;
    let gone = anna.add("Sugar", 0, "kg").await;
    assert_eq!(gone["quantity"], 0);
    let browser = Browser::signed_in_with(&server, &anna, Options::default()).await;
    let chips = "
        const chips = document.getElementById('views');
        return [chips.scrollWidth > chips.clientWidth, getComputedStyle(chips).maskImage.includes('gradient')];
    ";
    for (width, height, expected) in [(390, 844, [true, true]), (1280, 800, [false, false])] {
        browser.resize(width, height).await;
        browser.go("/stock").await;
        assert_eq!(browser.run(chips).await, json!(expected), "{width} px");
    }
}

#[tokio::test]
async fn a_layout_that_is_wrong_is_found() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    anna.add("Milk", 1, "L").await;
    let browser = Browser::signed_in(&server, &anna).await;
    browser.go("/stock").await;
    assert_eq!(browser.run(FAULTS).await, json!([]));
    // A sheet of the test's own: what is in the page is replaced when it is read again.
    let harm = "
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(arguments[0]);
        document.adoptedStyleSheets = [sheet];
    ";
    for (style, fault) in [
        ("#items .amount { position: absolute; left: 1rem; }", "lies on"),
        ("#items .title { text-overflow: clip; max-width: 1rem; }", "“Milk” is cut"),
        ("#items .what { margin-left: -9rem; }", "beside the screen"),
        ("#views a { padding: 0; width: 2rem; white-space: nowrap; }", "leaves <a"),
        ("main { width: 150vw; }", "wide"),
    ] {
        browser.run_with(harm, json!([style])).await;
        let faults: Vec<String> = serde_json::from_value(browser.run(FAULTS).await).unwrap();
        assert!(faults.iter().any(|it| it.contains(fault)), "{fault}: {faults:?}");
    }
}
