//! `/openapi.json` and `/docs`.

use std::collections::BTreeSet;

use crate::it::support::Server;

/// The contract's routes; `{}` stands for any parameter.
const CONTRACT: &[&str] = &[
    "POST /api/v1/auth/register",
    "POST /api/v1/auth/login",
    "POST /api/v1/auth/refresh",
    "POST /api/v1/auth/logout",
    "POST /api/v1/auth/forgot",
    "POST /api/v1/auth/reset",
    "GET /api/v1/me",
    "POST /api/v1/me/tokens",
    "GET /api/v1/me/tokens",
    "DELETE /api/v1/me/tokens/{}",
    "POST /api/v1/households",
    "GET /api/v1/households/current",
    "PATCH /api/v1/households/current",
    "POST /api/v1/households/join",
    "POST /api/v1/households/current/invite-code",
    "GET /api/v1/households/current/members",
    "PATCH /api/v1/households/current/members/{}",
    "DELETE /api/v1/households/current/members/{}",
    "GET /api/v1/inventory/items",
    "POST /api/v1/inventory/items",
    "GET /api/v1/inventory/items/{}",
    "PATCH /api/v1/inventory/items/{}",
    "DELETE /api/v1/inventory/items/{}",
    "POST /api/v1/inventory/items/{}/adjust",
    "GET /api/v1/inventory/items/{}/history",
    "GET /api/v1/categories",
    "GET /api/v1/storage-locations",
    "POST /api/v1/storage-locations",
    "PATCH /api/v1/storage-locations/{}",
    "DELETE /api/v1/storage-locations/{}",
    "GET /api/v1/stores",
    "POST /api/v1/stores",
    "PATCH /api/v1/stores/{}",
    "DELETE /api/v1/stores/{}",
    "GET /api/v1/inventory/items/{}/nfc-urls",
    "POST /api/v1/inventory/items/{}/nfc-urls",
    "POST /api/v1/inventory/items/{}/nfc-urls/{}/rotate",
    "GET /api/v1/nfc-urls",
    "GET /api/v1/nfc-urls/{}/qr.svg",
    "GET /t/{}",
    "POST /t/{}/adjust",
    "GET /api/v1/resources",
    "POST /api/v1/resources",
    "GET /api/v1/resources/{}",
    "PUT /api/v1/resources/{}",
    "DELETE /api/v1/resources/{}",
    "GET /api/v1/resources/{}/children",
    "GET /api/v1/resources/{}/parent",
    "PUT /api/v1/resources/{}/parent",
    "DELETE /api/v1/resources/{}/parent",
    "GET /api/v1/resources/{}/ancestors",
    "GET /api/v1/resources/{}/collections",
    "GET /api/v1/resources/{}/members",
    "PUT /api/v1/resources/{}/members/{}",
    "DELETE /api/v1/resources/{}/members/{}",
    "GET /api/v1/unique-keys/{}/{}/{}",
    "GET /api/v1/jobs/{}",
    "GET /api/v1/grants",
    "GET /api/v1/grants/{}/{}",
    "PUT /api/v1/grants/{}/{}",
    "DELETE /api/v1/grants/{}/{}",
    "GET /api/v1/authorize",
    "GET /api/v1/events",
    "GET /healthz",
    "GET /readyz",
    "GET /metrics",
    "GET /openapi.json",
    "GET /docs",
];

#[tokio::test]
async fn openapi_is_3_1_and_has_every_route_of_the_contract() {
    let server = Server::start().await;
    let document = server.anonymous().get_root("/openapi.json").await.expect(200);
    let version = document["openapi"].as_str().unwrap();
    assert!(version.starts_with("3.1."), "{version}");
    let mut documented = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        let plain: Vec<_> =
            path.split('/').map(|part| if part.starts_with('{') { "{}" } else { part }).collect();
        for method in operations.as_object().unwrap().keys() {
            documented.insert(format!("{} {}", method.to_uppercase(), plain.join("/")));
        }
    }
    let missing: Vec<_> = CONTRACT.iter().filter(|route| !documented.contains(**route)).collect();
    assert!(missing.is_empty(), "not documented: {missing:?}");
}

#[tokio::test]
async fn every_reference_in_the_document_leads_somewhere() {
    let server = Server::start().await;
    let document = server.anonymous().get_root("/openapi.json").await;
    let parsed = document.json();
    let mut count = 0;
    for rest in document.text.split(r##""$ref":"#"##).skip(1) {
        let pointer = rest.split('"').next().unwrap();
        assert!(parsed.pointer(pointer).is_some(), "{pointer} leads nowhere");
        count += 1;
    }
    assert!(count > 0, "the document uses named schemas");
}

/// The rest of a validator's rules is checked by `tools/check-contract`.
#[tokio::test]
async fn operations_have_ids_of_their_own_and_answers_say_what_they_are() {
    let server = Server::start().await;
    let document = server.anonymous().get_root("/openapi.json").await.expect(200);
    assert_eq!(document["servers"], serde_json::json!([{ "url": "/" }]));
    let (mut ids, mut problems) = (BTreeSet::new(), 0);
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let name = format!("{method} {path}");
            let id = operation["operationId"].as_str().unwrap();
            assert!(ids.insert(id.to_owned()), "{name}: {id} is another's id");
            for (status, answer) in operation["responses"].as_object().unwrap() {
                let description = answer["description"].as_str().unwrap_or_default();
                assert!(!description.is_empty(), "{name}: {status} has no description");
                if status.starts_with(['4', '5']) && answer["content"].is_object() {
                    let kinds: Vec<_> = answer["content"].as_object().unwrap().keys().collect();
                    let known = ["application/problem+json", "text/html"];
                    assert!(
                        kinds.iter().all(|kind| known.contains(&kind.as_str())),
                        "{name}: {kinds:?}"
                    );
                    problems +=
                        usize::from(kinds.contains(&&"application/problem+json".to_owned()));
                }
            }
        }
    }
    assert!(problems > 100, "{problems} errors are documented as problems");
}

