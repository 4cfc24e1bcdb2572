//! The structure of the workspace: allowed dependencies, and the length of files.
//!
//! Dependencies point one way: `larder → {api, web} → app → storage → domain`, engines → `storage`.

#![expect(clippy::unwrap_used, reason = "a test's helpers fail by panicking, as the test does")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Each crate of the workspace with the ones it may depend on. A crate that is not here is not yet
/// thought about, and fails.
const ALLOWED: &[(&str, &[&str])] = &[
    ("larder-domain", &[]),
    ("larder-storage", &["larder-domain"]),
    ("larder-storage-item", &["larder-storage", "larder-domain"]),
    ("larder-storage-embedded", &["larder-storage-item", "larder-storage", "larder-domain"]),
    ("larder-storage-dynamodb", &["larder-storage-item", "larder-storage", "larder-domain"]),
    // Rows of its own instead of records: the ports natively, beside the single-table layer.
    ("larder-storage-postgres", &["larder-storage", "larder-domain"]),
    (
        "larder-storage-testkit",
        &["larder-storage-embedded", "larder-storage-item", "larder-storage", "larder-domain"],
    ),
    // The real engines, for tests.
    ("larder-test-servers", &[]),
    // Pictures as pure functions.
    ("larder-media", &["larder-domain"]),
    ("larder-app", &["larder-media", "larder-storage", "larder-domain"]),
    // Shared by both faces; of the use cases it only uses the kinds of errors.
    ("larder-http", &["larder-app", "larder-storage", "larder-domain"]),
    // Two faces, independent of each other.
    ("larder-api", &["larder-http", "larder-app", "larder-storage", "larder-domain"]),
    ("larder-web", &["larder-http", "larder-app", "larder-storage", "larder-domain"]),
    // Calls to other servers.
    ("larder-outbound", &[]),
    // Behind ports of the use cases: senders, and catalogs of barcodes.
    ("larder-notify", &["larder-app", "larder-domain", "larder-outbound"]),
    ("larder-catalog", &["larder-app", "larder-storage", "larder-domain", "larder-outbound"]),
    // It talks to a server from outside, like a device.
    ("larder-simulator", &[]),
    (
        "larder",
        &[
            "larder-api",
            "larder-app",
            "larder-catalog",
            "larder-http",
            "larder-notify",
            "larder-outbound",
            "larder-simulator",
            "larder-storage-dynamodb",
            "larder-storage-embedded",
            "larder-storage-item",
            "larder-storage-postgres",
            "larder-storage",
            "larder-domain",
            "larder-web",
        ],
    ),
    // It measures from outside, like a client, and the relational store directly, like a user of
    // the library.
    (
        "larder-bench",
        &[
            "larder-storage-embedded",
            "larder-storage-item",
            "larder-storage",
            "larder-domain",
            "larder-test-servers",
        ],
    ),
];

/// Outside crates that belong behind a seam, with the only crates that may see them.
const BEHIND_A_SEAM: &[(&str, &[&str])] = &[
    ("rusqlite", &["larder-storage-embedded"]),
    ("aws-config", &["larder-storage-dynamodb"]),
    ("aws-sdk-dynamodb", &["larder-storage-dynamodb"]),
    ("aws-smithy-http-client", &["larder-storage-dynamodb"]),
    ("sqlx", &["larder-storage-postgres", "larder-test-servers"]),
    ("lettre", &["larder-notify"]),
    ("image", &["larder-media"]),
    ("rxing", &["larder-media"]),
    ("hyper-rustls", &["larder-outbound", "larder-simulator"]),
    ("axum", &["larder-http", "larder-api", "larder-web", "larder"]),
    ("askama", &["larder-web"]),
    ("fluent-bundle", &["larder-web"]),
    ("clap", &["larder", "larder-bench"]),
    ("tracing-subscriber", &["larder", "larder-bench"]),
];

/// The crates that reach the store only through use cases.
const FACES: &[&str] = &["api", "web", "http"];

/// The items of `larder-storage` that [`FACES`] may use: parameters and results of use cases, the
/// cache, and the clock of rate limits. No ports and no errors of the store, which belong to the
/// use cases.
const VALUES_OF_STORAGE: &[&str] = &[
    "AtVersion",
    "Cache",
    "IdempotencyClaim",
    "IdempotencyKey",
    "ItemChange",
    "ProductChange",
    "StockRow",
    "StockedProduct",
    "Lookup",
    "MAX_READINGS_PER_REQUEST",
    "ManualMonotonic",
    "Membership",
    "MonotonicClock",
    "MoveReport",
    "NewReading",
    "Page",
    "PhotoSize",
    "ProgramToken",
    "ReadingRange",
    "ReadingState",
    "RecordedChange",
    "Session",
    "TakenKey",
    "TapDone",
];

