package edges;

import java.util.Comparator;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.accept.ContentNegotiationStrategy;
import org.springframework.web.context.request.NativeWebRequest;

/**
 * A response is JSON, or it is a 406. Spring would take a range of weight 0 for one that allows
 * JSON. `produces` at the controllers makes Spring ask before a handler has changed anything.
 */
class AcceptsJson implements ContentNegotiationStrategy {
    private static final List<MediaType> JSON = List.of(MediaType.APPLICATION_JSON);

    /** A type comes before its wildcards: the narrowest range decides (RFC 9110, 12.5.1). */
    private static final Comparator<MediaType> NARROWEST = Comparator
            .comparing(MediaType::isWildcardType)
            .thenComparing(MediaType::isWildcardSubtype);

    @Override
    public List<MediaType> resolveMediaTypes(NativeWebRequest request)
            throws HttpMediaTypeNotAcceptableException {
        String[] fields = request.getHeaderValues(HttpHeaders.ACCEPT);
        if (fields == null || allowsJson(String.join(",", fields))) {
            return JSON;
        }
        throw new HttpMediaTypeNotAcceptableException(JSON);
    }

    private static boolean allowsJson(String accept) {
        try {
            List<MediaType> ranges = MediaType.parseMediaTypes(accept);
            return ranges.isEmpty()
                    || ranges.stream()
                            .filter(range -> range.includes(MediaType.APPLICATION_JSON))
                            .min(NARROWEST)
                            .filter(range -> range.getQualityValue() > 0)
                            .isPresent();
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }
}
