//! A raw connection, for requests that a well-behaved HTTP client would not send.

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

use super::{PATIENCE, server::ServerAddress};

/// A TCP connection on which the test decides every byte.
pub(crate) struct RawConnection(TcpStream);

impl RawConnection {
    pub(crate) async fn open(address: &ServerAddress) -> Self {
        let stream = timeout(PATIENCE, TcpStream::connect(address.get())).await;
        let stream = stream.expect("connected in time").expect("the server accepts");
        // Two writes arrive as two packets.
        stream.set_nodelay(true).expect("an open connection");
        Self(stream)
    }

    pub(crate) async fn send(&mut self, bytes: &[u8]) {
        timeout(PATIENCE, self.0.write_all(bytes)).await.expect("sent in time").expect("sent");
    }

    /// Reads until `marker`; returns everything read.
    pub(crate) async fn read_until(&mut self, marker: &str) -> String {
        let mut read = Vec::new();
        timeout(PATIENCE, async {
            let mut buffer = [0; 4096];
            loop {
                let count = self.0.read(&mut buffer).await.expect("readable");
                read.extend_from_slice(&buffer[..count]);
                let text = String::from_utf8_lossy(&read);
                if text.contains(marker) {
                    return text.into_owned();
                }
                assert!(count > 0, "the connection ended before {marker:?}: {text}");
            }
        })
        .await
        .expect("read in time")
    }

    /// Reads one answer with a length, and no further; `None` if the connection ends before.
    #[allow(dead_code, reason = "not every binary that shares this harness needs it")]
    pub(crate) async fn read_answer(&mut self) -> Option<String> {
        let mut read = Vec::new();
        let reading = async {
            let mut byte = [0];
            while !read.ends_with(b"\r\n\r\n") {
                self.0.read_exact(&mut byte).await.ok()?;
                read.push(byte[0]);
            }
            let head = String::from_utf8_lossy(&read).to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.map_or(0, |length| length.trim().parse().expect("a number"));
            let mut body = vec![0; length];
            self.0.read_exact(&mut body).await.ok()?;
            read.extend_from_slice(&body);
            Some(())
        };
        timeout(PATIENCE, reading).await.expect("answered in time")?;
        Some(String::from_utf8(read).expect("answers are UTF-8"))
    }

    /// Reads to the end of the connection.
    pub(crate) async fn read_to_end(&mut self) -> String {
        let mut read = Vec::new();
        timeout(PATIENCE, self.0.read_to_end(&mut read))
            .await
            .expect("the server closes in time")
            .expect("readable to the end");
        String::from_utf8(read).expect("answers are UTF-8")
    }
}
