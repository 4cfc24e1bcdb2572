//! `GET /things/{urn}`: a thing with its children and groups.

use askama::Template;
use axum::response::Response;
use larder_app::{AccessQuestion, Caller, RESOURCE_KIND, is_named};
use larder_domain::{AccessAction, GrantFilter, Resource, Urn};
use larder_storage::Membership;
use serde::Deserialize;

use super::{
    PathUrn, address_of,
    attributes::readable,
    edit::label,
    naming,
    photo::photo_address,
    read_optional_urn,
    tree::{Branch, Here, Node, grow},
};
use crate::{
    Failure, Frame, Member, Query, Section, Web, WebState, Words, address::with_query, format::ago,
    render,
};

/// The number of children on a page.
const PAGE: usize = 50;
/// The maximum number of ancestors shown.
const LEVELS: usize = 20;
/// The maximum number of groups, members and grants shown.
const MOST: usize = 100;

#[derive(Deserialize)]
pub(super) struct ThingQuery {
    after: Option<String>,
    #[serde(default)]
    open: Vec<String>,
}

/// A link to another thing.
struct Link {
    urn: Urn,
    address: String,
    title: String,
}

struct Fact {
    name: String,
    value: String,
}

struct Number {
    label: String,
    property: String,
    value: String,
}

/// A group of the thing, or one of its members.
struct Belonging {
    id: String,
    link: Link,
    kind: String,
    collection: String,
    member: String,
    conveys: bool,
}

struct GrantRow {
    id: String,
    principal: String,
    /// The name of a member of the household.
    name: Option<String>,
    actions: Vec<String>,
}

/// How the thing can be deleted.
enum Deletion {
    Nothing,
    TheThing,
    /// The record of the demo data: without it the demo data could not be removed, so they are only
    /// deleted together.
    TheDemo,
}

#[derive(Template)]
#[template(path = "things/thing.html")]
struct ThingPage {
    frame: Frame,
    urn: String,
    address: String,
    title: String,
    /// The URL of its photo.
    photo: Option<String>,
    kind: String,
    changed: String,
    /// Whether it belongs to the household, rather than to another that granted access.
    is_own: bool,
    may_write: bool,
    deletion: Deletion,
    /// Its ancestors, outermost first.
    above: Vec<Link>,
    facts: Vec<Fact>,
    tree: Vec<Node>,
    here: String,
    first: Option<String>,
    next: Option<String>,
    numbers: Vec<Number>,
    groups: Vec<Belonging>,
    members: Vec<Belonging>,
    grants: Vec<GrantRow>,
    usual_kinds: Vec<String>,
    usual_properties: Vec<String>,
}

impl ThingPage {
    fn branch(&self) -> Branch<'_> {
        Branch::new(&self.frame, &self.tree)
    }

    /// An action of a grant in words. Other actions have a meaning only to other programs.
    fn action(&self, name: &str) -> String {
        match name {
            "read" => self.frame.t("things-action-read").into_owned(),
            "write" => self.frame.t("things-action-write").into_owned(),
            "delete" => self.frame.t("things-action-delete").into_owned(),
            "grant" => self.frame.t("things-action-grant").into_owned(),
            "*" => self.frame.t("things-action-any").into_owned(),
            other => other.to_owned(),
        }
    }
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    PathUrn(urn): PathUrn,
    Query(query): Query<ThingQuery>,
) -> Result<Response, Failure> {
    let frame = member.frame(Section::Things);
    let (words, caller) = (frame.words, &member.caller);
    let thing = web.app.resource(caller, &urn).await?;
    let own = caller.membership().map(|membership| Urn::of_household(membership.household));
    let is_own = own.as_ref() == Some(&thing.account);
    let is_demo = web.app.is_demo(caller, &urn)?;
    let address = address_of(&urn);
    let after = read_optional_urn(query.after.as_deref())?;
    let here = Here::new(&address, after.as_ref(), &query.open);
    let inside = web.app.children(caller, &urn, after.as_ref(), PAGE).await?;
    let at = |after: &str| with_query(&address, &[("after", after)]);
    let next = inside.next.map(|next| at(next.as_str()));
    let tree = grow((&web, caller, words), &here, inside.items).await?;
    let around = if is_own { around(&web, caller, words, &urn).await? } else { Around::default() };
    let photo = web.app.resource_photo_id(caller, &urn).await?;
    Ok(render(&ThingPage {
        photo: photo.map(|photo| photo_address(&urn, photo)),
        title: naming::title(words, &thing),
        kind: naming::kind(words, &thing),
        changed: ago(words, thing.updated_at, web.app.now()),
        is_own,
        may_write: if is_own { !is_demo } else { may(&web, caller, &urn, "write").await? },
        deletion: if is_demo {
            if frame.is_admin() { Deletion::TheDemo } else { Deletion::Nothing }
        } else if is_own || may(&web, caller, &urn, "delete").await? {
            Deletion::TheThing
        } else {
            Deletion::Nothing
        },
        above: around.above,
        facts: facts(words, &thing),
        tree,
        here: here.address(),
        first: after.map(|_| at("")),
        next,
        numbers: numbers(words, &thing),
        groups: around.groups,
        members: around.members,
        grants: around.grants,
        usual_kinds: naming::kinds_to_choose(words, &web.app.thing_kinds(caller).await?),
        usual_properties: naming::usual_properties(words),
        urn: urn.to_string(),
        address,
        frame,
    }))
}

