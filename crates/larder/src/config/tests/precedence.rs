use larder_outbound::OutboundUrl;

use super::*;

/// A setting, up to three accepted values that differ from its default and from each other, and how
/// to read the result.
struct Case {
    name: &'static str,
    values: [&'static str; 3],
    seen: fn(&Settings) -> String,
}

const CASES: &[Case] = &[
    Case {
        name: "listen",
        values: ["127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"],
        seen: |settings| settings.listen.to_string(),
    },
    Case {
        name: "metrics_listen",
        values: ["127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"],
        seen: |settings| settings.metrics_listen.map_or(String::new(), |at| at.to_string()),
    },
    Case {
        name: "store",
        values: ["./flag", "./variable", "./file"],
        seen: |settings| settings.store.to_string(),
    },
    Case {
        name: "data",
        values: ["./flag", "./variable", "./file"],
        seen: |settings| settings.data_directory().display().to_string(),
    },
    Case {
        name: "public_url",
        values: ["https://a.example", "https://b.example", "https://c.example"],
        seen: |settings| settings.public_url.as_ref().map_or(String::new(), PublicUrl::to_string),
    },
    Case {
        name: "trusted_proxy",
        values: ["10.0.0.1", "10.0.0.2", "10.0.0.3"],
        seen: |settings| {
            let trusted = |last: &u8| settings.trusted_proxies.contains([10, 0, 0, *last].into());
            (1..=3).find(trusted).map_or(String::new(), |last| format!("10.0.0.{last}"))
        },
    },
    Case {
        name: "max_connections",
        values: ["1", "2", "1000000"],
        seen: |settings| settings.connections.most_in_all().to_string(),
    },
    Case {
        name: "max_connections_per_address",
        values: ["1", "2", "1000000"],
        seen: |settings| settings.connections.max_per_address.to_string(),
    },
    Case {
        name: "header_timeout_seconds",
        values: ["1", "2", "3600"],
        seen: |settings| settings.connections.header_timeout.as_secs().to_string(),
    },
    Case {
        name: "idle_timeout_seconds",
        values: ["1", "2", "3600"],
        seen: |settings| settings.connections.idle_timeout.as_secs().to_string(),
    },
    Case {
        name: "http2",
        values: ["on", "off", "on"],
        seen: |settings| if settings.connections.http2 { "on" } else { "off" }.to_owned(),
    },
    Case {
        name: "log",
        values: ["json", "pretty", "json"],
        seen: |settings| format!("{:?}", settings.log_format).to_lowercase(),
    },
    Case {
        name: "log_level",
        values: ["error", "warn", "trace"],
        seen: |settings| format!("{:?}", settings.log_level).to_lowercase(),
    },
    Case {
        name: "rate_limits",
        values: ["off", "on", "off"],
        seen: |settings| if settings.rate_limits { "on" } else { "off" }.to_owned(),
    },
    Case {
        name: "registration",
        values: ["open", "closed", "open"],
        seen: |settings| format!("{:?}", settings.registration).to_lowercase(),
    },
    Case {
        name: "mail_per_day",
        values: ["1", "2", "3"],
        seen: |settings| settings.channels.mail_per_day.to_string(),
    },
    Case {
        name: "durability",
        values: ["relaxed", "full", "relaxed"],
        seen: |settings| format!("{:?}", settings.durability).to_lowercase(),
    },
    Case {
        name: "journal_days",
        values: ["1", "2", "3650"],
        seen: |settings| settings.journal_days.to_string(),
    },
    Case {
        name: "clock_confirmed",
        values: ["2026-12-24", "2026-12-25", "2026-12-26"],
        seen: |settings| settings.clock_confirmed.unwrap().to_string(),
    },
    Case {
        name: "reading_retention_days",
        values: ["1", "2", "3650"],
        seen: |settings| settings.reading_retention_days.to_string(),
    },
    Case {
        name: "device_requests_per_minute",
        values: ["1", "2", "10000000"],
        seen: |settings| settings.device_requests_per_minute.to_string(),
    },
    Case {
        name: "postgres_pool_min",
        values: ["0", "1", "20"],
        seen: |settings| settings.postgres.pool_min.to_string(),
    },
    Case {
        name: "postgres_pool_max",
        values: ["1", "2", "1000"],
        seen: |settings| settings.postgres.pool_max.to_string(),
    },
    Case {
        name: "postgres_statement_timeout_ms",
        values: ["1", "2", "60000"],
        seen: |settings| settings.postgres.statement_timeout.as_millis().to_string(),
    },
    Case {
        name: "postgres_lock_timeout_ms",
        values: ["1", "2", "60000"],
        seen: |settings| settings.postgres.lock_timeout.as_millis().to_string(),
    },
    Case {
        name: "postgres_pooler",
        values: ["transaction", "none", "transaction"],
        seen: |settings| format!("{:?}", settings.postgres.pooler).to_lowercase(),
    },
    Case {
        name: "shutdown_grace_seconds",
        values: ["0", "1", "600"],
        seen: |settings| settings.shutdown_grace.as_secs().to_string(),
    },
    Case {
        name: "webhook_url",
        values: ["https://a.example", "https://b.example", "https://c.example"],
        seen: |settings| {
            settings.channels.webhook_url.as_ref().map_or(String::new(), ToString::to_string)
        },
    },
    Case {
        name: "mail_from",
        values: ["a@example.org", "b@example.org", "c@example.org"],
        seen: |settings| {
            settings.channels.mail_from.as_ref().map_or(String::new(), ToString::to_string)
        },
    },
    Case {
        name: "barcode_catalog",
        values: ["Cargo.toml", "src/lib.rs", "src/main.rs"],
        seen: |settings| {
            let catalog = settings.barcodes.catalog.as_ref();
            catalog.map_or(String::new(), |path| path.display().to_string())
        },
    },
    Case {
        name: "barcode_endpoint",
        values: ["https://a.example", "https://b.example", "https://c.example"],
        seen: |settings| {
            settings.barcodes.endpoint.as_ref().map_or(String::new(), ToString::to_string)
        },
    },
];

#[test]
fn a_flag_wins_over_the_environment_the_environment_over_the_file() {
    for Case { name, values: [flag, variable, file], seen } in CASES {
        let start = Start::default().file(&format!("{name} = {file:?}"));
        assert_eq!(seen(&start.settings()), *file, "{name} of the file");

        let start = start.variable(&format!("LARDER_{}", name.to_uppercase()), variable);
        assert_eq!(seen(&start.settings()), *variable, "{name} of the environment");

        let start = start.flag(&format!("--{}", name.replace('_', "-")), flag);
        assert_eq!(seen(&start.settings()), *flag, "{name} of the flag");
    }
}

#[test]
fn every_setting_of_the_file_has_a_precedence_case() {
    let tested: Vec<&str> = CASES.iter().map(|case| case.name).collect();
    let untested: Vec<&&str> = FILE_KEYS.iter().filter(|key| !tested.contains(key)).collect();
    // Those of TLS and of OIDC are set together and have their own tests; schemas have several.
    let of_their_own = [
        "tls_cert",
        "tls_key",
        "schemas",
        "oidc_issuer",
        "oidc_client_id",
        "oidc_name",
        "oidc_audience",
        "oidc_jwks",
    ];
    assert_eq!(untested, of_their_own.each_ref());
}

#[test]
fn nothing_given_gives_the_defaults() {
    assert_eq!(
        Start::default().settings(),
        Settings {
            listen: "127.0.0.1:7070".parse().unwrap(),
            metrics_listen: None,
            tls: None,
            store: StoreSetting::Embedded("./larder-data".into()),
            data: None,
            public_url: None,
            trusted_proxies: TrustedProxies::default(),
            connections: ConnectionSettings {
                max: None,
                max_per_address: 512,
                header_timeout: Duration::from_secs(10),
                idle_timeout: Duration::from_secs(75),
                http2: false,
            },
            log_format: LogFormat::Pretty,
            log_level: LogLevel::Info,
            rate_limits: true,
            registration: Registration::Invite,
            durability: Durability::Full,
            journal_days: 35,
            clock_confirmed: None,
            reading_retention_days: 90,
            device_requests_per_minute: 6000,
            schemas: Schemas::default(),
            postgres: PostgresSettings {
                pool_min: 5,
                pool_max: 20,
                statement_timeout: Duration::from_secs(5),
                lock_timeout: Duration::from_secs(4),
                pooler: Pooler::None,
            },
            shutdown_grace: Duration::from_secs(10),
            oidc: None,
            channels: ChannelSettings::default(),
            barcodes: BarcodeSettings::default(),
            operator_token: None,
            given_secrets: GivenSecrets::default(),
        }
    );
}

#[test]
fn the_config_flag_wins_over_the_config_variable() {
    let other = TempDir::new().unwrap();
    let path = other.path().join("other.toml");
    std::fs::write(&path, "journal_days = 9").unwrap();
    let start = Start::default().file("journal_days = 8").flag("--config", path.to_str().unwrap());
    assert_eq!(start.settings().journal_days, 9);
}

#[test]
fn the_file_takes_numbers_and_booleans() {
    let settings = Start::default().file("rate_limits = false\njournal_days = 7").settings();
    assert!(!settings.rate_limits);
    assert_eq!(settings.journal_days, 7);
}

#[test]
fn an_empty_variable_counts_as_absent() {
    let settings = Start::default()
        .file("listen = \"127.0.0.1:5\"")
        .variable("LARDER_LISTEN", "")
        .variable("LARDER_JWT_SECRET", "")
        .settings();
    assert_eq!(settings.listen, "127.0.0.1:5".parse().unwrap());
    assert_eq!(settings.given_secrets, GivenSecrets::default());
}

#[test]
fn secrets_come_from_the_environment() {
    let text = |letter: &str| letter.repeat(32);
    let secret = |letter: &str| Some(Secret::new(text(letter).into_bytes()));
    let settings = Start::default()
        .variable("LARDER_JWT_SECRET", text("j"))
        .variable("LARDER_CURSOR_KEY", text("c"))
        .variable("LARDER_API_KEY_PEPPER", text("p"))
        .variable("LARDER_OPERATOR_TOKEN", text("o"))
        .variable("LARDER_WEBHOOK_SECRET", text("w"))
        .variable("LARDER_SMTP_URL", "smtps://anna:hunter2@mail.example")
        .settings();
    assert_eq!(
        settings.given_secrets,
        GivenSecrets { jwt: secret("j"), cursor_key: secret("c"), api_key_pepper: secret("p") }
    );
    assert_eq!(settings.operator_token, secret("o"));
    assert_eq!(settings.channels.webhook_secret, secret("w"));
    assert_eq!(settings.channels.smtp_url.as_ref().unwrap().to_string(), "smtps://mail.example");
    let shown = format!("{settings:?}");
    for hidden in ["jjj", "ppp", "ooo", "www", "hunter2"] {
        assert!(!shown.contains(hidden), "{shown}");
    }
}

#[test]
fn outside_identity_is_three_settings_from_any_layer() {
    let keys = TempDir::new().unwrap();
    let path = keys.path().join("jwks.json");
    std::fs::write(&path, r#"{"keys":[]}"#).unwrap();
    let settings = Start::default()
        .file("oidc_audience = \"larder\"")
        .variable("LARDER_OIDC_ISSUER", "https://id.example/")
        .flag("--oidc-jwks", path.to_str().unwrap())
        .settings();
    assert_eq!(
        settings.oidc,
        Some(OidcSettings {
            issuer: "https://id.example/".to_owned(),
            audience: Some("larder".to_owned()),
            keys: OidcKeys::File(path),
            client: None,
        })
    );
}

#[test]
fn an_identity_provider_is_two_settings_and_a_secret() {
    let issuer = "http://127.0.0.1:9000/application/o/larder/";
    let start = Start::default()
        .file(&format!("oidc_issuer = \"{issuer}\""))
        .flag("--oidc-client-id", "larder");
    let client = OidcClient { id: "larder".into(), secret: None, name: "127.0.0.1".into() };
    let expected = OidcSettings {
        issuer: issuer.to_owned(),
        audience: None,
        keys: OidcKeys::Discovery(OutboundUrl::parse(issuer).unwrap()),
        client: Some(client.clone()),
    };
    assert_eq!(start.settings().oidc.as_ref(), Some(&expected));

    let start = start
        .variable("LARDER_OIDC_CLIENT_SECRET", "hunter2")
        .variable("LARDER_OIDC_NAME", "The family's")
        .variable("LARDER_OIDC_AUDIENCE", "api");
    let secret = Some(Secret::new(b"hunter2".to_vec()));
    let client = OidcClient { secret, name: "The family's".into(), ..client };
    let settings = start.settings().oidc;
    assert!(!format!("{settings:?}").contains("hunter2"));
    let audience = Some("api".to_owned());
    assert_eq!(settings, Some(OidcSettings { audience, client: Some(client), ..expected }));
}

#[test]
fn the_public_url_follows_the_bound_address_unless_told() {
    let bound = "127.0.0.1:40123".parse().unwrap();
    let start = Start::default();
    assert_eq!(start.settings().public_url_at(bound).as_str(), "http://127.0.0.1:40123");
    let start = start.flag("--public-url", "https://larder.example/");
    assert_eq!(start.settings().public_url_at(bound).as_str(), "https://larder.example");
}
