//! Every route, tried with the operator's token.

use super::routes::{Access, ROUTES};
use super::{Household, send};
use crate::it::support::{Server, ServerSettings};

const TOKEN: &str = "operator-token-0123456789abcdefgh";

fn is_open_to_the_operator(path: &str) -> bool {
    path.starts_with("/api/v1/devices") || path.starts_with("/api/v1/api-keys")
}

#[tokio::test]
async fn the_operators_token_opens_devices_and_keys_alone() {
    let settings = ServerSettings::default().with("LARDER_OPERATOR_TOKEN", TOKEN);
    let server = Server::start_with(settings).await;
    let household = Household::furnish(&server).await;
    let operator = server.anonymous().with_token(TOKEN);
    let mut opened = 0;
    for route in ROUTES {
        let what = format!("{} {}", route.method, route.path);
        let answer = send(&operator, household.request(&operator, route), route.streams).await;
        match route.access {
            Access::Public { everyone } => assert_eq!(answer.status, everyone, "{what}"),
            Access::Bearer { .. } if is_open_to_the_operator(route.path) => {
                assert!((200..300).contains(&answer.status), "{what}: {}", answer.text);
                opened += 1;
            }
            Access::Bearer { .. } => {
                answer.expect_problem(403, "OPERATOR_NOT_ALLOWED");
                household.assert_nothing_leaks(route, &answer);
            }
        }
    }
    assert_eq!(opened, 11, "as many routes are open to the operator");
}