/// Whether a grant of another household allows the caller this.
async fn may(web: &Web, caller: &Caller, urn: &Urn, action: &str) -> Result<bool, Failure> {
    let Ok(action) = AccessAction::parse(action) else { return Ok(false) };
    let principal = Urn::of_user(caller.user_id());
    let question = AccessQuestion { principal, action, urn: urn.clone() };
    Ok(web.app.explain_access(caller, &question).await?.is_some())
}

/// The data that only the household may read.
#[derive(Default)]
struct Around {
    above: Vec<Link>,
    groups: Vec<Belonging>,
    members: Vec<Belonging>,
    grants: Vec<GrantRow>,
}

async fn around(web: &Web, caller: &Caller, words: &Words, urn: &Urn) -> Result<Around, Failure> {
    let above = web.app.ancestors(caller, urn, None, LEVELS).await?;
    let groups = web.app.collections(caller, urn, None, MOST).await?;
    let members = web.app.collection_members(caller, urn, None, MOST).await?;
    let group = |membership: &Membership| {
        let collection = membership.resource.urn.to_string();
        belonging(words, "group", membership, collection, urn.to_string())
    };
    let member = |membership: &Membership| {
        let member = membership.resource.urn.to_string();
        belonging(words, "member", membership, urn.to_string(), member)
    };
    Ok(Around {
        above: above.items.iter().rev().map(|thing| link(words, thing)).collect(),
        groups: groups.items.iter().map(group).collect(),
        members: members.items.iter().map(member).collect(),
        grants: grants(web, caller, urn).await?,
    })
}

fn link(words: &Words, thing: &Resource) -> Link {
    let (address, title) = (address_of(&thing.urn), naming::title(words, thing));
    Link { urn: thing.urn.clone(), address, title }
}

fn belonging(
    words: &Words,
    what: &str,
    membership: &Membership,
    collection: String,
    member: String,
) -> Belonging {
    let other = &membership.resource;
    Belonging {
        id: format!("{what}-{}", other.urn.id()),
        link: link(words, other),
        kind: naming::kind(words, other),
        collection,
        member,
        conveys: membership.conveys_authorization,
    }
}

async fn grants(web: &Web, caller: &Caller, urn: &Urn) -> Result<Vec<GrantRow>, Failure> {
    let page = web.app.grants(caller, &GrantFilter::On(urn.clone()), None, MOST).await?;
    if page.items.is_empty() {
        return Ok(Vec::new());
    }
    let members = web.app.members(caller).await?;
    let rows = page.items.iter().map(|grant| {
        let user = grant.principal.to_user();
        let known = members.iter().find(|member| Some(member.user) == user);
        GrantRow {
            id: format!("grant-{}", grant.principal.id()),
            principal: grant.principal.to_string(),
            name: known.map(|member| member.name.as_str().to_owned()),
            actions: grant.actions.iter().map(|action| action.as_str().to_owned()).collect(),
        }
    });
    Ok(rows.collect())
}

/// The attributes of a thing, without those in its title and its kind.
fn facts(words: &Words, thing: &Resource) -> Vec<Fact> {
    let title = naming::title(words, thing);
    let fact = |(name, value): (&String, _)| Fact {
        name: label(words, name),
        value: readable(words, value),
    };
    let is_kind = |name: &str| name == RESOURCE_KIND && is_named(&thing.urn);
    let is_said =
        |fact: &Fact| fact.value != title || fact.name != label(words, larder_app::RESOURCE_NAME);
    let attributes = thing.attributes.iter().filter(|(name, _)| !is_kind(name));
    attributes.map(fact).filter(is_said).collect()
}

fn numbers(words: &Words, thing: &Resource) -> Vec<Number> {
    let number = |key: &larder_domain::UniqueKey| Number {
        label: naming::property(words, &key.property),
        property: key.property.as_str().to_owned(),
        value: key.value.as_str().to_owned(),
    };
    thing.unique_keys.iter().map(number).collect()
}
