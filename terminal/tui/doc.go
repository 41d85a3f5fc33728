// Package tui is rein as a place to work in: a session on the whole terminal, with the timeline of its runs, what they
// ask, and an input that starts and steers them. It knows runs through the API's client only, so it works beside the
// process that drives them or far from it, and leaving it stops nothing.
//
// A Model is the state of the screen. Update takes one message at a time (a key, lines of a feed, an answer of the API)
// and returns what has to be done outside; View draws what there is. What takes time happens in commands, which never
// touch the Model.
package tui
