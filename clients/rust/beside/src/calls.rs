//! Calls that are sent again where that is safe, lists of all pages, and one type of error.

use crate::apis::configuration::Configuration;
use crate::apis::edges_api::{list_edges, ListEdgesError};
use crate::apis::event_sources_api::{list_event_sources, ListEventSourcesError};
use crate::apis::{Error, ResponseContent};
use crate::models::{EventSource, EventSourceList, FieldError, HttpsEdge, HttpsEdgeList, Problem, ProblemCode};
use http::Extensions;
use reqwest::header::RETRY_AFTER;
use reqwest::{Method, Request, Response, StatusCode};
use reqwest_middleware::{ClientBuilder, Middleware, Next, Result as Sent};
use serde::de::DeserializeOwned;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime};

/// A configuration whose calls are sent again where that is safe.
pub fn connect(base_path: &str, token: Option<String>) -> Configuration {
    Configuration {
        base_path: base_path.trim_end_matches('/').to_owned(),
        client: ClientBuilder::new(reqwest::Client::new()).with(Retries::default()).build(),
        bearer_access_token: token,
        ..Configuration::default()
    }
}

/// The error of a call: `?` makes it of the error of each operation.
#[derive(Debug)]
pub struct ApiError {
    /// `None` if there is no response.
    pub status: Option<u16>,
    /// `None` if the response has no problem document: most often it comes from a proxy.
    pub problem: Option<Problem>,
    message: String,
}

impl ApiError {
    /// The kind of problem.
    pub fn code(&self) -> Option<ProblemCode> {
        self.problem.as_ref().map(|problem| problem.code.clone())
    }

    /// Every error of an `invalid_request`, each with its place.
    pub fn errors(&self) -> &[FieldError] {
        self.problem.as_ref().and_then(|problem| problem.errors.as_deref()).unwrap_or_default()
    }
}

impl<E: fmt::Debug> From<Error<E>> for ApiError {
    fn from(error: Error<E>) -> ApiError {
        let problem = problem(&error);
        let status = match &error {
            Error::ResponseError(response) => Some(response.status.as_u16()),
            // A response of 200 that cannot be read.
            Error::Serde(_) => Some(200),
            _ => None,
        };
        let message = match &problem {
            Some(problem) => in_words(problem),
            None => with_causes(&error),
        };
        ApiError { status, problem, message }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for ApiError {}

/// What reqwest shows of an error says neither "Connection refused" nor what is wrong with a URL.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(one) = cause {
        let words = one.to_string();
        if !message.contains(&words) {
            message.push_str(": ");
            message.push_str(&words);
        }
        cause = one.source();
    }
    message
}

const SHOWN_ERRORS: usize = 5;

/// With the first errors: programs log the message alone.
fn in_words(problem: &Problem) -> String {
    let mut message = format!("{} {}: {}", problem.status, problem.code, problem.detail);
    for error in problem.errors.iter().flatten().take(SHOWN_ERRORS) {
        let place = error.pointer.as_deref().filter(|pointer| !pointer.is_empty()).or(error.parameter.as_deref());
        message.push_str(&format!("; {} {}", place.unwrap_or("the body"), error.detail));
    }
    message
}

/// Every edge, newest first; `limit` is the largest number on a page.
pub async fn edges(api: &Configuration, limit: Option<i32>) -> Result<Vec<HttpsEdge>, Error<ListEdgesError>> {
    let mut page = list_edges(api, limit, None, None).await?;
    let mut edges = page.https_edges;
    while let Some(uri) = page.next_page_uri {
        page = page_at::<HttpsEdgeList, _>(api, &uri).await?;
        edges.append(&mut page.https_edges);
    }
    Ok(edges)
}

/// Every event source of the subscription, by ascending type; `limit` is the largest number on a
/// page.
pub async fn event_sources(
    api: &Configuration,
    subscription_id: &str,
    limit: Option<i32>,
) -> Result<Vec<EventSource>, Error<ListEventSourcesError>> {
    let mut page = list_event_sources(api, subscription_id, limit, None).await?;
    let mut sources = page.sources;
    while let Some(uri) = page.uri {
        page = page_at::<EventSourceList, _>(api, &uri).await?;
        sources.append(&mut page.sources);
    }
    Ok(sources)
}