/// Signs of a source that renders HTML. Each is split, so that this file does not contain it.
const HTML: &[&str] = &[concat!("text/", "html"), concat!("Html", "("), concat!(".html", "\"")];

/// The sources outside `larder-web` that may contain them, and why.
const HTML_ELSEWHERE: &[(&str, &str)] = &[
    ("crates/api/src/docs/mod.rs", "a static page that shows the contract, without anybody's data"),
    ("crates/http/src/stack_tests.rs", "what the stack does with a page of others"),
];

/// Would give the domain async, I/O, a clock or a wire format.
const FOREIGN_TO_THE_DOMAIN: &[&str] = &[
    "tokio",
    "async-trait",
    "futures-util",
    "rusqlite",
    "sqlx",
    "aws-sdk-dynamodb",
    "axum",
    "tracing",
    "getrandom",
];

/// A longer file should be split.
const MAX_LINES: usize = 500;

/// Marks of unfinished work, and of the machine it was written on. Each is split, so that this file
/// does not contain it.
const UNWELCOME: &[&str] = &[
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X:"),
    concat!("/root", "/"),
    concat!("/wo", "rk/"),
    concat!("crates", ".io"),
];

/// A crate and the names of its dependencies, without those of its tests.
type Dependencies = BTreeMap<String, BTreeSet<String>>;

fn workspace_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

fn dependencies() -> Dependencies {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(workspace_root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages
        .map(|package| {
            let needed = package["dependencies"].as_array().unwrap().iter();
            let needed = needed.filter(|dependency| dependency["kind"] != "dev");
            (text(&package["name"]), needed.map(|dependency| text(&dependency["name"])).collect())
        })
        .collect()
}

/// The arrows of `dependencies` that [`ALLOWED`] does not have.
fn forbidden_arrows(dependencies: &Dependencies) -> Vec<String> {
    let mut forbidden = Vec::new();
    for (package, needed) in dependencies {
        let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| name == package) else {
            forbidden.push(format!("{package} is not in the table"));
            continue;
        };
        let ours = needed.iter().filter(|name| dependencies.contains_key(*name));
        let wrong = ours.filter(|name| !allowed.contains(&name.as_str()));
        forbidden.extend(wrong.map(|name| format!("{package} → {name}")));
    }
    forbidden
}

/// The crates that reach past a seam of [`BEHIND_A_SEAM`].
fn reached_past_seams(dependencies: &Dependencies) -> Vec<String> {
    let mut reached = Vec::new();
    for (package, needed) in dependencies {
        for (hidden, may_see) in BEHIND_A_SEAM {
            if needed.contains(*hidden) && !may_see.contains(&package.as_str()) {
                reached.push(format!("{package} → {hidden}"));
            }
        }
    }
    reached
}

/// The names of `larder-storage` in a source that are not among [`VALUES_OF_STORAGE`].
fn reached_past_use_cases(source: &str) -> Vec<&str> {
    let paths = source.split("larder_storage").skip(1).map(|rest| {
        let path = rest.strip_prefix("::").unwrap_or_default();
        match path.strip_prefix('{') {
            Some(names) => names.split('}').next().unwrap_or_default(),
            None => {
                path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
            }
        }
    });
    let names = paths.flat_map(|names| names.trim_end_matches([',', ' ', '\n']).split(','));
    names.map(str::trim).filter(|name| !VALUES_OF_STORAGE.contains(name)).collect()
}

/// Every Rust file of the workspace with its text.
fn sources() -> Vec<(PathBuf, String)> {
    let root = workspace_root();
    let mut unvisited = vec![root.join("crates"), root.join("bench")];
    let mut sources = Vec::new();
    while let Some(path) = unvisited.pop() {
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                unvisited.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            sources.push((path.strip_prefix(&root).unwrap().to_owned(), text));
        }
    }
    assert!(sources.iter().any(|(path, _)| path.ends_with("tests/architecture.rs")));
    sources
}

fn named(arrows: &[(&str, &[&str])]) -> Dependencies {
    let owned = |name: &&str| (*name).to_owned();
    arrows.iter().map(|(name, needed)| (owned(name), needed.iter().map(owned).collect())).collect()
}

#[test]
fn dependencies_point_one_way() {
    assert_eq!(forbidden_arrows(&dependencies()), Vec::<String>::new());
}

#[test]
fn every_crate_of_the_table_exists() {
    let dependencies = dependencies();
    for (package, _) in ALLOWED {
        assert!(dependencies.contains_key(*package), "{package}");
    }
}

