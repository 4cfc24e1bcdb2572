//! `GET /things/jobs/{id}`: the progress of a large deletion.

use askama::Template;
use axum::response::Response;
use larder_domain::DeletionId;

use crate::{Failure, Frame, Member, PathId, Section, WebState, render};

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
    web: WebState,
    member: Member,
    PathId(id): PathId<DeletionId>,
) -> Result<Response, Failure> {
    let deletion = web.app.deletion(&member.caller, id).await?;
    Ok(render(&JobPage {
        frame: member.frame(Section::Things),
        removed: deletion.removed,
        total: deletion.total.map(|total| total.max(deletion.removed)),
        is_finished: deletion.finished_at.is_some(),
    }))
}
