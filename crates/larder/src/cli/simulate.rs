//! The command line of `larder simulate`.

use clap::Args;

pub(super) const EXAMPLES: &str = "\
Examples:
  LARDER_SIMULATE_API_KEY=… larder simulate --devices 1000 --rate 500
  larder simulate --url https://larder.example --api-key-file ./device.key --devices 50 --seconds 600
  larder simulate --api-key-file ./device.key --devices 10 --rate 20000 --batch 100 --seconds 10

The devices measure every five minutes of their own time, which runs as fast as the rate needs and ends
now: 10 devices at 20 readings a second fill ten hours of history in a minute. They lose their
connection, reboot and send again what they are not sure has arrived, so some readings are duplicates.
The same seed makes the same devices, with the same readings at the same times of day.

The key comes from LARDER_SIMULATE_API_KEY or a file, never from the command line. Make one with
POST /api/v1/api-keys.

Exit codes:
  0 everything arrived; 1 some readings did not, or the server cannot be reached; 2 wrong setting or
  wrong usage";

/// The flags of `larder simulate`.
#[derive(Debug, Args)]
pub struct SimulateArgs {
    /// URL of the server
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:7070")]
    pub url: String,
    /// File that contains only the API key [default: `LARDER_SIMULATE_API_KEY`]
    #[arg(long, value_name = "FILE")]
    pub api_key_file: Option<String>,
    /// Number of devices, 1 to 100000
    #[arg(long, value_name = "COUNT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub devices: u32,
    /// Total readings per second, 1 to 1000000
    #[arg(long, value_name = "READINGS", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub rate: u32,
    /// Duration, 1 to 86400
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub seconds: u32,
    /// Readings that a device collects before it sends them, 1 to 100
    #[arg(long, value_name = "READINGS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub batch: u32,
    /// Seed of the simulation [default: random]
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
}
