// Prints what is wrong with the OpenAPI document that is named, and nothing when nothing is.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/getkin/kin-openapi/openapi3"
)

func main() {
	doc, err := openapi3.NewLoader().LoadFromFile(os.Args[1])
	if err == nil {
		err = doc.Validate(context.Background())
	}
	if err != nil {
		fmt.Println(err)
	}
}
