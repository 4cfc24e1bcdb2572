//! Limits of connections, in total and per client.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard};

use larder_http::{ClientAddress, TrustedProxies};

use super::metrics::Refused;

/// The limits and the open connections.
#[derive(Debug)]
pub(super) struct Admission {
    most: usize,
    most_per_address: usize,
    /// Proxies stand for many clients, so only the total limit applies to them.
    proxies: TrustedProxies,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    all: usize,
    by_address: HashMap<ClientAddress, usize>,
}

impl Admission {
    pub(super) fn new(most: usize, most_per_address: usize, proxies: TrustedProxies) -> Self {
        Self { most, most_per_address, proxies, open: Mutex::default() }
    }

    /// Counts a connection until the guard is dropped, or refuses it.
    pub(super) fn admit(self: &Arc<Self>, peer: IpAddr) -> Result<Admitted, Refused> {
        let address = (!self.proxies.contains(peer)).then(|| ClientAddress::of(peer));
        let mut open = self.lock();
        if open.all >= self.most {
            return Err(Refused::Enough);
        }
        if let Some(address) = address {
            let count = open.by_address.entry(address).or_default();
            // A refusal leaves no entry: the limit is at least one.
            if *count >= self.most_per_address {
                return Err(Refused::EnoughOfAddress);
            }
            *count += 1;
        }
        open.all += 1;
        Ok(Admitted { admission: Arc::clone(self), address })
    }

    /// How many are open now.
    pub(super) fn open(&self) -> usize {
        self.lock().all
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().expect("no holder of this lock panics")
    }
}

/// An admitted connection.
#[derive(Debug)]
pub(super) struct Admitted {
    admission: Arc<Admission>,
    address: Option<ClientAddress>,
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let mut open = self.admission.lock();
        open.all -= 1;
        let Some(address) = self.address else { return };
        if let Some(count) = open.by_address.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                open.by_address.remove(&address);
            }
        }
    }
}
