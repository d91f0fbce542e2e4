// An example service: the core level of the contract on net/http. A JSON Schema validator reads openapi.yaml at start,
// so that no rule on bodies is repeated here. The data are in memory: put your storage in their place.
//
//	CONTRACT=openapi.yaml PORT=8080 API_TOKEN=secret PUBLIC_URL=https://api.example.com go run .
//
// Without API_TOKEN, it runs open. Without PUBLIC_URL, each `uri` begins with the host that the client named.
package main

import (
	"cmp"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/elnormous/contenttype"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"go.yaml.in/yaml/v3"
)

func main() {
	schema := openContract(cmp.Or(os.Getenv("CONTRACT"), "openapi.yaml"))
	s := &service{token: os.Getenv("API_TOKEN"), publicURL: os.Getenv("PUBLIC_URL"), id: schema("schemas/ResourceId")}
	s.edges, s.sources = map[string]object{}, map[string][]string{}
	limit, cursor := schema("parameters/Limit/schema"), schema("parameters/Cursor/schema")
	page := map[string]*jsonschema.Schema{"limit": limit, "cursor": cursor}
	const sources = "/event_subscriptions/{subscription_id}/sources"
	s.handle("POST /edges/https", operation{run: s.createEdge, body: schema("schemas/HTTPSEdgeCreate"), needsBody: true})
	s.handle("GET /edges/https/{edge_id}", operation{run: s.getEdge})
	s.handle("POST "+sources, operation{run: s.createSource, body: schema("schemas/EventSourceCreate"), needsBody: true})
	s.handle("GET "+sources, operation{run: s.listSources, query: page})
	s.handle("GET "+sources+"/{type}", operation{run: s.getSource})
	s.handle("PATCH "+sources+"/{type}", operation{run: s.updateSource, body: schema("schemas/EventSourceUpdate")})
	s.handle("DELETE "+sources+"/{type}", operation{run: s.deleteSource})
	// The extended level goes here: GET /edges/https, PATCH and DELETE of an edge, and the operations of routes.
	address := "127.0.0.1:" + cmp.Or(os.Getenv("PORT"), "8080")
	log.Fatal((&http.Server{Addr: address, Handler: s, ReadHeaderTimeout: 10 * time.Second}).ListenAndServe())
}

// openContract compiles schemas of JSON Schema 2020-12, with the keyword x-max-bytes. The extended level needs more of
// the compiler: AssertFormat, and UseRegexpEngine, since \u1680 of a pattern is \x{1680} in Go.
func openContract(file string) func(component string) *jsonschema.Schema {
	var document any
	text, err := os.ReadFile(file)
	err = cmp.Or(err, yaml.Unmarshal(text, &document))
	compiler := jsonschema.NewCompiler()
	compiler.AssertVocabs()
	compiler.RegisterVocabulary(&jsonschema.Vocabulary{URL: "urn:x-max-bytes", Compile: compileMaxBytes})
	if err = cmp.Or(err, compiler.AddResource("urn:contract", document)); err != nil {
		log.Fatal(err)
	}
	return func(component string) *jsonschema.Schema {
		return compiler.MustCompile("urn:contract#/components/" + component)
	}
}

// maxBytes is x-max-bytes: `maxLength` counts characters, while the limits of the contract are bytes of UTF-8.
type maxBytes int

func compileMaxBytes(_ *jsonschema.CompilerContext, schema object) (jsonschema.SchemaExt, error) {
	if most, ok := schema["x-max-bytes"].(int); ok {
		return maxBytes(most), nil
	}
	return nil, nil
}

func (most maxBytes) Validate(ctx *jsonschema.ValidatorContext, value any) {
	if text, ok := value.(string); ok && len(text) > int(most) {
		ctx.AddError(&kind.Reference{Keyword: "x-max-bytes"}) // the kind that takes any keyword
	}
}

type service struct {
	token, publicURL string
	id               *jsonschema.Schema
	mux              http.ServeMux
	data             sync.Mutex          // held by each operation, so that each is atomic
	edges            map[string]object   // as they were sent
	sources          map[string][]string // types by subscription
}

type operation struct {
	run       func(c *call) response
	query     map[string]*jsonschema.Schema
	body      *jsonschema.Schema // nil where the operation takes none
	needsBody bool
}

// A call is a request that keeps the contract.
type call struct {
	*http.Request
	body object
	base string // how each `uri` begins
}

type response struct {
	status int
	body   object
}

type object = map[string]any

