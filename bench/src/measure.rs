//! The measurements, in order, and their medians.

use std::{net::SocketAddr, path::Path, sync::Arc, time::Duration};

use crate::{
    Error,
    connection::request,
    household::Household,
    load::{self, Outcome},
    server::{DataDirectory, Server},
    tags::Tags,
};

/// The concurrency of the throughput measurements.
pub(crate) const CONNECTIONS: usize = 64;

/// Requests measured at one connection: name, number of spellings, and the list with its query, which
/// ends with the search term. The server caches pages by their exact query until something changes;
/// many spellings bypass the cache.
pub(crate) const PAGES: [(&str, usize, &str); 6] = [
    ("first page of 50, nothing changed since", 1, "items?limit=50&search="),
    ("first page of 50, read anew", SPELLINGS, "items?limit=50&search="),
    ("first page of 50 products with their lots, read anew", SPELLINGS, "lots?limit=50&search="),
    ("the same by name, read anew", SPELLINGS, "items?limit=50&sort=name&search="),
    ("the same by expiration, read anew", SPELLINGS, "items?limit=50&sort=expiration&search="),
    ("search that finds a tenth, read anew", SPELLINGS, "items?limit=50&search=olive"),
];

/// More pages than the server caches.
const SPELLINGS: usize = 400;

/// All rounds so far. Each round measures everything once, so that a noisy minute touches every
/// measurement and not just one.
#[derive(Default)]
pub(crate) struct Rounds {
    pub(crate) health: Vec<Outcome>,
    pub(crate) distinct: Vec<Outcome>,
    pub(crate) hot: Vec<Outcome>,
    pub(crate) consume: Vec<Outcome>,
    pub(crate) taps: Vec<Outcome>,
    pub(crate) tap_pages: Vec<Outcome>,
    pub(crate) health_alone: Vec<Outcome>,
    pub(crate) pages: [Vec<Outcome>; PAGES.len()],
}

impl Rounds {
    /// One round: throughput windows of full length, latency windows of half.
    pub(crate) async fn measure(
        &mut self,
        address: SocketAddr,
        household: &Household,
        tags: &Tags,
        window: Duration,
    ) -> Result<(), Error> {
        let health = Arc::new(vec![request("GET", "/healthz", "", "")]);
        let many = |requests| load::run(address, CONNECTIONS, requests, window);
        self.health.push(many(&health).await?);
        self.distinct.push(many(&household.adjust_distinct).await?);
        self.consume.push(many(&household.consume).await?);
        self.hot.push(many(&household.adjust_hot).await?);
        self.taps.push(many(&tags.taps).await?);
        self.tap_pages.push(many(&tags.pages).await?);
        self.health_alone.push(load::run(address, 1, &health, window / 2).await?);
        for (outcomes, (_, spellings, query)) in self.pages.iter_mut().zip(PAGES) {
            let requests = household.page(query, spellings);
            outcomes.push(load::run(address, 1, &requests, window / 2).await?);
        }
        Ok(())
    }

    /// How many adjustments of the hot item the server has acknowledged.
    pub(crate) fn hot_acknowledged(&self) -> u64 {
        acknowledged(&self.hot)
    }

    /// How many taps the server has acknowledged.
    pub(crate) fn taps_acknowledged(&self) -> u64 {
        acknowledged(&self.taps)
    }

    /// How many pages of tags the server has shown.
    pub(crate) fn pages_shown(&self) -> u64 {
        acknowledged(&self.tap_pages)
    }
}

fn acknowledged(outcomes: &[Outcome]) -> u64 {
    outcomes.iter().map(|outcome| outcome.acknowledged).sum()
}

/// How the server starts on a filled store.
pub(crate) struct Start {
    /// From spawning the process to the first 200 of `/readyz`.
    pub(crate) ready_after: Duration,
    /// Resident memory of a server that has just started and rests.
    pub(crate) resident_bytes: u64,
}

impl Start {
    /// Restarts the server some times; medians.
    pub(crate) async fn measure(
        binary: &Path,
        data: &DataDirectory,
        times: usize,
        rest: Duration,
    ) -> Result<Self, Error> {
        let mut ready = Vec::with_capacity(times);
        let mut resident = Vec::with_capacity(times);
        for _ in 0..times {
            let server = Server::start(binary, data).await?;
            ready.push(server.ready_after());
            tokio::time::sleep(rest / 4).await;
            resident.push(server.resident_bytes()?);
            server.stop().await?;
        }
        Ok(Self { ready_after: median(ready), resident_bytes: median(resident) })
    }
}

/// The middle value; the lower one of two.
pub(crate) fn median<T: PartialOrd + Copy>(mut values: Vec<T>) -> T {
    values.sort_by(|a, b| a.partial_cmp(b).expect("measurements are never NaN"));
    values[(values.len() - 1) / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_ignores_one_outlier() {
        assert_eq!(median(vec![3, 1000, 2]), 3);
        assert_eq!(median(vec![4, 1]), 1);
    }
}
