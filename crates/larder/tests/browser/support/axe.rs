//! Accessibility checks by the rules of WCAG.

use std::path::Path;

use serde_json::{Value, json};

use super::Browser;
use super::console::text;

/// A violation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// `minor`, `moderate`, `serious` or `critical`.
    pub(crate) impact: String,
    /// The rule and its description.
    pub(crate) rule: String,
    /// Selectors of the elements.
    pub(crate) elements: Vec<String>,
}

impl Finding {
    /// Whether it prevents someone from using the page.
    pub(crate) fn is_grave(&self) -> bool {
        ["serious", "critical"].contains(&self.impact.as_str())
    }
}

/// Runs rules and returns what they find, when nothing moves any more: a colour on its way to another is neither.
const CHECK: &str = r#"
const ends = ({ effect }) => effect?.getComputedTiming().endTime !== Infinity;
const moving = document.getAnimations().filter(ends).map(({ finished }) => finished.catch(() => null));
const rules = { runOnly: arguments[0], resultTypes: ["violations"] };
return Promise.all(moving).then(() => window.axe.run(document, rules)).then(({ violations }) =>
    violations.map(({ id, help, impact, nodes }) => ({
        impact, rule: `${id}: ${help}`, elements: nodes.map(({ target }) => target.flat().join(" ")),
    })));
"#;

/// All rules for pages.
const RULES: [&str; 6] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/// Rules that depend on the theme.
const RULES_OF_COLOURS: [&str; 2] = ["color-contrast", "link-in-text-block"];

impl Browser {
    /// All violations on the page, in its current state.
    pub(crate) async fn axe(&self) -> Vec<Finding> {
        self.axe_with(json!({ "type": "tag", "values": RULES })).await
    }

    /// The same of the page in the other theme, as far as a theme matters.
    pub(crate) async fn axe_in_dark(&self) -> Vec<Finding> {
        self.prefer("dark").await;
        let findings = self.axe_with(json!({ "type": "rule", "values": RULES_OF_COLOURS })).await;
        self.prefer("light").await;
        findings
    }

    async fn axe_with(&self, rules: Value) -> Vec<Finding> {
        if self.run("return typeof window.axe").await == "undefined" {
            self.run(&axe_source()).await;
        }
        let found = self.run_with(CHECK, json!([rules])).await;
        let findings = found.as_array().expect("axe returns a list").iter();
        findings.map(finding).collect()
    }
}

fn finding(found: &Value) -> Finding {
    let elements = found["elements"].as_array().expect("a finding has elements");
    Finding {
        impact: text(&found["impact"]),
        rule: text(&found["rule"]),
        elements: elements.iter().map(text).collect(),
    }
}

fn axe_source() -> String {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let file = workspace.join("browser/node_modules/axe-core/axe.min.js");
    std::fs::read_to_string(&file).unwrap_or_else(|error| {
        panic!("cannot read {} ({error}): run tools/install-browser", file.display())
    })
}
