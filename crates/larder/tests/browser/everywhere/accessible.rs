//! Accessibility: the rules of WCAG, and the size of touch targets.

use std::sync::Mutex;

use super::{Home, visit};
use crate::browser::support::{Finding, Options};

/// Interactive elements smaller than 44 × 44 pixels. A link in running text is as large as its
/// words; a checkbox is as large as its label; elements that are off screen until focused are not
/// pressed.
pub(in crate::browser) const SMALL_TARGETS: &str = r#"
const targets = "nav a, header a, li > a, button, input:not([type=hidden]), select, textarea, summary, [role=button]";
const area = (element) => (element.matches("[type=checkbox], [type=radio]") && element.closest("label")) || element;
return [...document.querySelectorAll(targets)].filter((element) => element.checkVisibility()).flatMap((element) => {
    const { width, height, right, bottom } = area(element).getBoundingClientRect();
    const isOffScreen = right <= 0 || bottom + scrollY <= 0 || (width <= 1 && height <= 1);
    if (isOffScreen || (width >= 43.9 && height >= 43.9)) return [];
    return [`${element.outerHTML.slice(0, 120)}: ${width.toFixed(1)} × ${height.toFixed(1)}`];
});
"#;

#[tokio::test]
async fn no_page_stands_in_anybodys_way_on_a_phone_in_light_and_in_dark() {
    no_page_stands_in_anybodys_way(Options::default()).await;
}

#[tokio::test]
async fn no_page_stands_in_anybodys_way_on_a_laptop_in_light_and_in_dark() {
    no_page_stands_in_anybodys_way(Options::default().laptop()).await;
}

async fn no_page_stands_in_anybodys_way(options: Options) {
    let home = Home::ordinary().await;
    let found = Mutex::new(Vec::new());
    visit(&home, options, async |page, browser| {
        let findings = [browser.axe().await, browser.axe_in_dark().await].concat();
        let grave = findings.into_iter().filter(Finding::is_grave);
        let grave: Vec<_> = grave.map(|finding| (page.address(&home), finding)).collect();
        found.lock().unwrap().extend(grave);
    })
    .await;
    assert_eq!(found.into_inner().unwrap(), []);
}

#[tokio::test]
async fn everything_that_is_pressed_is_as_large_as_a_finger_and_no_page_scrolls_sideways() {
    let home = Home::ordinary().await;
    for options in [Options::default().screen(320, 568), Options::default().laptop()] {
        let found = Mutex::new(Vec::new());
        visit(&home, options, async |page, browser| {
            let small = browser.run(SMALL_TARGETS).await;
            let small = small.as_array().unwrap().iter();
            let small = small.map(|target| format!("{}: {target}", page.address(&home)));
            found.lock().unwrap().extend(small.collect::<Vec<_>>());
            let widths = "const { scrollWidth, clientWidth } = document.documentElement;
                return scrollWidth > clientWidth ? `${scrollWidth} in ${clientWidth}` : null";
            if let Some(wide) = browser.run(widths).await.as_str() {
                found.lock().unwrap().push(format!("{} is {wide} wide", page.address(&home)));
            }
        })
        .await;
        assert_eq!(found.into_inner().unwrap(), Vec::<String>::new());
    }
}
