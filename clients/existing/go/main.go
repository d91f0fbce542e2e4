// The public Go client of an API of this form, pointed at another service by its base URL alone.
package main

import (
	"context"
	"fmt"
	"os"

	ngrok "github.com/ngrok/ngrok-api-go/v5"
	edges "github.com/ngrok/ngrok-api-go/v5/edges/https"
	routes "github.com/ngrok/ngrok-api-go/v5/edges/https_routes"
	"github.com/ngrok/ngrok-api-go/v5/event_sources"
)

const subscription = "sub_existing_go"

func main() {
	config := ngrok.NewClientConfig(os.Getenv("EDGE_TOKEN"), ngrok.WithBaseURL(os.Getenv("EDGE_URL")))
	ctx := context.Background()
	edgeClient, routeClient, sourceClient := edges.NewClient(config), routes.NewClient(config), event_sources.NewClient(config)

	edge := must(edgeClient.Create(ctx, &ngrok.HTTPSEdgeCreate{
		Description: "existing client",
		Hostports:   []string{"shop.example.com:443"},
		MutualTLS:   &ngrok.EndpointMutualTLSMutate{CertificateAuthorityIDs: []string{"ca_partners"}},
	}))
	fmt.Println("edge created:", edge.Description, edge.Hostports)

	route := must(routeClient.Create(ctx, &ngrok.HTTPSEdgeRouteCreate{
		EdgeID:    edge.ID,
		MatchType: "path_prefix",
		Match:     "/",
		Backend:   &ngrok.EndpointBackendMutate{BackendID: "bkd_shop"},
		OAuth: &ngrok.EndpointOAuth{Provider: ngrok.EndpointOAuthProvider{
			Google: &ngrok.EndpointOAuthGoogle{EmailDomains: []string{"example.com"}},
		}},
	}))
	fmt.Println("route created:", route.Match, route.Backend.Backend.ID, route.OAuth.Provider.Google.EmailDomains)

	read := must(edgeClient.Get(ctx, edge.ID))
	fmt.Println("edge read, with routes:", len(read.Routes))

	description := "changed"
	changed := must(edgeClient.Update(ctx, &ngrok.HTTPSEdgeUpdate{ID: edge.ID, Description: &description}))
	fmt.Println("edge changed:", changed.Description)

	updated := must(routeClient.Update(ctx, &ngrok.HTTPSEdgeRouteUpdate{
		EdgeID: edge.ID, ID: route.ID, MatchType: "path_prefix", Match: "/api",
		Compression: &ngrok.EndpointCompression{},
	}))
	fmt.Println("route changed:", updated.Match, updated.Compression != nil, updated.Backend != nil)

	// What was read is sent again.
	again := must(routeClient.Update(ctx, &ngrok.HTTPSEdgeRouteUpdate{
		EdgeID: edge.ID, ID: route.ID, MatchType: updated.MatchType, Match: updated.Match, OAuth: updated.OAuth,
	}))
	fmt.Println("oauth sent again:", again.OAuth.Provider.Google.EmailDomains)

	for range [2]int{} {
		must(edgeClient.Create(ctx, &ngrok.HTTPSEdgeCreate{Description: "another"}))
	}
	// This client asks for the next page with the last edge that it has read as `before_id`, also where that edge is gone.
	listed, list := 0, edgeClient.List(&ngrok.Paging{Limit: ngrok.String("2")})
	for list.Next(ctx) {
		listed++
		if list.Item().Description == "another" {
			check(edgeClient.Delete(ctx, list.Item().ID))
		}
	}
	check(list.Err())
	fmt.Println("edges listed:", listed)

	source := must(sourceClient.Create(ctx, &ngrok.EventSourceCreate{SubscriptionID: subscription, Type: "ip_policy_created.v0"}))
	// This client empties what it is given.
	item := func() *ngrok.EventSourceItem {
		return &ngrok.EventSourceItem{SubscriptionID: subscription, Type: source.Type}
	}
	must(sourceClient.Get(ctx, item()))
	sources := must(sourceClient.List(ctx, subscription))
	fmt.Println("sources listed:", len(sources.Sources))
	must(sourceClient.Update(ctx, &ngrok.EventSourceUpdate{SubscriptionID: subscription, Type: source.Type}))
	check(sourceClient.Delete(ctx, item()))
	_, err := sourceClient.Get(ctx, item())
	fmt.Println("source deleted, not found:", ngrok.IsNotFound(err))

	check(routeClient.Delete(ctx, &ngrok.EdgeRouteItem{EdgeID: edge.ID, ID: route.ID}))
	check(edgeClient.Delete(ctx, edge.ID))
	_, err = edgeClient.Get(ctx, edge.ID)
	fmt.Println("edge deleted, not found:", ngrok.IsNotFound(err))

	_, err = edgeClient.Create(ctx, &ngrok.HTTPSEdgeCreate{Hostports: []string{"no-port"}})
	refused, ok := err.(*ngrok.Error)
	fmt.Println("refused:", ok && refused.StatusCode == 400, ok && refused.ErrorCode == "invalid_request")
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}
