use std::os::unix::ffi::OsStringExt;

use super::*;

#[test]
fn a_wrong_value_is_refused_with_its_setting_origin_and_remedy() {
    let cases = [
        ("listen", "localhost", "an IP address with a port, such as 127.0.0.1:7070"),
        ("listen", "127.0.0.1:70000", "an IP address with a port, such as 127.0.0.1:7070"),
        ("metrics_listen", "9090", "an IP address with a port, such as 127.0.0.1:9090"),
        (
            "store",
            "",
            "a directory such as ./larder-data, a DynamoDB address such as \
             dynamodb:?region=eu-central-1 or a URL such as postgres://host/database",
        ),
        ("data", "", "a directory, such as ./larder-data"),
        (
            "public_url",
            "larder.example",
            "an http or https URL with a host and without a query, such as https://larder.example",
        ),
        (
            "trusted_proxy",
            "proxy",
            "IP addresses or ranges separated by commas, such as 127.0.0.1,10.0.0.0/8",
        ),
        ("max_connections", "0", "a whole number from 1 to 1000000"),
        ("max_connections_per_address", "1000001", "a whole number from 1 to 1000000"),
        ("header_timeout_seconds", "0", "a whole number from 1 to 3600"),
        ("idle_timeout_seconds", "1h", "a whole number from 1 to 3600"),
        ("http2", "yes", "on or off"),
        ("log", "xml", "json or pretty"),
        ("log_level", "loud", "error, warn, info, debug or trace"),
        ("rate_limits", "maybe", "on or off"),
        ("registration", "family", "open, invite or closed"),
        ("mail_per_day", "0", "a whole number from 1 to 1000"),
        ("durability", "some", "full or relaxed"),
        ("journal_days", "0", "a whole number from 1 to 3650"),
        ("journal_days", "3651", "a whole number from 1 to 3650"),
        ("journal_days", "1.5", "a whole number from 1 to 3650"),
        ("clock_confirmed", "yes", "a date such as 2026-12-26"),
        ("reading_retention_days", "0", "a whole number from 1 to 3650"),
        ("device_requests_per_minute", "0", "a whole number from 1 to 10000000"),
        ("postgres_pool_min", "-1", "a whole number from 0 to 1000"),
        ("postgres_pool_max", "0", "a whole number from 1 to 1000"),
        ("postgres_pool_max", "1001", "a whole number from 1 to 1000"),
        ("postgres_statement_timeout_ms", "0", "a whole number of milliseconds from 1 to 60000"),
        ("postgres_lock_timeout_ms", "5s", "a whole number of milliseconds from 1 to 60000"),
        ("postgres_pooler", "session", "none or transaction"),
        ("shutdown_grace_seconds", "601", "a whole number from 0 to 600"),
        ("shutdown_grace_seconds", "-1", "a whole number from 0 to 600"),
        (
            "oidc_issuer",
            "id",
            "an http or https URL with a host and without a query, such as https://id.example",
        ),
        ("oidc_audience", "", "a name that is not empty"),
        ("oidc_client_id", "", "a name that is not empty"),
        ("oidc_name", " ", "a name of at most 60 characters that is not empty"),
        ("mail_from", "larder", "an e-mail address, such as larder@example.org"),
    ];
    for (name, value, accepted) in cases {
        let flag = format!("--{}", name.replace('_', "-"));
        // `--flag=value`, because a value such as -1 would look like a flag.
        let mut start = Start::default();
        start.flags.push(format!("{flag}={value}"));
        assert_eq!(
            start.refusal(),
            format!(
                "the setting {name} is {value:?} (from the flag {flag}), but it must be {accepted}"
            )
        );
    }
}

#[test]
fn a_refusal_names_the_environment_variable() {
    assert_eq!(
        Start::default().variable("LARDER_LOG", "xml").refusal(),
        "the setting log is \"xml\" (from the environment variable LARDER_LOG), but it must be json \
         or pretty"
    );
}

