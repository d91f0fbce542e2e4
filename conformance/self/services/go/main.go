// Plain net/http: whatever no handler sees, Go responds to; the rest goes to a correct service.
//
//	go run main.go ADDRESS UPSTREAM
package main

import (
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
)

func main() {
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			// The target as it was sent: neither decoded nor cleaned.
			r.Out.URL = &url.URL{Scheme: "http", Host: os.Args[2], Opaque: r.In.RequestURI}
		},
		// Where the other one closes its connection, this one does, too.
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	log.Fatal(http.ListenAndServe(os.Args[1], proxy))
}
