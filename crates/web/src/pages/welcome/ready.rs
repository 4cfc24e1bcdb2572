//! `GET /welcome/ready`: after creating a household, invite members and try demo data.

use askama::Template;
use axum::response::Response;
use larder_http::LinkBase;

use crate::{Failure, Frame, Member, Section, WebState, pages::household::Invitation, render};

#[derive(Template)]
#[template(path = "welcome/ready.html")]
struct ReadyPage {
    frame: Frame,
    name: String,
    /// Only for admins.
    invitation: Option<Invitation>,
    has_demo: bool,
}

pub(super) async fn page(
    web: WebState,
    member: Member,
    links: LinkBase,
) -> Result<Response, Failure> {
    let caller = &member.caller;
    let household = web.app.household(caller).await?;
    Ok(render(&ReadyPage {
        frame: member.frame(Section::None),
        name: household.name.to_string(),
        invitation: caller.is_admin().then(|| Invitation::of(&links, &household)).transpose()?,
        has_demo: web.app.has_demo(caller).await?,
    }))
}
