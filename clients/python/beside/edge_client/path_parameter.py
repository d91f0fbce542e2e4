"""Checks the values that a call puts into the path of its request."""

import re
from urllib.parse import quote


def path_parameter(name: str, value: object, pattern: str) -> str:
    """The value as a path segment.

    An empty value, `.` and `..` would reach another resource: the deletion of the route `..` would
    delete its edge. So a value that the contract does not allow is refused, and nothing is sent.

    Raises:
        TypeError: If the value is not a string.
        ValueError: If the value does not match the pattern of the contract.
    """
    if not isinstance(value, str):
        raise TypeError(f"path parameter {name} must be a string, not {type(value).__name__}: nothing was sent")
    if re.fullmatch(pattern, value) is None:
        raise ValueError(f"path parameter {name} must match {pattern}, not {value!r}: nothing was sent")
    return quote(value, safe="")
