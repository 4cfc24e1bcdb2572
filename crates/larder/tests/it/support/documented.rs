//! Every answer that any test gets must be one that the OpenAPI document names.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::Value;
use tokio::sync::OnceCell;

use super::server::ServerAddress;

/// The documented statuses of each operation, by method and the parts of its path.
type Operations = BTreeMap<(String, Vec<String>), Vec<String>>;

/// All servers of a test run are of one build, so one of them is asked once.
static OPERATIONS: OnceCell<Operations> = OnceCell::const_new();

/// Fails if the operation is documented, but not with this status. A server that is not ready or
/// about to be killed cannot be asked, which another test then does.
pub(super) async fn assert_documented(
    http: &reqwest::Client,
    address: &ServerAddress,
    (method, path): (&Method, &str),
    status: u16,
) {
    let asked = OPERATIONS.get_or_try_init(|| async { read(http, address).await.ok_or(()) }).await;
    let Ok(operations) = asked else { return };
    let parts: Vec<_> = path.split('/').collect();
    let fitting = operations
        .iter()
        .filter(|((of, template), _)| of == method.as_str() && fits(template, &parts));
    // A literal part wins over a parameter, as in the router.
    let literals = |template: &[String]| template.iter().filter(|part| !is_parameter(part)).count();
    let found = fitting.max_by_key(|((_, template), _)| literals(template));
    if let Some(((_, template), statuses)) = found {
        assert!(
            statuses.contains(&status.to_string()),
            "{method} {} answered {status}, which is not documented",
            template.join("/")
        );
    }
}

fn is_parameter(part: &str) -> bool {
    part.starts_with('{')
}

fn fits(template: &[String], parts: &[&str]) -> bool {
    template.len() == parts.len()
        && template.iter().zip(parts).all(|(known, part)| is_parameter(known) || known == part)
}

async fn read(http: &reqwest::Client, address: &ServerAddress) -> Option<Operations> {
    let url = format!("http://{}/openapi.json", address.get());
    let document: Value =
        serde_json::from_str(&http.get(url).send().await.ok()?.text().await.ok()?).ok()?;
    let mut operations = Operations::new();
    for (path, methods) in document["paths"].as_object()? {
        let template: Vec<_> = path.split('/').map(str::to_owned).collect();
        for (method, operation) in methods.as_object()? {
            let statuses = operation["responses"].as_object()?.keys().cloned().collect();
            operations.insert((method.to_uppercase(), template.clone()), statuses);
        }
    }
    Some(operations)
}
