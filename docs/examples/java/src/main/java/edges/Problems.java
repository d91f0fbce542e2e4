package edges;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JsonPointer;

/**
 * The one place where errors become responses, those of Spring, too. Spring's own ProblemDetail
 * would show the path as `instance`, which may be longer than the contract allows.
 */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {
    static final Map<Integer, String> CODES = Map.of(
            400, "malformed_request",
            401, "unauthorized",
            404, "not_found",
            405, "method_not_allowed",
            406, "not_acceptable",
            409, "already_exists",
            413, "content_too_large",
            415, "unsupported_media_type",
            500, "internal_error",
            503, "service_unavailable");

    private static final int MOST_ERRORS = 100;
    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

    /** RFC 9457. */
    record Problem(
            String type,
            String title,
            int status,
            String detail,
            String code,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<FieldError> errors) {}

    @ExceptionHandler
    ResponseEntity<Object> refused(Refusal refusal) {
        HttpHeaders headers = new HttpHeaders();
        if (refusal.status == HttpStatus.UNAUTHORIZED) {
            headers.set(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
        }
        return response(refusal, headers);
    }

    @ExceptionHandler
    ResponseEntity<Object> failed(Exception exception) {
        LOG.error("A request failed", exception);
        return refused(new Refusal(HttpStatus.INTERNAL_SERVER_ERROR, "It failed."));
    }

    /** {@link RequestBodies} has checked what there is: without a cause, there is no body. */
    @Override
    protected ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException exception,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        if (exception.getCause() == null) {
            FieldError missing = FieldError.ofBody("required", JsonPointer.empty());
            return refused(Refusal.invalid(List.of(missing)));
        }
        return refused(Refusal.malformed("The body cannot be read to its end."));
    }

    /** All other exceptions of Spring. Their headers have `Allow`. */
    @Override
    protected ResponseEntity<Object> handleExceptionInternal(
            Exception exception,
            Object body,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        HttpStatus known = HttpStatus.valueOf(status.value());
        return response(new Refusal(known, known.getReasonPhrase() + "."), headers);
    }

    private static ResponseEntity<Object> response(Refusal refusal, HttpHeaders headers) {
        HttpStatus status = refusal.status;
        Problem problem = new Problem(
                "about:blank",
                status.getReasonPhrase(),
                status.value(),
                refusal.getMessage(),
                refusal.code,
                refusal.errors.stream().limit(MOST_ERRORS).toList());
        return ResponseEntity.status(status)
                .headers(headers)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem);
    }
}