/// The problem document of an error; `None` if there is none: most often it comes from a proxy. The
/// generated error types are unions without a tag, whose first member takes every problem.
pub fn problem<E>(error: &Error<E>) -> Option<Problem> {
    match error {
        Error::ResponseError(ResponseContent { content, .. }) => serde_json::from_str(content).ok(),
        _ => None,
    }
}

/// The page at a link. The link can lead to another host, which gets no token.
async fn page_at<P: DeserializeOwned, E: DeserializeOwned>(api: &Configuration, uri: &str) -> Result<P, Error<E>> {
    let mut request = api.client.get(uri);
    if let Some(ref user_agent) = api.user_agent {
        request = request.header(reqwest::header::USER_AGENT, user_agent);
    }
    if let (Some(token), true) = (&api.bearer_access_token, origin(uri) == origin(&api.base_path)) {
        request = request.bearer_auth(token);
    }
    let response = request.send().await?;
    let status = response.status();
    let content = response.text().await?;
    if status.is_success() {
        return Ok(serde_json::from_str(&content)?);
    }
    let entity = serde_json::from_str(&content).ok();
    Err(Error::ResponseError(ResponseContent { status, content, entity }))
}

fn origin(uri: &str) -> Option<url::Origin> {
    url::Url::parse(uri).ok().map(|uri| uri.origin())
}

/// Sends requests again by the table of "Retries" in the contract. `connect` uses it; for a client of
/// your own, write `ClientBuilder::new(client).with(Retries::default())`.
pub struct Retries {
    /// How often a request is sent again at most.
    pub most: u32,
}

impl Default for Retries {
    fn default() -> Retries {
        Retries { most: 2 }
    }
}

const LONGEST_WAIT: Duration = Duration::from_secs(60);

#[async_trait::async_trait]
impl Middleware for Retries {
    async fn handle(&self, request: Request, extensions: &mut Extensions, next: Next<'_>) -> Sent<Response> {
        // Whether an earlier attempt may have carried out the request.
        let mut may_be_done = false;
        let mut attempt = 0;
        loop {
            let Some(copy) = request.try_clone() else {
                return next.run(request, extensions).await;
            };
            let result = next.clone().run(copy, extensions).await;
            let response = result.as_ref().ok();
            let status = response.map(Response::status);
            let is_gone = request.method() == Method::DELETE && status == Some(StatusCode::NOT_FOUND);
            if is_gone && may_be_done {
                return Ok(no_content());
            }
            let has_failed = status.map_or(true, is_failure);
            let is_limited = status == Some(StatusCode::TOO_MANY_REQUESTS);
            let is_safe = is_limited || (has_failed && is_repeatable(&request));
            let wait = wait(response, attempt);
            if attempt >= self.most || !is_safe || wait > LONGEST_WAIT {
                return result;
            }
            drop(result);
            may_be_done |= has_failed;
            attempt += 1;
            tokio::time::sleep(wait).await;
        }
    }
}

fn no_content() -> Response {
    let mut response = http::Response::new("");
    *response.status_mut() = StatusCode::NO_CONTENT;
    response.into()
}

/// Whether the service may have made the change, or not. 502 and 504 come from a proxy.
fn is_failure(status: StatusCode) -> bool {
    matches!(status.as_u16(), 500 | 502 | 503 | 504)
}

/// Whether a second request has the same result: a PATCH that renames an event source has not.
fn is_repeatable(request: &Request) -> bool {
    let is_rename = request.method() == Method::PATCH && request.url().path().contains("/event_subscriptions/");
    request.method() != Method::POST && !is_rename
}

/// What the response asks for, or about 0.2, 0.4 seconds: random, so that clients spread.
fn wait(response: Option<&Response>, attempt: u32) -> Duration {
    let asked = response.and_then(|response| response.headers().get(RETRY_AFTER)?.to_str().ok());
    if let Some(seconds) = asked.and_then(|text| text.parse::<u32>().ok()) {
        return Duration::from_secs(seconds.into());
    }
    if let Some(date) = asked.and_then(|text| httpdate::parse_http_date(text).ok()) {
        return date.duration_since(SystemTime::now()).unwrap_or_default();
    }
    let random = RandomState::new().hash_one(attempt) % 100;
    Duration::from_millis((100 + random) << attempt.min(10))
}
