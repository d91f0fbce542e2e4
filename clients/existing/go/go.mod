module existing-client

go 1.21

require github.com/ngrok/ngrok-api-go/v5 v5.3.0
