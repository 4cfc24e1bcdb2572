//! A real proxy in front of a server.

use std::fs;
use std::net::SocketAddr;

use tempfile::TempDir;

use crate::install::browser_program;
use crate::port::free_address;
use crate::supervised::{Plan, Supervised};

/// Debian's nginx, which serves a server below a path, and nothing beside it.
pub struct Nginx {
    address: SocketAddr,
    /// Dropped before its directory.
    _process: Supervised,
    _directory: TempDir,
}

impl Nginx {
    /// Serves `upstream` below `path`, such as `/larder`, as `docs/settings.md` says.
    pub fn before(upstream: SocketAddr, path: &str) -> Self {
        let directory = tempfile::Builder::new().prefix("larder-nginx-").tempdir();
        let directory = directory.expect("a temporary directory can be made");
        let address = free_address();
        let home = directory.path().display();
        let settings = format!(
            "daemon off;
             # The temporary directory is its starter's alone; without root this is ignored.
             user root;
             pid {home}/pid;
             error_log stderr notice;
             events {{}}
             http {{
               access_log off;
               client_body_temp_path {home}/body;
               proxy_temp_path {home}/proxy;
               fastcgi_temp_path {home}/fastcgi;
               uwsgi_temp_path {home}/uwsgi;
               scgi_temp_path {home}/scgi;
               server {{
                 listen {address};
                 location {path}/ {{
                   proxy_pass http://{upstream}/;
                   proxy_http_version 1.1;
                   proxy_set_header Host $http_host;
                   proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                   proxy_set_header X-Forwarded-Proto $scheme;
                 }}
               }}
             }}"
        );
        let file = directory.path().join("nginx.conf");
        fs::write(&file, settings).expect("the directory can be written to");
        let nginx = browser_program("NGINX", "nginx").display().to_string();
        let plan = Plan {
            command: vec![nginx, "-c".to_owned(), file.display().to_string()],
            directory: directory.path(),
            kill_signal: "KILL",
            end_signal: "TERM",
            remove_directory: false,
        };
        let process = Supervised::start(&plan, |log| log.contains("start worker process"))
            .unwrap_or_else(|reason| panic!("{reason}"));
        Self { address, _process: process, _directory: directory }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}
