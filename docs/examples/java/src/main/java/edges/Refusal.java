package edges;

import java.util.List;
import org.springframework.http.HttpStatus;

/** Thrown to refuse a request; {@link Problems} makes the response. */
class Refusal extends RuntimeException {
    final HttpStatus status;
    final String code;
    final List<FieldError> errors;

    Refusal(HttpStatus status, String detail) {
        this(status, Problems.CODES.get(status.value()), detail, List.of());
    }

    private Refusal(HttpStatus status, String code, String detail, List<FieldError> errors) {
        super(detail);
        this.status = status;
        this.code = code;
        this.errors = errors;
    }

    static Refusal malformed(String detail) {
        return new Refusal(HttpStatus.BAD_REQUEST, "malformed_request", detail, List.of());
    }

    static Refusal invalid(List<FieldError> errors) {
        String detail = "The request breaks the contract.";
        return new Refusal(HttpStatus.BAD_REQUEST, "invalid_request", detail, errors);
    }

    static Refusal unauthorized() {
        return new Refusal(
                HttpStatus.UNAUTHORIZED, "Send a bearer token in the Authorization header.");
    }

    static Refusal notFound() {
        return new Refusal(HttpStatus.NOT_FOUND, "There is no such resource.");
    }

    static Refusal alreadyExists() {
        return new Refusal(HttpStatus.CONFLICT, "The subscription has a source of this type.");
    }
}
