#![allow(clippy::print_stdout, reason = "says how dense the form is")]

use larder_domain::HardwareId;
use proptest::prelude::*;

use super::*;

const DEVICE: HardwareId = HardwareId::from_bytes([0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff]);

/// Windows of any kind, in order: regular ones, odd ones, some sent by others.
fn windows() -> impl Strategy<Value = Vec<Window>> {
    let number = prop_oneof![any::<u64>(), 0_u64..1000, (0_u64..100).prop_map(|n| n * 300_000)];
    let window = (number.clone(), number, any::<i64>(), 0_u8..4).prop_map(
        |(start, end, received_at_s, sender)| {
            let sender = if sender == 0 { DEVICE } else { HardwareId::from_bytes([sender; 6]) };
            Window { start, end, received_at_s, sender }
        },
    );
    prop::collection::vec(window, 1..200).prop_map(|mut windows| {
        windows.sort_by_key(Window::place);
        windows.dedup_by_key(|window| window.place());
        windows
    })
}

#[test]
fn a_regular_window_takes_a_few_bits() {
    let start = 1_704_067_200_000;
    let windows: Vec<_> = (0..256)
        .map(|n| Window {
            start: start + n * 300_000,
            end: start + (n + 1) * 300_000,
            // One to three seconds on its way.
            received_at_s: 1_704_067_200 + (n.cast_signed() + 1) * 300 + n.cast_signed() % 3 + 1,
            sender: DEVICE,
        })
        .collect();
    let bytes = encode(DEVICE, &windows);
    println!("{} bytes for {} windows", bytes.len(), windows.len());
    assert!(bytes.len() <= windows.len(), "{} bytes", bytes.len());
    assert_eq!(decode(DEVICE, &bytes), Ok(windows));
}

#[test]
fn an_id_that_is_no_window_remembers_who_sent_it_when() {
    for received_at_s in [0, 1_800_000_000, i64::MIN] {
        let bytes = exact::encode(received_at_s, DEVICE);
        assert_eq!(exact::decode(&bytes), Ok((received_at_s, DEVICE)));
        assert!(exact::decode(&bytes[1..]).is_err());
        assert!(exact::decode(&bytes[..bytes.len() - 1]).is_err());
    }
}

proptest! {
    #[test]
    fn windows_come_back(windows in windows()) {
        prop_assert_eq!(decode(DEVICE, &encode(DEVICE, &windows)), Ok(windows));
    }

    #[test]
    fn hostile_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(windows) = decode(DEVICE, &bytes) {
            prop_assert!(windows.is_sorted_by(|a, b| a.place() < b.place()));
        }
    }

    #[test]
    fn a_changed_byte_never_panics(
        windows in windows(),
        at: prop::sample::Index,
        byte: u8,
    ) {
        let mut bytes = encode(DEVICE, &windows);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(windows) = decode(DEVICE, &bytes) {
            prop_assert!(windows.is_sorted_by(|a, b| a.place() < b.place()));
        }
    }
}
