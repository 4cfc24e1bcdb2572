//! The flags of `larder serve`.

use clap::Args;

/// The flags of `larder serve`, as given.
#[derive(Debug, Default, Args)]
pub struct ServeArgs {
    /// Settings file (TOML); unknown keys are refused
    #[arg(long, value_name = "FILE")]
    pub config: Option<String>,
    /// Address and port to listen on; port 0 picks a free one [default: 127.0.0.1:7070]
    #[arg(long, value_name = "ADDR")]
    pub listen: Option<String>,
    /// Address and port of /metrics, which is then nowhere else; port 0 picks a free one [default:
    /// with everything else]
    #[arg(long, value_name = "ADDR")]
    pub metrics_listen: Option<String>,
    /// File with the certificate, and those that vouch for it, to serve TLS (PEM) [default: no TLS]
    #[arg(long, value_name = "FILE")]
    pub tls_cert: Option<String>,
    /// File with the private key of the certificate (PEM)
    #[arg(long, value_name = "FILE")]
    pub tls_key: Option<String>,
    /// Where the data is: a directory (created if absent), `dynamodb:?region=…&endpoint=…&prefix=…`
    /// or `postgres://user@host/database` [default: ./larder-data]
    #[arg(long, value_name = "STORE")]
    pub store: Option<String>,
    /// Directory of this server's own files: its secrets [default: the store if that is a
    /// directory, else ./larder-data]
    #[arg(long, value_name = "PATH")]
    pub data: Option<String>,
    /// Public URL of this server, for links [default: the host of the request]
    #[arg(long, value_name = "URL")]
    pub public_url: Option<String>,
    /// Proxies whose X-Forwarded-For is trusted: addresses or ranges, comma-separated [default:
    /// none]
    #[arg(long, value_name = "RANGES")]
    pub trusted_proxy: Option<String>,
    /// Maximum number of open connections, 1 to 1000000 [default: half of the process's limit of
    /// open files, at most 10000]
    #[arg(long, value_name = "COUNT")]
    pub max_connections: Option<String>,
    /// Maximum number of open connections per address (or /64 of IPv6) that is not a trusted proxy,
    /// 1 to 1000000 [default: 512]
    #[arg(long, value_name = "COUNT")]
    pub max_connections_per_address: Option<String>,
    /// Seconds that a client may take to send the header of a request, 1 to 3600 [default: 10]
    #[arg(long, value_name = "SECONDS")]
    pub header_timeout_seconds: Option<String>,
    /// Seconds that an idle connection is kept open, 1 to 3600 [default: 75]
    #[arg(long, value_name = "SECONDS")]
    pub idle_timeout_seconds: Option<String>,
    /// HTTP/2 in plain text, for a proxy that speaks it to its backends [default: off]
    #[arg(long, value_name = "on|off")]
    pub http2: Option<String>,
    /// Format of the log on stderr [default: pretty]
    #[arg(long, value_name = "json|pretty")]
    pub log: Option<String>,
    /// Minimum severity of log lines: error, warn, info, debug or trace [default: info]
    #[arg(long, value_name = "LEVEL")]
    pub log_level: Option<String>,
    /// Limit logins, joins and other guessable calls per address [default: on]
    #[arg(long, value_name = "on|off")]
    pub rate_limits: Option<String>,
    /// Who may register: open: anyone; invite: the first user, then those with the invite code of a
    /// household; closed: no one [default: invite]
    #[arg(long, value_name = "open|invite|closed")]
    pub registration: Option<String>,
    /// Store in a directory: full: an acknowledged write survives power loss; relaxed: faster, only
    /// survives a crash of Larder [default: full]
    #[arg(long, value_name = "full|relaxed")]
    pub durability: Option<String>,
    /// Days of change history to keep, 1 to 3650 [default: 35]
    #[arg(long, value_name = "DAYS")]
    pub journal_days: Option<String>,
    /// Today's date, to confirm that the clock is right: resumes the deletion of expired data,
    /// which is paused after a jump of the clock [default: not confirmed]
    #[arg(long, value_name = "DATE")]
    pub clock_confirmed: Option<String>,
    /// Days to keep a device's reading after its own time, 1 to 3650 [default: 90]
    #[arg(long, value_name = "DAYS")]
    pub reading_retention_days: Option<String>,
    /// Maximum requests of devices per API key and minute, 1 to 10000000; only if --rate-limits is
    /// on [default: 6000]
    #[arg(long, value_name = "COUNT")]
    pub device_requests_per_minute: Option<String>,
    /// File (TOML) of the conversions of resources from older schema versions to the newest
    /// [default: every type has one version]
    #[arg(long, value_name = "FILE")]
    pub schemas: Option<String>,
    /// PostgreSQL: minimum number of open connections, 0 to 1000 [default: 5]
    #[arg(long, value_name = "COUNT")]
    pub postgres_pool_min: Option<String>,
    /// PostgreSQL: maximum number of open connections, 1 to 1000 [default: 20]
    #[arg(long, value_name = "COUNT")]
    pub postgres_pool_max: Option<String>,
    /// PostgreSQL: statement timeout, 1 to 60000 [default: 5000]
    #[arg(long, value_name = "MILLISECONDS")]
    pub postgres_statement_timeout_ms: Option<String>,
    /// PostgreSQL: lock timeout of a statement, 1 to 60000 [default: 4000]
    #[arg(long, value_name = "MILLISECONDS")]
    pub postgres_lock_timeout_ms: Option<String>,
    /// PostgreSQL: transaction, for a pooler that may use another session for each transaction
    /// (`PgBouncer` in transaction mode) [default: none]
    #[arg(long, value_name = "none|transaction")]
    pub postgres_pooler: Option<String>,
    /// Seconds that requests in flight get to finish on shutdown, 0 to 600 [default: 10]
    #[arg(long, value_name = "SECONDS")]
    pub shutdown_grace_seconds: Option<String>,
    /// Identity provider: the issuer of `OpenID` Connect; needs --oidc-client-id, --oidc-audience or
    /// both
    #[arg(long, value_name = "URL")]
    pub oidc_issuer: Option<String>,
    /// Identity provider: Larder's client id there, to log in with it on the pages; its secret is in
    /// `LARDER_OIDC_CLIENT_SECRET`
    #[arg(long, value_name = "ID")]
    pub oidc_client_id: Option<String>,
    /// Identity provider: what people call it [default: the host of the issuer]
    #[arg(long, value_name = "NAME")]
    pub oidc_name: Option<String>,
    /// Identity provider: the required audience of its tokens that programs may send [default:
    /// they may send none]
    #[arg(long, value_name = "NAME")]
    pub oidc_audience: Option<String>,
    /// Identity provider: a file with its public keys (JWKS), in place of those that it publishes
    #[arg(long, value_name = "FILE")]
    pub oidc_jwks: Option<String>,
    /// URL that notifications are posted to, signed with the webhook secret [default: none]
    #[arg(long, value_name = "URL")]
    pub webhook_url: Option<String>,
    /// Sender of notifications by mail; needs a mail server in `LARDER_SMTP_URL` [default: no mail]
    #[arg(long, value_name = "ADDRESS")]
    pub mail_from: Option<String>,
    /// Maximum mails per address and day, 1 to 1000; further ones are not sent [default: 20]
    #[arg(long, value_name = "COUNT")]
    pub mail_per_day: Option<String>,
    /// Dump of Open Food Facts that suggests names for unknown barcodes: tab-separated or JSON
    /// Lines, perhaps compressed with gzip [default: none]
    #[arg(long, value_name = "FILE")]
    pub barcode_catalog: Option<String>,
    /// Service in the format of Open Food Facts that is asked for names of unknown barcodes
    /// [default: none]
    #[arg(long, value_name = "URL")]
    pub barcode_endpoint: Option<String>,
}

