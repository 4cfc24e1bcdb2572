//! A batch id that is not a window: a row of its own, whose key is the text.

use larder_domain::HardwareId;

use crate::codec::{DecodeError, Input, varint, zagzig, zigzag};

const VERSION: u8 = 1;

/// Encodes the sender and time.
pub(crate) fn encode(received_at_s: i64, sender: HardwareId) -> Vec<u8> {
    let mut out = vec![VERSION];
    varint(&mut out, zigzag(received_at_s));
    out.extend_from_slice(sender.as_bytes());
    out
}

/// When it arrived, and from which device.
pub(crate) fn decode(body: &[u8]) -> Result<(i64, HardwareId), DecodeError> {
    let mut input = Input::new(body);
    if input.byte()? != VERSION {
        return Err(DecodeError("a batch id of an unknown version"));
    }
    let received_at_s = zagzig(input.varint()?);
    let sender = HardwareId::from_bytes(input.array()?);
    input.end()?;
    Ok((received_at_s, sender))
}
