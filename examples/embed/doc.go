// Package embed shows how a Go program runs a flow, answers what it asks and reads its events as
// they happen. The tests run the example.
package embed
