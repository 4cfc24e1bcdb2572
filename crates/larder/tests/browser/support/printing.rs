//! Pages on paper.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;

use super::Browser;

impl Browser {
    /// Lays the page out as on paper, for looking at its parts.
    pub(crate) async fn look_at_it_on_paper(&self) {
        self.session.debug("Emulation.setEmulatedMedia", json!({ "media": "print" })).await;
    }

    /// The printed page: the size of each sheet in millimetres.
    pub(crate) async fn printed_sheets(&self) -> Vec<[f64; 2]> {
        let wishes = json!({ "preferCSSPageSize": true });
        let answer = self.session.debug("Page.printToPDF", wishes).await;
        let pdf = answer["data"].as_str().expect("a document is text in Base64");
        let pdf = BASE64_STANDARD.decode(pdf).expect("a document is text in Base64");
        // Every sheet has its size in points in plain text; its content is compressed.
        let pdf = String::from_utf8_lossy(&pdf);
        let boxes = pdf.split("/MediaBox [").skip(1);
        boxes.map(|rest| size_of_box(rest.split(']').next().unwrap_or_default())).collect()
    }
}

/// `0 0 595 842`, in points, as millimetres.
fn size_of_box(corners: &str) -> [f64; 2] {
    let corners: Vec<f64> =
        corners.split_whitespace().map(|number| number.parse().unwrap()).collect();
    [corners[2] - corners[0], corners[3] - corners[1]].map(|points| points / 72.0 * 25.4)
}
