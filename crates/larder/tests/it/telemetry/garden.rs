//! One household with one device, for tests of devices.

use serde_json::Value;

use crate::it::support::{Answer, Client, Server, TestDevice, now_ms};

pub(super) struct Garden {
    pub(super) server: Server,
    pub(super) anna: Client,
    pub(super) device: TestDevice,
    planted_at_ms: i64,
}

impl Garden {
    pub(super) async fn plant() -> Self {
        let server = Server::start().await;
        let anna = server.with_household("anna").await;
        let device = anna.add_device(&server, "AA:BB:CC:DD:EE:01").await;
        Self { server, anna, device, planted_at_ms: now_ms() }
    }

    /// So many good readings, the same each time.
    pub(super) fn readings(&self, count: usize) -> Vec<Value> {
        let times = (self.planted_at_ms..).take(count);
        times.map(|ms| self.device.reading(ms, &format!("batch-{ms}"))).collect()
    }

    /// Sends a body for `/device/data` as it is.
    pub(super) async fn post(&self, body: impl Into<Vec<u8>>) -> Answer {
        let request = self.device.request("/device/data");
        let request = request.header("Content-Type", "application/json");
        self.server.anonymous().send(request.body(body.into())).await
    }

    pub(super) async fn assert_nothing_is_kept(&self) {
        self.anna.latest(&self.device).await.expect_problem(404, "NO_READINGS");
    }

    pub(super) async fn metrics(&self) -> String {
        self.server.anonymous().get_root("/metrics").await.text
    }
}