#[test]
fn a_refusal_names_the_file() {
    let start = Start::default().file("journal_days = -4");
    assert_eq!(
        start.refusal(),
        format!(
            "the setting journal_days is \"-4\" (from the file {}), but it must be a whole number \
             from 1 to 3650",
            start.file_path()
        )
    );
}

#[test]
fn an_address_that_may_be_a_key_is_refused_without_showing_it() {
    assert_eq!(
        Start::default().flag("--webhook-url", "ftp://hooks.example/hunter2").refusal(),
        "the setting webhook_url is \"[redacted]\" (from the flag --webhook-url), but it must be an \
         http or https URL with a host and without user name, password or fragment, such as \
         https://hooks.example/larder"
    );
    assert_eq!(
        Start::default().variable("LARDER_SMTP_URL", "smtp://anna:hunter2@mail.example").refusal(),
        "the environment variable LARDER_SMTP_URL is not usable, as its password could be read on the \
         way (use smtps:// or add ?tls=required): it must be a URL such as \
         smtps://user:password@mail.example or smtp://user:password@mail.example?tls=required"
    );
}

#[test]
fn a_catalog_of_barcodes_must_be_readable_and_its_service_a_plain_url() {
    for (path, reason) in [("./nowhere", "No such file"), ("src", "Is a directory")] {
        let refusal = Start::default().flag("--barcode-catalog", path).refusal();
        let beginning = format!(
            "the setting barcode_catalog is {path:?} (from the flag --barcode-catalog), but it must \
             be a readable file: {reason}"
        );
        assert!(refusal.starts_with(&beginning), "{refusal}");
    }
    assert_eq!(
        Start::default().variable("LARDER_BARCODE_ENDPOINT", "https://off.example/?a=b").refusal(),
        "the setting barcode_endpoint is \"https://off.example/?a=b\" (from the environment variable \
         LARDER_BARCODE_ENDPOINT), but it must be an http or https URL with a host and without user \
         name, password or fragment, and without query, such as https://world.openfoodfacts.org"
    );
}

#[test]
fn a_short_secret_is_refused_without_showing_it() {
    for variable in [
        "LARDER_JWT_SECRET",
        "LARDER_CURSOR_KEY",
        "LARDER_API_KEY_PEPPER",
        "LARDER_OPERATOR_TOKEN",
        "LARDER_WEBHOOK_SECRET",
    ] {
        assert_eq!(
            Start::default().variable(variable, "x".repeat(31)).refusal(),
            format!(
                "the environment variable {variable} holds 31 bytes, but a secret must have at \
                 least 32"
            )
        );
    }
}

#[test]
fn a_token_that_no_header_can_carry_is_refused() {
    for mistake in [" ", "ü", "\n"] {
        let value = format!("{mistake}{}", "x".repeat(32));
        assert_eq!(
            Start::default().variable("LARDER_OPERATOR_TOKEN", value).refusal(),
            "the environment variable LARDER_OPERATOR_TOKEN must be printable ASCII without spaces, \
             as it is sent in a header, but it is not"
        );
    }
}

#[test]
fn a_variable_that_is_not_text_is_refused() {
    let value = OsString::from_vec(vec![0x66, 0xff]);
    assert_eq!(
        Start::default().variable("LARDER_LISTEN", value).refusal(),
        "the environment variable LARDER_LISTEN must be UTF-8 text, but it is not"
    );
}

