//! Scripts for `pgbench`: the statements of the server's own requests, including row-level
//! security, one script per household.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::household::Household;

pub(super) struct Scripts {
    pub(super) adjust: Vec<PathBuf>,
    /// Only the first household's.
    pub(super) adjust_one: Vec<PathBuf>,
    pub(super) list: Vec<PathBuf>,
}

/// Writes the scripts into a directory.
pub(super) fn write(directory: &Path, households: &[Household]) -> io::Result<Scripts> {
    let mut scripts = Scripts { adjust: Vec::new(), adjust_one: Vec::new(), list: Vec::new() };
    for (number, household) in households.iter().enumerate() {
        let save = |kind: &str, text: String| {
            let path = directory.join(format!("{kind}-{number}.sql"));
            fs::write(&path, text).map(|()| path)
        };
        scripts.adjust.push(save("adjust", adjust(household))?);
        scripts.list.push(save("list", list(household))?);
    }
    scripts.adjust_one.extend(scripts.adjust.first().cloned());
    Ok(scripts)
}

fn begin(household: &Household) -> String {
    let Household { id, admin, .. } = household;
    format!(
        "BEGIN;\n\
         SELECT set_config('app.user_id', '{admin}', true), set_config('app.household_id', '{id}', true);\n"
    )
}

fn adjust(household: &Household) -> String {
    let Household { id, admin, items, .. } = household;
    format!(
        "\\set item random(1, {count})\n{begin}\
         UPDATE inventory_items SET quantity = quantity + 1, version = version + 1, \
         updated_by = '{admin}', updated_at = now() \
         WHERE id = ('{{{items}}}'::uuid[])[:item] AND household_id = '{id}' \
         AND quantity + 1 <= 99999999.99 RETURNING *;\nCOMMIT;\n",
        count = items.len(),
        begin = begin(household),
        items = items.join(","),
    )
}

fn list(household: &Household) -> String {
    let id = &household.id;
    format!(
        "{begin}SELECT * FROM inventory_items WHERE household_id = '{id}' AND NOT is_depleted \
         ORDER BY created_at DESC, id DESC LIMIT 51;\nCOMMIT;\n",
        begin = begin(household),
    )
}
