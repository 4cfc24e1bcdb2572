//! The examples of `docs/programs.md`. The shell runs its own; of the other programs, the requests are sent that
//! they make of their settings there.

use std::path::Path;
use std::process::Output;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tokio::{process::Command, time::timeout};

use crate::it::support::{
    Client, PATIENCE, Server, encode, id_of, now_ms, store::scratch_directory,
};

const DEVICE: &str = "AA:BB:CC:DD:EE:FF";
/// Where the server is in the examples.
const HOST: &str = "http://larder.local:7070";

/// One section of the page.
struct Section(String);

impl Section {
    fn of(title: &str) -> Self {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/programs.md");
        let page = std::fs::read_to_string(page).expect("the page is there");
        let (_, section) =
            page.split_once(&format!("\n## {title}\n")).expect("the section is there");
        Self(section.split("\n## ").next().unwrap().to_owned())
    }

    /// The blocks of code in this language.
    fn blocks(&self, language: &str) -> Vec<&str> {
        let begin = format!("```{language}\n");
        let blocks = self.0.split(&begin).skip(1);
        blocks.map(|rest| rest.split_once("```").expect("the block ends").0).collect()
    }

    /// The code in the row of a table that begins with this word.
    fn row(&self, name: &str) -> Vec<&str> {
        let begin = format!("| {name} |");
        let row = self.0.lines().find_map(|line| line.strip_prefix(&begin));
        code(row.unwrap_or_else(|| panic!("no row {name}")))
    }

    /// The only value of such a row.
    fn value(&self, name: &str) -> &str {
        let row = self.row(name);
        assert_eq!(row.len(), 1, "{row:?}");
        row[0]
    }
}

/// Everything between backticks.
fn code(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The value of this key in a block of YAML.
fn setting<'a>(yaml: &'a str, key: &str) -> &'a str {
    let begin = format!("{key}: ");
    let line =
        yaml.lines().find_map(|line| line.trim_start_matches([' ', '-']).strip_prefix(&begin));
    line.unwrap_or_else(|| panic!("no {key} in {yaml}")).trim_matches(['\'', '"'])
}

/// The path of a URL of the examples.
fn path(url: &str) -> &str {
    url.strip_prefix(HOST).unwrap_or_else(|| panic!("{url} is not of {HOST}"))
}

/// This person's program.
async fn program(person: &Client, scopes: &[&str]) -> Client {
    let body = json!({ "name": "a program", "scopes": scopes });
    let made = person.post("/me/tokens", body).await.expect(201);
    person.with_token(made["token"].as_str().unwrap())
}

async fn run(commands: &str, server: &Server, token: &str, directory: &Path) -> Output {
    let shell = Command::new("bash")
        .args(["-euc", commands])
        .env("LARDER", format!("http://{}", server.address().get()))
        .env("LARDER_TOKEN", token)
        .current_dir(directory)
        .output();
    timeout(PATIENCE, shell).await.expect("the commands end in time").unwrap()
}

#[tokio::test]
async fn the_shell_takes_milk_once_and_keeps_an_export() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 3, "L").await;
    let script = program(&anna, &["read", "stock"]).await;
    let (section, directory) = (Section::of("Shell"), scratch_directory());
    let commands = section.blocks("sh").concat();
    for _ in 0..2 {
        let output = run(&commands, &server, script.token(), directory.path()).await;
        assert!(output.status.success(), "{output:?}");
        assert_eq!(anna.item(id_of(&milk)).await["quantity"], 2);
    }
    let files: Vec<_> = std::fs::read_dir(directory.path()).unwrap().map(Result::unwrap).collect();
    assert_eq!(files.len(), 1);
    let export = std::fs::read_to_string(files[0].path()).unwrap();
    let types =
        export.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["type"].clone());
    let types: Vec<_> = types.collect();
    assert!(types.contains(&json!("item")) && types.contains(&json!("household")), "{types:?}");

    // A script notices that it may not.
    let reading = program(&anna, &["read"]).await;
    let output = run(&commands, &server, reading.token(), directory.path()).await;
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("SCOPE_REQUIRED"), "{output:?}");
}

