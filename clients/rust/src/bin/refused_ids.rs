//! Which values of a path parameter are refused before anything is sent. Every language prints the
//! same.

use edge_client::apis::configuration::Configuration;
use edge_client::apis::edges_api::delete_edge;
use edge_client::apis::event_sources_api::delete_event_source;
use edge_client::apis::routes_api::delete_route;
use edge_client::apis::Error;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), std::env::VarError> {
    let mut api = Configuration::new();
    api.base_path = std::env::var("EDGE_URL")?;
    for value in ["", ".", "..", "a/b", "%2e%2e", "../..", "a\n"] {
        println!("'{}' refused: {}", value.escape_default(), outcomes(&api, value).await);
    }
    // The compiler refuses a missing value; this is the default of one.
    println!("missing refused: {}", outcomes(&api, Default::default()).await);
    println!("route r1: {}", outcome("route_id", delete_route(&api, "e1", "r1").await));
    Ok(())
}

async fn outcomes(api: &Configuration, value: &str) -> String {
    [
        outcome("edge_id", delete_edge(api, value).await),
        outcome("edge_id", delete_route(api, value, "r1").await),
        outcome("route_id", delete_route(api, "e1", value).await),
        outcome("subscription_id", delete_event_source(api, value, "a.v0").await),
        outcome("type", delete_event_source(api, "s1", value).await),
    ]
    .join(" ")
}

fn outcome<E>(name: &str, result: Result<(), Error<E>>) -> String {
    let Err(error) = result else { return "sent".into() };
    let message = error.to_string();
    assert!(message.contains(&format!("path parameter {name} must")), "{message}");
    name.into()
}
