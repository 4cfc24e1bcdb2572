//! Interactions with the elements of a page, and their texts.

use serde_json::{Value, json};

use super::Browser;
use super::webdriver::Element;
use crate::it::support::eventually;

/// Finds an interactive element by its accessible name: an exact match before a longer name.
const PRESSABLE: &str = r#"
const visibleText = (element) => element.getAttribute("aria-label") ?? (element.innerText || element.value || "");
const name = (element) => visibleText(element).replace(/\s+/g, " ").trim();
const pressable = "button, a[href], summary, label, input[type=submit], [role=button], [role=tab], [role=menuitem]";
const found = [...document.querySelectorAll(pressable)].filter((element) => element.checkVisibility());
return found.find((element) => name(element) === arguments[0])
    ?? found.find((element) => name(element).includes(arguments[0])) ?? null;
"#;

/// A key of the keyboard that is no character.
#[derive(Clone, Copy)]
pub(crate) enum Key {
    Tab,
    Enter,
    ArrowLeft,
    ArrowRight,
}

impl Key {
    /// As the standard writes it.
    fn code(self) -> &'static str {
        match self {
            Self::Tab => "\u{E004}",
            Self::Enter => "\u{E007}",
            Self::ArrowLeft => "\u{E012}",
            Self::ArrowRight => "\u{E014}",
        }
    }
}

impl Browser {
    /// Presses the button or link of this name, as soon as it exists.
    pub(crate) async fn press(&self, name: &str) {
        self.click_what(PRESSABLE, name, &format!("“{name}” can be pressed")).await;
    }

    /// Presses the first match of `selector`, as soon as it exists.
    pub(crate) async fn click(&self, selector: &str) {
        let script = "return document.querySelector(arguments[0])";
        self.click_what(script, selector, &format!("{selector} can be pressed")).await;
    }

    /// Replaces the text of a field, key by key.
    pub(crate) async fn fill(&self, selector: &str, text: &str) {
        let field = self.element(selector).await;
        for (command, body) in [("clear", json!({})), ("value", json!({ "text": text }))] {
            let done = self.session.on(&field, command, body).await;
            done.unwrap_or_else(|refusal| panic!("{selector} cannot be written into: {refusal}"));
        }
    }

    /// Sets the value of any field (a date, a choice, a colour), and fires its events.
    pub(crate) async fn set(&self, selector: &str, value: &str) {
        let script = r#"
            const [field, value] = arguments;
            field.value = value;
            for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
            return field.value;
        "#;
        let field = self.element(selector).await.to_value();
        let set = self.run_with(script, json!([field, value])).await;
        assert_eq!(set, value, "{selector} takes that value");
    }

    /// Presses a key, wherever the focus is.
    pub(crate) async fn key(&self, key: Key) {
        self.strike(key.code()).await;
    }

    /// Types text into the focused element.
    pub(crate) async fn type_text(&self, text: &str) {
        self.strike(text).await;
    }

    async fn strike(&self, keys: &str) {
        let stroke = |key: char| {
            [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
        };
        let strokes: Vec<_> = keys.chars().flat_map(stroke).collect();
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": strokes });
        self.must("actions", json!({ "actions": [keyboard] })).await;
    }

    /// Drags the match of one selector to the middle of another's, with a mouse.
    pub(crate) async fn drag(&self, from: &str, to: &str) {
        let (from, to) = (self.element(from).await.to_value(), self.element(to).await.to_value());
        let moved = |origin: &Value| json!({ "type": "pointerMove", "origin": origin, "x": 0, "y": 0, "duration": 100 });
        let strokes = json!([
            moved(&from),
            { "type": "pointerDown", "button": 0 },
            moved(&to),
            { "type": "pointerUp", "button": 0 },
        ]);
        let kind = json!({ "pointerType": "mouse" });
        let mouse =
            json!({ "type": "pointer", "id": "mouse", "parameters": kind, "actions": strokes });
        self.must("actions", json!({ "actions": [mouse] })).await;
    }

    /// The visible text of the first match of `selector`, as soon as it exists.
    pub(crate) async fn text(&self, selector: &str) -> String {
        let element = self.element(selector).await.to_value();
        let text = self.run_with("return arguments[0].innerText", json!([element])).await;
        text.as_str().expect("an element has text").to_owned()
    }

    /// The visible texts of all elements that `selector` finds now, in their order.
    pub(crate) async fn texts(&self, selector: &str) -> Vec<String> {
        let script =
            "return [...document.querySelectorAll(arguments[0])].map((found) => found.innerText)";
        let texts = self.run_with(script, json!([selector])).await;
        serde_json::from_value(texts).expect("elements have texts")
    }

    /// An attribute of the first match of `selector`, as soon as it exists.
    pub(crate) async fn attribute(&self, selector: &str, name: &str) -> Option<String> {
        let element = self.element(selector).await.to_value();
        let script = "return arguments[0].getAttribute(arguments[1])";
        let value = self.run_with(script, json!([element, name])).await;
        value.as_str().map(str::to_owned)
    }

    /// How many elements `selector` finds now.
    pub(crate) async fn count(&self, selector: &str) -> u64 {
        let script = "return document.querySelectorAll(arguments[0]).length";
        self.run_with(script, json!([selector])).await.as_u64().expect("a length is a number")
    }

    async fn element(&self, selector: &str) -> Element {
        eventually(&format!("{selector} is on the page"), async || {
            let script = "return document.querySelector(arguments[0])";
            let found = self.session.run(script, json!([selector])).await.ok()?;
            Element::from_value(&found)
        })
        .await
    }

    /// Clicks the result of `script`. Retries while it is missing, being replaced, or covered.
    async fn click_what(&self, script: &str, argument: &str, what: &str) {
        const INTERCEPTED: &str = "element click intercepted";
        const PASSING: [&str; 3] =
            ["stale element reference", "element not interactable", "no such element"];
        eventually(what, async || {
            let found: Value = self.session.run(script, json!([argument])).await.ok()?;
            let element = Element::from_value(&found)?;
            match self.session.on(&element, "click", json!({})).await {
                Ok(_) => Some(()),
                Err(refusal) if refusal.error == INTERCEPTED => {
                    // It may be covered by a sticky element: scroll on.
                    let scroll =
                        "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })";
                    let scrolled = self.session.run(scroll, json!([element.to_value()])).await;
                    scrolled.ok().and(None)
                }
                Err(refusal) if PASSING.contains(&refusal.error.as_str()) => None,
                Err(refusal) => panic!("{what}, but: {refusal}"),
            }
        })
        .await;
    }
}
