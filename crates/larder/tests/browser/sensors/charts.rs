//! Charts with mouse, touch, keyboard and screen reader.

use serde_json::json;

use super::{Cellar, DAY_MS, DEVICE, quarters_ago};
use crate::browser::support::{Browser, Key, Options};
use crate::it::support::now_ms;

const SAID: &str = ".chart output";
/// The ends of the announcements, after the time.
const FIRST: &str = ": 20 to 22.5 °C, average 21.25 °C";
const SECOND: &str = ": −3.5 °C";

/// Two buckets far from each other: one with two values, one with one.
async fn cellar() -> Cellar {
    let cellar = Cellar::new().await;
    let first = quarters_ago(80);
    cellar.measured(first, json!({ "temperature_c": 20 })).await;
    cellar.measured(first + 60_000, json!({ "temperature_c": 22.5 })).await;
    cellar.measured(quarters_ago(8), json!({ "temperature_c": -3.5 })).await;
    cellar
}

/// Moves the mouse over the plot, to so much of its width.
async fn point_at(browser: &Browser, share: f64) {
    let move_there = r"
        const plot = document.querySelector('.plot');
        const { left, top, width, height } = plot.getBoundingClientRect();
        const place = { clientX: left + width * arguments[0], clientY: top + height / 2, bubbles: true };
        plot.dispatchEvent(new PointerEvent('pointermove', place));
    ";
    browser.run_with(move_there, json!([share])).await;
}

#[tokio::test]
async fn a_chart_says_what_was_measured_at_the_place_that_is_pointed_at() {
    let cellar = cellar().await;
    let phone = Browser::signed_in(&cellar.server, &cellar.anna).await;
    phone.go(DEVICE).await;
    phone.says(SAID, "Touch the chart").await;
    point_at(&phone, 0.2).await;
    phone.says(SAID, FIRST).await;
    point_at(&phone, 0.95).await;
    phone.says(SAID, SECOND).await;
    // The middle selects the older or the newer one, but never nothing.
    phone.click(".plot").await;
    let said = phone.text(SAID).await;
    assert!(said.ends_with(FIRST) || said.ends_with(SECOND), "{said}");
    let cross = phone.attribute(".cross", "x1").await.unwrap();
    assert!(cross.ends_with('%'), "{cross}");
}

#[tokio::test]
async fn the_arrow_keys_go_from_value_to_value() {
    let cellar = cellar().await;
    let phone = Browser::signed_in(&cellar.server, &cellar.anna).await;
    phone.go(DEVICE).await;
    phone.run("document.querySelector('.scrub').focus()").await;
    phone.says(SAID, SECOND).await;
    phone.key(Key::ArrowLeft).await;
    phone.says(SAID, FIRST).await;
    let told = phone.attribute(".scrub", "aria-valuetext").await.unwrap();
    assert!(told.ends_with(FIRST), "{told}");
    phone.key(Key::ArrowRight).await;
    phone.says(SAID, SECOND).await;
}

#[tokio::test]
async fn new_readings_come_in_while_somebody_looks_at_older_ones() {
    let cellar = cellar().await;
    let phone = Browser::signed_in(&cellar.server, &cellar.anna).await;
    phone.go(DEVICE).await;
    point_at(&phone, 0.2).await;
    phone.says(SAID, FIRST).await;
    cellar.measured(now_ms(), json!({ "temperature_c": 7.25 })).await;
    phone.says("#latest", "7.3 °C").await;
    phone.says(".chart figcaption", "highest 22.5 °C").await;
    assert_eq!(phone.count(".marks rect").await, 3);
    assert!(phone.text(SAID).await.ends_with(FIRST));
    assert_eq!(phone.count(".cross.on").await, 1);
}

#[tokio::test]
async fn a_span_is_one_press_away_and_any_days_are_two() {
    let cellar = Cellar::new().await;
    cellar.measured(now_ms(), json!({ "temperature_c": 1 })).await;
    cellar.measured(now_ms() - 5 * DAY_MS, json!({ "temperature_c": 50 })).await;
    let phone = Browser::signed_in(&cellar.server, &cellar.anna).await;
    phone.go(DEVICE).await;
    phone.says("figcaption", "highest 1 °C").await;
    phone.press("7 days").await;
    phone.says("figcaption", "highest 50 °C").await;
    assert_eq!(phone.text("[aria-current=true]").await, "7 days");
    phone.press("Other days").await;
    phone.set("#from", "2001-02-03").await;
    phone.set("#to", "2001-02-04").await;
    phone.press("Show").await;
    phone.sees("Nothing was measured in this time.").await;
    assert_eq!(phone.path().await, format!("{DEVICE}?from=2001-02-03&to=2001-02-04"));
}

