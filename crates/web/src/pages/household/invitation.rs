//! Invitations: a code, a link and a QR code.

use larder_app::AppError;
use larder_domain::Household;
use larder_http::{LinkBase, qr_svg};

use crate::{Failure, pages::welcome::invitation_path};

/// The data of `household/invitation.html`.
pub(crate) struct Invitation {
    pub(crate) code: String,
    pub(crate) link: String,
    /// The link as a QR code in SVG.
    pub(crate) qr: String,
    /// Whether the link is a loopback URL, which other devices cannot open.
    pub(crate) is_loopback: bool,
}

impl Invitation {
    pub(crate) fn of(links: &LinkBase, household: &Household) -> Result<Self, Failure> {
        let code = household.invite_code.as_str();
        let link = format!("{links}{}", invitation_path(code));
        let qr = qr_svg(&link)
            .map_err(|error| AppError::Defect(format!("an invitation cannot be drawn: {error}")))?;
        Ok(Self { code: code.to_owned(), link, qr, is_loopback: links.is_loopback() })
    }
}
