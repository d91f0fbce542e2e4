//! Lists of all pages, and errors as problems.

use crate::apis::configuration::Configuration;
use crate::apis::edges_api::{list_edges, ListEdgesError};
use crate::apis::event_sources_api::{list_event_sources, ListEventSourcesError};
use crate::apis::{Error, ResponseContent};
use crate::models::{EventSource, EventSourceList, HttpsEdge, HttpsEdgeList, Problem};
use serde::de::DeserializeOwned;

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
