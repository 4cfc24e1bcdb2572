//! The table of units in the documentation, and the methods that it must name.

use std::fs;
use std::path::Path;

use crate::row::Row;

const HEADER: &str = "| operation | port method | read units | write units | requests |";

/// The rows of the table in `docs/dynamodb.md`.
pub(crate) fn rows() -> Vec<Row> {
    let text = read("docs/dynamodb.md");
    let mut lines = text.lines().skip_while(|line| *line != HEADER).skip(2).peekable();
    assert!(lines.peek().is_some(), "docs/dynamodb.md has no table that begins with: {HEADER}");
    lines.take_while(|line| line.starts_with('|')).map(row).collect()
}

fn row(line: &str) -> Row {
    let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
    let [operation, method, read_units, write_units, requests] = cells[..] else {
        panic!("a row of units has five cells: {line}");
    };
    Row {
        operation: operation.to_owned(),
        method: method.trim_matches('`').to_owned(),
        read_units: read_units.parse().unwrap_or_else(|_| panic!("no number of units: {line}")),
        write_units: write_units.parse().unwrap_or_else(|_| panic!("no number of units: {line}")),
        requests: requests.parse().unwrap_or_else(|_| panic!("no number of requests: {line}")),
    }
}

/// The table for the documentation.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut lines = vec![HEADER.to_owned(), "|---|---|--:|--:|--:|".to_owned()];
    lines.extend(rows.iter().map(|row| {
        let Row { operation, method, read_units, write_units, requests } = row;
        format!("| {operation} | `{method}` | {read_units} | {write_units} | {requests} |")
    }));
    lines.join("\n")
}

/// One sentence for each operation whose row differs from the count.
pub(crate) fn differences(documented: &[Row], counted: &[Row]) -> Vec<String> {
    let mut differences = Vec::new();
    for row in counted {
        let said = documented.iter().find(|said| said.operation == row.operation);
        match said {
            None => differences.push(format!("{:?} is not documented", row.operation)),
            Some(said) if said != row => {
                let Row { operation, .. } = row;
                differences.push(format!("{operation:?}: documented {said:?}, counted {row:?}"));
            }
            Some(_) => {}
        }
    }
    let gone =
        documented.iter().filter(|said| !counted.iter().any(|row| row.operation == said.operation));
    differences.extend(gone.map(|said| format!("{:?} is not counted any more", said.operation)));
    differences
}

/// The names of all async methods of the ports, which may access the database.
pub(crate) fn port_methods() -> Vec<String> {
    let files = [
        "accounts",
        "api_keys",
        "devices",
        "grants",
        "households",
        "inventory",
        "notifications",
        "operations",
        "places",
        "program_tokens",
        "readings",
        "resources",
        "shopping",
        "tags",
        "upkeep",
    ];
    let text: Vec<_> =
        files.iter().map(|file| read(&format!("crates/storage/src/{file}.rs"))).collect();
    let text = text.concat();
    let methods = text.lines().filter_map(|line| line.trim().strip_prefix("async fn "));
    methods.filter_map(|line| line.split('(').next()).map(str::to_owned).collect()
}

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(operation: &str, write_units: f64) -> Row {
        let (operation, method) = (operation.to_owned(), "add_item".to_owned());
        Row { operation, method, read_units: 1.5, write_units, requests: 2 }
    }

    #[test]
    fn a_row_is_read_as_it_is_written() {
        let written = table(&[cost("add", 12.0)]);
        assert_eq!(row(written.lines().last().unwrap()), cost("add", 12.0));
    }

    #[test]
    fn a_dearer_a_new_and_a_lost_operation_are_named() {
        let documented = [cost("add", 12.0), cost("lost", 1.0), cost("same", 2.0)];
        let counted = [cost("add", 14.0), cost("new", 1.0), cost("same", 2.0)];
        let differences = differences(&documented, &counted);
        assert_eq!(differences.len(), 3, "{differences:?}");
        assert!(differences[0].starts_with("\"add\": documented"), "{}", differences[0]);
        assert_eq!(differences[1], "\"new\" is not documented");
        assert_eq!(differences[2], "\"lost\" is not counted any more");
    }
}
