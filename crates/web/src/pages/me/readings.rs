//! `GET /me/readings/{device}.csv`: everything that a device has sent and that is still kept, oldest first.

use std::{fmt::Write as _, sync::Arc};

use axum::{
    extract::{Path, State},
    response::Response,
};
use jiff::Timestamp;
use larder_app::{AppError, FleetCaller};
use larder_domain::{HardwareId, Reading};
use larder_storage::ReadingRange;

use crate::{download::download, failure::Failure, state::WebState, visit::Member};

const AT_ONCE: usize = 1000;

pub(super) async fn readings(
    State(web): State<WebState>,
    member: Member,
    Path(file): Path<String>,
) -> Result<Response, Failure> {
    let id = file.strip_suffix(".csv").ok_or(Failure::NotFound)?;
    let id = id.parse::<HardwareId>().map_err(|_| AppError::DeviceNotFound)?;
    let caller = FleetCaller::Person(member.caller.clone());
    let device = web.app.device(&caller, id).await?;
    let name = format!("readings-{}.csv", device.hardware_id.to_string().replace(':', "-"));
    let app = Arc::clone(&web.app);
    Ok(download("text/csv; charset=utf-8", &name, async move |pieces| {
        pieces.send("time,sensor,value,status,batch_id\r\n".to_owned()).await?;
        let range = ReadingRange { oldest_first: true, ..ReadingRange::newest_first() };
        let mut after = None;
        loop {
            let page = app.readings(&caller, id, range, after.as_ref(), AT_ONCE).await?;
            let mut piece = String::new();
            page.items.iter().for_each(|reading| write_lines(&mut piece, reading));
            pieces.send(piece).await?;
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(()),
            }
        }
    }))
}

/// One line for each sensor of a reading.
fn write_lines(csv: &mut String, reading: &Reading) {
    for (sensor, value) in reading.sensors.iter() {
        let status =
            reading.sensor_status.get(sensor.as_str()).map_or("", |status| status.as_str());
        let time = Timestamp::from_millisecond(reading.time.as_millis()).unwrap_or_default();
        let (value, batch) = (value.get(), quoted(&reading.batch_id.to_string()));
        writeln!(
            csv,
            "{time:.3},{},{value:?},{},{batch}\r",
            quoted(sensor.as_str()),
            quoted(status)
        )
        .expect("text takes any text");
    }
}

/// A field of RFC 4180. What a spreadsheet would take for a formula is kept from being one.
fn quoted(text: &str) -> String {
    let text =
        if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}
