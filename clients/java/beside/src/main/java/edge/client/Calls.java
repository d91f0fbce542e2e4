package edge.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import edge.client.api.EdgesApi;
import edge.client.api.EventSourcesApi;
import edge.client.model.EventSource;
import edge.client.model.EventSourceList;
import edge.client.model.HTTPSEdge;
import edge.client.model.HTTPSEdgeList;
import edge.client.model.Problem;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Lists of all pages, calls that are sent again where that is safe, and errors as problems. */
public final class Calls {
  private static final int RETRIES = 2;
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

  /** The service may have made the change, or not. 502 and 504 come from a proxy. */
  private static final Set<Integer> FAILURES = Set.of(500, 502, 503, 504);

  private Calls() {}

  /** A call of a generated API. */
  public interface Call<T> {
    T run() throws ApiException;
  }

  /** A call of a generated API that returns nothing. */
  public interface Deletion {
    void run() throws ApiException;
  }

  /**
   * Every edge, newest first.
   *
   * @param limit the largest number on a page; null for that of the service
   */
  public static List<HTTPSEdge> edges(ApiClient client, Integer limit) throws ApiException {
    var http = client.getHttpClient();
    var edges = new ArrayList<HTTPSEdge>();
    var page = retry(() -> new EdgesApi(client).listEdges(limit, null, null));
    edges.addAll(page.getHttpsEdges());
    while (page.getNextPageUri() != null) {
      page = page(client, http, page.getNextPageUri(), HTTPSEdgeList.class);
      edges.addAll(page.getHttpsEdges());
    }
    return edges;
  }

  /**
   * Every event source of the subscription, by ascending type.
   *
   * @param limit the largest number on a page; null for that of the service
   */
  public static List<EventSource> eventSources(ApiClient client, String subscriptionId, Integer limit)
      throws ApiException {
    var http = client.getHttpClient();
    var sources = new ArrayList<EventSource>();
    var page = retry(() -> new EventSourcesApi(client).listEventSources(subscriptionId, limit, null));
    sources.addAll(page.getSources());
    while (page.getUri() != null) {
      page = page(client, http, page.getUri(), EventSourceList.class);
      sources.addAll(page.getSources());
    }
    return sources;
  }

  /** The problem document of an error; empty if there is none: most often it comes from a proxy. */
  public static Optional<Problem> problem(ApiException error) {
    if (error.getResponseBody() == null) {
      return Optional.empty();
    }
    try {
      var mapper = ApiClient.createDefaultObjectMapper();
      return Optional.ofNullable(mapper.readValue(error.getResponseBody(), Problem.class));
    } catch (IOException notJson) {
      return Optional.empty();
    }
  }

  /**
   * Sends the request again after 429, 500, 503 or no response. It is for what has the same result
   * twice: every GET, and the PATCH of an edge or a route.
   */
  public static <T> T retry(Call<T> call) throws ApiException {
    return attempts(call, true);
  }

  /** Sends the request again after 429 only: for every POST, and the PATCH of an event source. */
  public static <T> T retryIfLimited(Call<T> call) throws ApiException {
    return attempts(call, false);
  }

  /** As `retry`, for a DELETE: a 404 after an attempt that failed means success. */
  public static void retryDelete(Deletion deletion) throws ApiException {
    var mayBeDone = new boolean[1];
    retry(() -> {
      try {
        deletion.run();
      } catch (ApiException error) {
        mayBeDone[0] |= hasFailed(error);
        var isDone = mayBeDone[0] && error.getCode() == 404;
        if (!isDone) {
          throw error;
        }
      }
      return null;
    });
  }

  private static <T> T attempts(Call<T> call, boolean isRepeatable) throws ApiException {
    for (var attempt = 0; ; attempt += 1) {
      try {
        return call.run();
      } catch (ApiException error) {
        var isSafe = error.getCode() == 429 || (isRepeatable && hasFailed(error));
        var wait = wait(error, attempt);
        if (attempt == RETRIES || !isSafe || wait.compareTo(LONGEST_WAIT) > 0) {
          throw error;
        }
        sleep(wait);
      }
    }
  }

  private static boolean hasFailed(ApiException error) {
    var cause = error.getCause();
    // A response that cannot be read is an IOException, too.
    var isLost = cause instanceof IOException && !(cause instanceof JsonProcessingException);
    return FAILURES.contains(error.getCode()) || isLost;
  }

  /** What the response asks for, or about 0.2, 0.4 seconds: random, so that clients spread. */
  private static Duration wait(ApiException error, int attempt) {
    var headers = error.getResponseHeaders();
    var asked = headers == null ? "" : headers.firstValue("Retry-After").orElse("");
    if (asked.matches("[0-9]{1,9}")) {
      return Duration.ofSeconds(Long.parseLong(asked));
    }
    try {
      var date = DateTimeFormatter.RFC_1123_DATE_TIME.parse(asked, Instant::from);
      var wait = Duration.between(Instant.now(), date);
      return wait.isNegative() ? Duration.ZERO : wait;
    } catch (DateTimeParseException notADate) {
      return Duration.ofMillis(ThreadLocalRandom.current().nextLong(100, 200) << attempt);
    }
  }

  private static void sleep(Duration wait) throws ApiException {
    try {
      Thread.sleep(wait.toMillis());
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new ApiException(error);
    }
  }

  /** The page at a link. The link can lead to another host, which gets no token. */
  private static <Page> Page page(ApiClient client, HttpClient http, URI uri, Class<Page> type)
      throws ApiException {
    var request = HttpRequest.newBuilder(uri).header("Accept", "application/json, application/problem+json");
    var interceptor = client.getRequestInterceptor();
    if (interceptor != null && origin(uri).equals(origin(URI.create(client.getBaseUri())))) {
      interceptor.accept(request);
    }
    return retry(() -> {
      try {
        var response = http.send(request.build(), BodyHandlers.ofString());
        if (response.statusCode() != 200) {
          var message = "the page " + uri + " has the status " + response.statusCode();
          throw new ApiException(response.statusCode(), message, response.headers(), response.body());
        }
        return client.getObjectMapper().readValue(response.body(), type);
      } catch (IOException error) {
        throw new ApiException(error);
      } catch (InterruptedException error) {
        Thread.currentThread().interrupt();
        throw new ApiException(error);
      }
    });
  }

  private static String origin(URI uri) {
    return uri.getScheme() + "://" + uri.getAuthority();
  }
}