/// Whatever a handler says of itself.
#[tokio::test]
async fn operations_document_what_their_extractors_and_the_stack_can_answer() {
    let server = Server::start().await;
    let document = server.anonymous().get_root("/openapi.json").await.expect(200);
    let mut checked = 0;
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let answers = operation["responses"].as_object().unwrap();
            let public = operation["security"] == serde_json::json!([{}]);
            let by_key = operation["security"] == serde_json::json!([{ "api_key": [] }]);
            let parameters = operation["parameters"].as_array().map_or(&[][..], Vec::as_slice);
            let key = parameters.iter().any(|parameter| parameter["name"] == "Idempotency-Key");
            let body = operation["requestBody"].is_object();
            let mut expected = vec!["500"];
            expected.extend(if public { vec![] } else { vec!["401"] });
            expected.extend(if body || !parameters.is_empty() { vec!["400"] } else { vec![] });
            expected.extend(if body { vec!["408", "413", "415"] } else { vec![] });
            expected.extend(if key { vec!["409"] } else { vec![] });
            expected.extend(if public || by_key { vec![] } else { vec!["403"] });
            if path.starts_with("/api/v1/") {
                expected.push("503");
                let wait = &answers["503"]["headers"]["Retry-After"]["schema"]["type"];
                assert_eq!(wait, "integer", "{method} {path}");
            }
            for status in expected {
                assert!(answers.contains_key(status), "{method} {path} does not document {status}");
                checked += 1;
            }
        }
    }
    assert!(checked > 500, "{checked} answers");
}

#[tokio::test]
async fn bodies_and_parameters_are_described_with_the_limits_of_their_types() {
    let server = Server::start().await;
    let document = server.anonymous().get_root("/openapi.json").await.expect(200);
    let item = &document["components"]["schemas"]["NewItem"];
    assert_eq!(item["additionalProperties"], false);
    assert_eq!(item["properties"]["quantity"]["multipleOf"], 0.01);
    assert_eq!(item["properties"]["quantity"]["maximum"], 99_999_999.99);
    assert_eq!(item["properties"]["shelfLifeDays"]["maximum"], 36_500);
    let date = item["properties"]["expirationDate"]["pattern"].as_str().unwrap();
    assert!(date.contains("2100"), "{date}");
    assert!(item["properties"]["name"]["pattern"].as_str().unwrap().contains("200B"));
    let parent = &document["components"]["schemas"]["NewParent"]["properties"]["parentUrn"];
    assert!(parent["pattern"].as_str().unwrap().starts_with("^urn:"), "{parent}");
    let list = document["paths"]["/api/v1/inventory/items"]["get"]["parameters"].as_array();
    let limit = list.unwrap().iter().find(|parameter| parameter["name"] == "limit").unwrap();
    assert_eq!(
        (&limit["schema"]["minimum"], &limit["schema"]["maximum"]),
        (&1.into(), &200.into())
    );
    let device = &document["components"]["schemas"]["DeviceRegistration"];
    assert_eq!(device.get("additionalProperties"), None, "devices may send more");
}

#[tokio::test]
async fn the_docs_page_needs_no_outside_host() {
    let server = Server::start().await;
    let nobody = server.anonymous();
    let page = nobody.get_root("/docs").await;
    assert_eq!(page.status, 200);
    assert!(page.header("content-type").starts_with("text/html"));
    let policy = page.header("content-security-policy");
    assert!(policy.contains("default-src 'none'"), "{policy}");
    assert!(!policy.contains("http") && !policy.contains("unsafe-inline"), "{policy}");

    let assets = references(&page.text);
    assert!(!assets.is_empty(), "the page has a script and a style sheet");
    assert_no_outside_host("/docs", &page.text);
    for asset in assets {
        // Relative, because the page may be below a path.
        assert!(!asset.contains("//") && !asset.starts_with('/'), "{asset} is not beside the page");
        let answer = nobody.get_root(&format!("/{asset}")).await;
        assert_eq!(answer.status, 200, "{asset}");
        assert_no_outside_host(&asset, &answer.text);
    }
}

/// The values of all `src` and `href` attributes.
fn references(html: &str) -> Vec<String> {
    let mut found = Vec::new();
    for attribute in ["src=\"", "href=\""] {
        for rest in html.split(attribute).skip(1) {
            let value = rest.split('"').next().unwrap();
            if !value.starts_with('#') && !value.starts_with("data:") {
                found.push(value.to_owned());
            }
        }
    }
    found
}

/// XML namespaces look like URLs but are never fetched.
#[track_caller]
fn assert_no_outside_host(name: &str, text: &str) {
    let text = text.replace("http://www.w3.org/", "");
    for scheme in ["http://", "https://", "\"//", "'//", "url(//"] {
        assert!(!text.contains(scheme), "{name} mentions another host ({scheme})");
    }
}
