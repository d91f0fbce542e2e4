package edges;

import com.fasterxml.jackson.annotation.JsonInclude;
import tools.jackson.core.JsonPointer;

/** One error in a request: its code, and its place in the body or its parameter. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record FieldError(String pointer, String parameter, String code, String detail) {
    private static final int LONGEST = 4096;

    /** A place whose pointer would be too long is named by the object around it. */
    static FieldError ofBody(String code, JsonPointer place) {
        JsonPointer named = place;
        while (named.toString().length() > LONGEST) {
            named = named.head();
        }
        return new FieldError(named.toString(), null, code, detailOf(code));
    }

    static FieldError ofParameter(String code, String name) {
        String named = name.substring(0, Math.min(name.length(), LONGEST));
        return new FieldError(null, named, code, detailOf(code));
    }

    private static String detailOf(String code) {
        return "The contract says otherwise: " + code + ".";
    }
}