#[test]
fn drivers_and_frameworks_stay_behind_their_seams() {
    assert_eq!(reached_past_seams(&dependencies()), Vec::<String>::new());
}

#[test]
fn api_and_pages_reach_the_store_through_use_cases() {
    let is_face =
        |path: &Path| FACES.iter().any(|face| path.starts_with(format!("crates/{face}/src")));
    let mut reached = Vec::new();
    for (path, text) in sources().into_iter().filter(|(path, _)| is_face(path)) {
        let names = reached_past_use_cases(&text);
        reached.extend(names.iter().map(|name| format!("{}: {name:?}", path.display())));
    }
    assert_eq!(reached, Vec::<String>::new());
}

#[test]
fn a_port_in_a_face_is_noticed() {
    for allowed in
        ["use larder_storage::Page;", "use larder_storage::{\n    Page,\n    Session,\n};"]
    {
        assert_eq!(reached_past_use_cases(allowed), Vec::<&str>::new());
    }
    assert_eq!(reached_past_use_cases("use larder_storage::{Inventory, Page};"), ["Inventory"]);
    assert_eq!(reached_past_use_cases("x: larder_storage::StorageError,"), ["StorageError"]);
    assert_eq!(reached_past_use_cases("use larder_storage::*;"), [""]);
    assert_eq!(reached_past_use_cases("use larder_storage as store;"), [""]);
}

