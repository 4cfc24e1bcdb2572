//! How many tests have browsers at once.

use std::cell::RefCell;
use std::sync::{Arc, Weak};

use tokio::sync::{Semaphore, SemaphorePermit};

/// More would only compete for the processors, and miss their deadlines.
const SEATS: usize = 3;

static FREE: Semaphore = Semaphore::const_new(SEATS);

/// The right to have browsers, until it is dropped.
pub(super) type Seat = Arc<SemaphorePermit<'static>>;

/// Waits for a seat. A test has one for all its browsers, or two tests could wait for each other; and a
/// test is a thread.
pub(super) async fn take() -> Seat {
    thread_local! {
        static TAKEN: RefCell<Weak<SemaphorePermit<'static>>> = const { RefCell::new(Weak::new()) };
    }
    if let Some(seat) = TAKEN.with_borrow(Weak::upgrade) {
        return seat;
    }
    let seat = Arc::new(FREE.acquire().await.expect("the semaphore is never closed"));
    TAKEN.set(Arc::downgrade(&seat));
    seat
}
