use proptest::prelude::*;

use super::*;

const ID: &str = "01955556-3cd2-7df2-b839-693fa6fbd505";

#[test]
fn the_example_of_the_specification_is_read_and_written() {
    let text = format!("urn:pp:System.Account.JobCollection.Job::{ID}");
    let urn: Urn = text.parse().unwrap();
    assert_eq!(urn.domain().as_str(), "pp");
    assert_eq!(urn.resource_type().as_str(), "System.Account.JobCollection.Job");
    assert_eq!(urn.id().to_string(), ID);
    assert_eq!(urn.to_string(), text);
    assert_eq!(urn.kind().prefix(), "urn:pp:System.Account.JobCollection.Job::");
}

#[test]
fn an_id_in_upper_case_is_the_same_resource() {
    let urn: Urn = format!("urn:pp:Box::{}", ID.to_uppercase()).parse().unwrap();
    assert_eq!(urn.as_str(), format!("urn:pp:Box::{ID}"));
}

/// Texts that are nearly URNs or mean harm, and why each is refused.
fn hostile() -> Vec<(String, InvalidUrn)> {
    use InvalidUrn::{Domain, Id, Scheme, Separator};
    let segments = InvalidUrn::ResourceType(InvalidResourceType::Segments);
    let too_long = InvalidUrn::ResourceType(InvalidResourceType::TooLong);
    vec![
        (String::new(), Scheme),
        ("urn".into(), Scheme),
        (ID.into(), Scheme),
        (format!("URN:pp:Box::{ID}"), Scheme),
        (format!("Urn:pp:Box::{ID}"), Scheme),
        (format!(" urn:pp:Box::{ID}"), Scheme),
        (format!("\u{feff}urn:pp:Box::{ID}"), Scheme),
        (format!("uri:pp:Box::{ID}"), Scheme),
        (format!("Resource#urn:pp:Box::{ID}"), Scheme),
        (format!("%75rn:pp:Box::{ID}"), Scheme),
        ("urn:".into(), Domain),
        ("urn:pp".into(), Domain),
        (format!("urn::Box::{ID}"), Domain),
        (format!("urn:PP:Box::{ID}"), Domain),
        (format!("urn:-pp:Box::{ID}"), Domain),
        (format!("urn:p_p:Box::{ID}"), Domain),
        (format!("urn:p p:Box::{ID}"), Domain),
        (format!("urn:рр:Box::{ID}"), Domain),
        (format!("urn:{}:Box::{ID}", "p".repeat(33)), Domain),
        (format!("urn:pp#:Box::{ID}"), Domain),
        ("urn:pp:Box".into(), Separator),
        (format!("urn:pp:Box:{ID}"), Separator),
        (format!("urn:pp:{ID}"), Separator),
        (format!("urn:pp:::{ID}"), segments),
        (format!("urn:pp:box::{ID}"), segments),
        (format!("urn:pp:Home.::{ID}"), segments),
        (format!("urn:pp:.Home::{ID}"), segments),
        (format!("urn:pp:Home..Room::{ID}"), segments),
        (format!("urn:pp:Home.room::{ID}"), segments),
        (format!("urn:pp:Home Room::{ID}"), segments),
        (format!("urn:pp:Home/Room::{ID}"), segments),
        (format!("urn:pp:Home#Room::{ID}"), segments),
        (format!("urn:pp:Ho\u{0}me::{ID}"), segments),
        (format!("urn:pp:Hôme::{ID}"), segments),
        (format!("urn:pp:1Home::{ID}"), segments),
        (format!("urn:pp:../../etc/passwd::{ID}"), segments),
        (format!("urn:pp:Box'; DROP TABLE resources; --::{ID}"), segments),
        (format!("urn:pp:<script>alert(1)</script>::{ID}"), segments),
        (format!("urn:pp:{}::{ID}", "A".repeat(201)), too_long),
        ("urn:pp:Box::".into(), Id),
        ("urn:pp:Box::123-abc-890-xyz".into(), Id),
        (format!("urn:pp:Box::{ID} "), Id),
        (format!("urn:pp:Box::{ID}\n"), Id),
        (format!("urn:pp:Box::{ID}#Child"), Id),
        (format!("urn:pp:Box::{{{ID}}}"), Id),
        (format!("urn:pp:Box:::{ID}"), Id),
        (format!("urn:pp:Box::{ID}::{ID}"), Id),
        (format!("urn:pp:Box::{}", ID.replace('-', "")), Id),
        (format!("urn:pp:Box::{}", ID.replace('5', "５")), Id),
        (format!("urn:pp:Box::{}", ID.replace('f', "g")), Id),
    ]
}

#[test]
fn hostile_urns_are_refused_with_their_reason() {
    assert!(hostile().len() >= 40);
    for (text, reason) in hostile() {
        assert_eq!(text.parse::<Urn>(), Err(reason), "{text:?}");
    }
}

#[test]
fn households_and_people_have_urns() {
    let user = UserId::fixed(7);
    let urn = Urn::of_user(user);
    assert_eq!(urn.as_str(), "urn:pp:System.User::00000000-0000-0000-0000-000000000007");
    assert_eq!(urn.to_user(), Some(user));
    let account = Urn::of_household(HouseholdId::fixed(7));
    assert_eq!(account.as_str(), "urn:pp:System.Account::00000000-0000-0000-0000-000000000007");
    assert_eq!(account.to_user(), None);
    assert!(urn.resource_type().is_reserved() && account.resource_type().is_reserved());
    assert!(!ResourceType::parse("System.Account.JobCollection.Job").unwrap().is_reserved());
}

proptest! {
    #[test]
    fn every_urn_comes_back_and_orders_like_its_text(
        domains in prop::array::uniform2("[a-z0-9][a-z0-9-]{0,31}"),
        types in prop::array::uniform2("[A-Z][A-Za-z0-9]{0,8}(\\.[A-Z][A-Za-z0-9]{0,8}){0,3}"),
        ids in prop::array::uniform2(any::<u128>()),
    ) {
        let urn = |at: usize| Urn::new(
            UrnDomain::parse(&domains[at]).unwrap(),
            ResourceType::parse(&types[at]).unwrap(),
            Uuid::from_u128(ids[at]),
        );
        prop_assert_eq!(urn(0).as_str().parse::<Urn>().unwrap(), urn(0));
        prop_assert_eq!(urn(0).cmp(&urn(1)), urn(0).to_string().cmp(&urn(1).to_string()));
    }

    #[test]
    fn no_text_makes_the_parser_fail_otherwise(text in ".{0,80}") {
        if let Ok(urn) = text.parse::<Urn>() {
            prop_assert_eq!(urn.as_str().len(), text.len());
        }
    }
}