#[test]
fn only_the_pages_render_html() {
    let mut found = Vec::new();
    for (path, text) in sources() {
        let is_source =
            path.starts_with("crates") && path.components().any(|c| c.as_os_str() == "src");
        let is_exempt = HTML_ELSEWHERE.iter().any(|(exempt, _)| path == Path::new(exempt));
        if is_source && !is_exempt && !path.starts_with("crates/web") {
            let signs = HTML.iter().filter(|sign| text.contains(**sign));
            found.extend(signs.map(|sign| format!("{}: {sign}", path.display())));
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn the_domain_knows_nothing_of_the_outside() {
    let dependencies = dependencies();
    let domain = &dependencies["larder-domain"];
    let foreign: Vec<_> =
        FOREIGN_TO_THE_DOMAIN.iter().filter(|name| domain.contains(**name)).collect();
    assert_eq!(foreign, Vec::<&&str>::new());
}

#[test]
fn an_arrow_that_turns_round_is_noticed() {
    let turned = named(&[
        ("larder-domain", &["larder-storage", "serde"]),
        ("larder-storage", &["larder-domain"]),
        ("larder", &["larder-storage-testkit"]),
        ("larder-storage-testkit", &["rusqlite"]),
        ("larder-surprise", &[]),
    ]);
    assert_eq!(
        forbidden_arrows(&turned),
        [
            "larder → larder-storage-testkit",
            "larder-domain → larder-storage",
            "larder-surprise is not in the table",
        ]
    );
    assert_eq!(reached_past_seams(&turned), ["larder-storage-testkit → rusqlite"]);
}

#[test]
fn no_source_file_is_longer_than_a_reader_can_hold() {
    let lengths = sources().into_iter().map(|(path, text)| (path, text.lines().count()));
    let long: Vec<_> = lengths.filter(|(_, lines)| *lines > MAX_LINES).collect();
    assert_eq!(long, []);
}

#[test]
fn nothing_unfinished_or_bound_to_one_machine_is_left_in_the_sources() {
    let mut found = Vec::new();
    for (path, text) in sources() {
        for (number, line) in text.lines().enumerate() {
            if let Some(word) = UNWELCOME.iter().find(|word| line.contains(**word)) {
                found.push(format!("{}:{}: {word}", path.display(), number + 1));
            }
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

/// The list excludes tests by name, so an unknown name would go unnoticed.
#[test]
fn every_module_that_runs_on_the_embedded_engine_only_exists() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let list = fs::read_to_string(tests.join("embedded-only.txt")).unwrap();
    let modules = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut count = 0;
    for module in modules {
        let path = module.strip_suffix("::").unwrap_or_else(|| panic!("{module} ends without ::"));
        let file = tests.join(path.replace("::", "/")).with_extension("rs");
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{module}: {error}"));
        assert!(text.contains("::test") || text.contains("#[test]"), "{module} has no test");
        count += 1;
    }
    assert!(count > 0);
}

/// What was stored before a rule became stricter must still be read.
#[test]
fn stores_read_names_by_the_rule_for_stored_ones() {
    const NAMES: &str = "ItemName HouseholdName PersonName StoreName StoreAddress LocationName \
        TagLabel FriendlyName KindName KeyDescription ShoppingName Email";
    let strict: Vec<_> = NAMES.split_whitespace().map(|name| format!("{name}::parse")).collect();
    let mut found = Vec::new();
    for (path, source) in sources() {
        if !path.starts_with("crates") || !path.to_string_lossy().contains("/storage-") {
            continue;
        }
        for line in source.lines() {
            let line = line.replace("::parse_stored", "");
            // Unit tests make names up.
            let is_made_up = ["unwrap()", ".ok()", "is_ok()"].iter().any(|end| line.contains(end));
            if !is_made_up && strict.iter().any(|strict| line.contains(strict)) {
                found.push((path.clone(), line));
            }
        }
    }
    assert_eq!(found, []);
}

/// A retired word of the glossary, its replacement, and where it must not occur.
struct Retired {
    word: String,
    instead: String,
    place: String,
}

fn retired_words() -> Vec<Retired> {
    let glossary = fs::read_to_string(workspace_root().join("docs/glossary.md")).unwrap();
    let (_, table) = glossary.split_once("| retired | use | where |").unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    let retired = rows.map(|row| {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [word, instead, place] = cells[..] else { panic!("{row}") };
        let word = word.trim_matches('`').to_owned();
        Retired { word, instead: instead.to_owned(), place: place.to_owned() }
    });
    retired.collect()
}

/// Whether a text has this word or phrase, and not merely as a part of another word.
fn says(text: &str, word: &str) -> bool {
    let is_boundary = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    text.match_indices(word).any(|(at, _)| {
        let whole = is_boundary(text[..at].chars().next_back())
            && is_boundary(text[at + word.len()..].chars().next());
        // Japanese has no spaces between its words.
        whole || !word.is_ascii()
    })
}

/// The messages of log statements: the text literals of the macros.
fn log_messages(source: &str) -> Vec<&str> {
    const LEVELS: [&str; 5] = ["trace!(", "debug!(", "info!(", "warn!(", "error!("];
    let statements = LEVELS.iter().flat_map(|level| source.split(level).skip(1));
    let ends = statements.map(|rest| rest.split(')').next().unwrap_or(rest));
    ends.flat_map(|statement| statement.split('"').skip(1).step_by(2)).collect()
}

/// The lines that declare types: a bare participle does not name a type's content.
fn type_declarations(source: &str) -> Vec<&str> {
    const KINDS: [&str; 4] = ["struct ", "enum ", "trait ", "type "];
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.filter(|line| KINDS.iter().any(|kind| line.contains(kind))).collect()
}

#[test]
fn no_log_page_or_type_uses_a_word_that_the_glossary_retires() {
    let retired = retired_words();
    assert!(retired.len() > 40, "the table of the glossary was not found");
    let messages = workspace_root().join("crates/web/i18n");
    let files = ["en", "ja"].into_iter().flat_map(|language| {
        fs::read_dir(messages.join(language)).unwrap().map(|file| file.unwrap().path())
    });
    let pages: Vec<_> = files.map(|file| fs::read_to_string(file).unwrap()).collect();
    let is_product = |path: &Path| path.components().any(|part| part.as_os_str() == "src");
    let sources = sources().into_iter().filter(|(path, _)| is_product(path)).collect::<Vec<_>>();
    let mut found = Vec::new();
    for Retired { word, instead, place } in &retired {
        let mut report = |text: &str| {
            if says(text, word) {
                found.push(format!("{place}: {text:?} says {word:?}, the glossary {instead:?}"));
            }
        };
        match place.as_str() {
            "page" => pages.iter().flat_map(|page| page.lines()).for_each(&mut report),
            "log" => {
                let logged = sources.iter().flat_map(|(_, source)| log_messages(source));
                logged.for_each(&mut report);
            }
            // Functions and modules anywhere; types where they are declared, because a variant may be a participle.
            "code" if word.starts_with(char::is_lowercase) => {
                sources.iter().flat_map(|(_, source)| source.lines()).for_each(&mut report);
            }
            "code" => {
                let declared = sources.iter().flat_map(|(_, source)| type_declarations(source));
                declared.for_each(&mut report);
            }
            other => panic!("the glossary names no place {other}"),
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn a_retired_word_is_noticed() {
    assert!(says("a job goes on", "goes on") && !says("it goes only once", "goes on"));
    assert!(says("いまの世帯です", "世帯"));
    assert_eq!(log_messages(r#"tracing::warn!(%error, "job goes on");"#), ["job goes on"]);
    assert_eq!(type_declarations("pub struct Told(u8);\n// a type Told\nlet told = 1;").len(), 1);
}
