//! The differences between the declared and the live tables. Pure: reading is done elsewhere.

use super::live::{LiveIndex, LiveTable, LiveTtl};
use super::{Difference, Feature, IndexDeclaration, TableDeclaration, TableReport, parts};

const ACTIVE: &str = "ACTIVE";

/// The findings of a table; `live` is `None` if it does not exist.
pub(super) fn compare(declared: &TableDeclaration, live: Option<&LiveTable>) -> TableReport {
    let name = declared.name.clone();
    let Some(live) = live else {
        let differences = vec![Difference::TableMissing];
        return TableReport { name, differences, unsupported: Vec::new() };
    };
    let differences = status(live)
        .into_iter()
        .chain(keys(declared, live))
        .chain(declared.indexes.iter().flat_map(|index| index_differences(index, live)))
        .chain(undeclared_indexes(declared, live))
        .chain(settings(declared, live))
        .collect();
    TableReport { name, differences, unsupported: unsupported(declared, live) }
}

fn status(live: &LiveTable) -> Option<Difference> {
    (live.status != ACTIVE).then(|| Difference::Status { found: live.status.clone() })
}

fn keys(declared: &TableDeclaration, live: &LiveTable) -> Vec<Difference> {
    let wanted = parts(declared.keys);
    let mut differences = Vec::new();
    if live.keys != wanted {
        let declared = wanted.into_iter().map(str::to_owned).collect();
        differences.push(Difference::Keys { declared, found: live.keys.clone() });
    }
    for attribute in declared.key_attributes() {
        // An attribute without a type is not a key; the missing index is reported.
        if let Some(found) = live.attribute_types.get(attribute).filter(|found| *found != "S") {
            let (attribute, found) = (attribute.to_owned(), found.clone());
            differences.push(Difference::AttributeType { attribute, found });
        }
    }
    differences
}

fn index_differences(declared: &IndexDeclaration, live: &LiveTable) -> Vec<Difference> {
    let index = declared.name.to_owned();
    let Some(found) = live.indexes.iter().find(|found| found.name == declared.name) else {
        return vec![Difference::IndexMissing { index }];
    };
    let LiveIndex { keys, projects_all, status, is_global, name: _ } = found;
    let mut differences = Vec::new();
    let wanted = parts(declared.keys);
    if *keys != wanted {
        let declared = wanted.into_iter().map(str::to_owned).collect();
        let found = keys.clone();
        differences.push(Difference::IndexKeys { index: index.clone(), declared, found });
    }
    if !is_global {
        differences.push(Difference::IndexLocal { index: index.clone() });
    }
    if !projects_all {
        differences.push(Difference::IndexProjection { index: index.clone() });
    }
    if status != ACTIVE {
        differences.push(Difference::IndexStatus { index, found: status.clone() });
    }
    differences
}

fn undeclared_indexes(declared: &TableDeclaration, live: &LiveTable) -> Vec<Difference> {
    let is_declared = |name: &str| declared.indexes.iter().any(|index| index.name == name);
    let undeclared = live.indexes.iter().filter(|index| !is_declared(&index.name));
    undeclared.map(|index| Difference::IndexUndeclared { index: index.name.clone() }).collect()
}

fn settings(declared: &TableDeclaration, live: &LiveTable) -> Vec<Difference> {
    let mut differences = Vec::new();
    if !live.is_on_demand {
        differences.push(Difference::BillingMode);
    }
    match (&live.ttl, declared.ttl) {
        (Some(LiveTtl::Off), Some(attribute)) => {
            differences.push(Difference::TimeToLiveOff { declared: attribute.to_owned() });
        }
        (Some(LiveTtl::By(found)), attribute) if Some(found.as_str()) != attribute => {
            let declared = attribute.map(str::to_owned);
            differences.push(Difference::TimeToLiveAttribute { declared, found: found.clone() });
        }
        _ => {}
    }
    if live.is_recoverable == Some(false) {
        differences.push(Difference::PointInTimeRecoveryOff);
    }
    if live.is_protected == Some(false) {
        differences.push(Difference::DeletionProtectionOff);
    }
    differences
}

fn unsupported(declared: &TableDeclaration, live: &LiveTable) -> Vec<Feature> {
    let lacking = [
        (Feature::TimeToLive, declared.ttl.is_some() && live.ttl.is_none()),
        (Feature::PointInTimeRecovery, live.is_recoverable.is_none()),
        (Feature::DeletionProtection, live.is_protected.is_none()),
    ];
    lacking.into_iter().filter_map(|(feature, lacks)| lacks.then_some(feature)).collect()
}
