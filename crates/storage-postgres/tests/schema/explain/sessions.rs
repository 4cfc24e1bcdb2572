//! Sessions and tokens for programs: one by its id, and those of a person.

use super::{
    plan::PLANNING,
    statements::{plan_of, statement},
    stock::stocked,
};
use crate::support::{run, texts};

#[tokio::test]
async fn a_persons_sessions_are_read_newest_first_from_their_index() {
    let mut runtime = stocked().await;
    let user = &texts(&mut runtime, "SELECT app_user_id()::text").await[0];
    let list = statement("FROM refresh_tokens WHERE user_id = $1 AND (created_at, id) <");
    let values = format!("'{user}', 'infinity', '{user}', now(), 21");
    for planning in PLANNING {
        run(&mut runtime, planning).await;
        let plan = plan_of(&mut runtime, &list, &values).await;
        assert!(!plan.sorts, "{planning} {plan:#?}");
        let scan = plan.scan_of("refresh_tokens");
        assert_eq!(scan.index.as_deref(), Some("idx_refresh_tokens_user"), "{planning}");
        assert!(scan.condition.contains("ROW("), "{planning} {}", scan.condition);
    }
}

#[tokio::test]
async fn a_persons_tokens_for_programs_are_read_newest_first_from_their_index() {
    let mut runtime = stocked().await;
    let user = &texts(&mut runtime, "SELECT app_user_id()::text").await[0];
    let list = statement("FROM program_tokens WHERE user_id = $1 AND (created_at, id) <");
    let values = format!("'{user}', 'infinity', '{user}', 21");
    for planning in PLANNING {
        run(&mut runtime, planning).await;
        let plan = plan_of(&mut runtime, &list, &values).await;
        assert!(!plan.sorts, "{planning} {plan:#?}");
        let scan = plan.scan_of("program_tokens");
        assert_eq!(scan.index.as_deref(), Some("idx_program_tokens_user"), "{planning}");
    }
}
