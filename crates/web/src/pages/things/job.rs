//! `GET /things/jobs/{id}`: the progress of a large deletion.

use askama::Template;
use axum::{
    extract::{Path, State},
    response::Response,
};
use larder_domain::DeletionId;

use crate::{
    failure::Failure,
    frame::{Frame, Section, render},
    state::WebState,
    visit::Member,
};

#[derive(Template)]
#[template(path = "things/job.html")]
struct JobPage {
    frame: Frame,
    removed: u64,
    /// The number to delete, once counted; never fewer than are deleted.
    total: Option<u64>,
    is_finished: bool,
}

impl JobPage {
    fn progress(&self) -> String {
        let removed = self.removed;
        match self.total {
            Some(total) => {
                self.frame.t2("things-job-progress", ("removed", removed), ("total", total))
            }
            None => self.frame.t1("things-job-begun", "count", removed),
        }
    }
}

pub(super) async fn page(
    State(web): State<WebState>,
    member: Member,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let id: DeletionId = id.parse().map_err(|_| Failure::NotFound)?;
    let deletion = web.app.deletion(&member.caller, id).await?;
    Ok(render(&JobPage {
        frame: member.frame(Section::Things),
        removed: deletion.removed,
        total: deletion.total.map(|total| total.max(deletion.removed)),
        is_finished: deletion.finished_at.is_some(),
    }))
}
