//! Downloads that are longer than memory: written piece by piece, as fast as the reader reads.

use std::{future::Future, io, sync::Arc};

use axum::{
    body::Body,
    http::header,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::stream;
use larder_app::{App, AppError, Caller, ExportTable, FleetCaller, Interrupted, Pieces};
use larder_domain::HardwareId;
use tokio::sync::mpsc;

/// How many pieces may wait for the reader.
const WAITING: usize = 4;

const CSV: &str = "text/csv; charset=utf-8";

/// Everything that the caller may see, as a file.
pub fn export_response(app: Arc<App>, caller: Caller) -> Response {
    let name = format!("larder-{}.jsonl", caller.today(app.now()));
    download("application/jsonl", &name, async move |pieces| app.export(&caller, &pieces).await)
}

/// A table of it, as a file.
pub fn table_response(app: Arc<App>, caller: Caller, table: ExportTable) -> Response {
    let what = match table {
        ExportTable::Items => "items",
        ExportTable::ShoppingList => "shopping-list",
    };
    let name = format!("larder-{what}-{}.csv", caller.today(app.now()));
    download(CSV, &name, async move |pieces| app.export_table(&caller, table, &pieces).await)
}

/// Everything that a device has sent and that is still kept, as a file.
pub async fn readings_response(
    app: Arc<App>,
    caller: FleetCaller,
    device: HardwareId,
) -> Result<Response, AppError> {
    let device = app.device(&caller, device).await?.hardware_id;
    let name = format!("readings-{}.csv", device.to_string().replace(':', "-"));
    Ok(download(CSV, &name, async move |pieces| {
        app.export_readings(&caller, device, &pieces).await
    }))
}

/// An answer that `write` writes. If it fails the connection is aborted, so that nobody takes half for the whole.
fn download<F>(content_type: &'static str, name: &str, write: impl FnOnce(Pieces) -> F) -> Response
where
    F: Future<Output = Result<(), Interrupted>> + Send + 'static,
{
    let (sender, mut receiver) = mpsc::channel(WAITING);
    let writing = write(Pieces::to(sender.clone()));
    tokio::spawn(async move {
        if let Err(Interrupted::Failed(error)) = writing.await {
            tracing::warn!(?error, "download aborted");
            let broken = io::Error::other("download failed");
            // If the reader has gone too, nobody needs to know.
            let _ = sender.send(Err(broken)).await;
        }
    });
    // Compression polls again after the end: unlike `stream::unfold`, a closed channel stays at its end.
    let pieces = stream::poll_fn(move |context| {
        receiver.poll_recv(context).map(|piece| piece.map(|piece| piece.map(Bytes::from)))
    });
    let headers = [
        (header::CONTENT_TYPE, content_type.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (headers, Body::from_stream(pieces)).into_response()
}
