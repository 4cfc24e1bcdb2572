//! Resources that were written in an older shape are written in the newest.

use std::fmt::Display;

use futures_util::{StreamExt as _, stream};
use larder_domain::{Resource, SchemaRegistry, Urn};
use larder_storage::Result;

use super::{Caretaker, Job, Stopping, days::pass_over, is_stopping};

/// Resources per query; the progress is recorded after each.
const AT_ONCE: usize = 100;
/// How many of them are written at once.
const WRITTEN_AT_ONCE: usize = 8;
/// How often resources are read again that were changed between reading and writing.
const MOST_ATTEMPTS: usize = 5;

/// The result of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Upcast {
    /// Resources checked.
    pub seen: u64,
    /// Of these, such that are in the newest shape now and were not before.
    pub rewritten: u64,
    /// Of these, those that could not be upcast, or were changed too often meanwhile.
    pub failed: u64,
    /// Whether an earlier run that was interrupted has done the rest.
    pub is_resumed: bool,
}

/// Receives the progress.
pub trait UpcastProgress: Send {
    /// So much is done.
    fn tell(&mut self, so_far: &Upcast);

    /// A resource keeps its schema version.
    fn failed(&mut self, urn: &Urn, reason: &dyn Display);
}

impl Caretaker {
    /// Upcasts all resources that are older than the newest schema version. Resumes an interrupted
    /// run with the same schemas. `None` while another process does.
    pub async fn upcast_resources(
        &self,
        schemas: &SchemaRegistry,
        stopping: &Stopping,
        progress: &mut dyn UpcastProgress,
    ) -> Result<Option<Upcast>> {
        let run = Run { caretaker: self, schemas, progress, done: Upcast::default() };
        self.alone(Job::Upcasting, stopping, run.go(stopping)).await
    }
}

struct Run<'a> {
    caretaker: &'a Caretaker,
    schemas: &'a SchemaRegistry,
    progress: &'a mut dyn UpcastProgress,
    done: Upcast,
}

impl Run<'_> {
    async fn go(mut self, stopping: &Stopping) -> Result<Upcast> {
        let storage = &self.caretaker.storage;
        let marked = storage.find_bookmark(Job::Upcasting.as_str()).await?;
        let mut after = marked.and_then(|mark| place_of(&mark, self.schemas).map(str::to_owned));
        self.done.is_resumed = after.is_some();
        while !is_stopping(stopping) {
            let next = self.bring_over(after.as_deref()).await?;
            let mark = next.as_deref().map(|place| bookmark(place, self.schemas));
            storage.keep_bookmark(Job::Upcasting.as_str(), mark.as_deref()).await?;
            self.progress.tell(&self.done);
            if next.is_none() {
                break;
            }
            after = next;
        }
        Ok(self.done)
    }

    /// Brings the resources behind this place over, and answers with the next place.
    async fn bring_over(&mut self, after: Option<&str>) -> Result<Option<String>> {
        let storage = &self.caretaker.storage;
        let (mut resources, mut next) = storage.resources_after(after, AT_ONCE).await?;
        self.done.seen += resources.len() as u64;
        for _ in 0..MOST_ATTEMPTS {
            let overtaken = self.write_newest(resources).await?;
            if overtaken.is_empty() {
                return Ok(next);
            }
            (resources, next) = storage.resources_after(after, AT_ONCE).await?;
            resources.retain(|resource| overtaken.contains(&resource.urn));
        }
        for resource in resources.iter().filter(|resource| self.schemas.is_outdated(resource)) {
            self.done.failed += 1;
            self.progress.failed(&resource.urn, &"it is changed again and again");
        }
        Ok(next)
    }

    /// Writes these in the newest shape, and answers with those that were changed between reading and writing.
    async fn write_newest(&mut self, resources: Vec<Resource>) -> Result<Vec<Urn>> {
        let storage = &self.caretaker.storage;
        let mut newest = Vec::new();
        for resource in resources {
            let urn = resource.urn.clone();
            if !self.schemas.is_outdated(&resource) {
                continue;
            }
            match self.schemas.upcast(resource) {
                Ok(resource) => newest.push(resource),
                Err(error) => self.fail(&urn, &error),
            }
        }
        let mut writes = stream::iter(newest)
            .map(async |resource| (storage.rewrite_resource(&resource).await, resource.urn))
            .buffer_unordered(WRITTEN_AT_ONCE);
        let mut overtaken = Vec::new();
        while let Some((written, urn)) = writes.next().await {
            match written {
                Ok(true) => self.done.rewritten += 1,
                Ok(false) => overtaken.push(urn),
                Err(error) => {
                    pass_over(&error)?;
                    self.fail(&urn, &error);
                }
            }
        }
        Ok(overtaken)
    }

    fn fail(&mut self, urn: &Urn, reason: &dyn Display) {
        self.done.failed += 1;
        self.progress.failed(urn, reason);
    }
}

/// A bookmark for these schemas: with newer ones, earlier resources are outdated again.
fn bookmark(place: &str, schemas: &SchemaRegistry) -> String {
    let newest = schemas.newest_versions().into_iter();
    let newest: Vec<_> =
        newest.map(|(kind, version)| format!("{kind}={}", version.number())).collect();
    format!("{}\n{place}", newest.join(" "))
}

fn place_of<'a>(mark: &'a str, schemas: &SchemaRegistry) -> Option<&'a str> {
    mark.strip_prefix(&bookmark("", schemas))
}
