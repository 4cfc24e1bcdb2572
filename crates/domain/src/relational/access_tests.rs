use super::*;

fn urn(number: u8) -> Urn {
    format!("urn:pp:Box::00000000-0000-0000-0000-0000000000{number:02x}").parse().unwrap()
}

fn read() -> AccessAction {
    AccessAction::parse("read").unwrap()
}

fn reading() -> GrantedActions {
    GrantedActions::new([read()]).unwrap()
}

/// A small world: parents, conveying collections, and grants.
#[derive(Default)]
struct World {
    parents: Vec<(u8, u8)>,
    conveying: Vec<(u8, u8)>,
    granted: Vec<u8>,
}

impl World {
    fn facts(&self, of: &Urn) -> NodeFacts {
        let to = |edges: &[(u8, u8)]| {
            edges.iter().filter(|(low, _)| urn(*low) == *of).map(|(_, up)| urn(*up)).collect()
        };
        let parents: Vec<Urn> = to(&self.parents);
        NodeFacts {
            parent: parents.into_iter().next(),
            conveying: to(&self.conveying),
            granted: self.granted.iter().any(|on| urn(*on) == *of).then(reading),
        }
    }

    fn ask(&self, about: u8, action: AccessAction) -> Option<Vec<(Urn, Via)>> {
        let account = urn(99);
        let mut ascent = Ascent::new(urn(about), action);
        while ascent.frontier().len() > 0 {
            let facts = ascent.frontier().map(|at| (at.clone(), self.facts(at))).collect();
            if let Some(access) = ascent.advance(&account, &facts) {
                return Some(access.path.into_iter().map(|step| (step.urn, step.via)).collect());
            }
        }
        None
    }
}

#[test]
fn a_grant_reaches_itself_and_all_below() {
    let world = World { parents: vec![(1, 2), (2, 3)], granted: vec![3], ..World::default() };
    assert_eq!(world.ask(3, read()), Some(vec![(urn(3), Via::Itself)]));
    let way = vec![(urn(1), Via::Itself), (urn(2), Via::Parent), (urn(3), Via::Parent)];
    assert_eq!(world.ask(1, read()), Some(way));
    assert_eq!(world.ask(4, read()), None);
    assert_eq!(world.ask(1, AccessAction::parse("write").unwrap()), None);
}

#[test]
fn permission_never_flows_up() {
    let world = World { parents: vec![(1, 2)], granted: vec![1], ..World::default() };
    assert_eq!(world.ask(2, read()), None);
}

#[test]
fn collections_convey_to_members_and_what_is_below_them() {
    let world = World { parents: vec![(1, 2), (7, 8)], conveying: vec![(2, 7)], granted: vec![8] };
    let way = vec![
        (urn(1), Via::Itself),
        (urn(2), Via::Parent),
        (urn(7), Via::Collection),
        (urn(8), Via::Parent),
    ];
    assert_eq!(world.ask(1, read()), Some(way));
}

#[test]
fn the_shortest_way_is_told_and_parents_come_before_collections() {
    let world =
        World { parents: vec![(1, 5)], conveying: vec![(1, 4), (1, 3)], granted: vec![3, 4, 5] };
    assert_eq!(world.ask(1, read()).unwrap()[1], (urn(5), Via::Parent));
    let world = World { parents: vec![], ..world };
    assert_eq!(world.ask(1, read()).unwrap()[1], (urn(3), Via::Collection));
}

#[test]
fn collections_that_hold_each_other_end_the_search() {
    let world = World { conveying: vec![(1, 2), (2, 1)], ..World::default() };
    assert_eq!(world.ask(1, read()), None);
}

#[test]
fn the_account_permits_everything_in_it() {
    let ascent = Ascent::new(urn(1), read());
    let access = ascent.by_account(&urn(1), &urn(99), &reading()).unwrap();
    assert_eq!(access.path[1], PathStep { urn: urn(99), via: Via::Account });
    let ascent = Ascent::new(urn(1), AccessAction::parse("write").unwrap());
    assert_eq!(ascent.by_account(&urn(1), &urn(99), &reading()), None);
}
