//! Codes in pictures, which the server reads for browsers that cannot.

use reqwest::{Method, header::CONTENT_TYPE};
use serde_json::{Value, json};

use crate::it::support::{Answer, Client, GreyPicture, Server, ServerSettings};

async fn scan(client: &Client, media_type: &str, picture: Vec<u8>) -> Answer {
    let request = client.request(Method::POST, "/scan").header(CONTENT_TYPE, media_type);
    client.send(request.body(picture)).await
}

fn png_of(code: &str) -> Vec<u8> {
    GreyPicture::of_ean_13(code, 640, 480).png()
}

fn detail(answer: &Answer) -> String {
    answer.expect_problem(422, "IMAGE_REFUSED")["detail"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn the_number_on_a_package_is_read() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    for code in ["4006381333931", "4902102072618", "9780201379624"] {
        let found = scan(&anna, "image/png", png_of(code)).await.expect(200);
        let expected = json!({ "codes": [{ "format": "ean_13", "text": code, "gtin": code }] });
        assert_eq!(found, expected);
    }
    // A zero in front makes it the American code for the same.
    let found = scan(&anna, "image/png", png_of("0036000291452")).await.expect(200);
    let expected = json!([{ "format": "upc_a", "text": "036000291452", "gtin": "036000291452" }]);
    assert_eq!(found["codes"], expected);
    let paper = GreyPicture { width: 64, height: 48, pixels: vec![255; 64 * 48] };
    assert_eq!(scan(&anna, "image/png", paper.png()).await.expect(200), json!({ "codes": [] }));
}

#[tokio::test]
async fn what_is_no_picture_is_refused_with_the_reason() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    let unknown = "the picture is not a JPEG, PNG or WebP picture";
    for bytes in [b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), b"GIF89a".to_vec(), vec![]]
    {
        assert_eq!(detail(&scan(&anna, "image/jpeg", bytes).await), unknown);
    }
    let mut png = png_of("4006381333931");
    png.truncate(png.len() / 2);
    let damaged = "the picture is damaged or incomplete";
    assert_eq!(detail(&scan(&anna, "image/png", png).await), damaged);
    let huge = GreyPicture { width: 3000, height: 3000, pixels: vec![255; 3000 * 3000] };
    let too_large = "the picture is too large; at most 8 megapixels are taken";
    assert_eq!(detail(&scan(&anna, "image/png", huge.png()).await), too_large);
}

#[tokio::test]
async fn only_small_jpegs_and_pngs_are_taken_and_only_from_users() {
    let server = Server::start().await;
    let anna = server.register("anna").await;
    for media_type in ["image/webp", "image/svg+xml", "application/json", "text/html"] {
        let refused = scan(&anna, media_type, png_of("4006381333931")).await;
        refused.expect_problem(415, "UNSUPPORTED_MEDIA_TYPE");
    }
    let too_large = scan(&anna, "image/jpeg", vec![0xff; 102_401]).await;
    too_large.expect_problem(413, "BODY_TOO_LARGE");
    scan(&anna, "image/jpeg", vec![0xff; 102_400]).await.expect_problem(422, "IMAGE_REFUSED");
    let stranger = scan(&server.anonymous(), "image/png", png_of("4006381333931")).await;
    stranger.expect_problem(401, "UNAUTHENTICATED");
}

#[tokio::test]
async fn one_user_cannot_keep_the_server_busy() {
    let settings = ServerSettings::default().with("LARDER_RATE_LIMITS", "on");
    let server = Server::start_with(settings).await;
    let (anna, ben) = (server.register("anna").await, server.register("ben").await);
    let mut let_through = 0;
    let limited = loop {
        let answer = scan(&anna, "image/png", b"no picture".to_vec()).await;
        if answer.status == 429 {
            break answer;
        }
        answer.expect_problem(422, "IMAGE_REFUSED");
        let_through += 1;
        assert!(let_through < 1000, "all were let through");
    };
    assert!(let_through >= 240, "a camera that is on is no attack: {let_through}");
    let problem: Value = limited.expect_problem(429, "RATE_LIMITED");
    assert_eq!(problem["status"], 429);
    scan(&ben, "image/png", png_of("4006381333931")).await.expect(200);
}
