// Package clients has clients of the API in other languages, a folder each. In Go it has tests only; the client for Go
// is package api/client.
package clients
