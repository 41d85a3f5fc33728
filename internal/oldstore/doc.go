// Package oldstore holds stores that earlier programs left behind, and the test that today's program
// carries on from them: it verifies and lists a copy, answers what waits, and drives every run to its
// end. testdata/README.md says what is in them. There is nothing here but tests.
package oldstore
