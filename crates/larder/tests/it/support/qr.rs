//! QR codes, decoded like by a camera.

/// Pixels per module, as a camera would see.
const SCALE: usize = 4;

/// The text of the first QR code in a page or picture, whose dark modules are runs of a path:
/// `M{x} {y}h{length}v1h-{length}z`.
#[track_caller]
pub(crate) fn decode_qr(page: &str) -> String {
    // Other images of a page, its icons, do not have crisp edges.
    let at = page.find("crispEdges").expect("there is a QR code");
    let svg = &page[page[..at].rfind("<svg").expect("it is a picture")..];
    let svg = &svg[..svg.find("</svg>").expect("the picture has an end")];
    let width = svg.split("viewBox=\"0 0 ").nth(1).unwrap().split(' ').next().unwrap();
    let width: usize = width.parse().unwrap();
    let path = svg.rsplit(" d=\"").next().unwrap().split('"').next().unwrap();
    let mut is_dark = vec![false; width * width];
    for run in path.split_terminator('z') {
        let (x, rest) = run.strip_prefix('M').unwrap().split_once(' ').unwrap();
        let (y, rest) = rest.split_once('h').unwrap();
        let length = rest.split('v').next().unwrap();
        let [x, y, length]: [usize; 3] = [x, y, length].map(|number| number.parse().unwrap());
        is_dark[y * width + x..][..length].fill(true);
    }
    let pixels = width * SCALE;
    let mut image = rqrr::PreparedImage::prepare_from_greyscale(pixels, pixels, |x, y| {
        if is_dark[y / SCALE * width + x / SCALE] { 0 } else { 255 }
    });
    let grids = image.detect_grids();
    assert_eq!(grids.len(), 1, "one code is seen in {svg}");
    grids[0].decode().unwrap().1
}