#[tokio::test]
async fn without_script_a_chart_has_its_values_as_titles_and_as_a_table() {
    let cellar = cellar().await;
    let options = Options::default().without_script();
    let phone = Browser::signed_in_with(&cellar.server, &cellar.anna, options).await;
    phone.go(DEVICE).await;
    let titles =
        "return [...document.querySelectorAll('.marks title')].map((title) => title.textContent)";
    let titles: Vec<String> = serde_json::from_value(phone.run(titles).await).unwrap();
    assert_eq!(titles.len(), 2);
    assert!(titles[0].ends_with(FIRST) && titles[1].ends_with(SECOND), "{titles:?}");
    phone.press("Values as a table").await;
    assert_eq!(phone.texts(".chart td").await, ["20", "21.25", "22.5", "−3.5", "−3.5", "−3.5"]);
    let is_shown = "return document.querySelector('.scrub').checkVisibility()";
    assert_eq!(phone.run(is_shown).await, false);
}

#[tokio::test]
async fn charts_are_dark_where_the_page_is_and_fit_the_smallest_phone() {
    let cellar = Cellar::new().await;
    cellar.a_day().await;
    let brightness = "const [r, g, b] = getComputedStyle(document.querySelector('.line')).stroke.match(/\\d+/g); \
        return (Number(r) + Number(g) + Number(b)) / 3";
    let mut brightnesses = Vec::new();
    for options in [Options::default(), Options::default().dark()] {
        let options = options.screen(320, 568);
        let phone = Browser::signed_in_with(&cellar.server, &cellar.anna, options).await;
        phone.go(DEVICE).await;
        assert_eq!(phone.count(".chart").await, 2);
        brightnesses.push(phone.run(brightness).await.as_f64().unwrap());
        let width = phone.run("return document.documentElement.scrollWidth").await;
        assert_eq!(width, 320);
        // No label is small, cut off or under another one.
        let labels = r"
            const labels = [...document.querySelectorAll('.chart:first-of-type .time')];
            const boxes = labels.map((label) => label.getBoundingClientRect());
            return boxes.every(({ left, right, height }, at) =>
                left >= 0 && right <= innerWidth && height >= 12 && (at === 0 || left > boxes[at - 1].right));
        ";
        assert_eq!(phone.run(labels).await, true);
        assert_eq!(phone.axe().await, []);
    }
    assert!(brightnesses[0] < 100.0 && brightnesses[1] > 140.0, "{brightnesses:?}");
}

#[tokio::test]
async fn a_range_that_cannot_be_is_said_at_its_field_and_the_page_does_not_jump() {
    let cellar = cellar().await;
    let phone = Browser::signed_in(&cellar.server, &cellar.anna).await;
    phone.expect_complaint("status of 400");
    phone.go(DEVICE).await;
    phone.press("Other days").await;
    phone.set("#from", "2026-02-02").await;
    phone.set("#to", "2026-02-01").await;
    phone.press("Show").await;
    phone.says("#why", "The first day must not be after the last").await;
    let form = "
        const [from, to] = ['from', 'to'].map((id) => document.getElementById(id));
        return [from.value, to.value, from.ariaInvalid, to.ariaInvalid, location.hash]";
    let kept = json!(["2026-02-02", "2026-02-01", "true", null, "#history"]);
    assert_eq!(phone.run(form).await, kept);
    phone.wait_for("scrollY > 0").await;
    phone.set("#from", "2026-01-31").await;
    phone.press("Show").await;
    phone.sees("Nothing was measured in this time.").await;
    phone.wait_for("scrollY > 0").await;
    phone.press("7 days").await;
    phone.says(".chart .quiet", "lowest −3.5 °C").await;
    phone.wait_for("scrollY > 0").await;
}
