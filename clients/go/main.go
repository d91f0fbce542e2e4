// A round through the API, as a user would write it. Every language prints the same lines.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"sort"
	"strings"

	"github.com/oapi-codegen/nullable"

	edge "edge-example/client"
)

const subscription = "sub_orders"

func main() {
	ctx := context.Background()
	api := must(edge.Connect(os.Getenv("EDGE_URL"), edge.WithToken(os.Getenv("EDGE_TOKEN"))))

	created := must(api.CreateEdgeWithResponse(ctx, edge.HTTPSEdgeCreate{
		Description: nullable.NewNullableWithValue("Public storefront"),
		Metadata:    nullable.NewNullableWithValue(`{"team":"web"}`),
		Hostports:   nullable.NewNullableWithValue(edge.HostportListOrNull{"shop.example.com:443"}),
		TlsTermination: nullable.NewNullableWithValue(edge.EndpointTLSTerminationAtEdge{
			MinVersion: nullable.NewNullableWithValue(edge.TLSVersionTLS13),
		}),
	}))
	one := created.JSON201
	fmt.Printf("created edge: %s [%s], TLS %s\n", one.Description, strings.Join(one.Hostports, ", "), one.TlsTermination.MustGet().MinVersion.MustGet())

	routed := must(api.CreateRouteWithResponse(ctx, one.Id, edge.HTTPSEdgeRouteCreate{
		MatchType: edge.MatchTypePathPrefix,
		Match:     "/",
		Oauth: nullable.NewNullableWithValue(edge.EndpointOAuthMutate{
			Provider: edge.EndpointOAuthProviderMutate{Github: nullable.NewNullableWithValue(edge.EndpointOAuthGitHubMutate{Organizations: &[]edge.GitHubOrganization{"acme"}})},
		}),
	}))
	route := routed.JSON201
	github := route.Oauth.MustGet().Provider.Github.MustGet()
	fmt.Printf("created route: %s %s, oauth github [%s]\n", route.MatchType, route.Match, strings.Join(github.Organizations, ", "))

	for _, eventType := range []string{"ip_policy_created.v0", "http_request_complete.v0", "ip_policy_updated.v0"} {
		must(api.CreateEventSourceWithResponse(ctx, subscription, edge.EventSourceCreate{Type: eventType}))
	}
	for source, err := range edge.EventSources(ctx, api, subscription, &edge.ListEventSourcesParams{Limit: ptr(int32(1))}) {
		fmt.Printf("source: %s\n", must(source, err).Type)
	}

	// Null resets the description. What is not set, here the metadata, stays.
	updated := must(api.UpdateEdgeWithResponse(ctx, one.Id, edge.HTTPSEdgeUpdate{Description: nullable.NewNullNullable[edge.DescriptionOrNull]()}))
	now := updated.JSON200
	fmt.Printf("updated edge: description %q, metadata %s\n", now.Description, now.Metadata)

	changed := must(api.UpdateRouteWithResponse(ctx, one.Id, route.Id, edge.HTTPSEdgeRouteUpdate{
		Oauth: nullable.NewNullNullable[edge.EndpointOAuthMutate](),
		Oidc: nullable.NewNullableWithValue(edge.EndpointOIDCMutate{
			Issuer: "https://id.example.com", ClientId: "storefront", ClientSecret: nullable.NewNullableWithValue("s3cret"),
		}),
	}))
	swapped := changed.JSON200
	oauth := "set"
	if swapped.Oauth.IsNull() {
		oauth = "null"
	}
	fmt.Printf("updated route: oauth %s, oidc %s\n", oauth, swapped.Oidc.MustGet().Issuer)

	_, err := api.CreateEdgeWithResponse(ctx, edge.HTTPSEdgeCreate{
		Description: nullable.NewNullableWithValue(strings.Repeat("é", 200)),
		Hostports:   nullable.NewNullableWithValue(edge.HostportListOrNull{"no-port"}),
	})
	refused(err)
	_, err = api.GetEdgeWithResponse(ctx, "edghts_unknown")
	refused(err)
	_, err = api.CreateEventSourceWithResponse(ctx, subscription, edge.EventSourceCreate{Type: "ip_policy_created.v0"})
	refused(err)

	must(api.DeleteEventSourceWithResponse(ctx, subscription, "ip_policy_created.v0"))
	must(api.DeleteRouteWithResponse(ctx, one.Id, route.Id))
	must(api.DeleteEdgeWithResponse(ctx, one.Id))
	fmt.Println("deleted")
	_, err = api.GetEdgeWithResponse(ctx, one.Id)
	refused(err)
}

func ptr[T any](value T) *T { return &value }

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func refused(err error) {
	var refusal *edge.Error
	if !errors.As(err, &refusal) {
		log.Fatalf("not refused: %v", err)
	}
	faults := []string{}
	for _, fault := range refusal.Errors {
		faults = append(faults, fmt.Sprintf(" %s %s", *fault.Pointer, fault.Code))
	}
	sort.Strings(faults)
	line := fmt.Sprintf("%d %s:%s", refusal.Status, refusal.Code, strings.Join(faults, ","))
	fmt.Println(strings.TrimSuffix(line, ":"))
}
