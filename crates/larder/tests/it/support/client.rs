//! A client like an app: it has a token and sends JSON.

use reqwest::{Method, RequestBuilder, header};
use serde_json::{Value, json};

use super::{Answer, EventStream, PATIENCE, documented::assert_documented, server::ServerAddress};

/// One user (or an anonymous one) of the server.
#[derive(Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    address: ServerAddress,
    token: Option<String>,
    pub(crate) user_id: String,
    pub(crate) email: String,
    pub(crate) password: String,
    pub(crate) refresh_token: String,
}

impl Client {
    pub(crate) fn anonymous(address: ServerAddress) -> Self {
        let http = reqwest::Client::builder()
            .no_proxy()
            .connect_timeout(PATIENCE)
            .build()
            .expect("a plain HTTP client can be built");
        Self {
            http,
            address,
            token: None,
            user_id: String::new(),
            email: String::new(),
            password: String::new(),
            refresh_token: String::new(),
        }
    }

    /// Registers `{name}@example.org` and becomes that person.
    pub(crate) async fn register(mut self, name: &str) -> Self {
        self.email = format!("{name}@example.org");
        self.password = format!("{name} likes long passwords");
        let body = json!({ "email": self.email, "password": self.password, "name": name });
        let session = self.post("/auth/register", body).await.expect(201);
        let id = session["user"]["id"].as_str().expect("the user has an id");
        id.clone_into(&mut self.user_id);
        self.adopt(&session);
        self
    }

    /// Takes over the tokens of a login or refresh answer.
    pub(crate) fn adopt(&mut self, session: &Value) {
        let text = |name: &str| session[name].as_str().expect("a session has tokens").to_owned();
        self.token = Some(text("accessToken"));
        self.refresh_token = text("refreshToken");
    }

    /// The same client with another token.
    pub(crate) fn with_token(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self.clone() }
    }

    /// The access token.
    pub(crate) fn token(&self) -> &str {
        self.token.as_deref().expect("the client is logged in")
    }

    pub(crate) async fn create_household(&self, name: &str) -> Value {
        self.post("/households", json!({ "name": name })).await.expect(201)
    }

    /// Joins the household of `admin`.
    pub(crate) async fn join(&self, admin: &Self) {
        let household = admin.get("/households/current").await.expect(200);
        let body = json!({ "inviteCode": household["inviteCode"] });
        self.post("/households/join", body).await.expect(200);
    }

    /// Adds an item that must be new.
    pub(crate) async fn add(&self, name: &str, quantity: impl Into<Value>, unit: &str) -> Value {
        let body = json!({ "name": name, "quantity": quantity.into(), "unit": unit });
        self.add_item(body).await
    }

    /// The same with any fields.
    pub(crate) async fn add_item(&self, body: Value) -> Value {
        let answer = self.post("/inventory/items", body).await.expect(201);
        assert_eq!(answer["merged"], false);
        answer["item"].clone()
    }

    pub(crate) async fn item(&self, id: &str) -> Value {
        self.get(&format!("/inventory/items/{id}")).await.expect(200)
    }

    pub(crate) async fn adjust(&self, id: &str, delta: impl Into<Value>) -> Answer {
        let body = json!({ "delta": delta.into() });
        self.post(&format!("/inventory/items/{id}/adjust"), body).await
    }

    /// One page of items; `query` goes after the question mark.
    pub(crate) async fn items(&self, query: &str) -> Vec<Value> {
        let page = self.get(&format!("/inventory/items?{query}")).await.expect(200);
        page["items"].as_array().expect("a page has items").clone()
    }

    /// Follows the cursors of a list to its end. Fails on an empty page before the end.
    pub(crate) async fn all_pages(&self, path: &str, query: &str) -> Vec<Value> {
        let mut found = Vec::new();
        let mut cursor = String::new();
        loop {
            let page = self.get(&format!("{path}?{query}{cursor}")).await.expect(200);
            let items = page["items"].as_array().expect("a page has items");
            found.extend(items.iter().cloned());
            // Telemetry writes its names as devices do.
            match page.get("nextCursor").unwrap_or(&page["next_cursor"]) {
                Value::Null => return found,
                Value::String(next) => {
                    assert!(!items.is_empty(), "a page is empty although more follow");
                    cursor = format!("&cursor={}", super::encode(next));
                }
                other => panic!("the cursor is neither text nor null: {other}"),
            }
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path)).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(self.request(Method::POST, path).json(&body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: Value) -> Answer {
        self.send(self.request(Method::PATCH, path).json(&body)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.send(self.request(Method::DELETE, path)).await
    }

    /// A POST that may be sent again.
    pub(crate) async fn post_once(&self, path: &str, key: &str, body: &Value) -> Answer {
        let request = self.request(Method::POST, path).header("Idempotency-Key", key);
        self.send(request.json(body)).await
    }

    /// A POST of exactly these bytes, declared as JSON.
    pub(crate) async fn post_bytes(&self, path: &str, body: impl Into<Vec<u8>>) -> Answer {
        let request = self.request(Method::POST, path);
        self.send(request.header(header::CONTENT_TYPE, "application/json").body(body.into())).await
    }

    /// A GET outside `/api/v1`.
    pub(crate) async fn get_root(&self, path: &str) -> Answer {
        self.send(self.request_root(Method::GET, path)).await
    }

    /// A request below `/api/v1`, with the token if there is one.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.request_root(method, &format!("/api/v1{path}"))
    }

    /// A request to any path.
    pub(crate) fn request_root(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("http://{}{path}", self.address.get()));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    pub(crate) async fn send(&self, request: RequestBuilder) -> Answer {
        self.try_send(request).await.expect("the server answers")
    }

    /// For requests during which the server may be killed.
    pub(crate) async fn try_send(&self, request: RequestBuilder) -> reqwest::Result<Answer> {
        let request = request.timeout(PATIENCE).build()?;
        let (method, path) = (request.method().clone(), request.url().path().to_owned());
        let response = self.http.execute(request).await?;
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let text = response.text().await?;
        assert_documented(&self.http, &self.address, (&method, &path), status).await;
        Ok(Answer { status, headers, text })
    }

    /// Opens the household's live events, after `last_event_id` if there is one.
    pub(crate) async fn events(&self, last_event_id: Option<&str>) -> EventStream {
        self.events_at("/events", last_event_id).await
    }

    /// The same with additional topics.
    pub(crate) async fn events_also(&self, topics: &str) -> EventStream {
        self.events_at(&format!("/events?also={topics}"), None).await
    }

    async fn events_at(&self, path: &str, last_event_id: Option<&str>) -> EventStream {
        let mut request = self.request(Method::GET, path);
        if let Some(id) = last_event_id {
            request = request.header("Last-Event-ID", id);
        }
        EventStream::open(request).await
    }
}
