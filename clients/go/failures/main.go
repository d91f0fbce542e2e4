// What a call ends with when attempts fail. Every language prints the same.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/oapi-codegen/nullable"

	edge "edge-example/client"
)

func main() {
	ctx := context.Background()
	api, err := edge.Connect(os.Getenv("EDGE_URL"), edge.WithToken("failures-token"))
	if err != nil {
		log.Fatal(err)
	}
	for _, server := range []string{"", "shop", "shop.example.com:443", "ftp://shop.example.com"} {
		if _, err := edge.Connect(server); err == nil {
			log.Fatalf("%q is not refused", server)
		}
	}
	for _, script := range []string{"503_200", "502_504_200", "500_500_500_200", "0_200", "0_0_0", "404", "400", "502_502_502", "503w_200", "200h"} {
		_, err := api.GetEdgeWithResponse(ctx, script)
		print("get "+script, err)
	}
	for _, script := range []string{"204", "503_404", "404", "429_404"} {
		_, err := api.DeleteEdgeWithResponse(ctx, script)
		print("delete "+script, err)
	}
	_, err = api.UpdateEdgeWithResponse(ctx, "0_200", edge.HTTPSEdgeUpdate{Metadata: nullable.NewNullableWithValue("m")})
	print("update 0_200", err)
	for _, script := range []string{"503_201", "0_201", "429_201"} {
		_, err := api.CreateEventSourceWithResponse(ctx, script, edge.EventSourceCreate{Type: "a.v0"})
		print("create source "+script, err)
	}
	newType := "b.v0"
	_, err = api.UpdateEventSourceWithResponse(ctx, "503_200", "a.v0", edge.EventSourceUpdate{Type: &newType})
	print("update source 503_200", err)
	for source, err := range edge.EventSources(ctx, api, "pages", nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("source", source.Type)
	}
}

func print(what string, err error) {
	var refusal *edge.Error
	switch {
	case err == nil:
		fmt.Println(what + ": success")
	case !errors.As(err, &refusal):
		fmt.Println(what + ": no response")
	case refusal.Code == "":
		fmt.Printf("%s: %d unexpected\n", what, refusal.Status)
	default:
		fmt.Printf("%s: %d %s\n", what, refusal.Status, refusal.Code)
		checkMessage(refusal)
	}
}

func checkMessage(refusal *edge.Error) {
	parts := []string{refusal.Response.Request.URL.String()}
	for _, fault := range refusal.Errors {
		parts = append(parts, *fault.Pointer)
	}
	for _, part := range parts {
		if !strings.Contains(refusal.Error(), part) {
			log.Fatalf("a message does not help: %v", refusal)
		}
	}
}
