import com.fasterxml.jackson.core.JsonProcessingException;
import edge.client.ApiClient;
import edge.client.ApiException;
import edge.client.Calls;
import edge.client.api.EdgesApi;
import edge.client.api.EventSourcesApi;
import edge.client.model.EventSourceCreate;
import edge.client.model.EventSourceUpdate;
import edge.client.model.HTTPSEdgeUpdate;
import java.util.List;

/** What a call ends with when attempts fail. Every language prints the same. */
final class Failures {
  private interface Call {
    void run() throws ApiException;
  }

  public static void main(String[] args) throws ApiException {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("EDGE_URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer failures-token"));
    var edges = new EdgesApi(client);
    var sources = new EventSourcesApi(client);
    var gets = List.of("503_200", "502_504_200", "500_500_500_200", "0_200", "0_0_0", "404", "400", "502_502_502", "503w_200", "200h");
    for (var script : gets) {
      tried("get " + script, () -> Calls.retry(() -> edges.getEdge(script)));
    }
    for (var script : List.of("204", "503_404", "404", "429_404")) {
      tried("delete " + script, () -> Calls.retryDelete(() -> edges.deleteEdge(script)));
    }
    var change = new HTTPSEdgeUpdate().metadata("m");
    tried("update 0_200", () -> Calls.retry(() -> edges.updateEdge("0_200", change)));
    var body = new EventSourceCreate().type("a.v0");
    for (var script : List.of("503_201", "0_201", "429_201")) {
      tried("create source " + script, () -> Calls.retryIfLimited(() -> sources.createEventSource(script, body)));
    }
    var rename = new EventSourceUpdate().type("b.v0");
    tried("update source 503_200", () -> Calls.retryIfLimited(() -> sources.updateEventSource("503_200", "a.v0", rename)));
    for (var source : Calls.eventSources(client, "pages", null)) {
      System.out.println("source " + source.getType());
    }
  }

  private static void tried(String what, Call call) {
    try {
      call.run();
      System.out.println(what + ": success");
    } catch (ApiException error) {
      System.out.println(what + ": " + outcome(error));
    }
  }

  private static String outcome(ApiException error) {
    if (error.getCause() instanceof JsonProcessingException) {
      return "200 unexpected";
    }
    if (error.getCode() == 0) {
      return "no response";
    }
    var code = Calls.problem(error).map(problem -> problem.getCode().getValue());
    return error.getCode() + " " + code.orElse("unexpected");
  }
}
