package edges;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpStatus;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/**
 * Checks a body as it was received, before Jackson makes a record of it. With Boot's settings,
 * Jackson reads UTF-16, keeps the last of two equal names, drops unknown properties, and takes 5
 * for a text.
 */
@RestControllerAdvice
class RequestBodies extends RequestBodyAdviceAdapter {
    private static final int MOST_BYTES = 1 << 20;

    /** The schema of a record that is the body of a request. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface SchemaName {
        String value();
    }

    private final Contract contract;

    RequestBodies(Contract contract) {
        this.contract = contract;
    }

    @Override
    public boolean supports(
            MethodParameter parameter,
            Type type,
            Class<? extends HttpMessageConverter<?>> converter) {
        return parameter.getParameterType().isAnnotationPresent(SchemaName.class);
    }

    @Override
    public HttpInputMessage beforeBodyRead(
            HttpInputMessage message,
            MethodParameter parameter,
            Type type,
            Class<? extends HttpMessageConverter<?>> converter)
            throws IOException {
        byte[] content = message.getBody().readNBytes(MOST_BYTES + 1);
        if (content.length > MOST_BYTES) {
            String detail = "The body may have at most 1048576 bytes.";
            throw new Refusal(HttpStatus.CONTENT_TOO_LARGE, detail);
        }
        String schema = parameter.getParameterType().getAnnotation(SchemaName.class).value();
        List<FieldError> errors = contract.bodyErrors(schema, decoded(content));
        if (!errors.isEmpty()) {
            throw Refusal.invalid(errors);
        }
        return new ReadMessage(message.getHeaders(), content);
    }

    private static String decoded(byte[] content) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
        } catch (CharacterCodingException e) {
            throw Refusal.malformed("The body is not UTF-8.");
        }
    }

    private record ReadMessage(HttpHeaders headers, byte[] content) implements HttpInputMessage {
        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }

        @Override
        public InputStream getBody() {
            return new ByteArrayInputStream(content);
        }
    }
}
