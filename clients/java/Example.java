import edge.client.ApiClient;
import edge.client.ApiException;
import edge.client.Calls;
import edge.client.api.*;
import edge.client.model.*;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A round through the API, as a user would write it. Every language prints the same lines. */
final class Example {
  private static final String SUBSCRIPTION = "sub_orders";
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private interface Call {
    void run() throws ApiException;
  }

  public static void main(String[] args) throws ApiException {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("EDGE_URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("EDGE_TOKEN")));
    var edges = new EdgesApi(client);
    var routes = new RoutesApi(client);
    var sources = new EventSourcesApi(client);

    var edge = edges.createEdge(new HTTPSEdgeCreate()
        .description("Public storefront")
        .metadata("{\"team\":\"web\"}")
        .hostports(Set.of("shop.example.com:443"))
        .tlsTermination(new EndpointTLSTerminationAtEdge().minVersion(TLSVersion.TLS_1_3)));
    OUT.printf("created edge: %s [%s], TLS %s%n", edge.getDescription(), String.join(", ", edge.getHostports()), edge.getTlsTermination().getMinVersion());

    var github = new EndpointOAuthGitHubMutate().organizations(List.of("acme"));
    var route = routes.createRoute(edge.getId(), new HTTPSEdgeRouteCreate()
        .matchType(MatchType.PATH_PREFIX)
        .match("/")
        .oauth(new EndpointOAuthMutate().provider(new EndpointOAuthProviderMutate().github(github))));
    OUT.printf("created route: %s %s, oauth github [%s]%n", route.getMatchType(), route.getMatch(), String.join(", ", route.getOauth().getProvider().getGithub().getOrganizations()));

    for (var type : List.of("ip_policy_created.v0", "http_request_complete.v0", "ip_policy_updated.v0")) {
      sources.createEventSource(SUBSCRIPTION, new EventSourceCreate().type(type));
    }
    for (EventSource source : Calls.eventSources(client, SUBSCRIPTION, 1)) {
      OUT.printf("source: %s%n", source.getType());
    }

    // Null resets the description. What is not set, here the metadata, stays.
    var updated = edges.updateEdge(edge.getId(), new HTTPSEdgeUpdate().description(null));
    OUT.printf("updated edge: description \"%s\", metadata %s%n", updated.getDescription(), updated.getMetadata());
    var swapped = routes.updateRoute(edge.getId(), route.getId(), new HTTPSEdgeRouteUpdate()
        .oauth(null)
        .oidc(new EndpointOIDCMutate().issuer(URI.create("https://id.example.com")).clientId("storefront").clientSecret("s3cret")));
    OUT.printf("updated route: oauth %s, oidc %s%n", swapped.getOauth(), swapped.getOidc().getIssuer());

    refused(() -> edges.createEdge(new HTTPSEdgeCreate().description("é".repeat(200)).hostports(Set.of("no-port"))));
    refused(() -> edges.getEdge("edghts_unknown"));
    refused(() -> sources.createEventSource(SUBSCRIPTION, new EventSourceCreate().type("ip_policy_created.v0")));

    sources.deleteEventSource(SUBSCRIPTION, "ip_policy_created.v0");
    routes.deleteRoute(edge.getId(), route.getId());
    edges.deleteEdge(edge.getId());
    OUT.println("deleted");
    refused(() -> edges.getEdge(edge.getId()));
  }

  private static void refused(Call call) {
    try {
      call.run();
      throw new IllegalStateException("not refused");
    } catch (ApiException error) {
      var problem = Calls.problem(error).orElseThrow(() -> new IllegalStateException(error));
      var faults = problem.getErrors() == null ? "" : problem.getErrors().stream().map(one -> " " + one.getPointer() + " " + one.getCode()).sorted().collect(Collectors.joining(","));
      OUT.printf("%d %s%s%s%n", problem.getStatus(), problem.getCode(), faults.isEmpty() ? "" : ":", faults);
    }
  }
}
