package edges;

import edges.Application.Settings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/** What holds of each request: host, token, media type, path and query. */
@Component
class RequestRules implements HandlerInterceptor {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final Settings settings;
    private final Contract contract;

    RequestRules(Settings settings, Contract contract) {
        this.settings = settings;
        this.contract = contract;
    }

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        checkHost(request);
        // Spring responds to OPTIONS with `Allow`, also without a token.
        boolean isOptions = HttpMethod.OPTIONS.matches(request.getMethod());
        if (!isOptions && handler instanceof HandlerMethod method) {
            checkToken(request);
            checkContentType(request, method);
            checkPath(request);
            checkQuery(request, method);
        }
        return true;
    }

    /** Without tokens, a web page could reach the service under its own name (DNS rebinding). */
    private void checkHost(HttpServletRequest request) {
        String host = request.getServerName();
        String publicHost = URI.create(settings.publicUrl()).getHost();
        boolean isKnown = LOOPBACK.contains(host) || host.equals(publicHost);
        if (settings.isOpen() && !isKnown) {
            throw Refusal.malformed("This host is not served here.");
        }
    }

    private void checkToken(HttpServletRequest request) {
        // Two fields are no token: a proxy in front may have looked at the other one.
        List<String> fields = Collections.list(request.getHeaders(HttpHeaders.AUTHORIZATION));
        String[] parts = String.join(", ", fields).split(" ", 2);
        boolean isBearer = parts.length == 2 && parts[0].equalsIgnoreCase("Bearer");
        if (!settings.isOpen() && !(isBearer && isSame(parts[1], settings.token()))) {
            throw Refusal.unauthorized();
        }
    }

    private static boolean isSame(String sent, String token) {
        return MessageDigest.isEqual(
                sent.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    /** Boot's converter takes any type that ends in +json, and any charset. */
    private static void checkContentType(HttpServletRequest request, HandlerMethod handler) {
        boolean takesBody = Arrays.stream(handler.getMethodParameters())
                .anyMatch(parameter -> parameter.hasParameterAnnotation(RequestBody.class));
        String sent = request.getContentType();
        // Spring refuses a body without a type.
        if (takesBody && sent != null && !isJson(sent)) {
            String detail = "Send the body as application/json in UTF-8.";
            throw new Refusal(HttpStatus.UNSUPPORTED_MEDIA_TYPE, detail);
        }
        String coding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
        // Tomcat hands a body on as it came.
        if (takesBody && coding != null && !coding.equalsIgnoreCase("identity")) {
            String detail = "Send the body without a Content-Encoding.";
            throw new Refusal(HttpStatus.UNSUPPORTED_MEDIA_TYPE, detail);
        }
    }

    private static boolean isJson(String sent) {
        try {
            MediaType type = MediaType.parseMediaType(sent);
            String charset = type.getParameter("charset");
            boolean isUtf8 = charset == null || charset.replace("\"", "").equalsIgnoreCase("utf-8");
            return isUtf8 && type.equalsTypeAndSubtype(MediaType.APPLICATION_JSON);
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }

    /** Other ids need no check: what is not stored is not found. */
    private void checkPath(HttpServletRequest request) {
        Object path = request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
        Object subscription = ((Map<?, ?>) path).get("subscription_id");
        if (subscription instanceof String id && !contract.isResourceId(id)) {
            throw Refusal.notFound();
        }
    }

    private void checkQuery(HttpServletRequest request, HandlerMethod handler) {
        Set<String> known = namesOf(handler);
        List<FieldError> errors = new ArrayList<>();
        parametersOf(request).forEach((name, values) -> {
            if (!known.contains(name)) {
                errors.add(FieldError.ofParameter("unknown", name));
            } else if (values.length > 1) {
                errors.add(FieldError.ofParameter("repeated", name));
            } else {
                errors.addAll(contract.parameterErrors(name, values[0]));
            }
        });
        if (!errors.isEmpty()) {
            throw Refusal.invalid(errors);
        }
    }

    private static Map<String, String[]> parametersOf(HttpServletRequest request) {
        try {
            return request.getParameterMap();
        } catch (IllegalStateException e) {
            throw Refusal.malformed("The query cannot be decoded.");
        }
    }

    /** The query parameters of the handler. An `int` there would take `+5` and `0x10`, too. */
    private static Set<String> namesOf(HandlerMethod handler) {
        return Arrays.stream(handler.getMethodParameters())
                .map(parameter -> parameter.getParameterAnnotation(RequestParam.class))
                .filter(annotation -> annotation != null)
                .map(RequestParam::name)
                .collect(Collectors.toSet());
    }
}
