//! The categories and storage locations that exist everywhere, with the same ids on every engine.

use crate::{CategoryId, StorageLocationId};

/// A category of goods. Categories are predefined and cannot be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Category {
    /// Its id.
    pub id: CategoryId,
    /// Its name in Japanese, as seed 003 has it.
    pub name: &'static str,
    /// Its name in English.
    pub name_en: &'static str,
    /// A pictogram.
    pub icon: &'static str,
    /// Its place in lists.
    pub sort_order: u16,
}

/// A storage location that every household has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeededLocation {
    /// Its id.
    pub id: StorageLocationId,
    /// Its name in Japanese, as seed 003 has it.
    pub name: &'static str,
    /// Its name in English.
    pub name_en: &'static str,
    /// A pictogram.
    pub icon: &'static str,
    /// Its place in lists.
    pub sort_order: u16,
}

const fn category(
    n: u16,
    name: &'static str,
    name_en: &'static str,
    icon: &'static str,
) -> Category {
    let id = CategoryId::fixed(0x1a4d_e400_0000_4000_8000_0000_0000_0000 | n as u128);
    Category { id, name, name_en, icon, sort_order: n }
}

const fn location(
    n: u16,
    name: &'static str,
    name_en: &'static str,
    icon: &'static str,
) -> SeededLocation {
    let id = StorageLocationId::fixed(0x1a4d_e400_0000_4000_8001_0000_0000_0000 | n as u128);
    SeededLocation { id, name, name_en, icon, sort_order: n }
}

/// Every category, in the order of lists.
pub const CATEGORIES: [Category; 9] = [
    category(1, "野菜", "Vegetables", "🥬"),
    category(2, "果物", "Fruits", "🍎"),
    category(3, "肉類", "Meat", "🥩"),
    category(4, "魚類", "Seafood", "🐟"),
    category(5, "乳製品", "Dairy", "🥛"),
    category(6, "調味料", "Condiments", "🧂"),
    category(7, "飲料", "Beverages", "🧃"),
    category(8, "日用品", "Household Products", "🧻"),
    category(9, "その他", "Other", "📦"),
];

/// Every storage location that all households have, in the order of lists.
pub const SEEDED_LOCATIONS: [SeededLocation; 5] = [
    location(1, "冷蔵庫", "Refrigerator", "🧊"),
    location(2, "冷凍庫", "Freezer", "❄️"),
    location(3, "パントリー", "Pantry", "🥫"),
    location(4, "棚", "Shelf", "🗄️"),
    location(5, "その他", "Other", "📦"),
];

/// The default category.
pub const OTHER_CATEGORY: CategoryId = CATEGORIES[8].id;

/// The category with this id.
pub fn find_category(id: CategoryId) -> Option<&'static Category> {
    CATEGORIES.iter().find(|category| category.id == id)
}

/// The seeded location with this id.
pub fn find_seeded_location(id: StorageLocationId) -> Option<&'static SeededLocation> {
    SEEDED_LOCATIONS.iter().find(|location| location.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Other engines and servers have stored these ids: they must never change.
    #[test]
    fn the_ids_are_fixed() {
        assert_eq!(CATEGORIES[0].id.to_string(), "1a4de400-0000-4000-8000-000000000001");
        assert_eq!(OTHER_CATEGORY.to_string(), "1a4de400-0000-4000-8000-000000000009");
        assert_eq!(SEEDED_LOCATIONS[4].id.to_string(), "1a4de400-0000-4000-8001-000000000005");
        assert!(find_category(OTHER_CATEGORY).is_some_and(|c| c.name == "その他"));
        assert!(find_seeded_location(SEEDED_LOCATIONS[0].id).is_some());
    }
}
