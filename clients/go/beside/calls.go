package edge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/oapi-codegen/nullable"
)

// Connect returns a client whose calls return an *Error for every response that is not the success
// of their operation, and are sent again where that is safe. After such a call without an error, the
// field of its success, such as JSON200, is set.
// The server is the beginning of all URLs, such as https://api.example.com.
func Connect(server string, options ...ClientOption) (*ClientWithResponses, error) {
	if !isBaseURL(server) {
		return nil, fmt.Errorf("the server must be an absolute http or https URL, not %q", server)
	}
	client, err := NewClient(server, options...)
	if err != nil {
		return nil, err
	}
	if _, ok := client.Client.(*caller); !ok {
		client.Client = &caller{next: client.Client, retries: 2}
	}
	return &ClientWithResponses{client}, nil
}

func isBaseURL(server string) bool {
	base, err := url.Parse(server)
	if err != nil || base.Host == "" {
		return false
	}
	return base.Scheme == "http" || base.Scheme == "https"
}

// WithToken sends the bearer token to the service, and to no other host that a link leads to.
func WithToken(token string) ClientOption {
	return func(client *Client) error {
		home, err := url.Parse(client.Server)
		if err != nil {
			return err
		}
		return WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
			if request.URL.Scheme == home.Scheme && request.URL.Host == home.Host {
				request.Header.Set("Authorization", "Bearer "+token)
			}
			return nil
		})(client)
	}
}

// WithRetries says how often a request is sent again at most; by default twice. It stands after
// WithHTTPClient.
func WithRetries(retries int) ClientOption {
	return func(client *Client) error {
		next := client.Client
		if next == nil {
			next = &http.Client{}
		}
		client.Client = &caller{next: next, retries: retries}
		return nil
	}
}

// Error is a response that is not the success of its operation.
type Error struct {
	Status int
	// Code is the kind of problem. It is empty if the response has no problem document: most often it
	// comes from a proxy.
	Code ProblemCode
	// Errors has every error of an invalid_request, each with its place.
	Errors []FieldError
	// RetryAfter is how long to wait before the next request, if the response says it.
	RetryAfter *time.Duration
	// Problem is the whole problem document, if there is one.
	Problem *Problem
	// Response has the header fields; Body is what was read of it.
	Response *http.Response
	Body     []byte
}

func (e *Error) Error() string {
	request := e.Response.Request
	if e.Problem == nil {
		return fmt.Sprintf("%s %s: HTTP %d is not a response of the contract", request.Method, request.URL, e.Status)
	}
	return fmt.Sprintf("%s %s: %d %s: %s%s", request.Method, request.URL, e.Status, e.Code, e.Problem.Detail, places(e.Errors))
}

const shownErrors = 5

// places has the first errors in words: programs log the message alone.
func places(faults []FieldError) string {
	if len(faults) == 0 {
		return ""
	}
	words := []string{}
	for _, fault := range faults[:min(len(faults), shownErrors)] {
		place := "the body"
		switch {
		case fault.Pointer != nil && *fault.Pointer != "":
			place = *fault.Pointer
		case fault.Parameter != nil:
			place = *fault.Parameter
		}
		words = append(words, place+" "+fault.Detail)
	}
	if len(faults) > shownErrors {
		words = append(words, fmt.Sprintf("%d more", len(faults)-shownErrors))
	}
	return " (" + strings.Join(words, "; ") + ")"
}

// Edges walks over all pages of the list: every edge, newest first. The error of a page ends it.
func Edges(ctx context.Context, api *ClientWithResponses, params *ListEdgesParams) iter.Seq2[HTTPSEdge, error] {
	first := func() (*http.Response, error) { return api.ListEdges(ctx, params) }
	return walk(ctx, api, first, func(page HTTPSEdgeList) ([]HTTPSEdge, string) {
		return page.HttpsEdges, link(page.NextPageUri)
	})
}

// EventSources walks over all pages of the list: every source of the subscription, by ascending type.
// The error of a page ends it.
func EventSources(ctx context.Context, api *ClientWithResponses, subscriptionId SubscriptionId, params *ListEventSourcesParams) iter.Seq2[EventSource, error] {
	first := func() (*http.Response, error) { return api.ListEventSources(ctx, subscriptionId, params) }
	return walk(ctx, api, first, func(page EventSourceList) ([]EventSource, string) {
		return page.Sources, link(page.Uri)
	})
}

func link(uri nullable.Nullable[string]) string {
	if value, err := uri.Get(); err == nil {
		return value
	}
	return ""
}

// walk follows the links, as they are, from one page to the next.
func walk[Page, Item any](ctx context.Context, api *ClientWithResponses, first func() (*http.Response, error), read func(Page) ([]Item, string)) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		seen := map[string]bool{}
		response, err := first()
		for {
			var page Page
			if err == nil {
				err = decode(response, &page)
			}
			if err != nil {
				var none Item
				yield(none, err)
				return
			}
			items, next := read(page)
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if next == "" {
				return
			}
			if seen[next] {
				var none Item
				yield(none, fmt.Errorf("the pages go in a circle, at %s", next))
				return
			}
			seen[next] = true
			response, err = get(ctx, api, next)
		}
	}
}

