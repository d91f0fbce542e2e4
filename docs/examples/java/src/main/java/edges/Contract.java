package edges;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.AbstractKeyword;
import com.networknt.schema.keyword.BaseKeywordValidator;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;
import edges.Application.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** The schemas of openapi.yaml, and the errors that they find in the terms of the contract. */
@Component
class Contract {
    /** The validator reads YAML where an address ends so. */
    private static final String ADDRESS = "urn:contract.yaml";

    /** The table "Field errors" of the contract. */
    private static final Map<String, String> CODES = Map.ofEntries(
            Map.entry("type", "type"),
            Map.entry("enum", "value"),
            Map.entry("const", "value"),
            Map.entry("pattern", "format"),
            Map.entry("format", "format"),
            Map.entry("minLength", "too_short"),
            Map.entry("maxLength", "too_long"),
            Map.entry("x-max-bytes", "too_many_bytes"),
            Map.entry("minimum", "too_small"),
            Map.entry("maximum", "too_large"),
            Map.entry("minItems", "too_few"),
            Map.entry("maxItems", "too_many"),
            Map.entry("minProperties", "too_few"),
            Map.entry("maxProperties", "too_many"),
            Map.entry("uniqueItems", "duplicate"),
            Map.entry("required", "required"),
            Map.entry("additionalProperties", "unknown"));

    private static final Set<String> LARGEST_SIZES =
            Set.of("maxItems", "maxLength", "maxProperties");
    private static final Pattern DECIMAL = Pattern.compile("0|[1-9][0-9]{0,8}");
    private static final Pattern LONG_DECIMAL = Pattern.compile("[1-9][0-9]{9,}");

    private final JsonMapper json =
            JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
    private final SchemaRegistry registry;
    private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

    // The extended level needs the formats, too: see SchemaRegistryConfig.formatAssertionsEnabled.
    Contract(Settings settings) throws IOException {
        String document = Files.readString(Path.of(settings.contract()));
        Dialect draft = Dialects.getDraft202012();
        Dialect dialect = Dialect.builder(draft).keyword(new MaxBytes()).build();
        registry = SchemaRegistry.withDefaultDialect(
                dialect, builder -> builder.schemas(Map.of(ADDRESS, document)));
    }

    private List<Error> validate(String component, JsonNode value) {
        return schemas.computeIfAbsent(component, this::compiled).validate(value);
    }

    private Schema compiled(String component) {
        return registry.getSchema(SchemaLocation.of(ADDRESS + "#/components/" + component));
    }

    boolean isResourceId(String text) {
        return validate("schemas/ResourceId", JsonNodeFactory.instance.stringNode(text)).isEmpty();
    }

    /** @param name of a query parameter; in the contract, its component is capitalized */
    List<FieldError> parameterErrors(String name, String text) {
        String component = Character.toUpperCase(name.charAt(0)) + name.substring(1);
        JsonNode value = JsonNodeFactory.instance.stringNode(text);
        if (name.equals("limit") && DECIMAL.matcher(text).matches()) {
            value = JsonNodeFactory.instance.numberNode(Integer.parseInt(text));
        } else if (name.equals("limit") && LONG_DECIMAL.matcher(text).matches()) {
            value = JsonNodeFactory.instance.numberNode(Integer.MAX_VALUE);
        }
        return validate("parameters/" + component + "/schema", value).stream()
                .map(error -> FieldError.ofParameter(CODES.get(error.getKeyword()), name))
                .toList();
    }

    /** @throws Refusal if the text is not JSON, or has a name twice in one object */
    List<FieldError> bodyErrors(String schema, String text) {
        JsonNode body = read(text);
        List<FieldError> errors = new ArrayList<>();
        findLoneSurrogates(body, JsonPointer.empty(), errors);
        if (errors.isEmpty()) {
            validate("schemas/" + schema, body).forEach(error -> addFieldError(error, errors));
        }
        return errors;
    }

