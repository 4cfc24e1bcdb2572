//! A call to a server that the operator has named.

mod payload;
pub mod signature;

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use larder_app::{Message, Notifier, SendError};
use larder_domain::Channel;
use larder_outbound::{Calls, ClientError, OutboundUrl, USER_AGENT};
use tokio::time::timeout;

use self::payload::{EVENT, Payload};
use crate::excerpt;

/// Time limit of a call, from connecting to the status of the answer.
const ANSWERS_WITHIN: Duration = Duration::from_secs(10);
/// Time limit for connecting, which leaves time for a receiver's second address.
const CONNECTS_WITHIN: Duration = Duration::from_secs(4);

/// Sends each notification as a signed JSON `POST`. Redirects are not followed, and the body of an
/// answer is not read: its status suffices.
pub struct Webhook {
    calls: Calls,
    url: OutboundUrl,
    secret: Vec<u8>,
}

impl Webhook {
    /// A sender to this address that signs with this secret.
    pub fn new(url: OutboundUrl, secret: Vec<u8>) -> Result<Self, ClientError> {
        let calls = Calls::to(&url, CONNECTS_WITHIN)?;
        Ok(Self { calls, url, secret })
    }

    fn request(&self, message: &Message) -> Result<Request<Full<Bytes>>, SendError> {
        let defect = |error: &dyn std::error::Error| {
            SendError::Permanent(format!("the call cannot be put together: {error}"))
        };
        let body = serde_json::to_vec(&Payload::of(message)).map_err(|error| defect(&error))?;
        let signature = signature::sign(&self.secret, message.sent_at.as_second(), &body);
        Request::post(self.url.uri())
            .header("content-type", "application/json")
            .header("user-agent", USER_AGENT)
            .header("larder-event", EVENT)
            .header("larder-delivery", &message.delivery_id)
            .header(signature::HEADER, signature)
            .body(Full::new(body.into()))
            .map_err(|error| defect(&error))
    }
}

#[async_trait]
impl Notifier for Webhook {
    fn channel(&self) -> Channel {
        Channel::Webhook
    }

    async fn send(&self, message: &Message) -> Result<(), SendError> {
        let call = self.calls.send(self.request(message)?);
        match timeout(ANSWERS_WITHIN, call).await {
            Ok(Ok(answer)) => judge(answer.status().as_u16()),
            Ok(Err(error)) => {
                let reason = error.to_string();
                Err(SendError::Temporary(format!("the call failed: {}", excerpt(&reason))))
            }
            Err(_) => {
                let seconds = ANSWERS_WITHIN.as_secs();
                Err(SendError::Temporary(format!("no answer within {seconds} seconds")))
            }
        }
    }
}

/// The meaning of a status: delivered, retry later, or failed for good.
fn judge(status: u16) -> Result<(), SendError> {
    let sentence = format!("the receiver answered {status}");
    match status {
        200..=299 => Ok(()),
        // Request Timeout, Too Early, Too Many Requests: temporary.
        408 | 425 | 429 | 500..=599 => Err(SendError::Temporary(sentence)),
        _ => Err(SendError::Permanent(sentence)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_says_whether_to_come_back() {
        for taken in [200, 201, 202, 204, 299] {
            assert_eq!(judge(taken), Ok(()));
        }
        for later in [408, 425, 429, 500, 502, 503, 504, 599] {
            let sentence = format!("the receiver answered {later}");
            assert_eq!(judge(later), Err(SendError::Temporary(sentence)));
        }
        for never in [301, 302, 307, 308, 400, 401, 403, 404, 410, 413] {
            let sentence = format!("the receiver answered {never}");
            assert_eq!(judge(never), Err(SendError::Permanent(sentence)));
        }
    }
}
