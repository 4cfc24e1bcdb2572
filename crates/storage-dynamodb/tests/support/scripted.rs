//! A scripted HTTP endpoint on the loopback address.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use serde_json::Value;

/// An answer: status and body.
pub(crate) type Answer = (u16, Value);

/// Serves DynamoDB operations sequentially, and records them.
pub(crate) struct ScriptedEndpoint {
    url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl ScriptedEndpoint {
    /// Answers each request by the name of its operation and its body.
    pub(crate) fn start(answer: impl FnMut(&str, &Value) -> Answer + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("the loopback address has a port");
        let url = format!("http://{}", listener.local_addr().expect("it is bound"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (answer, log) = (Arc::new(Mutex::new(answer)), Arc::clone(&asked));
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let (answer, log) = (Arc::clone(&answer), Arc::clone(&log));
                thread::spawn(move || {
                    serve(&connection, |operation, body| {
                        log.lock().unwrap_or_else(PoisonError::into_inner).push(operation.into());
                        answer.lock().unwrap_or_else(PoisonError::into_inner)(operation, body)
                    })
                });
            }
        });
        Self { url, asked }
    }

    /// The endpoint URL for an SDK.
    pub(crate) fn url(&self) -> String {
        self.url.clone()
    }

    /// The names of the operations so far, in order.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Answers the requests of one connection until it ends.
fn serve(
    connection: &TcpStream,
    mut answer: impl FnMut(&str, &Value) -> Answer,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(connection);
    loop {
        let (mut operation, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            let Some((name, value)) = line.split_once(": ") else { continue };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().expect("a length is a number"),
                "x-amz-target" => operation = value.replace("DynamoDB_20120810.", ""),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let body = serde_json::from_slice(&body).expect("the SDK sends JSON");
        let (status, body) = answer(&operation, &body);
        let body = body.to_string();
        let length = body.len();
        let head = format!(
            "HTTP/1.1 {status} Scripted\r\ncontent-type: application/x-amz-json-1.0\r\n\
             content-length: {length}\r\n\r\n"
        );
        (&mut &*connection).write_all((head + &body).as_bytes())?;
    }
}
