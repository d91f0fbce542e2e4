import edge.client.ApiClient;
import edge.client.ApiException;
import edge.client.api.EdgesApi;
import edge.client.api.EventSourcesApi;
import edge.client.api.RoutesApi;
import java.util.List;

/**
 * Which values of a path parameter are refused before anything is sent. Every language prints the
 * same.
 */
final class RefusedIds {
  private interface Call {
    void run() throws ApiException;
  }

  private static final ApiClient CLIENT = new ApiClient();
  private static final EdgesApi EDGES;
  private static final RoutesApi ROUTES;
  private static final EventSourcesApi SOURCES;

  static {
    CLIENT.updateBaseUri(System.getenv("EDGE_URL"));
    EDGES = new EdgesApi(CLIENT);
    ROUTES = new RoutesApi(CLIENT);
    SOURCES = new EventSourcesApi(CLIENT);
  }

  public static void main(String[] args) throws ApiException {
    for (var value : List.of("", ".", "..", "a/b", "%2e%2e", "../..", "a\n")) {
      System.out.printf("'%s' refused: %s%n", value.replace("\n", "\\n"), outcomes(value));
    }
    System.out.println("missing refused: " + outcomes(null));
    System.out.println("route r1: " + outcome("route_id", () -> ROUTES.deleteRoute("e1", "r1")));
  }

  private static String outcomes(String value) throws ApiException {
    return String.join(" ",
        outcome("edge_id", () -> EDGES.deleteEdge(value)),
        outcome("edge_id", () -> ROUTES.deleteRoute(value, "r1")),
        outcome("route_id", () -> ROUTES.deleteRoute("e1", value)),
        outcome("subscription_id", () -> SOURCES.deleteEventSource(value, "a.v0")),
        outcome("type", () -> SOURCES.deleteEventSource("s1", value)));
  }

  private static String outcome(String name, Call call) throws ApiException {
    try {
      call.run();
      return "sent";
    } catch (IllegalArgumentException error) {
      if (!error.getMessage().startsWith("path parameter " + name + " must")) {
        throw error;
      }
      return name;
    }
  }
}