#[test]
fn outside_identity_told_by_half_is_refused() {
    let issuer = ("LARDER_OIDC_ISSUER", "https://id.example");
    let audience = ("LARDER_OIDC_AUDIENCE", "larder");
    let jwks = ("LARDER_OIDC_JWKS", "Cargo.toml");
    let client = ("LARDER_OIDC_CLIENT_ID", "larder");
    let name = ("LARDER_OIDC_NAME", "The family's");
    let refusal = |given: &[(&str, &str)]| {
        let variable = |start: Start, (name, value): &(&str, &str)| start.variable(name, *value);
        given.iter().fold(Start::default(), variable).refusal()
    };
    for (given, missing, needed_by) in [
        (&[audience, jwks][..], "oidc_issuer", "oidc_audience"),
        (&[client], "oidc_issuer", "oidc_client_id"),
        (&[name], "oidc_issuer", "oidc_name"),
        (&[issuer, jwks], "oidc_audience", "oidc_jwks"),
        (&[issuer], "oidc_client_id", "oidc_issuer"),
        (&[issuer, audience, name], "oidc_client_id", "oidc_name"),
    ] {
        let expected = format!("the setting {missing} is absent, but {needed_by} needs it");
        assert_eq!(refusal(given), expected);
    }
    let both = refusal(&[issuer, client, jwks]);
    assert!(both.contains("oidc_client_id and oidc_jwks are both given"), "{both}");
    let readable = refusal(&[("LARDER_OIDC_ISSUER", "http://id.example"), client]);
    assert!(readable.contains("must be an https URL"), "{readable}");
}

#[test]
fn a_certificate_without_its_key_is_refused() {
    let holding = Start::default().file("");
    let file = holding.file_path();
    for (flag, missing) in [("--tls-cert", "tls_key"), ("--tls-key", "tls_cert")] {
        assert_eq!(
            Start::default().flag(flag, &file).refusal(),
            format!(
                "the setting {missing} is absent, but tls_cert and tls_key must be given together or \
                 not at all"
            )
        );
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    for (flag, name) in [
        ("--config", "config"),
        ("--oidc-jwks", "oidc_jwks"),
        ("--tls-cert", "tls_cert"),
        ("--tls-key", "tls_key"),
    ] {
        assert_eq!(
            Start::default().flag(flag, "/no/such/file").refusal(),
            format!(
                "the setting {name} is \"/no/such/file\" (from the flag {flag}), but it must be a \
                 readable file: No such file or directory (os error 2)"
            )
        );
    }
}

#[test]
fn an_unknown_key_of_the_file_is_refused() {
    for key in ["lisen", "jwt_secret", "config"] {
        let start = Start::default().file(&format!("listen = \"127.0.0.1:1\"\n{key} = \"x\""));
        assert_eq!(
            start.refusal(),
            format!(
                "the file {} has the unknown key \"{key}\", but it must have no keys except listen, \
                 metrics_listen, tls_cert, tls_key, store, data, public_url, trusted_proxy, max_connections, \
                 max_connections_per_address, header_timeout_seconds, idle_timeout_seconds, http2, log, \
                 log_level, rate_limits, registration, durability, journal_days, clock_confirmed, \
                 reading_retention_days, device_requests_per_minute, \
                 schemas, postgres_pool_min, postgres_pool_max, \
                 postgres_statement_timeout_ms, postgres_lock_timeout_ms, postgres_pooler, \
                 shutdown_grace_seconds, oidc_issuer, oidc_client_id, oidc_name, \
                 oidc_audience, oidc_jwks, webhook_url, mail_from, mail_per_day, barcode_catalog, barcode_endpoint (secrets come from the environment or from files of their own)",
                start.file_path()
            )
        );
    }
}

#[test]
fn a_file_that_is_not_toml_is_refused_with_the_line() {
    let start = Start::default().file("listen = \"127.0.0.1:1\"\n\nstore = ./data\n");
    let refusal = start.refusal();
    let beginning = format!("the file {} must be TOML, but line 3 is not: ", start.file_path());
    assert!(refusal.starts_with(&beginning), "{refusal}");
    assert!(!refusal.contains('\n'), "{refusal}");
}

#[test]
fn a_file_value_of_a_wrong_type_is_refused() {
    for (value, found) in [("[1]", "array"), ("1.5", "float"), ("{ a = 1 }", "table")] {
        let start = Start::default().file(&format!("journal_days = {value}"));
        assert_eq!(
            start.refusal(),
            format!(
                "the setting journal_days in the file {} is of the type {found}, but it must be a \
                 string, a whole number or a boolean",
                start.file_path()
            )
        );
    }
}
