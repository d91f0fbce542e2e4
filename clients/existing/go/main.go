// The public Go client of an API of this form, pointed at another service by its base URL alone.
package main

import (
	"context"
	"fmt"
	"net/url"
	"os"

	ngrok "github.com/ngrok/ngrok-api-go/v5"
	edges "github.com/ngrok/ngrok-api-go/v5/edges/https"
	routes "github.com/ngrok/ngrok-api-go/v5/edges/https_routes"
	"github.com/ngrok/ngrok-api-go/v5/event_sources"
)

const subscription = "sub_existing_go"

func main() {
	base, err := url.Parse(os.Getenv("EDGE_URL"))
	must(err)
	config := ngrok.NewClientConfig(os.Getenv("EDGE_TOKEN"), ngrok.WithBaseURL(base.String()))
	ctx := context.Background()
	edgeClient, routeClient, sourceClient := edges.NewClient(config), routes.NewClient(config), event_sources.NewClient(config)

	edge, err := edgeClient.Create(ctx, &ngrok.HTTPSEdgeCreate{
		Description: "existing client",
		Hostports:   []string{"shop.example.com:443"},
		MutualTLS:   &ngrok.EndpointMutualTLSMutate{CertificateAuthorityIDs: []string{"ca_partners"}},
	})
	must(err)
	fmt.Println("edge created:", edge.Description, edge.Hostports)

	route, err := routeClient.Create(ctx, &ngrok.HTTPSEdgeRouteCreate{
		EdgeID:    edge.ID,
		MatchType: "path_prefix",
		Match:     "/",
		Backend:   &ngrok.EndpointBackendMutate{BackendID: "bkd_shop"},
		OAuth: &ngrok.EndpointOAuth{Provider: ngrok.EndpointOAuthProvider{
			Google: &ngrok.EndpointOAuthGoogle{EmailDomains: []string{"example.com"}},
		}},
	})
	must(err)
	fmt.Println("route created:", route.Match, route.Backend.Backend.ID, route.OAuth.Provider.Google.EmailDomains)

	read, err := edgeClient.Get(ctx, edge.ID)
	must(err)
	fmt.Println("edge read, with routes:", len(read.Routes))

	description := "changed"
	changed, err := edgeClient.Update(ctx, &ngrok.HTTPSEdgeUpdate{ID: edge.ID, Description: &description})
	must(err)
	fmt.Println("edge changed:", changed.Description)

	updated, err := routeClient.Update(ctx, &ngrok.HTTPSEdgeRouteUpdate{
		EdgeID: edge.ID, ID: route.ID, MatchType: "path_prefix", Match: "/api",
		Compression: &ngrok.EndpointCompression{},
	})
	must(err)
	fmt.Println("route changed:", updated.Match, updated.Compression != nil, updated.Backend != nil)

	// What was read is sent again.
	again, err := routeClient.Update(ctx, &ngrok.HTTPSEdgeRouteUpdate{
		EdgeID: edge.ID, ID: route.ID, MatchType: updated.MatchType, Match: updated.Match, OAuth: updated.OAuth,
	})
	must(err)
	fmt.Println("oauth sent again:", again.OAuth.Provider.Google.EmailDomains)

	for range [2]int{} {
		_, err = edgeClient.Create(ctx, &ngrok.HTTPSEdgeCreate{Description: "another"})
		must(err)
	}
	// This client asks for the page behind an edge by `before_id`, which this API does not have: it reads one page.
	listed, list := 0, edgeClient.List(nil)
	for list.Next(ctx) {
		listed++
	}
	fmt.Println("edges listed on the first page:", listed >= 3)
	next, ok := list.Err().(*ngrok.Error)
	fmt.Println("the page behind it:", ok && next.ErrorCode == "invalid_request")

	source, err := sourceClient.Create(ctx, &ngrok.EventSourceCreate{SubscriptionID: subscription, Type: "ip_policy_created.v0"})
	must(err)
	// This client empties what it is given.
	item := func() *ngrok.EventSourceItem {
		return &ngrok.EventSourceItem{SubscriptionID: subscription, Type: source.Type}
	}
	_, err = sourceClient.Get(ctx, item())
	must(err)
	sources, err := sourceClient.List(ctx, subscription)
	must(err)
	fmt.Println("sources listed:", len(sources.Sources))
	_, err = sourceClient.Update(ctx, &ngrok.EventSourceUpdate{SubscriptionID: subscription, Type: source.Type})
	must(err)
	must(sourceClient.Delete(ctx, item()))
	_, err = sourceClient.Get(ctx, item())
	fmt.Println("source deleted, not found:", ngrok.IsNotFound(err))

	must(routeClient.Delete(ctx, &ngrok.EdgeRouteItem{EdgeID: edge.ID, ID: route.ID}))
	must(edgeClient.Delete(ctx, edge.ID))
	_, err = edgeClient.Get(ctx, edge.ID)
	fmt.Println("edge deleted, not found:", ngrok.IsNotFound(err))

	_, err = edgeClient.Create(ctx, &ngrok.HTTPSEdgeCreate{Hostports: []string{"no-port"}})
	refused, ok := err.(*ngrok.Error)
	fmt.Println("refused:", ok && refused.StatusCode == 400, ok && refused.ErrorCode == "invalid_request")
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
