package sbom

import (
	"encoding/json"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"
)

// The document of a real binary has what go version -m shows of it: each module with its version and sum.
func TestReadIsWhatGoSays(t *testing.T) {
	t.Parallel()
	binary := t.TempDir() + "/rein-schema"
	build := exec.Command("go", "build", "-o", binary, "rein/internal/apidoc")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := Read(binary)
	if err != nil {
		t.Fatal(err)
	}
	var bom BOM
	if err := json.Unmarshal(text, &bom); err != nil {
		t.Fatal(err)
	}
	has := map[string]Component{}
	for _, c := range bom.Components {
		has[c.Name] = c
	}
	out, err := exec.Command("go", "version", "-m", binary).Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := 0
	for line := range strings.Lines(string(out)) {
		switch f := strings.Fields(line); f[0] {
		case "dep":
			deps++
			c := has[f[1]]
			if c.Version != f[2] || len(c.Hashes) != 1 || len(c.Hashes[0].Content) != 64 || property(c, "go:sum") != f[3] {
				t.Errorf("go says %q, the document %+v", strings.TrimSpace(line), c)
			}
		case "mod":
			if bom.Metadata.Component.Name != f[1] || bom.Metadata.Component.Version != f[2] {
				t.Errorf("go says %q, the document %+v", strings.TrimSpace(line), bom.Metadata.Component)
			}
		case "build":
			key, value, _ := strings.Cut(f[1], "=")
			if value != "" && len(f) == 2 && property(bom.Metadata.Component, "go:"+key) != value {
				t.Errorf("go says %q, the document does not", strings.TrimSpace(line))
			}
		}
	}
	if deps < 5 || len(bom.Components) != deps+1 || !strings.HasPrefix(has["std"].Version, "go1.") {
		t.Errorf("%d modules, %d components, standard library %+v", deps, len(bom.Components), has["std"])
	}
	if on := bom.Dependencies[0].On; bom.Format != "CycloneDX" || len(on) != len(bom.Components) {
		t.Errorf("%s with %d dependencies", bom.Format, len(on))
	}
}

func property(c Component, name string) string {
	for _, p := range c.Properties {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

// A module that was replaced is listed as what was linked, and says what it replaces.
func TestReplaced(t *testing.T) {
	t.Parallel()
	bom := Make(&debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Path: "rein", Version: "v1.2.0+dirty"}, Deps: []*debug.Module{
		{Path: "example.com/a", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/b", Version: "v2.0.0"}},
	}})
	if c := bom.Components[1]; c.Name != "example.com/b" || c.PURL != "pkg:golang/example.com/b@v2.0.0" || property(c, "go:replaces") != "example.com/a@v1.0.0" {
		t.Errorf("%+v", c)
	}
	if main := bom.Metadata.Component; main.PURL != "pkg:golang/rein@v1.2.0%2Bdirty" {
		t.Errorf("%+v", main)
	}
}

// What is not a Go binary is refused with its name.
func TestReadWrong(t *testing.T) {
	t.Parallel()
	file := t.TempDir() + "/text"
	if err := os.WriteFile(file, []byte("no binary"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, file + ".none"} {
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
