//! A minimal keep-alive HTTP/1.1 connection, so that the measured time is the server's.

use std::net::SocketAddr;

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::Error;

/// Room for a page of 200 items; grows if an answer is larger.
const FIRST_BUFFER_BYTES: usize = 128 * 1024;

/// One connection with one request in flight at a time.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// Status, head and body of one answer; the latter two borrow the connection's buffer.
pub(crate) struct Response<'a> {
    pub(crate) status: u16,
    pub(crate) head: &'a str,
    pub(crate) body: &'a [u8],
}

/// The positions of an answer's parts in the buffer.
struct Head {
    status: u16,
    body_start: usize,
    body_length: usize,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Result<Self, Error> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: vec![0; FIRST_BUFFER_BYTES] })
    }

    /// Sends the prepared bytes and reads the whole answer.
    pub(crate) async fn send(&mut self, request: &[u8]) -> Result<Response<'_>, Error> {
        self.stream.write_all(request).await?;
        let mut filled = 0;
        let mut head = None;
        loop {
            if filled == self.buffer.len() {
                self.buffer.resize(filled * 2, 0);
            }
            let count = self.stream.read(&mut self.buffer[filled..]).await?;
            if count == 0 {
                return Err("the server closed the connection".into());
            }
            filled += count;
            if head.is_none() {
                head = parse_head(&self.buffer[..filled])?;
            }
            if let Some(Head { status, body_start, body_length }) = head
                && filled >= body_start + body_length
            {
                let head = std::str::from_utf8(&self.buffer[..body_start])?;
                let body = &self.buffer[body_start..body_start + body_length];
                return Ok(Response { status, head, body });
            }
        }
    }
}

/// `None` while the head is incomplete.
fn parse_head(bytes: &[u8]) -> Result<Option<Head>, Error> {
    let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
        return Ok(None);
    };
    let text = std::str::from_utf8(&bytes[..end])?;
    let mut lines = text.split("\r\n");
    let status_line = lines.next().unwrap_or_default();
    let status = status_line.get(9..12).ok_or("not an HTTP answer")?.parse()?;
    let mut body_length = if matches!(status, 204 | 304) { Some(0) } else { None };
    for line in lines {
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            body_length = Some(value.trim().parse()?);
        }
    }
    let body_length = body_length.ok_or("an answer without Content-Length")?;
    Ok(Some(Head { status, body_start: end + 4, body_length }))
}

/// The bytes of a request, made once and sent many times.
pub(crate) fn request(method: &str, path: &str, token: &str, body: &str) -> Vec<u8> {
    let authorization =
        if token.is_empty() { String::new() } else { format!("Authorization: Bearer {token}\r\n") };
    bytes(method, path, &authorization, "application/json", body)
}

/// The bytes of a request that a device sends.
pub(crate) fn device_request(path: &str, key: &str, body: &str) -> Vec<u8> {
    bytes("POST", path, &format!("X-API-Key: {key}\r\n"), "application/json", body)
}

/// The bytes of a request that a browser sends; the body is that of a form.
pub(crate) fn browser_request(method: &str, path: &str, cookies: &str, body: &str) -> Vec<u8> {
    let headers = format!("Accept: text/html\r\nCookie: {cookies}\r\n");
    bytes(method, path, &headers, "application/x-www-form-urlencoded", body)
}

fn bytes(method: &str, path: &str, headers: &str, content_type: &str, body: &str) -> Vec<u8> {
    let content = if body.is_empty() {
        String::new()
    } else {
        format!("Content-Type: {content_type}\r\nContent-Length: {}\r\n", body.len())
    };
    format!("{method} {path} HTTP/1.1\r\nHost: larder\r\n{headers}{content}\r\n{body}").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_once_it_is_whole() {
        let answer = b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\nx: y\r\n\r\n{}";
        assert!(parse_head(&answer[..30]).unwrap().is_none());
        let head = parse_head(answer).unwrap().unwrap();
        assert_eq!((head.status, head.body_length), (201, 2));
        assert_eq!(&answer[head.body_start..], b"{}");
    }

    #[test]
    fn no_content_has_no_length() {
        let head = parse_head(b"HTTP/1.1 204 No Content\r\n\r\n").unwrap().unwrap();
        assert_eq!((head.status, head.body_length), (204, 0));
    }

    #[test]
    fn a_request_states_the_length_of_its_body() {
        let bytes = request("POST", "/x", "t", "{\"a\":1}");
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.starts_with("POST /x HTTP/1.1\r\n"), "{text}");
        assert!(text.contains("Authorization: Bearer t\r\n"), "{text}");
        assert!(text.ends_with("Content-Length: 7\r\n\r\n{\"a\":1}"), "{text}");
    }
}
