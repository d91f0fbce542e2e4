package edge

import (
	"fmt"
	"net/url"
	"regexp"
)

// pathParameter returns the value as a path segment. An empty value, "." and ".." would reach
// another resource: the deletion of the route ".." would delete its edge. So a value that does not
// match the pattern of the contract is an error, and nothing is sent.
func pathParameter(name, value, pattern string) (string, error) {
	matches, err := regexp.MatchString(pattern, value)
	if err != nil {
		return "", err
	}
	if !matches {
		return "", fmt.Errorf("path parameter %s must match %s, not %q: nothing was sent", name, pattern, value)
	}
	return url.PathEscape(value), nil
}
