package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/txtar"

	"rein"
	"rein/household/changes"
	"rein/tool"
	"rein/tool/agenda"
	"rein/tool/basics"
	"rein/tool/cron"
	"rein/tool/diagnostics"
	"rein/tool/files"
	"rein/tool/python"
	"rein/tool/shell"
	"rein/tool/todo"
	"rein/tool/tree"
	"rein/tool/undo"
	"rein/tool/web"
)

var update = flag.Bool("update", false, "write testdata")

const registry = "testdata/registry.txtar"

const prose = `What models are told of each tool: its facts, its text and the schema of its arguments.
A change here changes what models do. Written by: go test ./tool -run Registry -update

`

// all returns every tool of the families below this package.
func all(t *testing.T) map[string]rein.Tool {
	t.Helper()
	root, err := files.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	read := func(context.Context, rein.Invocation, string) (string, error) { return "", nil }
	writing, err := root.Writing(changes.Book{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	looking, err := web.New(web.Options{}).Tools()
	if err != nil {
		t.Fatal(err)
	}
	agents, err := tree.Tools()
	if err != nil {
		t.Fatal(err)
	}
	planning, err := agenda.Tools(agenda.Options{})
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := cron.Tools(cron.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := tool.Set(append(slices.Concat(writing, looking, agents, planning, jobs),
		tool.Must(undo.Tool(undo.Sources{})),
		tool.Must(basics.GetCurrentTime(time.Now)),
		tool.Must(basics.AskUser()),
		tool.Must(basics.LoadSkill(nil)),
		tool.Must(basics.RequestInput()),
		tool.Must(basics.ReadResult(read)),
		tool.Must(root.ReadFile()),
		tool.Must(root.ListDirectory()),
		tool.Must(shell.New(shell.Options{}).ExecuteCommand()),
		tool.Must(shell.New(shell.Options{}).MonitorLog()),
		tool.Must(shell.New(shell.Options{}).StopCommand()),
		tool.Must(todo.Tool(nil)),
		tool.Must(diagnostics.New(diagnostics.Options{}).Tool()),
		tool.Must(python.New(python.Options{}).Tool()),
	)...)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// The tools are what the file says, word for word.
func TestRegistry(t *testing.T) {
	archive := txtar.Archive{Comment: []byte(prose)}
	set := all(t)
	for _, name := range slices.Sorted(maps.Keys(set)) {
		var schema bytes.Buffer
		if err := json.Indent(&schema, set[name].Schema, "", "  "); err != nil {
			t.Fatal(err)
		}
		archive.Files = append(archive.Files,
			txtar.File{Name: name, Data: []byte(facts(set[name]) + "\n" + set[name].Description + "\n")},
			txtar.File{Name: name + ".json", Data: append(schema.Bytes(), '\n')})
	}
	got := txtar.Format(&archive)
	if *update {
		if err := os.WriteFile(registry, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(registry)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs; if that is right, run with -update\n%s", registry, diff)
	}
}

func facts(t rein.Tool) string {
	does := "runs a function"
	if t.Ask != nil {
		does = "asks a person"
	}
	return fmt.Sprintf("%s; effect %s; approval %t; polling %t; trusted %v\n", does, t.Effect, t.Approval, t.Polling, t.Trusted)
}

// Models can use what is described: every argument is, and no text is so long that it crowds out the
// work.
func TestEveryArgumentIsDescribed(t *testing.T) {
	for name, tool := range all(t) {
		var s jsonschema.Schema
		if err := json.Unmarshal(tool.Schema, &s); err != nil {
			t.Fatal(err)
		}
		for arg, p := range s.Properties {
			told := strings.Contains(tool.Description, "`"+arg+"`") || name == "request_input" // its words are fixed
			if p.Description == "" || !told {
				t.Errorf("%s: %s is not described", name, arg)
			}
		}
		if len(tool.Description) > 1500 {
			t.Errorf("%s: its text has %d bytes", name, len(tool.Description))
		}
	}
}
