//! A relay that counts a client's messages to PostgreSQL.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream, tcp::OwnedReadHalf, tcp::OwnedWriteHalf},
    task::JoinHandle,
};

/// Between a client without TLS and a server. Ends when it is dropped.
pub(crate) struct Relay {
    pub(crate) address: SocketAddr,
    asked: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Relay {
    pub(crate) async fn in_front_of(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&asked);
        let task = tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                let (mut answers_in, requests_out) =
                    TcpStream::connect(server).await.unwrap().into_split();
                let (requests_in, mut answers_out) = client.into_split();
                tokio::spawn(forward(requests_in, requests_out, Arc::clone(&counter)));
                tokio::spawn(async move {
                    // Ends with the connection.
                    let _ = tokio::io::copy(&mut answers_in, &mut answers_out).await;
                });
            }
        });
        Self { address, asked, task }
    }

    /// How many times a client has waited for an answer: simple queries, and executions of prepared ones.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Passes messages on until the client ends.
async fn forward(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, asked: Arc<AtomicUsize>) {
    // Only the first message has no type byte.
    let mut is_first = true;
    loop {
        let mut head = if is_first { vec![0; 4] } else { vec![0; 5] };
        if from.read_exact(&mut head).await.is_err() {
            return;
        }
        let length = head[head.len() - 4..].try_into().map(u32::from_be_bytes).unwrap();
        let mut body = vec![0; length as usize - 4];
        if from.read_exact(&mut body).await.is_err() {
            return;
        }
        if !is_first && matches!(head[0], b'Q' | b'E') {
            asked.fetch_add(1, Ordering::SeqCst);
        }
        is_first = false;
        head.append(&mut body);
        if to.write_all(&head).await.is_err() {
            return;
        }
    }
}
