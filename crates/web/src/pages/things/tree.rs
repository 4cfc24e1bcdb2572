//! The tree of things, as far as it is unfolded. The unfolded things are in the URL, so that
//! reloads keep them, and it works without JavaScript.

use askama::Template;
use futures_util::{
    FutureExt,
    future::{BoxFuture, try_join_all},
};
use larder_app::{AppError, Caller};
use larder_domain::{Resource, Urn};

use super::{address_of, naming};
use crate::{Failure, Frame, Web, Words, address::with_query};

/// The limit of counting the children of a thing.
const COUNTED: usize = 20;
/// The number of children shown below an unfolded thing; its own page shows all.
const SHOWN: usize = 50;
/// The maximum number of unfolded things.
const MOST_OPEN: usize = 40;

/// A thing in the tree.
pub(super) struct Node {
    /// Its HTML id.
    pub(super) id: String,
    pub(super) urn: Urn,
    pub(super) address: String,
    pub(super) title: String,
    pub(super) kind: String,
    /// The number of its children, up to the limit of counting.
    pub(super) count: usize,
    pub(super) is_counted_out: bool,
    pub(super) is_open: bool,
    /// The URL of the same page with this thing unfolded, or folded.
    pub(super) toggle: String,
    pub(super) inside: Vec<Node>,
}

/// The page of a tree: its path, its position in the list, and the unfolded things.
pub(super) struct Here {
    path: String,
    after: Option<String>,
    open: Vec<Urn>,
}

/// A level of the tree, with everything unfolded below it.
#[derive(Template)]
#[template(path = "things/branch.html")]
pub(super) struct Branch<'a> {
    frame: &'a Frame,
    nodes: &'a [Node],
}

impl<'a> Branch<'a> {
    pub(super) fn new(frame: &'a Frame, nodes: &'a [Node]) -> Self {
        Self { frame, nodes }
    }
}

impl Node {
    /// Its children, if it is unfolded.
    fn branch<'a>(&'a self, frame: &'a Frame) -> Branch<'a> {
        Branch { frame, nodes: &self.inside }
    }
}

impl Here {
    /// The page at this path, with the position and the unfolded things of its query. Malformed
    /// URNs are ignored.
    pub(super) fn new(path: &str, after: Option<&Urn>, open: &[String]) -> Self {
        let mut open: Vec<Urn> = open.iter().filter_map(|urn| urn.parse().ok()).collect();
        open.truncate(MOST_OPEN);
        Self { path: path.to_owned(), after: after.map(ToString::to_string), open }
    }

    /// Its URL.
    pub(super) fn address(&self) -> String {
        self.with_open(self.open.iter())
    }

    fn toggled(&self, urn: &Urn) -> String {
        if self.open.contains(urn) {
            self.with_open(self.open.iter().filter(|open| *open != urn))
        } else {
            self.with_open(self.open.iter().chain([urn]))
        }
    }

    fn with_open<'a>(&'a self, open: impl Iterator<Item = &'a Urn>) -> String {
        let after = ("after", self.after.as_deref().unwrap_or_default());
        let open = open.map(|urn| ("open", urn.as_str()));
        with_query(&self.path, &std::iter::once(after).chain(open).collect::<Vec<_>>())
    }
}

/// The tree below these things.
pub(super) async fn grow(
    from: (&Web, &Caller, &'static Words),
    here: &Here,
    things: Vec<Resource>,
) -> Result<Vec<Node>, Failure> {
    Ok(try_join_all(things.into_iter().map(|thing| node(from, here, thing))).await?)
}

fn node<'a>(
    from: (&'a Web, &'a Caller, &'static Words),
    here: &'a Here,
    thing: Resource,
) -> BoxFuture<'a, Result<Node, AppError>> {
    async move {
        let (web, caller, words) = from;
        let is_open = here.open.contains(&thing.urn);
        let limit = if is_open { SHOWN } else { COUNTED };
        let children = match web.app.children(caller, &thing.urn, None, limit).await {
            Ok(page) => page,
            // Deleted since the list was read.
            Err(AppError::ResourceNotFound) => larder_storage::Page { items: vec![], next: None },
            Err(error) => return Err(error),
        };
        let (count, is_counted_out) = (children.items.len(), children.next.is_some());
        let inside = if is_open { children.items } else { Vec::new() };
        let inside = try_join_all(inside.into_iter().map(|child| node(from, here, child))).await?;
        Ok(Node {
            id: format!("thing-{}", thing.urn.id()),
            address: address_of(&thing.urn),
            title: naming::title(words, &thing),
            kind: naming::kind(words, &thing),
            count,
            is_counted_out,
            is_open,
            toggle: here.toggled(&thing.urn),
            inside,
            urn: thing.urn,
        })
    }
    .boxed()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: &str = "urn:pp:Box::00000000-0000-0000-0000-000000000001";
    const BAG: &str = "urn:pp:Bag::00000000-0000-0000-0000-000000000002";

    #[test]
    fn a_thing_is_unfolded_and_folded_beside_the_others() {
        let here = Here::new("/things", None, &[BOX.to_owned(), "nonsense".to_owned()]);
        let open = |urn: &str| format!("open={}", crate::address::escape(urn));
        assert_eq!(here.address(), format!("/things?{}", open(BOX)));
        assert_eq!(here.toggled(&BOX.parse().unwrap()), "/things");
        let both = format!("/things?{}&{}", open(BOX), open(BAG));
        assert_eq!(here.toggled(&BAG.parse().unwrap()), both);
    }

    #[test]
    fn the_place_in_the_list_stays() {
        let here = Here::new("/things/x", Some(&BAG.parse().unwrap()), &[]);
        let after = format!("/things/x?after={}", crate::address::escape(BAG));
        assert_eq!(here.address(), after);
    }

    #[test]
    fn an_address_cannot_unfold_without_end() {
        let many: Vec<_> = (0..100).map(|_| BOX.to_owned()).collect();
        assert_eq!(Here::new("/things", None, &many).open.len(), MOST_OPEN);
    }
}
