package edges;

import edges.RequestBodies.SchemaName;
import java.net.URI;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriComponentsBuilder;

/** Each operation is synchronized, so that it is atomic. */
@RestController
@RequestMapping(path = EventSourceController.LIST, produces = MediaType.APPLICATION_JSON_VALUE)
class EventSourceController {
    static final String LIST = "/event_subscriptions/{subscription_id}/sources";

    @SchemaName("EventSourceCreate")
    record EventSourceCreate(String type) {}

    @SchemaName("EventSourceUpdate")
    record EventSourceUpdate(String type) {}

    record EventSource(String type, URI uri) {}

    /** @param uri of the next page */
    record EventSourceList(List<EventSource> sources, URI uri) {}

    private final Map<String, NavigableSet<String>> typesBySubscription = new HashMap<>();
    private final BaseUrl base;

    EventSourceController(BaseUrl base) {
        this.base = base;
    }

    @PostMapping
    synchronized ResponseEntity<EventSource> createEventSource(
            @PathVariable("subscription_id") String subscription,
            @RequestBody EventSourceCreate body) {
        addTo(subscription, body.type());
        EventSource source = source(subscription, body.type());
        return ResponseEntity.created(source.uri()).body(source);
    }

    @GetMapping
    synchronized EventSourceList getEventSources(
            @PathVariable("subscription_id") String subscription,
            @RequestParam(name = "limit", defaultValue = "100") String limit,
            // The last type of the page before, which may be gone by now.
            @RequestParam(name = "cursor", defaultValue = "") String cursor) {
        NavigableSet<String> rest = typesOf(subscription).tailSet(cursor, false);
        List<String> page = rest.stream().limit(Long.parseLong(limit)).toList();
        URI next = null;
        if (page.size() < rest.size()) {
            String last = page.get(page.size() - 1);
            next = listOf(subscription)
                    .queryParam("limit", limit)
                    .queryParam("cursor", last)
                    .build()
                    .toUri();
        }
        List<EventSource> sources =
                page.stream().map(type -> source(subscription, type)).toList();
        return new EventSourceList(sources, next);
    }

    @GetMapping("/{type}")
    synchronized EventSource getEventSource(
            @PathVariable("subscription_id") String subscription, @PathVariable String type) {
        checkExists(subscription, type);
        return source(subscription, type);
    }

    @PatchMapping("/{type}")
    synchronized EventSource updateEventSource(
            @PathVariable("subscription_id") String subscription,
            @PathVariable String type,
            @RequestBody(required = false) EventSourceUpdate body) {
        checkExists(subscription, type);
        String renamed = body == null || body.type() == null ? type : body.type();
        if (!renamed.equals(type)) {
            addTo(subscription, renamed);
            typesOf(subscription).remove(type);
        }
        return source(subscription, renamed);
    }

    @DeleteMapping("/{type}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    synchronized void deleteEventSource(
            @PathVariable("subscription_id") String subscription, @PathVariable String type) {
        checkExists(subscription, type);
        typesOf(subscription).remove(type);
    }

    private NavigableSet<String> typesOf(String subscription) {
        return typesBySubscription.getOrDefault(subscription, Collections.emptyNavigableSet());
    }

    private void addTo(String subscription, String type) {
        boolean isNew = typesBySubscription
                .computeIfAbsent(subscription, id -> new TreeSet<>())
                .add(type);
        if (!isNew) {
            throw Refusal.alreadyExists();
        }
    }

    private void checkExists(String subscription, String type) {
        if (!typesOf(subscription).contains(type)) {
            throw Refusal.notFound();
        }
    }

    private EventSource source(String subscription, String type) {
        return new EventSource(type, listOf(subscription).pathSegment(type).build().toUri());
    }

    private UriComponentsBuilder listOf(String subscription) {
        return base.get().path(LIST.replace("{subscription_id}", subscription));
    }
}
