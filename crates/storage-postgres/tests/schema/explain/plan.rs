//! A plan, from `EXPLAIN (FORMAT JSON)`.

use serde_json::Value;

/// A prepared statement is planned for its values at first, and for any values later.
pub(super) const PLANNING: [&str; 2] =
    ["SET plan_cache_mode = force_custom_plan", "SET plan_cache_mode = force_generic_plan"];

/// One scan of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scan {
    pub(super) table: String,
    /// `None` for a sequential scan.
    pub(super) index: Option<String>,
    /// The index condition.
    pub(super) condition: String,
}

/// The plan of a statement.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) scans: Vec<Scan>,
    pub(super) sorts: bool,
}

impl Plan {
    pub(super) fn parse(explained: &Value) -> Self {
        let mut plan = Self { scans: Vec::new(), sorts: false };
        plan.visit(&explained[0]["Plan"], None);
        plan
    }

    fn visit(&mut self, node: &Value, heap: Option<&str>) {
        let text = |name: &str| node[name].as_str().map(str::to_owned);
        let kind = node["Node Type"].as_str().expect("every node has a type");
        self.sorts |= kind.ends_with("Sort");
        let table = text("Relation Name").or_else(|| heap.map(str::to_owned));
        if let Some(table) = table.clone()
            && kind.contains("Scan")
            && kind != "Bitmap Heap Scan"
        {
            let condition = text("Index Cond").unwrap_or_default();
            self.scans.push(Scan { table, index: text("Index Name"), condition });
        }
        for child in node["Plans"].as_array().into_iter().flatten() {
            // Index scans below a bitmap heap scan do not name their table.
            let heap = if kind.starts_with("Bitmap") { table.as_deref() } else { None };
            self.visit(child, heap);
        }
    }

    /// The tables that are read from end to end.
    pub(super) fn read_whole(&self) -> Vec<&str> {
        let whole = self.scans.iter().filter(|scan| scan.index.is_none());
        whole.map(|scan| scan.table.as_str()).collect()
    }

    /// The scan of a table.
    pub(super) fn scan_of(&self, table: &str) -> &Scan {
        let scan = self.scans.iter().find(|scan| scan.table == table);
        scan.unwrap_or_else(|| panic!("no scan of {table} in {self:#?}"))
    }
}
