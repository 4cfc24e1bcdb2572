//! Amazon's DynamoDB Local.

use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use tempfile::TempDir;

use crate::install::engine_directory;
use crate::port::free_address;
use crate::supervised::{Plan, Supervised};

/// A DynamoDB Local process. It accepts any credentials and region, and keeps the tables of each
/// pair separate.
pub struct DynamoDbLocal {
    address: SocketAddr,
    /// `None` while it is killed.
    process: Mutex<Option<Supervised>>,
    files: Files,
}

enum Files {
    /// Tables in memory; only the log lies here.
    None(TempDir),
    In(PathBuf),
}

impl DynamoDbLocal {
    /// The shared one of this test process, in memory, started at the first call. Tests use
    /// different table names.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<DynamoDbLocal> = OnceLock::new();
        SHARED.get_or_init(|| {
            let directory = tempfile::Builder::new().prefix("larder-dynamodb-").tempdir();
            Self::start(Files::None(directory.expect("a temporary directory can be made")))
        })
    }

    /// A separate one that stores its tables in files in `directory`, so that it can be killed and
    /// restarted.
    pub fn start_in(directory: &Path) -> Self {
        let directory = directory.canonicalize().expect("the directory exists");
        Self::start(Files::In(directory))
    }

    /// The endpoint URL for an SDK.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The listening address; stays the same after a restart.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends the process in the midst of its work (SIGTERM, which finishes no request).
    ///
    /// SIGKILL would lose the last acknowledged transaction: it answers before its file has it,
    /// which DynamoDB itself does not do.
    pub fn kill(&self) {
        if let Some(process) = self.process().take() {
            process.kill();
        }
    }

    /// Starts a killed one again, on the same port with the same files.
    pub fn start_again(&self) {
        let mut process = self.process();
        assert!(process.is_none(), "DynamoDB Local was not killed, so it cannot be started again");
        *process = Some(launch(self.address, &self.files));
    }

    fn start(files: Files) -> Self {
        let address = free_address();
        let process = Mutex::new(Some(launch(address, &files)));
        Self { address, process, files }
    }

    fn process(&self) -> std::sync::MutexGuard<'_, Option<Supervised>> {
        self.process.lock().expect("nobody panics while the engine starts or ends")
    }
}

fn launch(address: SocketAddr, files: &Files) -> Supervised {
    let installed = engine_directory("dynamodb", "aws_dynamodb_local/DynamoDBLocal.jar");
    let installed = installed.join("aws_dynamodb_local");
    let library_path = installed.join("DynamoDBLocal_lib");
    let port = address.port().to_string();
    let mut command = vec![
        "java".to_owned(),
        // On few cores parallel collection does not pay. Every request takes megabytes of memory and
        // leaves nothing behind, so a young generation of 2 GiB in huge pages saves a third of all
        // its work compared with one of 384 MiB.
        "-XX:+UseSerialGC".to_owned(),
        "-XX:-UsePerfData".to_owned(),
        "-XX:+UseTransparentHugePages".to_owned(),
        "-Xmn2g".to_owned(),
        "-Xmx3g".to_owned(),
        // The optimizing compiler costs a test run more time than its code saves.
        "-XX:TieredStopAtLevel=1".to_owned(),
        format!("-Djava.library.path={}", library_path.display()),
        "-jar".to_owned(),
        installed.join("DynamoDBLocal.jar").display().to_string(),
        "-port".to_owned(),
        port,
    ];
    let directory = match files {
        Files::None(directory) => {
            command.push("-inMemory".to_owned());
            directory.path()
        }
        Files::In(directory) => {
            command.extend(["-dbPath".to_owned(), directory.display().to_string()]);
            directory.as_path()
        }
    };
    let plan = Plan {
        command,
        directory,
        kill_signal: "TERM",
        end_signal: "KILL",
        remove_directory: matches!(files, Files::None(_)),
    };
    // It prints its settings before it listens, and nothing after.
    Supervised::start(&plan, |_| TcpStream::connect(address).is_ok())
        .unwrap_or_else(|reason| panic!("{reason}"))
}
