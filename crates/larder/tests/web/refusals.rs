//! A form with one invalid field, without script: the error is at the field, the other input is
//! kept, and it can be corrected there.

use super::support::Reader;
use crate::it::support::Server;

async fn reader() -> (Server, crate::it::support::Client, Reader) {
    let server = Server::start().await;
    let anna = server.with_household("anna").await;
    let reader = Reader::of(&server, &anna).await;
    reader.get("/stock").await.expect(200);
    (server, anna, reader)
}

#[tokio::test]
async fn a_refused_field_is_put_right_where_it_is_refused() {
    let (_server, anna, reader) = reader().await;
    let fields = [
        ("name", "Rice & beans"),
        ("quantity", "-1"),
        ("unit", "kg"),
        ("back", "/stock?sort=name"),
    ];
    let page = reader.post("/stock/add", &fields).await.expect(400);
    assert!(page.says("Please check “Quantity”."), "{}", page.visible());
    let field = page.between("<label for=\"wrong\">", "</div>").unwrap();
    assert!(field.contains("name=\"quantity\" value=\"-1\""), "{field}");
    assert!(field.contains("aria-invalid=\"true\" aria-describedby=\"wrong-why\""), "{field}");
    assert!(field.contains("Please write a number that is not below 0."), "{field}");
    let form = page.between("<form class=\"again\"", "</form>").unwrap();
    assert!(form.contains("action=\"/stock/add\""), "{form}");
    // Everything else is in the form, and is sent again.
    assert!(form.contains("name=\"name\" value=\"Rice &#38; beans\""), "{form}");
    assert!(form.contains("name=\"back\" value=\"/stock?sort=name\""), "{form}");
    assert_eq!(form.matches("name=\"csrf\"").count(), 1, "{form}");
    let again = [("name", "Rice & beans"), ("unit", "kg"), ("quantity", "2")];
    reader.submit("/stock/add", &again).await;
    assert_eq!(anna.items("").await[0]["quantity"], 2);
}

#[tokio::test]
async fn each_field_says_what_it_must_be() {
    let (_server, _anna, reader) = reader().await;
    let long = "x".repeat(201);
    for (fields, text) in [
        (vec![("name", " ")], "Please fill this in."),
        (vec![("name", &*long)], "At most 200 characters, please."),
        (vec![("name", "Mi\u{200b}lk")], "a character that nobody can see (U+200B)."),
        (vec![("name", "Rice"), ("quantity", "many")], "Please write a number, such as 2 or 1.5."),
        (vec![("name", "Rice"), ("quantity", "0.001")], "At most two decimals, please"),
        (vec![("name", "Rice"), ("quantity", "100000000")], "At most 99,999,999.99, please."),
        (vec![("name", "Rice"), ("expiration", "2026-02-30")], "such as 2027-02-28"),
        (vec![("name", "Rice"), ("category", "x")], "Please choose one from the list."),
    ] {
        let page = reader.post("/stock/add", &fields).await.expect(400);
        assert!(page.says(text), "{fields:?}: {}", page.visible());
    }
}

#[tokio::test]
async fn no_password_is_written_into_a_page() {
    let (server, anna, reader) = reader().await;
    let fields = [("current", "it is a secret"), ("new", "short")];
    let page = reader.post("/me/password", &fields).await.expect(400);
    assert!(page.says("At least 8 characters, please."), "{}", page.visible());
    assert!(!page.text.contains("it is a secret") && !page.text.contains("\"short\""));

    let newcomer = Reader::new(&server);
    newcomer.get("/register").await.expect(200);
    let fields = [("name", "Ben"), ("email", "ben"), ("password", "it is a secret")];
    let page = newcomer.post("/register", &fields).await.expect(400);
    let field = page.between("name=\"email\"", "</div>").unwrap();
    assert!(field.contains("aria-invalid=\"true\" aria-describedby=\"why\""), "{field}");
    assert!(field.contains("such as anna@example.org"), "{field}");
    assert!(!page.text.contains("it is a secret"));
    drop(anna);
}
