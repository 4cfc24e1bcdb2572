//! A certificate for a server, and the authority that vouches for it; both made for one run.

use std::path::Path;

use crate::install::debian_program;
use crate::unprivileged::{User, command, run, words};

/// The authority's certificate, in the same directory.
pub const CA: &str = "ca.crt";

/// Creates both in a directory of this process's user.
pub fn make_in(directory: &Path) {
    make(None, directory);
}

/// Creates both in a directory, as its user: PostgreSQL loads `server.crt` and `server.key` from
/// there if it owns the key.
///
/// The certificate is for `localhost`, not for its address, so that a client which checks names
/// notices the wrong one.
pub(crate) fn make(user: Option<&User>, data: &Path) {
    let openssl = words(user, &debian_program("openssl"));
    let openssl = |arguments: &str| {
        run(command(&openssl).args(arguments.split(' ')).current_dir(data));
    };
    let new_key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc";
    openssl(&format!("req -x509 {new_key} -keyout ca.key -out {CA} -subj /CN=authority -days 2"));
    openssl(&format!(
        "req {new_key} -keyout server.key -out server.csr -subj /CN=localhost \
         -addext subjectAltName=DNS:localhost"
    ));
    openssl(&format!(
        "x509 -req -in server.csr -copy_extensions copy -CA {CA} -CAkey ca.key -CAcreateserial \
         -out server.crt -days 2"
    ));
}
