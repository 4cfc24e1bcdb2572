use super::*;

#[test]
fn only_what_somebody_is_told_of_is_journaled() {
    for (table, sk, expected) in [
        (Table::InventoryManagement, "ITEM#1", true),
        (Table::InventoryManagement, "USER#1", true),
        (Table::InventoryManagement, "SESSION#1", false),
        (Table::InventoryManagement, "PROGRAMTOKEN#1", false),
        (Table::InventoryManagement, "PROGRAMTOKENCOUNT", false),
        (Table::InventoryManagement, "IDEMPOTENCY#1", false),
        (Table::InventoryManagement, "SHOPPING#1", true),
        (Table::InventoryManagement, "NOTIFICATION#1", true),
        (Table::InventoryManagement, "SHOPPINGLINK#1", false),
        (Table::InventoryManagement, "ITEM#1#URL#2", false),
        (Table::InventoryManagement, "NONCE#1", false),
        (Table::InventoryManagement, "JOB#UNLINK#1", false),
        (Table::InventoryManagement, "DELIVERY#1#email", false),
        (Table::InventoryManagement, "LEASE#daily", false),
        (Table::InventoryManagement, "BOOKMARK#upcast", false),
        (Table::InventoryManagement, "UniqueKeyValue#1", true),
        (Table::InventoryManagement, "PHOTO#urn:pp:Home.Box::1", false),
        (Table::InventoryManagement, "TREE#urn:pp:System.Account::1", false),
        (Table::Relational, "UniqueKeyValue#1", false),
        (Table::Relational, "Resource#1", false),
        (Table::Grants, "Resource#1", false),
        (Table::Devices, "", false),
        (Table::DeviceReadings, "1704067800000#a", false),
    ] {
        assert_eq!(table.is_journaled(&Key::new("p", sk)), expected, "{table:?} {sk}");
    }
}
