//! Commands of devices and their owners. The worlds are small, so that commands interact.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// A command. Numbers refer to owners, devices, keys and ids of a small world.
#[derive(Debug, Clone)]
pub(super) enum FleetCommand {
    Register { who: u8, device: u8, name: Option<&'static str>, firmware: &'static str },
    Rename { who: u8, device: u8, name: Option<&'static str> },
    Send { who: u8, device: u8, readings: Vec<Sent>, retention_hours: i64 },
    AddKey { who: u8, description: Option<&'static str> },
    Revoke { who: u8, key: u8 },
    Use { key: u8 },
    Read { who: u8, device: u8, from: i64, to: i64, oldest_first: bool },
    Chart { who: u8, device: u8, from: i64, to: i64, buckets: u32 },
    Latest { who: u8, device: u8 },
    List { who: u8 },
    Wait { seconds: i64 },
}

/// A reading to be.
#[derive(Debug, Clone)]
pub(super) struct Sent {
    /// Another device than that of the request.
    pub(super) other: Option<u8>,
    /// Relative to now.
    pub(super) minutes: i64,
    pub(super) id: u8,
    /// Whether the id has the firmware's form.
    pub(super) is_window: bool,
    pub(super) value: f64,
    pub(super) has_humidity: bool,
}

/// Two households and the operator; the first more often, so that commands repeat.
fn who() -> impl Strategy<Value = u8> {
    select(&[0_u8, 0, 0, 0, 1, 1, 2][..])
}

/// Few devices, the last of which never registers.
fn device() -> impl Strategy<Value = u8> {
    select(&[0_u8, 0, 0, 1, 1, 2, 3, 4][..])
}

/// A device with its owner or, occasionally, with any other.
fn owned() -> impl Strategy<Value = (u8, u8)> {
    let owner = |device: u8| [0, 0, 1, 2, 0][usize::from(device)];
    (select(&[0_u8, 0, 0, 1, 2, 3][..]), prop::bool::weighted(0.85), who())
        .prop_map(move |(device, is_own, who)| (if is_own { owner(device) } else { who }, device))
}

fn name() -> impl Strategy<Value = Option<&'static str>> {
    proptest::option::of(select(&["cellar", "温室", "\"x\" 'y' \\z"][..]))
}

fn minutes() -> impl Strategy<Value = i64> {
    prop_oneof![8 => -30..5_i64, 2 => -3000..0_i64, 1 => -60_000..0_i64]
}

fn sent() -> impl Strategy<Value = Sent> {
    let value = prop_oneof![
        select(&[0.0, -0.0, 22.5, 0.1, 1e125, -1e-130, 9_007_199_254_740_993.0][..]),
        (-4000..9000_i32).prop_map(|hundredths| f64::from(hundredths) / 100.0),
    ];
    (
        proptest::option::weighted(0.05, 0..3_u8),
        minutes(),
        0..30_u8,
        any::<bool>(),
        value,
        any::<bool>(),
    )
        .prop_map(|(other, minutes, id, is_window, value, has_humidity)| Sent {
            other,
            minutes,
            id,
            is_window,
            value,
            has_humidity,
        })
}

/// Any command, the common ones more often.
pub(super) fn fleet_command() -> impl Strategy<Value = FleetCommand> {
    prop_oneof![6 => writing(), 4 => reading(), 1 => waiting()]
}

fn writing() -> impl Strategy<Value = FleetCommand> {
    let firmware = select(&["1.0.16", "2.0.0-β"][..]);
    let description = proptest::option::of(select(&["for all", "温室"][..]));
    let hours = select(&[1_i64, 24, 24 * 90][..]);
    prop_oneof![
        3 => (owned(), name(), firmware).prop_map(|((who, device), name, firmware)| {
            FleetCommand::Register { who, device, name, firmware }
        }),
        1 => (who(), device(), name())
            .prop_map(|(who, device, name)| FleetCommand::Rename { who, device, name }),
        8 => (owned(), vec(sent(), 1..12), hours).prop_map(|((who, device), readings, retention_hours)| {
            FleetCommand::Send { who, device, readings, retention_hours }
        }),
        1 => (who(), description)
            .prop_map(|(who, description)| FleetCommand::AddKey { who, description }),
        1 => (who(), any::<u8>()).prop_map(|(who, key)| FleetCommand::Revoke { who, key }),
        1 => any::<u8>().prop_map(|key| FleetCommand::Use { key }),
    ]
}

fn reading() -> impl Strategy<Value = FleetCommand> {
    let span = || (minutes(), 0..3000_i64).prop_map(|(from, length)| (from, from + length));
    let buckets = select(&[1_u32, 3, 60, 2000][..]);
    prop_oneof![
        3 => (who(), device(), span(), any::<bool>()).prop_map(
            |(who, device, (from, to), oldest_first)| {
                FleetCommand::Read { who, device, from, to, oldest_first }
            }
        ),
        2 => (who(), device(), span(), buckets).prop_map(|(who, device, (from, to), buckets)| {
            FleetCommand::Chart { who, device, from, to, buckets }
        }),
        2 => (who(), device()).prop_map(|(who, device)| FleetCommand::Latest { who, device }),
        1 => who().prop_map(|who| FleetCommand::List { who }),
    ]
}

fn waiting() -> impl Strategy<Value = FleetCommand> {
    let month = 30 * 24 * 60 * 60_i64;
    let seconds = prop_oneof![
        4 => 1..70_i64,
        3 => 250..4000_i64,
        1 => month - 3600..month + 3600,
    ];
    seconds.prop_map(|seconds| FleetCommand::Wait { seconds })
}
