"""What Schemathesis cannot know from schemas, beside what schemathesis.toml tells it."""

import schemathesis
from hypothesis import strategies as st

# A regular expression in RE2 syntax (D22), of length 1 to 1,024: a format that the contract names, and nobody else knows.
schemathesis.openapi.format(
    "re2",
    st.one_of(
        st.sampled_from(["a", "(?i)bot/[0-9]+", "^curl/", "[^a-z]{2,5}$", "(?P<name>x)|y", r"\pL", "é"]),
        st.text(alphabet="abcXYZ019 /_-", min_size=1, max_size=1024),
    ),
)


def _names_differ(names):
    texts = [name.lower() for name in names if isinstance(name, str)]
    return len(texts) == len(set(texts))


@schemathesis.hook
def filter_body(context, body):
    """Names of headers that differ in case only are one name, given twice (D23); JSON Schema compares texts as they are."""
    if not isinstance(body, dict):
        return True
    for module in (body.get("request_headers"), body.get("response_headers")):
        if not isinstance(module, dict):
            continue
        for names in (module.get("add"), module.get("remove")):
            if isinstance(names, (dict, list)) and not _names_differ(names):
                return False
    return True
