package hands

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/internal/labs"
)

// A repair is a module at a version with a bug, which the next patch release fixed, and how the model fixes it. Nothing of
// the modules is here: both versions come from the module proxy.
type repair struct {
	module, broken, fixed string
	later                 string // the file of the fixed version with a test of the bug
	test                  string // its name
	needs                 bool   // it has dependencies: commands must read the module cache

	task    string
	find    string // a regular expression that finds the place
	file    string // where it is
	line    int    // from which line on it is read
	regress string // the model's own test of the bug, in regress_test.go
	fix     call   // what the model changes
	message string // of its commit
}

type call struct {
	tool string
	args map[string]any
}

func repairs() []repair {
	return []repair{
		{
			module: "github.com/hashicorp/go-version", broken: "v1.2.0", fixed: "v1.2.1", later: "version_test.go", test: "TestVersionEqual_nil",
			task: "Comparing with a version that is nil must not panic.", find: `^func .*\) Equal\(`, file: "version.go", line: 280,
			regress: "package version\n\nimport \"testing\"\n\nfunc TestNilIsEqualToNilOnly(t *testing.T) {\n\tvar none *Version\n\tif one := Must(NewVersion(\"1.0\")); one.Equal(none) || none.Equal(one) || !none.Equal(nil) {\n\t\tt.Error(\"nil is equal to nil, and to nothing else\")\n\t}\n}\n",
			fix: call{"edit_file", map[string]any{"path": "version.go", "edits": []map[string]any{{
				"old": "func (v *Version) Equal(o *Version) bool {\n",
				"new": "func (v *Version) Equal(o *Version) bool {\n\tif none := v == nil; none || o == nil {\n\t\treturn none && o == nil\n\t}\n",
			}}}},
			message: "Compare versions that are nil",
		},
		{
			module: "github.com/huandu/xstrings", broken: "v1.3.2", fixed: "v1.3.3", later: "convert_test.go", test: "TestToSnakeCaseAndToKebabCase",
			task: "ToSnakeCase doubles the underscore after a number.", find: "case numberWord:", file: "convert.go", line: 120,
			regress: "package xstrings\n\nimport \"testing\"\n\nfunc TestSnakeCaseIsStable(t *testing.T) {\n\tfor _, s := range []string{\"a_1_b\", \"x_22_y_3_z\"} {\n\t\tif got := ToSnakeCase(s); got != s {\n\t\t\tt.Errorf(\"%s became %s\", s, got)\n\t\t}\n\t}\n}\n",
			fix: call{"edit_file", map[string]any{"path": "convert.go", "edits": []map[string]any{{
				"old": "if wt != invalidWord && wt != punctWord {", "new": "if ends := wt == invalidWord || wt == punctWord || wt == connectorWord; !ends {",
			}}}},
			message: "Do not double connectors after numbers",
		},
		{
			module: "github.com/tidwall/gjson", broken: "v1.14.2", fixed: "v1.14.3", later: "gjson_test.go", test: "TestDeepModifierWithOptions", needs: true,
			task: "A modifier with options is not seen below an array.", find: "check that the next component", file: "gjson.go", line: 930,
			regress: "package gjson\n\nimport \"testing\"\n\nfunc TestModifierWithOptionsBelowArray(t *testing.T) {\n\tif got := Get(`{\"a\":[{\"b\":{\"d\":1,\"c\":2}}]}`, `a.#.b.@ugly:{\"x\":1}`).Raw; got != `[{\"d\":1,\"c\":2}]` {\n\t\tt.Error(got)\n\t}\n}\n",
			fix:     call{"apply_patch", map[string]any{"patch": "*** Begin Patch\n*** Update File: gjson.go\n@@ \t\t// check that the next component is *not* a modifier.\n \t\ti := 1\n \t\tfor ; i < len(s); i++ {\n-\t\t\tif s[i] == '.' || s[i] == '|' {\n+\t\t\tif c := s[i]; c == '.' || c == '|' || c == ':' {\n \t\t\t\tbreak\n*** End Patch\n"}},
			message: "See modifiers that have options",
		},
	}
}

// all says that every module is repaired, and not only the first.
var all = os.Getenv("REIN_HANDS") == "full"

// Modules of other people, at a version whose next patch release fixed a bug: the model searches, reads, writes a test,
// sees it fail, edits, sees it pass and commits, and a person agrees to each of these changes. The test that the authors
// wrote later fails before, and passes on what was committed.
//
// Covers: SD-4 SD-30 SD-34 SD-42/shell SD-90
func TestModulesAreRepaired(t *testing.T) {
	labs.Only(t)
	for i, m := range repairs() {
		if i > 0 && !all {
			break
		}
		t.Run(filepath.Base(m.module), func(t *testing.T) {
			broken, fixed := download(t, m.module+"@"+m.broken), download(t, m.module+"@"+m.fixed)
			r := newRig(t)
			r.copies(broken)
			r.git("init", "-q")
			r.git("config", "user.name", "Ann")
			r.git("config", "user.email", "ann@example.com")
			r.git("add", "-A")
			r.git("commit", "-qm", m.broken)
			if out, passed := r.later(m, fixed); passed {
				t.Fatalf("%s passes before the repair:\n%s", m.test, out)
			}
			r.repairs(m)
			if out, passed := r.later(m, fixed); !passed {
				t.Errorf("%s fails after the repair:\n%s", m.test, out)
			}
		})
	}
}

