// A round through the API, as a user would write it. Every language prints the same lines.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"sort"
	"strings"

	"github.com/oapi-codegen/nullable"

	edge "edge-example/client"
)

const subscription = "sub_orders"

func main() {
	ctx := context.Background()
	token := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("EDGE_TOKEN"))
		return nil
	}
	api := must(edge.NewClientWithResponses(os.Getenv("EDGE_URL"), edge.WithRequestEditorFn(token)))

	created := must(api.CreateEdgeWithResponse(ctx, edge.HTTPSEdgeCreate{
		Description: nullable.NewNullableWithValue("Public storefront"),
		Metadata:    nullable.NewNullableWithValue(`{"team":"web"}`),
		Hostports:   nullable.NewNullableWithValue(edge.HostportListOrNull{"shop.example.com:443"}),
		TlsTermination: nullable.NewNullableWithValue(edge.EndpointTLSTerminationAtEdge{
			MinVersion: nullable.NewNullableWithValue(edge.TLSVersionTLS13),
		}),
	}))
	one := need(created.JSON201, created.Body)
	fmt.Printf("created edge: %s [%s], TLS %s\n", one.Description, strings.Join(one.Hostports, ", "), one.TlsTermination.MustGet().MinVersion.MustGet())

	routed := must(api.CreateRouteWithResponse(ctx, one.Id, edge.HTTPSEdgeRouteCreate{
		MatchType: edge.MatchTypePathPrefix,
		Match:     "/",
		Oauth: nullable.NewNullableWithValue(edge.EndpointOAuthMutate{
			Provider: edge.EndpointOAuthProviderMutate{Github: nullable.NewNullableWithValue(edge.EndpointOAuthGitHubMutate{Organizations: &[]edge.GitHubOrganization{"acme"}})},
		}),
	}))
	route := need(routed.JSON201, routed.Body)
	github := route.Oauth.MustGet().Provider.Github.MustGet()
	fmt.Printf("created route: %s %s, oauth github [%s]\n", route.MatchType, route.Match, strings.Join(github.Organizations, ", "))

	for _, eventType := range []string{"ip_policy_created.v0", "http_request_complete.v0", "ip_policy_updated.v0"} {
		added := must(api.CreateEventSourceWithResponse(ctx, subscription, edge.EventSourceCreate{Type: eventType}))
		need(added.JSON201, added.Body)
	}
	for cursor, more := (*string)(nil), true; more; {
		listed := must(api.ListEventSourcesWithResponse(ctx, subscription, &edge.ListEventSourcesParams{Limit: ptr(int32(1)), Cursor: cursor}))
		page := need(listed.JSON200, listed.Body)
		for _, source := range page.Sources {
			fmt.Printf("source: %s\n", source.Type)
		}
		cursor, more = next(page.Uri)
	}

	// Null resets the description. What is not set, here the metadata, stays.
	updated := must(api.UpdateEdgeWithResponse(ctx, one.Id, edge.HTTPSEdgeUpdate{Description: nullable.NewNullNullable[edge.DescriptionOrNull]()}))
	now := need(updated.JSON200, updated.Body)
	fmt.Printf("updated edge: description %q, metadata %s\n", now.Description, now.Metadata)

	changed := must(api.UpdateRouteWithResponse(ctx, one.Id, route.Id, edge.HTTPSEdgeRouteUpdate{
		Oauth: nullable.NewNullNullable[edge.EndpointOAuthMutate](),
		Oidc: nullable.NewNullableWithValue(edge.EndpointOIDCMutate{
			Issuer: "https://id.example.com", ClientId: "storefront", ClientSecret: nullable.NewNullableWithValue("s3cret"),
		}),
	}))
	swapped := need(changed.JSON200, changed.Body)
	oauth := "set"
	if swapped.Oauth.IsNull() {
		oauth = "null"
	}
	fmt.Printf("updated route: oauth %s, oidc %s\n", oauth, swapped.Oidc.MustGet().Issuer)

	invalid := must(api.CreateEdgeWithResponse(ctx, edge.HTTPSEdgeCreate{Description: nullable.NewNullableWithValue(strings.Repeat("é", 200)), Hostports: nullable.NewNullableWithValue(edge.HostportListOrNull{"no-port"})}))
	refused(need(invalid.ApplicationproblemJSON400, invalid.Body))
	unknown := must(api.GetEdgeWithResponse(ctx, "edghts_unknown"))
	refused(need(unknown.ApplicationproblemJSON404, unknown.Body))
	again := must(api.CreateEventSourceWithResponse(ctx, subscription, edge.EventSourceCreate{Type: "ip_policy_created.v0"}))
	refused(need(again.ApplicationproblemJSON409, again.Body))

	gone(api.DeleteEventSourceWithResponse(ctx, subscription, "ip_policy_created.v0"))
	gone(api.DeleteRouteWithResponse(ctx, one.Id, route.Id))
	gone(api.DeleteEdgeWithResponse(ctx, one.Id))
	fmt.Println("deleted")
	left := must(api.GetEdgeWithResponse(ctx, one.Id))
	refused(need(left.ApplicationproblemJSON404, left.Body))
}

func ptr[T any](value T) *T { return &value }

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// need is the expected response; the generated client leaves it nil when there is another one.
func need[T any](answer *T, body []byte) *T {
	if answer == nil {
		log.Fatalf("another response: %s", body)
	}
	return answer
}

func gone[T interface{ StatusCode() int }](answer T, err error) {
	if status := must(answer, err).StatusCode(); status != http.StatusNoContent {
		log.Fatalf("not deleted: HTTP %d", status)
	}
}

// next is the cursor of the next page, and whether there is one.
func next[T ~string](uri nullable.Nullable[T]) (*string, bool) {
	if uri.IsNull() {
		return nil, false
	}
	parsed := must(url.Parse(string(uri.MustGet())))
	return ptr(parsed.Query().Get("cursor")), true
}

func refused(problem *edge.Problem) {
	faults := []string{}
	if problem.Errors != nil {
		for _, fault := range *problem.Errors {
			faults = append(faults, fmt.Sprintf(" %s %s", *fault.Pointer, fault.Code))
		}
	}
	sort.Strings(faults)
	line := fmt.Sprintf("%d %s:%s", problem.Status, problem.Code, strings.Join(faults, ","))
	fmt.Println(strings.TrimSuffix(line, ":"))
}
