module edge-example

go 1.26.0

require (
	github.com/elnormous/contenttype v1.0.4
	github.com/go-json-experiment/json v1.27.2
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	go.yaml.in/yaml/v3 v3.0.6
)

require golang.org/x/text v0.43.0 // indirect
