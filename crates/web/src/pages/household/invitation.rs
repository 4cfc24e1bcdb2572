//! How somebody is invited: a code to say, a link to send, a picture to photograph.

use larder_app::AppError;
use larder_domain::Household;
use larder_http::qr_svg;

use crate::{failure::Failure, pages::welcome::invitation_path, state::Web};

/// What `household/invitation.html` shows.
pub(crate) struct Invitation {
    pub(crate) code: String,
    pub(crate) link: String,
    /// The link as a QR code in SVG.
    pub(crate) qr: String,
}

impl Invitation {
    pub(crate) fn of(web: &Web, household: &Household) -> Result<Self, Failure> {
        let code = household.invite_code.as_str();
        let link = format!("{}{}", web.public_url, invitation_path(code));
        let qr = qr_svg(&link)
            .map_err(|error| AppError::Defect(format!("an invitation cannot be drawn: {error}")))?;
        Ok(Self { code: code.to_owned(), link, qr })
    }
}
