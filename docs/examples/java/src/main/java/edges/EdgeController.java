package edges;

import edges.RequestBodies.SchemaName;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The extended level goes here, too: GET /edges/https, PATCH and DELETE of an edge. */
@RestController
@RequestMapping(path = "/edges/https", produces = MediaType.APPLICATION_JSON_VALUE)
class EdgeController {
    /** In a create request, null and omitted are one. An empty object is a module. */
    @SchemaName("HTTPSEdgeCreate")
    record EdgeCreate(
            String description,
            String metadata,
            List<String> hostports,
            MutualTlsMutate mutualTls,
            TlsTermination tlsTermination) {
        EdgeCreate {
            description = description == null ? "" : description;
            metadata = metadata == null ? "" : metadata;
            hostports = hostports == null ? List.of() : hostports;
        }
    }

    record MutualTlsMutate(Boolean enabled, List<String> certificateAuthorityIds) {
        MutualTlsMutate {
            enabled = enabled == null || enabled;
            if (certificateAuthorityIds == null) {
                certificateAuthorityIds = List.of();
            }
        }
    }

    /** It has the same form in requests and responses. */
    record TlsTermination(Boolean enabled, String terminateAt, String minVersion) {
        TlsTermination {
            enabled = enabled == null || enabled;
            terminateAt = terminateAt == null ? "edge" : terminateAt;
            if (minVersion == null && terminateAt.equals("edge")) {
                minVersion = "1.2";
            }
        }
    }

    record Edge(
            String id,
            String description,
            String metadata,
            Instant createdAt,
            URI uri,
            List<String> hostports,
            MutualTls mutualTls,
            TlsTermination tlsTermination,
            List<Object> routes) {}

    record MutualTls(boolean enabled, List<Ref> certificateAuthorities) {}

    record Ref(String id, URI uri) {}

    private record StoredEdge(String id, Instant createdAt, EdgeCreate settings) {}

    private final Map<String, StoredEdge> edges = new ConcurrentHashMap<>();
    private final BaseUrl base;

    EdgeController(BaseUrl base) {
        this.base = base;
    }

    @PostMapping
    ResponseEntity<Edge> createEdge(@RequestBody EdgeCreate body) {
        String id = "edghts_" + UUID.randomUUID().toString().replace("-", "");
        StoredEdge edge = new StoredEdge(id, Instant.now(), body);
        edges.put(id, edge);
        return ResponseEntity.created(uriOf("edges/https", id)).body(shown(edge));
    }

    @GetMapping("/{edge_id}")
    Edge getEdge(@PathVariable("edge_id") String id) {
        StoredEdge edge = edges.get(id);
        if (edge == null) {
            throw Refusal.notFound();
        }
        return shown(edge);
    }

    private Edge shown(StoredEdge edge) {
        EdgeCreate settings = edge.settings();
        return new Edge(
                edge.id(),
                settings.description(),
                settings.metadata(),
                edge.createdAt(),
                uriOf("edges/https", edge.id()),
                settings.hostports(),
                shown(settings.mutualTls()),
                settings.tlsTermination(),
                List.of());
    }

    private MutualTls shown(MutualTlsMutate sent) {
        if (sent == null) {
            return null;
        }
        List<Ref> refs = sent.certificateAuthorityIds().stream()
                .map(id -> new Ref(id, uriOf("certificate_authorities", id)))
                .toList();
        return new MutualTls(sent.enabled(), refs);
    }

    private URI uriOf(String list, String id) {
        return base.get().path("/" + list + "/").path(id).build().toUri();
    }
}
