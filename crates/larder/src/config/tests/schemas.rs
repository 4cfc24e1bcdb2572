use larder_domain::{
    Attributes, HouseholdId, Resource, ResourceType, SchemaVersion, UniqueKeys, Urn,
};

use super::*;

const GOOD: &str = r#"
[[change]]
resource_type = "Home.Box"
version = 2
steps = [
    { rename = "colour", to = "color" },
    { add = "size", value = { width = 30, unit = "cm", exact = 0.5, tags = ["a", true] } },
]

[[change]]
resource_type = "Home.Shelf"
version = 2
steps = [{ remove = "legacy" }]

[[change]]
resource_type = "Home.Box"
version = 3
steps = []
"#;

/// A start with this file of schemas, in a directory that lasts as long as it.
fn start(text: &str, by: fn(Start, &str) -> Start) -> (Start, TempDir, String) {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("schemas.toml").display().to_string();
    std::fs::write(&path, text).unwrap();
    (by(Start::default(), &path), directory, path)
}

fn by_flag(start: Start, path: &str) -> Start {
    start.flag("--schemas", path)
}

#[test]
fn schemas_come_from_the_file_that_any_layer_names() {
    let by_variable = |start: Start, path: &str| start.variable("LARDER_SCHEMAS", path);
    let by_file = |start: Start, path: &str| start.file(&format!("schemas = {path:?}"));
    for by in [by_flag, by_variable, by_file] {
        let (start, _directory, _) = start(GOOD, by);
        let registry = start.settings().schemas.registry();
        let newest = |kind: &str| registry.newest(&ResourceType::parse(kind).unwrap()).number();
        assert_eq!([newest("Home.Box"), newest("Home.Shelf"), newest("Other")], [3, 2, 1]);
    }
}

#[test]
fn the_steps_are_taken_in_their_order() {
    let (start, _directory, _) = start(GOOD, by_flag);
    let old = Resource {
        urn: "urn:pp:Home.Box::01955556-3cd2-7df2-b839-693fa6fbd505".parse().unwrap(),
        account: Urn::of_household(HouseholdId::fixed(1)),
        parent: None,
        schema_version: SchemaVersion::FIRST,
        version: 1,
        unique_keys: UniqueKeys::default(),
        attributes: Attributes::from_json(r#"{"colour":"red"}"#).unwrap(),
        created_at: Timestamp::UNIX_EPOCH,
        updated_at: Timestamp::UNIX_EPOCH,
    };
    let new = start.settings().schemas.registry().upcast(old).unwrap();
    assert_eq!(
        new.attributes.to_json(),
        r#"{"color":"red","size":{"exact":0.5,"tags":["a",true],"unit":"cm","width":30}}"#
    );
    assert_eq!(new.schema_version.number(), 3);
}

#[test]
fn an_empty_file_changes_no_shape() {
    let (start, _directory, _) = start("# nothing yet\n", by_flag);
    assert!(start.settings().schemas.is_empty());
}

#[test]
fn a_mistake_is_refused_with_its_line_and_what_would_do() {
    let change = |steps: &str| {
        format!("[[change]]\nresource_type = \"Box\"\nversion = 2\nsteps = [\n  {steps},\n]\n")
    };
    let step = "a step must be { rename = \"…\", to = \"…\" }, { add = \"…\", value = … } or { remove = \"…\" }";
    let names = "names must not begin with _, PK, SK or GSI, nor be urn";
    for (text, line, reason) in [
        (change("{ rename = \"a\" }"), 5, step.to_owned()),
        (change("{ add = \"a\", remove = \"b\" }"), 5, step.to_owned()),
        (change("{ rename = \"a\", to = \"_b\" }"), 5, format!("\"_b\": {names}")),
        (change("{ add = \"urn\", value = 1 }"), 5, format!("\"urn\": {names}")),
        (
            change("{ add = \"a\", value = 2026-01-01 }"),
            5,
            "value must be in quotes if it is a time".to_owned(),
        ),
        (change("{ add = \"a\", value = nan }"), 5, "value must be a number within bounds".to_owned()),
        (
            "[[change]]\nresource_type = \"box\"\nversion = 2\nsteps = []".to_owned(),
            2,
            "resource_type must be segments of letters and digits, each with a capital first, joined by \
             dots, such as Home.Room"
                .to_owned(),
        ),
        (
            "[[change]]\nresource_type = \"Box\"\nversion = 3\nsteps = []".to_owned(),
            3,
            "version must be 2, which is the next of Box".to_owned(),
        ),
    ] {
        let (start, _directory, path) = start(&text, by_flag);
        assert_eq!(
            start.refusal(),
            format!("line {line} of the file {path} (from the flag --schemas) is wrong: {reason}")
        );
    }
}

#[test]
fn what_is_no_toml_and_fields_that_mean_nothing_are_refused_with_their_line() {
    for (text, line, part) in [
        ("change = [", 1, "unclosed array"),
        ("[[change]]\nresource_type = \"Box\"\nversion = 2\nsteps = []\nstep = 1", 5, "step"),
        ("\n[[changes]]\nversion = 2", 2, "changes"),
        ("[[change]]\nresource_type = \"Box\"\nversion = \"two\"\nsteps = []", 3, "expected u32"),
        ("[[change]]\nresource_type = \"Box\"\nsteps = []", 1, "version"),
    ] {
        let (start, _directory, _) = start(text, by_flag);
        let refusal = start.refusal();
        assert!(refusal.starts_with(&format!("line {line} of the file ")), "{refusal}");
        assert!(refusal.contains(part), "{part} is not in {refusal}");
    }
}

#[test]
fn a_file_that_is_not_there_is_refused() {
    let refusal = Start::default().flag("--schemas", "/nowhere/schemas.toml").refusal();
    assert!(
        refusal.starts_with(
            "the setting schemas is \"/nowhere/schemas.toml\" (from the flag --schemas), but it must be \
             a readable file"
        ),
        "{refusal}"
    );
}
