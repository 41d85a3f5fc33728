package archtest

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A program that only speaks the API links the vocabulary, the wire types and the client: none of the
// runtime, and no module of others.
//
// Covers: ENG-66 RAO-60
func TestWhatAClientLinks(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./api/client")
	cmd.Dir = repository
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Fields(string(out))
	slices.Sort(got)
	if want := []string{"rein", "rein/api", "rein/api/client"}; !slices.Equal(got, want) {
		t.Errorf("rein/api/client links %q; it may link %q", got, want)
	}
}