// The order of checks is that of docs/write-a-server.md.
func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	allow := []string{}
	for _, method := range []string{"GET", "HEAD", "POST", "PATCH", "DELETE"} { // the mux has HEAD wherever GET is
		if _, found := s.mux.Handler(&http.Request{Method: method, Host: r.Host, URL: r.URL}); found != "" {
			allow = append(allow, method)
		}
	}
	// Without tokens, a web page could reach the service under a name of its own (DNS rebinding).
	host, err := url.Parse("http://" + r.Host)
	isLocal := err == nil && slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, host.Hostname())
	isServed := err == nil && r.Host != "" && (s.token != "" || isLocal || strings.HasSuffix(s.publicURL, "//"+r.Host))
	query, badQuery := url.ParseQuery(r.URL.RawQuery) // URL.Query() drops what it cannot read
	// The mux would redirect `//` and `.`. It splits a path before it decodes it: %2F separates nothing.
	if !isServed || badQuery != nil || !utf8.ValidString(fmt.Sprint(query)) {
		send(w, refuse(400, "malformed_request", "The host is not served here, or the query cannot be read."))
	} else if len(allow) == 0 || path.Clean(r.URL.EscapedPath()) != r.URL.EscapedPath() {
		send(w, notFound)
	} else if !slices.Contains(allow, r.Method) {
		w.Header().Set("Allow", strings.Join(append(allow, "OPTIONS"), ", "))
		result := refuse(405, "method_not_allowed", "The path does not have this method.")
		if r.Method == "OPTIONS" { // also without a token
			result = response{204, nil}
		}
		send(w, result)
	} else if !s.permits(r.Header.Values("Authorization")) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		send(w, refuse(401, "unauthorized", "Send a bearer token in the Authorization header."))
	} else {
		s.mux.ServeHTTP(w, r)
	}
}

func (s *service) permits(fields []string) bool {
	scheme, token, _ := strings.Cut(strings.Join(fields, ", "), " ") // two fields are no token
	isRight := subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) == 1
	return s.token == "" || strings.EqualFold(scheme, "Bearer") && isRight
}

func (s *service) handle(pattern string, op operation) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		c := &call{Request: r, base: cmp.Or(s.publicURL, "http://"+r.Host)}
		found, result := c.check(op)
		if result.status == 0 && len(found) > 0 {
			result = refuse(400, "invalid_request", "The request breaks the contract.", found...)
		} else if result.status == 0 {
			result = s.run(op, c)
		}
		send(w, result)
	})
}

func (s *service) run(op operation, c *call) response {
	s.data.Lock()
	defer s.data.Unlock()
	edge, id, name := c.PathValue("edge_id"), c.PathValue("subscription_id"), c.PathValue("type")
	if edge != "" && s.edges[edge] == nil || id != "" && s.id.Validate(id) != nil ||
		name != "" && !slices.Contains(s.sources[id], name) {
		return notFound
	}
	return op.run(c)
}

// check finds what breaks the contract: errors to list, or a response that leaves nothing else to be said.
func (c *call) check(op operation) ([]object, response) {
	accept := cmp.Or(strings.Join(c.Header.Values("Accept"), ","), "*/*")
	_, _, err := contenttype.GetAcceptableMediaTypeFromHeader(accept, representations)
	if err != nil && c.Method != "DELETE" {
		return nil, refuse(406, "not_acceptable", "The Accept header excludes application/json.")
	}
	found := []object{}
	for name, sent := range c.URL.Query() {
		value, wrong := any(sent[0]), []object{fieldError("", "unknown")}
		if name == "limit" && decimal.MatchString(sent[0]) { // else it is a text, which is the wrong type
			value = json.Number(sent[0])
		}
		if schema := op.query[name]; schema != nil && len(sent) > 1 {
			wrong = []object{fieldError("", "repeated")}
		} else if schema != nil {
			wrong = fieldErrors(schema.Validate(value))
		}
		for _, one := range wrong {
			found = append(found, object{"parameter": name[:min(len(name), 4096)], "code": one["code"], "detail": one["detail"]})
		}
	}
	if op.body == nil {
		return found, response{}
	}
	body, err := io.ReadAll(io.LimitReader(c.Body, 1<<20+1))
	media, notMedia := contenttype.ParseMediaType(c.Header.Get("Content-Type"))
	isJSON := notMedia == nil && strings.EqualFold(media.MIME(), "application/json")
	if len(body) > 1<<20 {
		return nil, refuse(413, "content_too_large", "The body may have at most 1048576 bytes.")
	} else if len(body) == 0 && op.needsBody {
		return append(found, fieldError("", "required")), response{}
	} else if len(body) == 0 { // then Content-Type says nothing
		return found, response{}
	} else if !isJSON || !strings.EqualFold(cmp.Or(media.Parameters["charset"], "utf-8"), "utf-8") {
		return nil, refuse(415, "unsupported_media_type", "Send the body as application/json in UTF-8.")
	} else if !strings.EqualFold(cmp.Or(c.Header.Get("Content-Encoding"), "identity"), "identity") {
		return nil, refuse(415, "unsupported_media_type", "Send the body without a Content-Encoding.")
	}
	// encoding/json would keep the last of two equal names, and replace what is not Unicode.
	_, strict := jsontext.NewDecoder(strings.NewReader(string(body))).ReadValue()
	if err != nil || !json.Valid(body) || !utf8.Valid(body) || errors.Is(strict, jsontext.ErrDuplicateName) {
		return nil, refuse(400, "malformed_request", "The body is not JSON in UTF-8, or has a name twice in one object.")
	}
	if lone := new(jsontext.SyntacticError); errors.As(strict, &lone) { // a surrogate: no other error is left
		return append(found, fieldError(lone.JSONPointer, "unicode")), response{}
	}
	value, _ := jsonschema.UnmarshalJSON(strings.NewReader(string(body))) // keeps numbers as they were sent
	c.body, _ = value.(object)
	return append(found, fieldErrors(op.body.Validate(value))...), response{}
}