/// Run once with Home Assistant 2025.1.4 itself.
#[tokio::test]
async fn home_assistant_reads_counts_and_writes_on_the_list() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let low = json!({ "name": "Tea", "quantity": 1, "unit": "g", "lowStockThreshold": 5 });
    anna.add_item(low).await;
    let section = Section::of("Home Assistant");
    let [secrets, configuration] = section.blocks("yaml")[..] else { panic!("two files") };
    let (sensors, command) = configuration.split_once("rest_command:").unwrap();
    let script = program(&anna, &["read", "shopping"]).await;
    let authorization =
        setting(secrets, "larder_authorization").replace("larder_…", script.token());
    let request = |method: Method, url: &str| -> RequestBuilder {
        let request = server.anonymous().request_root(method, path(url));
        request
            .header("Authorization", &authorization)
            .header("User-Agent", "HomeAssistant/2025.1.4")
    };

    let today = request(Method::GET, setting(sensors, "resource"));
    let value_json = server.anonymous().send(today).await.expect(200);
    let mut values = Vec::new();
    for template in sensors.lines().filter_map(|line| line.trim().strip_prefix("value_template: "))
    {
        let names =
            template.trim_matches(['"', '{', '}', ' ']).strip_prefix("value_json.").unwrap();
        values.push(names.split('.').fold(&value_json, |value, name| &value[name]).clone());
    }
    assert_eq!(values, [json!(0), json!(1)]);

    let payload =
        setting(command, "payload").replace("{{ name | to_json }}", r#""Milk \"whole\"""#);
    let method = setting(command, "method").parse().unwrap();
    let command = request(method, setting(command, "url"))
        .header("Content-Type", setting(command, "content_type"))
        .body(payload);
    let added = server.anonymous().send(command).await.expect(201);
    assert_eq!(added["name"], r#"Milk "whole""#);
}

#[tokio::test]
async fn grafana_draws_a_sensor() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let device = anna.add_device(&server, DEVICE).await;
    let now = now_ms();
    for (ago, value) in [(3_600_000, -18.5), (1_800_000, -18.0), (0, -17.5)] {
        let mut reading = device.reading(now - ago, &format!("reading-{ago}"));
        reading["sensors"] = json!({ "temperature_c": value });
        device.send(&[reading]).await.expect(200);
    }
    let section = Section::of("Grafana");
    let grafana = program(&anna, &["devices"]).await;
    let url = section.value("URL");
    let parameters = section.row("URL query parameters");
    let (from, to) = ((now - 7_200_000).to_string(), (now + 1000).to_string());
    let parameter = |pair: &[&str]| {
        let value = match pair[1] {
            "${__from}" => from.as_str(),
            "${__to}" => to.as_str(),
            value => value,
        };
        format!("{}={}", pair[0], encode(value))
    };
    let query: Vec<_> = parameters.chunks_exact(2).map(parameter).collect();
    assert_eq!(query.len(), 4, "{query:?}");
    let url = format!("{}?{}", path(url), query.join("&"));
    let request = grafana.request_root(Method::GET, &url);
    let answer = grafana.send(request).await.expect(200);
    let rows = answer[section.value("Rows/Root")].as_array().unwrap();
    let columns = section.row("Columns");
    assert_eq!(columns.len(), 4);
    let points: Vec<Vec<f64>> = rows
        .iter()
        .map(|row| columns.iter().map(|it| row[it].as_f64().unwrap()).collect())
        .collect();
    assert_eq!(points.iter().map(|point| point[1]).collect::<Vec<_>>(), [-18.5, -18.0, -17.5]);

    let csv = code(&section.0).into_iter().find(|it| it.contains("readings.csv")).unwrap();
    let table = grafana.get_root(path(csv)).await;
    assert_eq!((table.status, table.text.lines().count()), (200, 4), "{}", table.text);
}

#[tokio::test]
async fn n8n_takes_milk_once_for_each_execution() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let milk = anna.add("Milk", 3, "L").await;
    let n8n = program(&anna, &["stock"]).await;
    let section = Section::of("n8n");
    let body: Value = serde_json::from_str(section.value("JSON")).unwrap();
    let [header, execution] = section.row("Send Headers")[..] else { panic!("a name and a value") };
    assert_eq!(execution, "{{ $execution.id }}");
    for (execution, left) in [("231", 2), ("231", 2), ("232", 1)] {
        let method = section.0.lines().find_map(|line| line.strip_prefix("| Method | ")).unwrap();
        let method = method.trim_end_matches([' ', '|']).parse().unwrap();
        let request = n8n.request_root(method, path(section.value("URL")));
        let request = request.header("Accept", "application/json,text/html,*/*;q=0.7");
        n8n.send(request.header(header, execution).json(&body)).await.expect(200);
        assert_eq!(anna.item(id_of(&milk)).await["quantity"], left);
    }
}
