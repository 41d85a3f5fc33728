// Package embed shows how a Go program runs a flow inside of itself, answers what it asks and reads
// its events as they come. The example below is all of it; it is run by the tests.
package embed