impl ServeArgs {
    /// The flag of the setting `name`, if given.
    pub fn flag(&self, name: &str) -> Option<&str> {
        let flag = match name {
            "config" => &self.config,
            "listen" => &self.listen,
            "metrics_listen" => &self.metrics_listen,
            "tls_cert" => &self.tls_cert,
            "tls_key" => &self.tls_key,
            "store" => &self.store,
            "data" => &self.data,
            "public_url" => &self.public_url,
            "trusted_proxy" => &self.trusted_proxy,
            "max_connections" => &self.max_connections,
            "max_connections_per_address" => &self.max_connections_per_address,
            "header_timeout_seconds" => &self.header_timeout_seconds,
            "idle_timeout_seconds" => &self.idle_timeout_seconds,
            "http2" => &self.http2,
            "log" => &self.log,
            "log_level" => &self.log_level,
            "rate_limits" => &self.rate_limits,
            "registration" => &self.registration,
            "durability" => &self.durability,
            "journal_days" => &self.journal_days,
            "clock_confirmed" => &self.clock_confirmed,
            "reading_retention_days" => &self.reading_retention_days,
            "device_requests_per_minute" => &self.device_requests_per_minute,
            "schemas" => &self.schemas,
            "postgres_pool_min" => &self.postgres_pool_min,
            "postgres_pool_max" => &self.postgres_pool_max,
            "postgres_statement_timeout_ms" => &self.postgres_statement_timeout_ms,
            "postgres_lock_timeout_ms" => &self.postgres_lock_timeout_ms,
            "postgres_pooler" => &self.postgres_pooler,
            "shutdown_grace_seconds" => &self.shutdown_grace_seconds,
            "oidc_issuer" => &self.oidc_issuer,
            "oidc_client_id" => &self.oidc_client_id,
            "oidc_name" => &self.oidc_name,
            "oidc_audience" => &self.oidc_audience,
            "oidc_jwks" => &self.oidc_jwks,
            "webhook_url" => &self.webhook_url,
            "mail_from" => &self.mail_from,
            "mail_per_day" => &self.mail_per_day,
            "barcode_catalog" => &self.barcode_catalog,
            "barcode_endpoint" => &self.barcode_endpoint,
            _ => return None,
        };
        flag.as_deref()
    }
}