    private JsonNode read(String text) {
        JsonNode body;
        try {
            body = json.readTree(text);
        } catch (JacksonException e) {
            throw Refusal.malformed("The body is not JSON, or has a name twice in one object.");
        }
        if (body.isMissingNode()) {
            throw Refusal.malformed("The body is white space alone.");
        }
        return body;
    }

    /** The place of a name with a lone surrogate is the object around it. */
    private static void findLoneSurrogates(
            JsonNode value, JsonPointer place, List<FieldError> errors) {
        if (value.isString() && hasLoneSurrogate(value.stringValue())) {
            errors.add(FieldError.ofBody("unicode", place));
        }
        for (Map.Entry<String, JsonNode> property : value.properties()) {
            String name = property.getKey();
            JsonPointer inside = place;
            if (hasLoneSurrogate(name)) {
                errors.add(FieldError.ofBody("unicode", place));
            } else {
                inside = place.appendProperty(name);
            }
            findLoneSurrogates(property.getValue(), inside, errors);
        }
        for (int index = 0; value.isArray() && index < value.size(); index++) {
            findLoneSurrogates(value.get(index), place.appendIndex(index), errors);
        }
    }

    private static boolean hasLoneSurrogate(String text) {
        return text.codePoints().anyMatch(point -> point >= 0xD800 && point <= 0xDFFF);
    }

    /** What the validator found, in the terms of the contract. */
    private static void addFieldError(Error found, List<FieldError> errors) {
        String keyword = found.getKeyword();
        String code = CODES.get(keyword);
        boolean isBranch = found.getEvaluationPath().contains("then")
                || found.getEvaluationPath().contains("else");
        boolean isNullBranch = keyword.equals("type") && isNull(found.getSchemaNode());
        if (isBranch && leavesNothing(keyword, found.getSchemaNode())) {
            code = "not_allowed_here";
        } else if (isNullBranch) {
            // "A module or null" fails for both: the error is what the module says.
            code = null;
        }
        if (code != null) {
            errors.add(FieldError.ofBody(code, placeOf(found)));
        }
    }

    private static boolean isNull(JsonNode stated) {
        return stated.isString() && stated.stringValue().equals("null");
    }

    /** Whether the keyword leaves null, false or what is empty, and nothing else. */
    private static boolean leavesNothing(String keyword, JsonNode stated) {
        return switch (keyword) {
            case "type" -> isNull(stated);
            case "const" -> stated.isNull() || stated.isBoolean() && !stated.booleanValue();
            default -> LARGEST_SIZES.contains(keyword) && stated.intValue() == 0;
        };
    }

    /** A pointer of its own: those of the validator write a line feed in a name as `\n`. */
    private static JsonPointer placeOf(Error found) {
        NodePath path = found.getInstanceLocation();
        JsonPointer place = JsonPointer.empty();
        for (int at = 0; at < path.getNameCount(); at++) {
            if (path.getElement(at) instanceof Integer index) {
                place = place.appendIndex(index);
            } else {
                place = place.appendProperty(path.getName(at));
            }
        }
        return found.getProperty() == null ? place : place.appendProperty(found.getProperty());
    }

    /** `maxLength` counts characters, while the limits of the contract are bytes of UTF-8. */
    private static class MaxBytes extends AbstractKeyword {
        MaxBytes() {
            super("x-max-bytes");
        }

        @Override
        public KeywordValidator newValidator(
                SchemaLocation location, JsonNode most, Schema parent, SchemaContext context) {
            return new BaseKeywordValidator(this, most, location, parent, context) {
                @Override
                public void validate(
                        ExecutionContext execution, JsonNode value, JsonNode root, NodePath place) {
                    if (value.isString() && bytesOf(value.stringValue()) > most.intValue()) {
                        execution.addError(error().message("too many bytes")
                                .instanceNode(value)
                                .instanceLocation(place)
                                .evaluationPath(execution.getEvaluationPath())
                                .build());
                    }
                }
            };
        }

        private static int bytesOf(String text) {
            return text.getBytes(StandardCharsets.UTF_8).length;
        }
    }
}
