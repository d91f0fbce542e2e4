"""What Schemathesis cannot know from schemas, beside what schemathesis.toml tells it."""

import schemathesis
from hypothesis import strategies as st

# A regular expression in RE2 syntax (D22), of length 1 to 1,024: a format of this contract.
schemathesis.openapi.format(
    "re2",
    st.one_of(
        st.sampled_from(["a", "(?i)bot/[0-9]+", "^curl/", "[^a-z]{2,5}$", "(?P<name>x)|y", r"\pL", "é"]),
        st.text(alphabet="abcXYZ019 /_-", min_size=1, max_size=1024),
    ),
)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """The contract lets a service run without tokens. This one asks for one, or the check of it would have no case."""
    raw_schema["security"] = [{"bearerAuth": []}]


@schemathesis.hook
def filter_body(context, body):
    """Names of headers are case-insensitive (D23), and JSON Schema compares texts as they are."""
    headers = [body.get("request_headers"), body.get("response_headers")] if isinstance(body, dict) else []
    lists = [module.get(key) for module in headers if isinstance(module, dict) for key in ("add", "remove")]
    return all(_names_differ(names) for names in lists if isinstance(names, (dict, list)))


def _names_differ(names):
    texts = [name.lower() for name in names if isinstance(name, str)]
    return len(texts) == len(set(texts))
