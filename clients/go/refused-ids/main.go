// Which values of a path parameter are refused before anything is sent. Every language prints the
// same.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	edge "edge-example/client"
)

func main() {
	ctx := context.Background()
	api, err := edge.NewClientWithResponses(os.Getenv("EDGE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	outcomes := func(value string) string {
		_, edgeError := api.DeleteEdgeWithResponse(ctx, value)
		_, edgeOfRoute := api.DeleteRouteWithResponse(ctx, value, "r1")
		_, routeError := api.DeleteRouteWithResponse(ctx, "e1", value)
		_, subscription := api.DeleteEventSourceWithResponse(ctx, value, "a.v0")
		_, typeError := api.DeleteEventSourceWithResponse(ctx, "s1", value)
		return strings.Join([]string{
			outcome("edge_id", edgeError),
			outcome("edge_id", edgeOfRoute),
			outcome("route_id", routeError),
			outcome("subscription_id", subscription),
			outcome("type", typeError),
		}, " ")
	}
	for _, value := range []string{"", ".", "..", "a/b", "%2e%2e", "../..", "a\n"} {
		fmt.Printf("'%s' refused: %s\n", strings.ReplaceAll(value, "\n", `\n`), outcomes(value))
	}
	// The value of a variable that was never set.
	var missing string
	fmt.Println("missing refused:", outcomes(missing))
	_, err = api.DeleteRouteWithResponse(ctx, "e1", "r1")
	fmt.Println("route r1:", outcome("route_id", err))
}

func outcome(name string, err error) string {
	if err == nil {
		return "sent"
	}
	if !strings.Contains(err.Error(), "path parameter "+name+" must") {
		log.Fatal(err)
	}
	return name
}
