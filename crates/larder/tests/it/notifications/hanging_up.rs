//! A phone that loses its signal has still taken something, and notifications follow.

use super::{add_watched, path_of};
use crate::it::support::{RawConnection, Server, id_of};

/// Each request is cancelled as soon as its change is applied, before its notification is created.
#[tokio::test]
async fn what_somebody_took_who_hung_up_is_told_all_the_same() {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let mut stream = anna.events(None).await;
    let body = r#"{"delta":-1}"#;
    for number in 0..8 {
        let item = add_watched(&anna, &format!("Item {number}"), 4, 4).await;
        let request = format!(
            "POST /api/v1{}/adjust HTTP/1.1\r\nHost: larder\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            path_of(&item),
            anna.token(),
            body.len()
        );
        let mut connection = RawConnection::open(&server.address()).await;
        connection.send(request.as_bytes()).await;
        stream.until(|event| event.name == "ItemUpdated").await;
        drop(connection);
        let seen = stream.until(|event| event.name == "NotificationOpened").await;
        assert_eq!(seen.last().unwrap().data["itemId"], id_of(&item));
    }
}
