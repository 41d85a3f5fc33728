package app

import (
	"runtime/debug"
	"testing"
)

// Somebody's own program says which rein it has inside, and which program it is.
func TestVersion(t *testing.T) {
	t.Parallel()
	own := debug.Module{Path: "example.com/own", Version: "v0.3.0"}
	for want, info := range map[string]debug.BuildInfo{
		"v1.2.0":                            {Main: debug.Module{Path: "rein", Version: "v1.2.0"}},
		"(devel)":                           {Main: debug.Module{Path: "rein"}},
		"v1.2.0 in example.com/own v0.3.0":  {Main: own, Deps: []*debug.Module{{Path: "golang.org/x/term", Version: "v9"}, {Path: "rein", Version: "v1.2.0"}}},
		"(devel) in example.com/own v0.3.0": {Main: own, Deps: []*debug.Module{{Path: "rein", Version: "v0.0.0", Replace: &debug.Module{Path: "../rein"}}}},
		"v9.9.9 in example.com/own (devel)": {Main: debug.Module{Path: "example.com/own"}, Deps: []*debug.Module{{Path: "rein", Version: "v1", Replace: &debug.Module{Path: "example.com/rein", Version: "v9.9.9"}}}},
		"v0.3.0":                            {Main: own},
	} {
		if got := versionOf(&info); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if Version() == "" {
		t.Error("no version at all")
	}
}
