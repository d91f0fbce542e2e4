//! A round through the API, as a user would write it. Every language prints the same lines.

use edge_client::apis::edges_api::{create_edge, delete_edge, get_edge, update_edge};
use edge_client::apis::event_sources_api::{create_event_source, delete_event_source};
use edge_client::apis::routes_api::{create_route, delete_route, update_route};
use edge_client::calls::{connect, event_sources, ApiError};
use edge_client::models::*;
use std::error::Error as AnyError;

const SUBSCRIPTION: &str = "sub_orders";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn AnyError>> {
    let api = connect(&std::env::var("EDGE_URL")?, Some(std::env::var("EDGE_TOKEN")?));

    let tls = EndpointTlsTerminationAtEdge { min_version: Some(Some(TlsVersion::TLS_1_3)), ..Default::default() };
    let edge = create_edge(&api, HttpsEdgeCreate {
        description: Some(Some("Public storefront".into())),
        metadata: Some(Some(r#"{"team":"web"}"#.into())),
        hostports: Some(Some(vec!["shop.example.com:443".into()])),
        tls_termination: Some(Some(Box::new(tls))),
        ..Default::default()
    }).await?;
    let version = edge.tls_termination.as_ref().and_then(|tls| tls.min_version).ok_or("no TLS version")?;
    println!("created edge: {} [{}], TLS {}", edge.description, edge.hostports.join(", "), version);

    let github = EndpointOAuthGitHubMutate { organizations: Some(vec!["acme".into()]), ..Default::default() };
    let provider = EndpointOAuthProviderMutate { github: Some(Some(Box::new(github))), ..Default::default() };
    let mut new_route = HttpsEdgeRouteCreate::new(MatchType::PathPrefix, "/".into());
    new_route.oauth = Some(Some(Box::new(EndpointOAuthMutate::new(provider))));
    let route = create_route(&api, &edge.id, new_route).await?;
    let github = route.oauth.as_ref().and_then(|oauth| oauth.provider.github.as_ref()).ok_or("no GitHub")?;
    println!("created route: {} {}, oauth github [{}]", route.match_type, route.r#match, github.organizations.join(", "));

    for event_type in ["ip_policy_created.v0", "http_request_complete.v0", "ip_policy_updated.v0"] {
        create_event_source(&api, SUBSCRIPTION, EventSourceCreate::new(event_type.into())).await?;
    }
    for source in event_sources(&api, SUBSCRIPTION, Some(1)).await? {
        println!("source: {}", source.r#type);
    }

    // Some(None) is null: the description is reset. What is None, here the metadata, stays.
    let updated = update_edge(&api, &edge.id, HttpsEdgeUpdate { description: Some(None), ..Default::default() }).await?;
    println!("updated edge: description \"{}\", metadata {}", updated.description, updated.metadata);
    let oidc = EndpointOidcMutate { client_secret: Some(Some("s3cret".into())), ..EndpointOidcMutate::new("https://id.example.com".into(), "storefront".into()) };
    let change = HttpsEdgeRouteUpdate { oauth: Some(None), oidc: Some(Some(Box::new(oidc))), ..Default::default() };
    let swapped = update_route(&api, &edge.id, &route.id, change).await?;
    let oauth = if swapped.oauth.is_none() { "null" } else { "set" };
    println!("updated route: oauth {oauth}, oidc {}", swapped.oidc.ok_or("no OIDC")?.issuer);

    let invalid = HttpsEdgeCreate { description: Some(Some("é".repeat(200))), hostports: Some(Some(vec!["no-port".into()])), ..Default::default() };
    refused(create_edge(&api, invalid).await)?;
    refused(get_edge(&api, "edghts_unknown").await)?;
    refused(create_event_source(&api, SUBSCRIPTION, EventSourceCreate::new("ip_policy_created.v0".into())).await)?;

    delete_event_source(&api, SUBSCRIPTION, "ip_policy_created.v0").await?;
    delete_route(&api, &edge.id, &route.id).await?;
    delete_edge(&api, &edge.id).await?;
    println!("deleted");
    refused(get_edge(&api, &edge.id).await)
}

fn refused<T, E: Into<ApiError>>(response: Result<T, E>) -> Result<(), Box<dyn AnyError>> {
    let error: ApiError = response.err().ok_or("not refused")?.into();
    let code = error.code().ok_or("no problem")?;
    let mut faults: Vec<_> = error.errors().iter().map(|fault| format!(" {} {}", fault.pointer.as_deref().unwrap_or("?"), fault.code)).collect();
    faults.sort();
    println!("{} {}{}{}", error.status.unwrap_or_default(), code, if faults.is_empty() { "" } else { ":" }, faults.join(","));
    Ok(())
}
