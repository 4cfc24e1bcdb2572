//! A browser without script: it stores cookies, does not follow redirects, and sends the token of
//! the last page.

use std::{collections::BTreeMap, sync::Mutex};

use reqwest::{Method, RequestBuilder, StatusCode, header, redirect::Policy};

use crate::it::support::{Client, PATIENCE, Server};

/// One browser.
pub(crate) struct Reader {
    http: reqwest::Client,
    origin: String,
    cookies: Mutex<BTreeMap<String, String>>,
    csrf: Mutex<String>,
    language: &'static str,
}

/// An answer, read whole.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) status: StatusCode,
    pub(crate) headers: header::HeaderMap,
    pub(crate) text: String,
}

impl Reader {
    /// An anonymous browser, in English.
    pub(crate) fn new(server: &Server) -> Self {
        Self::speaking(server, "en")
    }

    /// The same in another language.
    pub(crate) fn speaking(server: &Server, language: &'static str) -> Self {
        let http = reqwest::Client::builder().no_proxy().redirect(Policy::none());
        Self {
            http: http.timeout(PATIENCE).build().unwrap(),
            origin: format!("http://{}", server.address().get()),
            cookies: Mutex::default(),
            csrf: Mutex::default(),
            language,
        }
    }

    /// A browser that this person has logged in with, through the form.
    pub(crate) async fn of(server: &Server, person: &Client) -> Self {
        let reader = Self::new(server);
        reader.log_in(person).await;
        reader
    }

    /// Logs in through the form.
    pub(crate) async fn log_in(&self, person: &Client) {
        self.get("/login").await.expect(200);
        let fields = [("email", &*person.email), ("password", &*person.password)];
        self.post("/login", &fields).await.expect(303);
    }

    /// A page.
    pub(crate) async fn get(&self, path: &str) -> Page {
        self.send(self.request(Method::GET, path)).await
    }

    /// A form of the last page that was read, with its token.
    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        let token = self.csrf.lock().unwrap().clone();
        self.post_with_token(path, fields, Some(&token)).await
    }

    /// A form with another token, or none.
    pub(crate) async fn post_with_token(
        &self,
        path: &str,
        fields: &[(&str, &str)],
        token: Option<&str>,
    ) -> Page {
        let token = token.map(|token| ("csrf", token));
        let form = url_encoded(&fields.iter().copied().chain(token).collect::<Vec<_>>());
        let request = self.request(Method::POST, path);
        let form_type = "application/x-www-form-urlencoded";
        self.send(request.header(header::CONTENT_TYPE, form_type).body(form)).await
    }

    /// A form, and the page that it leads to.
    pub(crate) async fn submit(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        let answer = self.post(path, fields).await;
        let to = answer.location();
        self.get(&to).await.expect(200)
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let cookies = self.cookies.lock().unwrap();
        let cookies: Vec<_> =
            cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        self.http
            .request(method, format!("{}{path}", self.origin))
            .header(header::ACCEPT, "text/html")
            .header(header::ACCEPT_LANGUAGE, self.language)
            .header(header::COOKIE, cookies.join("; "))
    }

    pub(crate) async fn send(&self, request: RequestBuilder) -> Page {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let page = Page { status, headers, text: response.text().await.unwrap() };
        self.keep_cookies(&page);
        if let Some(token) = page.between("name=\"csrf-token\" content=\"", "\"") {
            token.clone_into(&mut self.csrf.lock().unwrap());
        }
        page
    }

    /// The value of a stored cookie.
    pub(crate) fn cookie(&self, name: &str) -> Option<String> {
        self.cookies.lock().unwrap().get(name).cloned()
    }

    /// The token of the last page.
    pub(crate) fn csrf(&self) -> String {
        self.csrf.lock().unwrap().clone()
    }

    fn keep_cookies(&self, page: &Page) {
        let mut cookies = self.cookies.lock().unwrap();
        for cookie in page.headers.get_all(header::SET_COOKIE) {
            let cookie = cookie.to_str().unwrap();
            let (name, rest) = cookie.split_once('=').unwrap();
            let value = rest.split(';').next().unwrap_or_default();
            if cookie.contains("Expires=Thu, 01 Jan 1970") {
                cookies.remove(name);
            } else {
                cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    /// Sends the form with the photo of what is shown at this path, with this token and this file,
    /// as a browser does.
    pub(crate) async fn send_photo(&self, path: &str, token: &str, file: &[u8]) -> Page {
        let mut body = format!(
            "--edge\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n{token}\r\n\
             --edge\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.png\"\r\n\
             Content-Type: image/png\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(file);
        body.extend_from_slice(b"\r\n--edge--\r\n");
        let request = self.request(Method::POST, &format!("{path}/photo"));
        let request = request.header(header::CONTENT_TYPE, "multipart/form-data; boundary=edge");
        self.send(request.body(body)).await
    }
}

impl Page {
    /// The page, which must have this status.
    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status, "{}\n{}", self.header("location"), self.text);
        self
    }

    /// The target of a redirect.
    #[track_caller]
    pub(crate) fn location(&self) -> String {
        assert_eq!(self.status, StatusCode::SEE_OTHER, "{}", self.text);
        self.header("location").to_owned()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Whether the page shows this text, HTML-escaped.
    pub(crate) fn says(&self, text: &str) -> bool {
        self.visible().contains(text)
    }

    /// The visible text, without tags, with white space collapsed.
    pub(crate) fn visible(&self) -> String {
        let mut text = String::new();
        let mut is_tag = false;
        for character in self.text.chars() {
            match character {
                '<' => is_tag = true,
                '>' if is_tag => {
                    is_tag = false;
                    text.push(' ');
                }
                other if !is_tag => text.push(other),
                _ => {}
            }
        }
        unescaped(&text).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The value of the first hidden field of this name, as a browser sends it.
    #[track_caller]
    pub(crate) fn hidden(&self, name: &str) -> String {
        let value = self.between(&format!("name=\"{name}\" value=\""), "\"");
        unescaped(value.unwrap_or_else(|| panic!("no {name} in {}", self.text)))
    }

    /// The text between two others.
    pub(crate) fn between(&self, before: &str, after: &str) -> Option<&str> {
        let start = self.text.find(before)? + before.len();
        let length = self.text[start..].find(after)?;
        Some(&self.text[start..start + length])
    }
}

/// A text without HTML's escapes.
fn unescaped(text: &str) -> String {
    let escapes = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#34;", "\""),
        ("&#60;", "<"),
        ("&#62;", ">"),
        ("&#38;", "&"),
        ("&amp;", "&"),
    ];
    escapes.iter().fold(text.to_owned(), |text, (escape, plain)| text.replace(escape, plain))
}

fn url_encoded(fields: &[(&str, &str)]) -> String {
    let encode = crate::it::support::encode;
    let pairs = fields.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value)));
    pairs.collect::<Vec<_>>().join("&")
}