// refuse makes a problem (RFC 9457), the body of each error response.
func refuse(status int, code, text string, found ...object) response {
	body := object{"type": "about:blank", "title": http.StatusText(status), "detail": text, "status": status, "code": code}
	if len(found) > 0 {
		body["errors"] = found[:min(len(found), 100)]
	}
	return response{status, body}
}

var (
	representations = []contenttype.MediaType{contenttype.NewMediaType("application/json")}
	notFound        = refuse(404, "not_found", "There is no such resource.")
	alreadyExists   = refuse(409, "already_exists", "The subscription has a source of this type.")
	conditional     = regexp.MustCompile("/(then|else)/")
	decimal         = regexp.MustCompile("^(0|[1-9][0-9]*)$") // a parser of numbers would take `+1`, `01` and `1e1`, too
)

func send(w http.ResponseWriter, result response) {
	w.Header().Set("Content-Type", "application/json")
	if result.status >= 400 {
		w.Header().Set("Content-Type", "application/problem+json")
	} else if result.status == 201 {
		w.Header().Set("Location", result.body["uri"].(string))
	}
	w.WriteHeader(result.status)
	json.NewEncoder(w).Encode(result.body) // net/http leaves it out for 204 and HEAD
}

// A place whose pointer would be too long is named by the object around it.
func fieldError(place jsontext.Pointer, code string) object {
	for len(place) > 4096 {
		place = place.Parent()
	}
	return object{"pointer": place, "code": code, "detail": "The contract says otherwise: " + code + "."}
}

// The table "Field errors" of the contract.
var codes = map[string]string{
	"type": "type", "enum": "value", "const": "value", "pattern": "format", "format": "format",
	"minLength": "too_short", "maxLength": "too_long", "x-max-bytes": "too_many_bytes",
	"minimum": "too_small", "maximum": "too_large", "minItems": "too_few", "maxItems": "too_many",
	"minProperties": "too_few", "maxProperties": "too_many", "uniqueItems": "duplicate",
}

// fieldErrors says what the validator found, in the terms of the contract.
func fieldErrors(err error) (found []object) {
	failed := new(jsonschema.ValidationError)
	if !errors.As(err, &failed) {
		return nil
	}
	for _, cause := range failed.Causes {
		// "A module or null" fails for both; the error is what the module says.
		_, isChoice := failed.ErrorKind.(*kind.OneOf)
		if wrong, ok := cause.ErrorKind.(*kind.Type); !isChoice || !ok || wrong.Want[0] != "null" {
			found = append(found, fieldErrors(cause)...)
		}
	}
	at := jsontext.Pointer("")
	for _, token := range failed.InstanceLocation {
		at = at.AppendToken(token)
	}
	switch wrong := failed.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range wrong.Missing {
			found = append(found, fieldError(at.AppendToken(name), "required"))
		}
	case *kind.AdditionalProperties:
		for _, name := range wrong.Properties {
			found = append(found, fieldError(at.AppendToken(name), "unknown"))
		}
	default:
		if conditional.MatchString(failed.SchemaURL) && leavesNothing(wrong) {
			found = append(found, fieldError(at, "not_allowed_here"))
		} else if code := codes[strings.Join(wrong.KeywordPath(), "")]; code != "" {
			found = append(found, fieldError(at, code))
		}
	}
	return found
}

