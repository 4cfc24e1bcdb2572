use std::cell::Cell;

use tempfile::TempDir;

use super::*;

/// Bytes that differ from call to call, and can be foretold.
fn counting() -> impl Fn(&mut [u8]) -> io::Result<()> {
    let calls = Cell::new(0);
    move |bytes| {
        calls.set(calls.get() + 1);
        bytes.fill(calls.get());
        Ok(())
    }
}

fn no_randomness(_: &mut [u8]) -> io::Result<()> {
    Err(io::Error::other("no randomness"))
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn refusal(data: &TempDir) -> String {
    Secrets::prepare(data.path(), &GivenSecrets::default(), &no_randomness).unwrap_err().to_string()
}

fn data_with_secrets() -> TempDir {
    let data = TempDir::new().unwrap();
    Secrets::prepare(data.path(), &GivenSecrets::default(), &counting()).unwrap();
    data
}

#[test]
fn the_first_run_makes_three_different_secrets_of_256_bits() {
    let data = TempDir::new().unwrap();
    let secrets = Secrets::prepare(data.path(), &GivenSecrets::default(), &counting()).unwrap();
    assert_eq!(secrets.jwt.expose(), "01".repeat(32).as_bytes());
    assert_eq!(secrets.cursor_key.expose(), "02".repeat(32).as_bytes());
    assert_eq!(secrets.api_key_pepper.expose(), "03".repeat(32).as_bytes());
}

#[test]
fn only_the_owner_can_read_what_was_made() {
    let data = data_with_secrets();
    let directory = data.path().join("secrets");
    assert_eq!(mode(&directory), 0o700);
    let mut names: Vec<String> = fs::read_dir(&directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["api-key-pepper", "cursor-key", "jwt-secret"]);
    for name in names {
        assert_eq!(mode(&directory.join(&name)), 0o600, "{name}");
    }
}

#[test]
fn the_second_run_reads_the_same_secrets() {
    let data = data_with_secrets();
    let again = Secrets::prepare(data.path(), &GivenSecrets::default(), &no_randomness).unwrap();
    assert_eq!(again.jwt.expose(), "01".repeat(32).as_bytes());
    assert_eq!(again.cursor_key.expose(), "02".repeat(32).as_bytes());
    assert_eq!(again.api_key_pepper.expose(), "03".repeat(32).as_bytes());
}

#[test]
fn given_secrets_win_and_make_no_file() {
    let data = data_with_secrets();
    let fresh = TempDir::new().unwrap();
    let secret = |text: &str| Some(Secret::new(text.repeat(32).into_bytes()));
    let given =
        GivenSecrets { jwt: secret("j"), cursor_key: secret("c"), api_key_pepper: secret("p") };
    for directory in [data.path(), fresh.path()] {
        let secrets = Secrets::prepare(directory, &given, &no_randomness).unwrap();
        assert_eq!(Some(secrets.jwt), given.jwt);
        assert_eq!(Some(secrets.cursor_key), given.cursor_key);
        assert_eq!(Some(secrets.api_key_pepper), given.api_key_pepper);
    }
    assert!(!fresh.path().join("secrets").exists());
}

#[test]
fn a_secret_that_others_can_read_is_refused_with_the_remedy() {
    for exposed in [0o644, 0o640, 0o604, 0o620] {
        let data = data_with_secrets();
        let path = data.path().join("secrets/jwt-secret");
        set_mode(&path, exposed);
        let path = path.display();
        assert_eq!(
            refusal(&data),
            format!(
                "the secret file {path} can be read by others than its owner: run `chmod 600 \
                 {path}`, and replace the secret if somebody may have read it"
            ),
            "{exposed:o}"
        );
    }
}

#[test]
fn a_short_secret_is_refused() {
    let data = data_with_secrets();
    let path = data.path().join("secrets/cursor-key");
    fs::write(&path, "0123456789\n").unwrap();
    let expected = format!(
        "the secret file {} holds 10 bytes, but a secret must have at least 32",
        path.display()
    );
    assert_eq!(refusal(&data), expected);
}

#[test]
fn what_a_crash_left_unfinished_is_made_anew() {
    let data = TempDir::new().unwrap();
    let directory = data.path().join("secrets");
    fs::create_dir(&directory).unwrap();
    let unfinished = directory.join(format!("jwt-secret.unfinished-{}", std::process::id()));
    fs::write(&unfinished, "half").unwrap();
    let secrets = Secrets::prepare(data.path(), &GivenSecrets::default(), &counting()).unwrap();
    assert_eq!(secrets.jwt.expose(), "01".repeat(32).as_bytes());
    assert_eq!(mode(&directory.join("jwt-secret")), 0o600);
    assert!(!unfinished.exists());
}

#[test]
fn of_two_that_make_a_secret_at_once_both_take_the_same() {
    let data = TempDir::new().unwrap();
    let path = data.path().join("secrets/jwt-secret");
    let other_is_faster = |bytes: &mut [u8]| {
        bytes.fill(0xaa);
        if !path.exists() {
            fs::write(&path, "faster".repeat(10)).unwrap();
            set_mode(&path, 0o600);
        }
        Ok(())
    };
    let secrets =
        Secrets::prepare(data.path(), &GivenSecrets::default(), &other_is_faster).unwrap();
    assert_eq!(secrets.jwt.expose(), "faster".repeat(10).as_bytes());
    assert_eq!(secrets.cursor_key.expose(), "aa".repeat(32).as_bytes());
    assert_eq!(fs::read_dir(data.path().join("secrets")).unwrap().count(), 3);
}

#[test]
fn the_directory_that_is_made_for_them_is_private_too() {
    let outside = TempDir::new().unwrap();
    let data = outside.path().join("larder-data");
    Secrets::prepare(&data, &GivenSecrets::default(), &counting()).unwrap();
    assert_eq!(mode(&data), 0o700);
}

#[test]
fn without_randomness_no_secret_is_made() {
    let data = TempDir::new().unwrap();
    let path = data.path().join("secrets/jwt-secret");
    let expected = format!("the secret file {} cannot be made: no randomness", path.display());
    assert_eq!(refusal(&data), expected);
    assert!(!path.exists());
}

#[test]
fn a_path_that_cannot_be_entered_is_named() {
    let data = TempDir::new().unwrap();
    fs::write(data.path().join("secrets"), "a file in the way").unwrap();
    let expected = format!(
        "the secret file {} cannot be read: Not a directory (os error 20)",
        data.path().join("secrets/jwt-secret").display()
    );
    assert_eq!(refusal(&data), expected);
}

#[test]
fn a_secret_is_never_shown() {
    let given = GivenSecrets { jwt: Some(Secret::new(b"hunter2".to_vec())), ..Default::default() };
    assert_eq!(
        format!("{given:?}"),
        "GivenSecrets { jwt: Some([redacted]), cursor_key: None, api_key_pepper: None }"
    );
}
