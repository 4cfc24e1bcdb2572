//! The time zones to choose from.

use std::{collections::BTreeMap, sync::LazyLock};

/// The regions whose zones are named after places. The others are old names and abbreviations.
const REGIONS: [&str; 10] = [
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
];

/// The zones of one region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ZoneRegion<'a> {
    /// The region; empty for zones without one.
    pub(crate) name: &'a str,
    pub(crate) zones: Vec<&'a str>,
}

/// The names of all zones.
static ZONES: LazyLock<BTreeMap<&'static str, Vec<String>>> = LazyLock::new(|| {
    let mut zones: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for name in jiff::tz::db().available() {
        let region = REGIONS.into_iter().find(|region| {
            name.as_str().strip_prefix(region).is_some_and(|rest| rest.starts_with('/'))
        });
        if let Some(region) = region {
            zones.entry(region).or_default().push(name.as_str().to_owned());
        }
    }
    for names in zones.values_mut() {
        names.sort_unstable();
    }
    zones
});

/// Every zone to choose from, preceded by UTC and by the chosen one, if it has another name.
pub(crate) fn zone_regions(chosen: &str) -> Vec<ZoneRegion<'_>> {
    let is_listed = ZONES.values().flatten().any(|name| name == chosen);
    let mut first = vec!["UTC"];
    if !is_listed && chosen != "UTC" {
        first.insert(0, chosen);
    }
    let regions = ZONES.iter().map(|(name, zones)| ZoneRegion {
        name,
        zones: zones.iter().map(String::as_str).collect(),
    });
    std::iter::once(ZoneRegion { name: "", zones: first }).chain(regions).collect()
}

#[cfg(test)]
mod tests {
    use larder_domain::Zone;

    use super::*;

    #[test]
    fn every_zone_of_the_world_can_be_chosen_and_is_one() {
        let regions = zone_regions("Asia/Tokyo");
        assert_eq!(regions[0], ZoneRegion { name: "", zones: vec!["UTC"] });
        let names: Vec<_> = regions.iter().flat_map(|region| &region.zones).collect();
        assert!(names.len() > 400, "{}", names.len());
        for name in ["Asia/Tokyo", "Europe/Berlin", "America/Argentina/Ushuaia"] {
            assert!(names.contains(&&name), "{name}");
        }
        for name in names {
            Zone::parse(name).unwrap();
        }
    }

    #[test]
    fn a_zone_by_an_old_name_stays_chosen() {
        assert_eq!(zone_regions("Japan")[0].zones, ["Japan", "UTC"]);
        assert_eq!(zone_regions("UTC")[0].zones, ["UTC"]);
    }
}
