//! What a call ends with when attempts fail. Every language prints the same.

use edge_client::apis::edges_api::{delete_edge, get_edge, update_edge};
use edge_client::apis::event_sources_api::{create_event_source, update_event_source};
use edge_client::calls::{connect, event_sources, ApiError};
use edge_client::models::{EventSourceCreate, EventSourceUpdate, HttpsEdgeUpdate};
use std::error::Error as AnyError;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn AnyError>> {
    let api = connect(&std::env::var("EDGE_URL")?, Some("failures-token".into()));
    for script in ["503_200", "502_504_200", "500_500_500_200", "0_200", "0_0_0", "404", "400", "502_502_502", "503w_200", "200h"] {
        println!("get {script}: {}", outcome(get_edge(&api, script).await));
    }
    for script in ["204", "503_404", "404", "429_404"] {
        println!("delete {script}: {}", outcome(delete_edge(&api, script).await));
    }
    let change = HttpsEdgeUpdate { metadata: Some(Some("m".into())), ..Default::default() };
    println!("update 0_200: {}", outcome(update_edge(&api, "0_200", change).await));
    for script in ["503_201", "0_201", "429_201"] {
        let source = EventSourceCreate::new("a.v0".into());
        println!("create source {script}: {}", outcome(create_event_source(&api, script, source).await));
    }
    let rename = EventSourceUpdate { r#type: Some("b.v0".into()) };
    println!("update source 503_200: {}", outcome(update_event_source(&api, "503_200", "a.v0", Some(rename)).await));
    let message = outcome_of_address("shop").await;
    assert!(message.contains("relative URL without a base"), "a message does not help: {message}");
    for source in event_sources(&api, "pages", None).await? {
        println!("source {}", source.r#type);
    }
    Ok(())
}

async fn outcome_of_address(address: &str) -> String {
    let error = get_edge(&connect(address, None), "e1").await.map_err(ApiError::from);
    error.map_or_else(|error| error.to_string(), |edge| edge.id)
}

fn outcome<T, E: Into<ApiError>>(response: Result<T, E>) -> String {
    let Err(error) = response else { return "success".into() };
    let error: ApiError = error.into();
    for fault in error.errors() {
        let place = fault.pointer.as_deref().unwrap_or("?");
        assert!(error.to_string().contains(place), "a message does not help: {error}");
    }
    match (error.status, error.code()) {
        (Some(status), Some(code)) => format!("{status} {code}"),
        (Some(status), None) => format!("{status} unexpected"),
        (None, _) => "no response".into(),
    }
}
