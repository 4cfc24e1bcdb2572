//! Malformed and malicious URNs: wherever a URN is accepted, each is 400 and nothing is written.

use reqwest::Method;
use serde_json::json;

use super::{Home, box_with};
use crate::it::support::{encode, resource_path};

const ID: &str = "01955556-3cd2-7df2-b839-693fa6fbd505";

/// With the rule that each of them breaks.
fn hostile() -> Vec<(String, &'static str)> {
    const SCHEME: &str = "must begin with";
    const DOMAIN: &str = "the domain";
    const TYPE: &str = "the resource type";
    const SEPARATOR: &str = "must have \"::\"";
    const UUID: &str = "the id after";
    let at = |text: &str, reason| (text.replace("{ID}", ID), reason);
    vec![
        at("urn", SCHEME),
        at("{ID}", SCHEME),
        at("URN:pp:Box::{ID}", SCHEME),
        at(" urn:pp:Box::{ID}", SCHEME),
        at("\u{feff}urn:pp:Box::{ID}", SCHEME),
        at("uri:pp:Box::{ID}", SCHEME),
        at("Resource#urn:pp:Box::{ID}", SCHEME),
        at("%75rn:pp:Box::{ID}", SCHEME),
        at("null", SCHEME),
        at("*", SCHEME),
        at("urn:", DOMAIN),
        at("urn:pp", DOMAIN),
        at("urn::Box::{ID}", DOMAIN),
        at("urn:PP:Box::{ID}", DOMAIN),
        at("urn:-pp:Box::{ID}", DOMAIN),
        at("urn:p_p:Box::{ID}", DOMAIN),
        at("urn:p p:Box::{ID}", DOMAIN),
        at("urn:рр:Box::{ID}", DOMAIN),
        at("urn:pp#:Box::{ID}", DOMAIN),
        at("urn:ppppppppppppppppppppppppppppppppp:Box::{ID}", DOMAIN),
        at("urn:pp:Box", SEPARATOR),
        at("urn:pp:Box:{ID}", SEPARATOR),
        at("urn:pp:{ID}", SEPARATOR),
        at("urn:pp:::{ID}", TYPE),
        at("urn:pp:box::{ID}", TYPE),
        at("urn:pp:Home.::{ID}", TYPE),
        at("urn:pp:.Home::{ID}", TYPE),
        at("urn:pp:Home..Room::{ID}", TYPE),
        at("urn:pp:Home.room::{ID}", TYPE),
        at("urn:pp:Home Room::{ID}", TYPE),
        at("urn:pp:Home/Room::{ID}", TYPE),
        at("urn:pp:Home#Room::{ID}", TYPE),
        at("urn:pp:Ho\u{0}me::{ID}", TYPE),
        at("urn:pp:Hôme::{ID}", TYPE),
        at("urn:pp:1Home::{ID}", TYPE),
        at("urn:pp:../../etc/passwd::{ID}", TYPE),
        at("urn:pp:Box'; DROP TABLE resources; --::{ID}", TYPE),
        at("urn:pp:<script>alert(1)</script>::{ID}", TYPE),
        at(&format!("urn:pp:{}::{{ID}}", "A".repeat(201)), TYPE),
        at("urn:pp:Box::", UUID),
        at("urn:pp:Box::123-abc-890-xyz", UUID),
        at("urn:pp:Box::{ID} ", UUID),
        at("urn:pp:Box::{ID}\n", UUID),
        at("urn:pp:Box::{ID}#Child", UUID),
        at("urn:pp:Box::{{ID}}", UUID),
        at("urn:pp:Box:::{ID}", UUID),
        at("urn:pp:Box::{ID}::{ID}", UUID),
        at("urn:pp:Box::019555563cd27df2b839693fa6fbd505", UUID),
        at("urn:pp:Box::01955556-3cd2-7df2-b839-693fa6fbd50g", UUID),
        at("urn:pp:Box::０1955556-3cd2-7df2-b839-693fa6fbd505", UUID),
    ]
}

#[tokio::test]
async fn in_a_path_each_is_400_and_nothing_is_written() {
    let home = Home::open().await;
    let good = home.anna.make("Home.Room", None).await;
    let before = home.state().await;
    assert!(hostile().len() >= 40);
    for (text, reason) in hostile() {
        let hostile = resource_path(&text);
        let in_good = format!("{}/members/{}", resource_path(&good), encode(&text));
        for (method, path) in [
            (Method::GET, hostile.clone()),
            (Method::PUT, hostile.clone()),
            (Method::GET, format!("{hostile}/children")),
            (Method::PUT, format!("{hostile}/parent")),
            (Method::DELETE, format!("{hostile}/parent")),
            (Method::PUT, format!("{hostile}/members/{}", encode(&good))),
            (Method::PUT, in_good.clone()),
            (Method::DELETE, in_good),
        ] {
            let request = home.anna.request(method.clone(), &path).header("If-Match", "*");
            let body = json!({ "attributes": {}, "parentUrn": good });
            let answer = home.anna.send(request.json(&body)).await;
            let problem = answer.expect_problem(400, "INVALID_URN");
            let detail = problem["detail"].as_str().unwrap();
            assert!(detail.starts_with(reason), "{method} {text:?}: {detail}");
        }
    }
    assert_eq!(home.state().await, before);
}

#[tokio::test]
async fn in_a_body_each_is_400_and_nothing_is_written() {
    let home = Home::open().await;
    let good = home.anna.make("Home.Room", None).await;
    let before = home.state().await;
    let empty = (String::new(), "must begin with");
    for (text, reason) in hostile().into_iter().chain([empty]) {
        let made = home.anna.post("/resources", box_with(json!({ "parentUrn": text }))).await;
        for answer in [made, home.anna.attach(&good, &text).await] {
            let problem = answer.expect_problem(400, "INVALID_URN");
            assert_eq!(problem["errors"][0]["field"], "parentUrn");
            let detail = problem["detail"].as_str().unwrap();
            assert!(detail.starts_with(reason), "{text:?}: {detail}");
        }
    }
    assert_eq!(home.state().await, before);
}

#[tokio::test]
async fn bytes_that_are_no_text_are_no_urn() {
    let home = Home::open().await;
    let path = format!("/resources/urn:pp:Box::{ID}%ff");
    home.anna.get(&path).await.expect_problem(400, "INVALID_URN");
    home.anna.get(&format!("{path}/children")).await.expect_problem(400, "INVALID_URN");
    home.anna.delete(&format!("{path}/members/%ff")).await.expect_problem(400, "INVALID_URN");
}

#[tokio::test]
async fn a_urn_need_not_be_encoded_where_a_path_allows_its_characters() {
    let home = Home::open().await;
    let urn = home.anna.make("Home.Room", None).await;
    let plain = home.anna.get(&format!("/resources/{urn}")).await.expect(200);
    assert_eq!(plain, home.anna.resource(&urn).await);
}