// repairs has the model do its work.
func (r *rig) repairs(m repair) {
	r.Helper()
	cache, modules := goEnv(r.T, "GOCACHE"), goEnv(r.T, "GOMODCACHE")
	r.open(m.script(modules), fmt.Sprintf("[shell]\nread = ['%s']\nwrite = ['%s']\nenv = ['GOCACHE=%s']\n", goEnv(r.T, "GOROOT"), cache, cache))
	tested := wish{"execute_command", []string{"go test", "It has no network.", "It runs in the sandbox."}}
	if m.needs {
		tested.shows = append(tested.shows, "IF YOU AGREE, it also gets to read "+modules)
	}
	w := r.do(rein.Task{Flow: "operate", Settings: []byte(`{"rounds":12}`), Messages: []rein.Message{{Role: rein.User, Text: m.task}}}, r.agreeing(
		wish{"write_file", []string{"regress_test.go", "+func Test"}}, tested, wish{m.fix.tool, []string{m.file}}, tested,
		wish{"execute_command", []string{"- git add -A: ask", "- git commit -q -m", "It has no network."}},
	))
	if w.end.Text != "It works, and it is committed." {
		r.Fatal(w.told())
	}
	if log := r.git("log", "--format=%s", "-2"); log != m.message+"\n"+m.broken+"\n" {
		r.Errorf("the log of git is %q", log)
	}
	if left := r.git("status", "--porcelain"); left != "" {
		r.Errorf("not everything was committed: %s", left)
	}
	for _, i := range w.intents() {
		if i.Allowed != "ask" && i.Allowed != "rule" {
			r.Errorf("%s was allowed by %q", i.Tool, i.Allowed)
		}
	}
}

// script is what the model says. It goes on only if it sees what it must see.
func (m repair) script(modules string) string {
	test := call{"execute_command", map[string]any{"command": "go test ."}}
	if m.needs {
		test.args = map[string]any{"command": "GOFLAGS=-mod=mod GOPROXY=off GOMODCACHE=" + modules + " go test -run Modifier .", "read": []string{modules}}
	}
	command := func(line string) call { return call{"execute_command", map[string]any{"command": line}} }
	turns := []struct {
		sees string // of the result before
		does call
	}{
		{"", call{"grep", map[string]any{"pattern": m.find}}},
		{m.file + ":", call{"read_file", map[string]any{"path": m.file, "from_line": m.line, "lines": 40}}},
		{"", call{"write_file", map[string]any{"path": "regress_test.go", "content": m.regress}}},
		{"", test},
		{"FAIL", m.fix},
		{"", test},
		{"ok", command("git status --short")},
		{"regress_test.go", command("git add -A && git commit -q -m '" + m.message + "'")},
		{"Exit code 0", command("git log --oneline -n 1")},
	}
	var b strings.Builder
	for i, turn := range turns {
		args, err := json.Marshal(turn.does.args)
		if err != nil {
			panic(err) // our own literals
		}
		fmt.Fprintf(&b, "when turn=%d", i+1)
		if turn.sees != "" {
			fmt.Fprintf(&b, " tool~%q", turn.sees)
		}
		fmt.Fprintf(&b, "\ncall %s %s\n", turn.does.tool, args)
	}
	fmt.Fprintf(&b, "when turn=%d tool~%q\nsay It works, and it is committed.\nwhen\nsay I do not understand what I see.\n", len(turns)+1, m.message)
	return b.String()
}

// later runs the test that the authors wrote, on a copy of the workspace.
func (r *rig) later(m repair, fixed string) (string, bool) {
	r.Helper()
	there := rig{T: r.T, root: r.TempDir()}
	there.copies(r.root)
	text, err := os.ReadFile(filepath.Join(fixed, m.later))
	if err != nil {
		r.Fatal(err)
	}
	there.put(there.path(m.later), string(text))
	cmd := exec.CommandContext(r.Context(), "go", "test", "-vet=off", "-v", "-run", "^"+m.test+"$", ".")
	cmd.Dir, cmd.Env = there.root, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err == nil && !bytes.Contains(out, []byte("--- PASS: "+m.test)) {
		r.Fatalf("%s was not run:\n%s", m.test, out)
	}
	return string(out), err == nil
}

// copies copies the files of a folder into the workspace; those of a module cache can only be read.
func (r *rig) copies(folder string) {
	r.Helper()
	err := fs.WalkDir(os.DirFS(folder), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(folder, path))
		r.put(r.path(path), string(text))
		return err
	})
	if err != nil {
		r.Fatal(err)
	}
}

// download returns where the module cache has a version of a module.
func download(t *testing.T, version string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", version)
	cmd.Dir = t.TempDir() // in no module
	out, err := cmd.Output()
	var got struct{ Dir, Error string }
	if bad := json.Unmarshal(out, &got); err != nil || bad != nil || got.Dir == "" {
		t.Skipf("%s cannot be downloaded from the module proxy: %v %s", version, err, got.Error)
	}
	return got.Dir
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
