package archtest

import (
	"slices"
	"strings"
	"testing"
)

const repository = "../.."

// Covers: ENG-66 RAO-60
func TestImportDirections(t *testing.T) {
	packages, err := Packages(repository)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(packages, func(p Package) bool { return p.Path == "." }) {
		t.Fatalf("the root package was not found among %v", packages)
	}
	for _, wrong := range CheckImports(Rules, packages) {
		t.Error(wrong)
	}
}

// TestPlantedImports shows that the rules bite: each package of the list breaks one of them.
//
// Covers: ENG-66
func TestPlantedImports(t *testing.T) {
	for _, c := range []struct{ pkg, imported string }{
		{".", "rein/store"},
		{".", "golang.org/x/sync/errgroup"},
		{"flow", "rein/engine"},
		{"flow", "rein/engine/guard"},
		{"flow", "github.com/google/go-cmp/cmp"},
		{"flow/answer", "rein/store"},
		{"flow/answer", "rein/flow/operate"},
		{"flow/kit", "rein/flow/answer"},
		{"flow/kit", "rein/store"},
		{"engine/guard", "rein/engine/work"},
		{"engine/work", "rein/engine"},
		{"engine/work", "rein/store"},
		{"engine", "rein/store/sqlite"},
		{"engine", "rein/dispatch/local"},
		{"engine", "rein/server"},
		{"engine/enginetest", "rein/store/sqlite"},
		{"dispatch", "rein/engine"},
		{"dispatch/local", "rein/engine"},
		{"dispatch/dispatchtest", "rein/engine"},
		{"store", "rein/store/sqlite"},
		{"store/sqlite", "rein/engine"},
		{"store/storetest", "rein/engine"},
		{"store/postgres", "rein/store/sqlite"},
		{"model/script", "rein/engine/work"},
		{"model/openai", "rein/model/anthropic"},
		{"tool/files", "rein/tool/shell"},
		{"tool/files", "rein/vault"},
		{"api", "rein/vault"},
		{"api", "rein/household/erase"},
		{"api/client", "rein/store"},
		{"api/client", "rein/server"},
		{"server", "rein/engine"},
		{"server/dialect", "rein/engine"},
		{"app", "rein/cli"},
		{"app", "rein/terminal"},
		{"app/config", "rein/engine"},
		{"terminal", "rein/app"},
		{"cli", "rein/store"},
		{"cli", "rein/engine"},
		{"cli", "rein/server"},
		{"cli", "rein/flow"},
		{"terminal", "rein/flow"},
		{"terminal", "rein/store"},
		{"cmd/rein", "rein/engine"},
		{"terminal/tui", "rein/app"},
		{"terminal/tui", "rein/server"},
		{"internal/coverage", "rein"},
	} {
		wrong := CheckImports(Rules, []Package{{Path: c.pkg, Imports: []string{"fmt", c.imported}}})
		if len(wrong) != 1 || !strings.HasPrefix(wrong[0], c.pkg+" imports "+c.imported+": ") {
			t.Errorf("%s imports %s: reported %q", c.pkg, c.imported, wrong)
		}
	}
}

func TestAllowedImports(t *testing.T) {
	for _, p := range []Package{
		{".", []string{"encoding/json", "time"}},
		{"flow", []string{"rein", "strings"}},
		{"engine", []string{"rein", "rein/store", "rein/engine/guard", "rein/engine/work", "rein/dispatch"}},
		{"store/sqlite", []string{"rein", "rein/store", "modernc.org/sqlite"}},
		{"tool/notes", []string{"rein/vault", "rein/vault/rank"}},
		{"server/dialect", []string{"rein", "rein/server"}},
		{"terminal/tui", []string{"rein/api/client", "rein/terminal/tui/look"}},
		{"app", []string{"rein", "rein/engine", "rein/store/sqlite", "rein/flow"}},
		{"terminal", []string{"rein", "rein/api", "rein/journal", "golang.org/x/term"}},
		{"cmd/rein", []string{"rein/app", "rein/cli"}},
	} {
		if wrong := CheckImports(Rules, []Package{p}); len(wrong) > 0 {
			t.Errorf("%v", wrong)
		}
	}
}

func TestPackageWithoutRule(t *testing.T) {
	wrong := CheckImports(Rules, []Package{{Path: "helpers/util"}})
	if len(wrong) != 1 || !strings.Contains(wrong[0], "no rule is for this package") {
		t.Errorf("reported %q", wrong)
	}
}

func TestEveryRuleHasAReason(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules {
		if r.Why == "" || seen[r.For] {
			t.Errorf("the rule for %q has no reason, or is there twice", r.For)
		}
		seen[r.For] = true
	}
}