func get(ctx context.Context, api *ClientWithResponses, uri string) (*http.Response, error) {
	client, ok := api.ClientInterface.(*Client)
	if !ok {
		return nil, errors.New("the link to the next page needs a client made by Connect")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, uri, nil)
	if err != nil {
		return nil, err
	}
	if err := client.applyEditors(ctx, request, nil); err != nil {
		return nil, err
	}
	return client.Client.Do(request)
}

func decode(response *http.Response, page any) error {
	defer func() { _ = response.Body.Close() }()
	if !isSuccess(response) {
		return newError(response)
	}
	return json.NewDecoder(response.Body).Decode(page)
}

// caller sends requests again by the table of "Retries" in the contract, and turns responses into
// errors.
type caller struct {
	next    HttpRequestDoer
	retries int
}

const longestWait = time.Minute

func (c *caller) Do(request *http.Request) (*http.Response, error) {
	// Whether an earlier attempt may have carried out the request.
	mayBeDone := false
	for attempt := 0; ; attempt++ {
		response, err := c.next.Do(request)
		if request.Context().Err() != nil {
			return response, err
		}
		if err == nil && response.Request == nil {
			response.Request = request
		}
		isGone := err == nil && request.Method == http.MethodDelete && response.StatusCode == http.StatusNotFound
		if isGone && mayBeDone {
			_ = response.Body.Close()
			done := http.Response{Status: "204 No Content", StatusCode: http.StatusNoContent}
			done.Proto, done.Header, done.Body, done.Request = response.Proto, http.Header{}, http.NoBody, request
			return &done, nil
		}
		hasFailed := err != nil || isFailure(response.StatusCode)
		isLimited := err == nil && response.StatusCode == http.StatusTooManyRequests
		wait := pause(response, attempt)
		isSafe := isLimited || (hasFailed && isRepeatable(request))
		if attempt >= c.retries || !isSafe || wait > longestWait {
			return result(response, err)
		}
		mayBeDone = mayBeDone || hasFailed
		if response != nil {
			_ = response.Body.Close()
		}
		if request.GetBody != nil {
			if request.Body, err = request.GetBody(); err != nil {
				return nil, err
			}
		}
		if err := sleep(request.Context(), wait); err != nil {
			return nil, err
		}
	}
}

func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func result(response *http.Response, err error) (*http.Response, error) {
	if err != nil {
		return nil, err
	}
	if !isSuccess(response) {
		defer func() { _ = response.Body.Close() }()
		return nil, newError(response)
	}
	return response, nil
}

// isSuccess compares with the one success that the contract has for each method.
func isSuccess(response *http.Response) bool {
	expected := http.StatusOK
	switch response.Request.Method {
	case http.MethodPost:
		expected = http.StatusCreated
	case http.MethodDelete:
		return response.StatusCode == http.StatusNoContent
	}
	return response.StatusCode == expected && mediaType(response) == "application/json"
}

// isFailure says whether the service may have made the change, or not. 502 and 504 come from a proxy.
func isFailure(status int) bool {
	switch status {
	case http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

var eventSource = regexp.MustCompile(`/event_subscriptions/[^/]+/sources/[^/]+$`)

// isRepeatable says whether a second request has the same result: a PATCH that renames an event source
// has not.
func isRepeatable(request *http.Request) bool {
	isRename := request.Method == http.MethodPatch && eventSource.MatchString(request.URL.Path)
	return request.Method != http.MethodPost && !isRename
}

// pause is what the response asks for, or about 0.2, 0.4, 0.8 seconds: random, so that clients that
// failed together do not come back together.
func pause(response *http.Response, attempt int) time.Duration {
	if asked := retryAfter(response); asked != nil {
		return *asked
	}
	seconds := (0.1 + rand.Float64()/10) * float64(int(1)<<min(attempt, 10))
	return time.Duration(seconds * float64(time.Second))
}

// retryAfter reads a number of seconds, or a date, of which one in the past is 0 (RFC 9110, 10.2.3).
func retryAfter(response *http.Response) *time.Duration {
	if response == nil {
		return nil
	}
	text := response.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		wait := time.Duration(seconds) * time.Second
		return &wait
	}
	date, err := http.ParseTime(text)
	if err != nil {
		return nil
	}
	wait := max(0, time.Until(date))
	return &wait
}

func newError(response *http.Response) error {
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	found := &Error{Status: response.StatusCode, RetryAfter: retryAfter(response), Response: response, Body: body}
	var problem Problem
	isProblem := mediaType(response) == "application/problem+json" && json.Unmarshal(body, &problem) == nil
	if isProblem && problem.Code != "" {
		found.Problem = &problem
		found.Code = problem.Code
		if problem.Errors != nil {
			found.Errors = *problem.Errors
		}
	}
	return found
}

func mediaType(response *http.Response) string {
	name, _, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return name
}
