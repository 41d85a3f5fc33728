// Package oldstore has stores that earlier versions wrote, and the test that today's program can
// continue from them: it verifies and lists a copy, answers what waits, and drives every run to its
// end. testdata/README.md describes the stores. It contains only tests.
package oldstore
