//! Jobs as the API shows them.

use larder_domain::{Deletion, DeletionId, Erasure, ErasureKind, Urn};
use serde::Serialize;
use utoipa::ToSchema;

use crate::values::Time;

/// Work that continues after the response.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Job)]
pub(crate) struct JobDto<'a> {
    #[schema(value_type = String, format = "uuid")]
    id: DeletionId,
    /// `delete`: delete a resource with everything below it. `erase-household`, `erase-account`,
    /// `erase-device`: delete it with everything that belongs to it.
    kind: &'static str,
    /// The root resource, which is deleted last; null if the job is about something else.
    #[schema(value_type = Option<String>)]
    urn: Option<&'a Urn>,
    /// `running` or `done`.
    status: &'static str,
    /// How many resources, or records, are deleted.
    removed: u64,
    /// How many there were to delete at the start; null until they are counted. Resources that are
    /// added below the root meanwhile are deleted too.
    total: Option<u64>,
    #[schema(value_type = String, format = "date-time")]
    started_at: Time,
    /// Null while it is running.
    #[schema(value_type = Option<String>, format = "date-time")]
    finished_at: Option<Time>,
}

impl<'a> JobDto<'a> {
    pub(crate) fn of(deletion: &'a Deletion) -> Self {
        Self {
            id: deletion.id,
            kind: "delete",
            urn: Some(&deletion.root),
            status: if deletion.finished_at.is_some() { "done" } else { "running" },
            removed: deletion.removed,
            total: deletion.total,
            started_at: Time(deletion.started_at),
            finished_at: deletion.finished_at.map(Time),
        }
    }

    pub(crate) const fn id(&self) -> DeletionId {
        self.id
    }
}

impl JobDto<'_> {
    pub(crate) fn of_erasure(erasure: &Erasure) -> Self {
        Self {
            id: erasure.id,
            kind: match erasure.kind {
                ErasureKind::Household => "erase-household",
                ErasureKind::Account => "erase-account",
                ErasureKind::Device => "erase-device",
            },
            urn: None,
            status: if erasure.finished_at.is_some() { "done" } else { "running" },
            removed: erasure.removed,
            total: None,
            started_at: Time(erasure.started_at),
            finished_at: erasure.finished_at.map(Time),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use larder_domain::HouseholdId;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_job_runs_until_it_is_finished() {
        let mut deletion = Deletion {
            id: DeletionId::fixed(7),
            account: Urn::of_household(HouseholdId::fixed(1)),
            root: "urn:pp:Box::01955556-3cd2-7df2-b839-693fa6fbd505".parse().unwrap(),
            removed: 3,
            total: None,
            started_at: Timestamp::UNIX_EPOCH,
            finished_at: None,
        };
        assert_eq!(
            serde_json::to_value(JobDto::of(&deletion)).unwrap(),
            json!({
                "id": "00000000-0000-0000-0000-000000000007",
                "kind": "delete",
                "urn": "urn:pp:Box::01955556-3cd2-7df2-b839-693fa6fbd505",
                "status": "running",
                "removed": 3,
                "total": null,
                "startedAt": "1970-01-01T00:00:00.000Z",
                "finishedAt": null,
            })
        );
        deletion.finished_at = Some(Timestamp::UNIX_EPOCH);
        deletion.total = Some(4);
        let done = serde_json::to_value(JobDto::of(&deletion)).unwrap();
        assert_eq!((&done["status"], &done["total"]), (&json!("done"), &json!(4)));
        assert_eq!(done["finishedAt"], "1970-01-01T00:00:00.000Z");
    }
}
