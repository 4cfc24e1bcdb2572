//! The server process under measurement.

use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
    time::timeout,
};

use crate::{
    Error,
    connection::{Connection, request},
};

/// Time limit for starting and stopping.
const PATIENCE: Duration = Duration::from_secs(30);

/// A directory of our own, removed at the end.
pub(crate) struct DataDirectory(PathBuf);

impl DataDirectory {
    pub(crate) fn create(parent: &Path) -> Result<Self, Error> {
        let path = parent.join(format!("larder-bench-{}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for DataDirectory {
    fn drop(&mut self) {
        // At worst it is left behind; the table matters more than the error.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A running, ready server. Dropping it kills the process.
pub(crate) struct Server {
    child: Child,
    address: SocketAddr,
    ready_after: Duration,
}

impl Server {
    /// Starts the binary on a free port and waits until it is ready.
    pub(crate) async fn start(binary: &Path, data: &DataDirectory) -> Result<Self, Error> {
        Self::start_on(&data.path().display().to_string(), binary, data).await
    }

    /// The same on another store; the directory then contains only its secrets.
    pub(crate) async fn start_on(
        store: &str,
        binary: &Path,
        data: &DataDirectory,
    ) -> Result<Self, Error> {
        let spawned = Instant::now();
        let mut child = Command::new(binary)
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(data.path())
            .env("LARDER_STORE", store)
            .env("LARDER_LOG", "json")
            .env("LARDER_REGISTRATION", "open")
            .env("LARDER_RATE_LIMITS", "off")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let stderr = child.stderr.take().ok_or("stderr is not piped")?;
        let mut lines = BufReader::new(stderr).lines();
        let line = timeout(PATIENCE, lines.next_line()).await??.ok_or("the server logs nothing")?;
        let address = listening_address(&line)
            .ok_or_else(|| format!("the first line of the log names no address: {line}"))?;
        // Drains the rest of the log, so that the pipe never fills.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });

        let ready = request("GET", "/readyz", "", "");
        let mut connection = Connection::open(address).await?;
        while connection.send(&ready).await?.status != 200 {
            if spawned.elapsed() > PATIENCE {
                return Err("the server does not become ready".into());
            }
        }
        Ok(Self { child, address, ready_after: spawned.elapsed() })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// From spawning the process to the first 200 of `/readyz`.
    pub(crate) fn ready_after(&self) -> Duration {
        self.ready_after
    }

    /// Resident memory as the kernel counts it.
    pub(crate) fn resident_bytes(&self) -> Result<u64, Error> {
        let id = self.child.id().ok_or("the server has ended")?;
        let status = fs::read_to_string(format!("/proc/{id}/status"))?;
        resident_bytes(&status).ok_or_else(|| "no VmRSS in /proc".into())
    }

    /// Stops the server and waits for it.
    pub(crate) async fn stop(mut self) -> Result<(), Error> {
        let id = self.child.id().ok_or("the server has ended")?.to_string();
        Command::new("kill").args(["-TERM", &id]).status().await?;
        let status = timeout(PATIENCE, self.child.wait()).await??;
        if status.success() {
            Ok(())
        } else {
            Err(format!("the server ended with {status}").into())
        }
    }
}

fn listening_address(line: &str) -> Option<SocketAddr> {
    let rest = &line[line.find("127.0.0.1:")?..];
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ':');
    rest[..end.unwrap_or(rest.len())].parse().ok()
}

fn resident_bytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_found_anywhere_in_the_line() {
        let line = r#"{"fields":{"message":"listening","address":"127.0.0.1:41234"}}"#;
        assert_eq!(listening_address(line), Some(SocketAddr::from(([127, 0, 0, 1], 41234))));
        assert_eq!(listening_address("no address"), None);
    }

    #[test]
    fn resident_memory_is_read_in_bytes() {
        let status = "Name:\tlarder\nVmRSS:\t   20480 kB\nThreads:\t4\n";
        assert_eq!(resident_bytes(status), Some(20 * 1024 * 1024));
    }
}
