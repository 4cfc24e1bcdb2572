use std::io::{Seek as _, Write};

use flate2::{Compression, write::GzEncoder};

use super::*;

fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    file
}

const SKIPPED: &str = "skipped";

/// The rows of a dump: code, name, brand and quantity, or [`SKIPPED`].
fn rows(bytes: &[u8]) -> Vec<String> {
    let mut dump = Dump::open(file(bytes)).unwrap();
    let mut rows = Vec::new();
    while let Some(row) = dump.next_row().unwrap() {
        let Row::Entry(gtin, entry) = row else {
            rows.push(SKIPPED.to_owned());
            continue;
        };
        let (brand, quantity) = (entry.brand(), entry.quantity());
        rows.push(format!("{gtin}|{}|{brand:?}|{quantity:?}", entry.name()));
    }
    rows
}

const TABLE: &str = "code\turl\tproduct_name\tquantity\tbrands\textra\n\
    4006381333931\thttp://x\tPen\t1 piece\tStabilo, Schwan\t-\n\
    96385074\t\t\"Gum \"\"mint\"\"\"\t\t\t\r\n\
    036000291452\t\tTissues\n";

const LINES: &str = r#"{"code":"4006381333931","product_name":"Pen","brands":"Stabilo, Schwan","quantity":"1 piece","images":{"a":[1,2.5,null]}}
{"code":96385074,"product_name":"Gum \"mint\"","brands":["odd"],"quantity":null}

{"code":"036000291452","product_name":"Tiss\u00fces"}"#;

#[test]
fn tables_are_read_by_the_names_of_their_columns() {
    let expected = [
        "4006381333931|Pen|Some(\"Stabilo\")|Some(\"1 piece\")",
        "96385074|Gum \"mint\"|None|None",
        "036000291452|Tissues|None|None",
    ];
    assert_eq!(rows(TABLE.as_bytes()), expected);
    let with_mark = [b"\xef\xbb\xbf".as_slice(), TABLE.as_bytes()].concat();
    assert_eq!(rows(&with_mark), expected, "a byte order mark is no part of the first name");
}

#[test]
fn lines_of_json_are_read_with_odd_fields_in_them() {
    let expected = [
        "4006381333931|Pen|Some(\"Stabilo\")|Some(\"1 piece\")",
        "96385074|Gum \"mint\"|None|None",
        SKIPPED,
        "036000291452|Tissües|None|None",
    ];
    assert_eq!(rows(LINES.as_bytes()), expected);
}

#[test]
fn compressed_dumps_are_read_in_all_their_parts() {
    let compressed = |text: &str| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    assert_eq!(rows(&compressed(TABLE)), rows(TABLE.as_bytes()));
    assert_eq!(rows(&compressed(LINES)), rows(LINES.as_bytes()));
    let (first, rest) = TABLE.split_at(100);
    let parts = [compressed(first), compressed(rest)].concat();
    assert_eq!(rows(&parts), rows(TABLE.as_bytes()), "several members are one file");
    let cut = &compressed(TABLE)[..60];
    let mut dump = Dump::open(file(cut));
    let is_error = dump.as_mut().map_or(true, |dump| {
        loop {
            match dump.next_row() {
                Ok(Some(_)) => {}
                Ok(None) => return false,
                Err(_) => return true,
            }
        }
    });
    assert!(is_error, "a download that broke off is noticed");
}

#[test]
fn damaged_rows_are_skipped() {
    let long = "x".repeat(MAX_ROW_BYTES);
    let table = [
        b"code\tproduct_name\n".as_slice(),
        b"4006381333932\tWrong check digit\n",
        b"\tNo code\n",
        b"4006381333931\t \n",
        b"4006381333931\n",
        b"4006381333931\tNot \xff UTF-8\n",
        b"\n",
        format!("4006381333931\t{long}\n").as_bytes(),
        format!("4006381333931\t{long}{long}\n").as_bytes(),
        b"96385074\tGum\n",
    ]
    .concat();
    let rows_of_table = rows(&table);
    assert_eq!(rows_of_table.len(), 9);
    assert_eq!(rows_of_table.iter().filter(|row| *row != SKIPPED).count(), 1);
    assert_eq!(rows_of_table[8], "96385074|Gum|None|None");
    let lines = br#"{"code":"96385074","product_name":"Gum"}
{"code":"4006381333931"
[1]
nonsense
{"code":"4006381333931","code":"96385074","product_name":"Twice"}
{"code":{},"product_name":"No code"}
"#;
    let rows_of_lines = rows(lines);
    assert_eq!(rows_of_lines.len(), 6);
    assert_eq!(rows_of_lines.iter().filter(|row| *row != SKIPPED).count(), 1);
}

#[test]
fn other_files_are_no_dumps() {
    let long = "x".repeat(2 * MAX_ROW_BYTES);
    for text in ["", "\n", "code,product_name\n", "code\tname\n", "\u{1f}not gzip", &long] {
        let outcome = Dump::open(file(text.as_bytes()));
        assert!(matches!(outcome, Err(ImportError::Format)), "{text:.20}");
    }
}