// leavesNothing says whether a keyword leaves null, false or what is empty, and nothing else.
func leavesNothing(wrong jsonschema.ErrorKind) bool {
	switch wrong := wrong.(type) {
	case *kind.Type:
		return slices.Equal(wrong.Want, []string{"null"})
	case *kind.Const:
		return wrong.Want == nil || wrong.Want == false
	case *kind.MaxLength:
		return wrong.Want == 0
	case *kind.MaxItems:
		return wrong.Want == 0
	case *kind.MaxProperties:
		return wrong.Want == 0
	}
	return false
}

// In a create request, null and omitted are one. An empty object is a module with its defaults.
func or(sent object, name string, otherwise any) any {
	if value := sent[name]; value != nil {
		return value
	}
	return otherwise
}

func shown(e object, base string) object {
	shown := object{
		"id": e["id"], "uri": base + "/edges/https/" + e["id"].(string), "created_at": e["created_at"],
		"description": or(e, "description", ""), "metadata": or(e, "metadata", ""),
		"hostports": or(e, "hostports", []any{}), "mutual_tls": nil, "tls_termination": nil, "routes": []any{},
	}
	if m, ok := e["mutual_tls"].(object); ok {
		refs := []object{}
		for _, id := range or(m, "certificate_authority_ids", []any{}).([]any) {
			refs = append(refs, object{"id": id, "uri": base + "/certificate_authorities/" + id.(string)})
		}
		shown["mutual_tls"] = object{"enabled": or(m, "enabled", true), "certificate_authorities": refs}
	}
	if t, ok := e["tls_termination"].(object); ok {
		at, version := or(t, "terminate_at", "edge"), or(t, "min_version", "1.2")
		if at == "upstream" {
			version = nil
		}
		shown["tls_termination"] = object{"enabled": or(t, "enabled", true), "terminate_at": at, "min_version": version}
	}
	return shown
}

func (s *service) createEdge(c *call) response {
	id := "edghts_" + rand.Text()
	c.body["id"], c.body["created_at"] = id, time.Now().UTC().Format(time.RFC3339Nano)
	s.edges[id] = c.body
	return response{201, shown(c.body, c.base)}
}

func (s *service) getEdge(c *call) response {
	return response{200, shown(s.edges[c.PathValue("edge_id")], c.base)}
}

func source(c *call, name string) object {
	list := "/event_subscriptions/" + c.PathValue("subscription_id") + "/sources/"
	return object{"type": name, "uri": c.base + list + name}
}

func (s *service) createSource(c *call) response {
	id, name := c.PathValue("subscription_id"), c.body["type"].(string)
	if slices.Contains(s.sources[id], name) {
		return alreadyExists
	}
	s.sources[id] = append(s.sources[id], name)
	return response{201, source(c, name)}
}

func (s *service) listSources(c *call) response {
	query, sources, last := c.URL.Query(), []object{}, ""
	limit := cmp.Or(query.Get("limit"), "100")
	for _, name := range slices.Sorted(slices.Values(s.sources[c.PathValue("subscription_id")])) {
		if name <= query.Get("cursor") { // the last type of the page before, which may be gone by now
			continue
		} else if fmt.Sprint(len(sources)) == limit {
			next := url.Values{"limit": {limit}, "cursor": {last}}.Encode()
			return response{200, object{"sources": sources, "uri": c.base + c.URL.EscapedPath() + "?" + next}}
		}
		sources, last = append(sources, source(c, name)), name
	}
	return response{200, object{"sources": sources, "uri": nil}}
}

func (s *service) getSource(c *call) response { return response{200, source(c, c.PathValue("type"))} }

func (s *service) updateSource(c *call) response {
	types, from := s.sources[c.PathValue("subscription_id")], c.PathValue("type")
	to := or(c.body, "type", from).(string)
	if to != from && slices.Contains(types, to) {
		return alreadyExists
	}
	types[slices.Index(types, from)] = to
	return response{200, source(c, to)}
}

func (s *service) deleteSource(c *call) response {
	id, name := c.PathValue("subscription_id"), c.PathValue("type")
	s.sources[id] = slices.DeleteFunc(s.sources[id], func(one string) bool { return one == name })
	return response{204, nil}
}
